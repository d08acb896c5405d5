/// The program of the instruction-set simulator's bench: an endless loop over what firmware does.
///
/// A round: 512 pseudo-random double words (multiply, store), the first 48 of them sorted by insertion (loads, stores,
/// branches that are hard to foresee), a byte-wise hash of all (byte loads, multiply), and a table look-up for each
/// word by a function (calls, shifts, dependent loads, read-modify-write). A third of the instructions have the short
/// form.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/models/riscv/encode.h"

namespace numavp {

class IssProgram {
  public:
    static constexpr std::uint64_t kBase = 0x80000000, kBytes = 1 << 20, kData = kBase + 0x10000;

    IssProgram() : ram_(kBytes) {
        set_up();
        fill();
        sort();
        hash();
        look_up();
    }
    const std::vector<unsigned char>& ram() const { return ram_; }

  private:
    static constexpr rv::Word kS2 = 18, kS3 = 19, kS4 = 20, kS5 = 21;

    void emit(rv::Word word) {
        const unsigned bytes = (word & 3) == 3 ? 4 : 2;
        std::memcpy(&ram_[at_], &word, bytes);
        at_ += bytes;
    }
    std::int64_t from_here(std::uint64_t place) const { return static_cast<std::int64_t>(place - at_); }
    /// A branch forward, to where `land` is called with what this returns.
    std::uint64_t leave_branch() {
        emit(rv::kNop);
        return at_ - 4;
    }
    void land(std::uint64_t branch_at, rv::Word funct3, rv::Word rs1, rv::Word rs2) {
        const rv::Word w = rv::branch(funct3, rs1, rs2, static_cast<std::int64_t>(at_ - branch_at));
        std::memcpy(&ram_[branch_at], &w, 4);
    }
    static constexpr rv::Word move(rv::Word rd, rv::Word rs) { return rv::ci(2, 4, rd, rs & 31) & ~(1U << 12); } // C.MV

    void set_up() { // s0 data, s1 its end, s2 the factor, s3 the generator, s4 the hash, s5 the counts
        using namespace rv;
        emit(auipc(kS0, kData - kBase));
        emit(addi(kT0, kZero, 1));
        emit(slli(kT0, kT0, 12));
        emit(add(kS1, kS0, kT0));
        emit(add(kS5, kS1, kT0));
        emit(lui(kS2, 0x5851f000));
        emit(addiw(kS2, kS2, 0x42d));
        emit(slli(kS2, kS2, 16));
        emit(addi(kS2, kS2, 0x57d));
        round_ = at_;
    }
    void fill() {
        using namespace rv;
        emit(move(kA0, kS0));
        const std::uint64_t again = at_;
        emit(r_type(0x33, 0, 1, kS3, kS3, kS2)); // mul
        emit(c_addi(kS3, 11));
        emit(i_type(0x13, 5, kA1, kS3, 17)); // srli
        emit(sd(kA1, kA0, 0));
        emit(c_addi(kA0, 8));
        emit(branch(6, kA0, kS1, from_here(again))); // bltu
    }
    void sort() {
        using namespace rv;
        emit(addi(kA0, kS0, 8));
        emit(addi(kA5, kS0, 48 * 8));
        const std::uint64_t next = at_;
        emit(ld(kA1, kA0, 0));
        emit(move(kA2, kA0));
        const std::uint64_t shift = at_;
        emit(ld(kA3, kA2, -8));
        const std::uint64_t found = leave_branch(); // bgeu a1, a3
        emit(sd(kA3, kA2, 0));
        emit(c_addi(kA2, -8));
        emit(bne(kA2, kS0, from_here(shift)));
        land(found, 7, kA1, kA3);
        emit(sd(kA1, kA2, 0));
        emit(c_addi(kA0, 8));
        emit(bne(kA0, kA5, from_here(next)));
    }
    void hash() {
        using namespace rv;
        emit(move(kA0, kS0));
        const std::uint64_t again = at_;
        emit(load(4, kA1, kA0, 0)); // lbu
        emit(r_type(0x33, 4, 0, kS4, kS4, kA1));
        emit(r_type(0x33, 0, 1, kS4, kS4, kS2));
        emit(c_addi(kA0, 1));
        emit(bne(kA0, kS1, from_here(again)));
    }
    void look_up() {
        using namespace rv;
        const std::uint64_t over = at_;
        emit(kNop); // a jump over the function
        const std::uint64_t function = at_;
        emit(i_type(0x13, 7, kA2, kA1, 0x7f)); // andi
        emit(slli(kA2, kA2, 3));
        emit(add(kA2, kA2, kS5));
        emit(ld(kA3, kA2, 0));
        emit(c_addi(kA3, 1));
        emit(sd(kA3, kA2, 0));
        emit(0x8082); // ret
        const Word jump = jal(kZero, static_cast<std::int64_t>(at_ - over));
        std::memcpy(&ram_[over], &jump, 4);
        emit(move(kA0, kS0));
        const std::uint64_t again = at_;
        emit(ld(kA1, kA0, 0));
        emit(jal(kRa, from_here(function)));
        emit(c_addi(kA0, 8));
        emit(bne(kA0, kS1, from_here(again)));
        emit(jal(kZero, from_here(round_)));
    }

    std::vector<unsigned char> ram_;
    std::uint64_t at_ = 0, round_ = 0;
};

} // namespace numavp

/// Lock-step of the RV64 core with libunicorn over random programs.
///
/// Licence: libunicorn contains code of QEMU under the GNU General Public License, version 2, so that a program linked
/// with it, as this one is, may be distributed only under that licence. Nothing else in this repository includes or
/// links libunicorn except the bench program bench/iss_unicorn.cpp, and neither of the two is installed.
///
/// usage: lockstep INSTRUCTIONS [SEED]
///
/// A program is straight-line code with jumps and branches forward. Both run it in pieces; after each, all registers,
/// pc and the data are compared. At a difference both run the piece again, one instruction at a time, to name the first
/// that differs.
///
/// Left out, because libunicorn 2.0.1 has them wrong or has no way to compare them: AMOMIN[U].W and
/// AMOMAX[U].W (it compares the word of memory, zero-extended, with all 64 bits of the register); reserved encodings
/// (the compressed ones run as nothing); an SC whose LR is far (it compares the value in memory, which the manual
/// leaves open); cycle, time and instret (the host's clock); traps (they do not reach mtvec). The directed tests in
/// tests/models/riscv have these.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unicorn/unicorn.h>

#include "models/riscv/rv64_core.h"
#include "tests/models/riscv/lockstep/random_code.h"

namespace {

using namespace numavp;

constexpr std::uint64_t kBase = 0x80000000;
constexpr std::uint64_t kDataBytes = 4096; ///< at the base; code follows
constexpr unsigned kPiece = 64;

struct Snapshot {
    std::uint64_t x[32] = {}, pc = 0;
    std::vector<unsigned char> data = std::vector<unsigned char>(kDataBytes);
    bool operator==(const Snapshot& o) const {
        return pc == o.pc && std::memcmp(x, o.x, sizeof x) == 0 && data == o.data;
    }
};

void check(uc_err error, const char* what) {
    if (error != UC_ERR_OK) throw std::runtime_error(std::string(what) + ": " + uc_strerror(error));
}

/// libunicorn with a RAM of its own.
class Oracle {
  public:
    explicit Oracle(std::vector<unsigned char> ram) : ram_(std::move(ram)) {
        check(uc_open(UC_ARCH_RISCV, UC_MODE_RISCV64, &engine_), "uc_open");
        check(uc_mem_map_ptr(engine_, kBase, ram_.size(), UC_PROT_ALL, ram_.data()), "uc_mem_map_ptr");
        for (int i = 0; i < 32; ++i) names_.push_back(UC_RISCV_REG_X0 + i);
        names_.push_back(UC_RISCV_REG_PC);
    }
    ~Oracle() { uc_close(engine_); }
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    void run(std::uint64_t pc, std::size_t instructions) {
        check(uc_emu_start(engine_, pc, ~std::uint64_t{0}, 0, instructions), "uc_emu_start");
    }
    void save(Snapshot& s) {
        void* values[33];
        for (int i = 0; i < 32; ++i) values[i] = &s.x[i];
        values[32] = &s.pc;
        check(uc_reg_read_batch(engine_, names_.data(), values, 33), "uc_reg_read_batch");
        std::memcpy(s.data.data(), ram_.data(), kDataBytes);
    }
    void restore(const Snapshot& s) {
        for (int i = 1; i < 32; ++i) check(uc_reg_write(engine_, names_[std::size_t(i)], &s.x[i]), "uc_reg_write");
        std::memcpy(ram_.data(), s.data.data(), kDataBytes);
    }

  private:
    std::vector<unsigned char> ram_;
    std::vector<int> names_;
    uc_engine* engine_ = nullptr;
};

/// Our core with a RAM of its own.
class Subject {
  public:
    explicit Subject(std::vector<unsigned char> ram) : ram_(std::move(ram)), core_(config()) {}
    void run(std::size_t instructions) {
        if (core_.run(instructions) != CoreStop::budget || core_.traps() != 0)
            throw std::runtime_error("the core stopped: " + core_.in_words());
    }
    void save(Snapshot& s) const {
        for (unsigned i = 0; i < 32; ++i) s.x[i] = core_.x(i);
        s.pc = core_.pc();
        std::memcpy(s.data.data(), ram_.data(), kDataBytes);
    }
    void restore(const Snapshot& s) {
        for (unsigned i = 1; i < 32; ++i) core_.set_x(i, s.x[i]);
        core_.set_pc(s.pc);
        std::memcpy(ram_.data(), s.data.data(), kDataBytes);
    }
    std::uint32_t word_at(std::uint64_t pc) const {
        std::uint32_t word = 0;
        std::memcpy(&word, ram_.data() + (pc - kBase), 4);
        return word;
    }

  private:
    Rv64Core::Config config() {
        Rv64Core::Config c;
        c.ram_base = kBase;
        c.ram_bytes = ram_.size();
        c.ram = ram_.data();
        c.reset_pc = kBase + kDataBytes;
        c.sync_atomics = false;
        return c;
    }
    std::vector<unsigned char> ram_;
    Rv64Core core_;
};

/// Names the first instruction after `before` that the two execute differently.
std::string first_difference(const std::vector<unsigned char>& ram, const Snapshot& before) {
    Oracle oracle(ram);
    Subject subject(ram);
    oracle.restore(before);
    subject.restore(before);
    Snapshot theirs, ours = before;
    for (unsigned i = 0; i < kPiece; ++i) {
        const std::uint64_t pc = ours.pc;
        oracle.run(pc, 1);
        subject.run(1);
        oracle.save(theirs);
        subject.save(ours);
        if (theirs == ours) continue;
        std::string text = fmt::format("instruction {:#010x} at {:#x}", subject.word_at(pc), pc);
        if (theirs.pc != ours.pc) text += fmt::format("; pc {:#x}, libunicorn {:#x}", ours.pc, theirs.pc);
        for (unsigned r = 0; r < 32; ++r)
            if (theirs.x[r] != ours.x[r])
                text += fmt::format("; x{} {:#x}, libunicorn {:#x}", r, ours.x[r], theirs.x[r]);
        return text + (theirs.data == ours.data ? "" : "; memory differs");
    }
    return "a piece that differs only as a whole: state that is no register, such as a reservation";
}

/// Runs a program of at least `instructions`; returns what differed, or nothing.
std::string compare(std::uint64_t seed, std::uint64_t instructions) {
    RandomCode code(seed, kBase, kDataBytes);
    const std::vector<unsigned char> ram = code.ram(instructions);
    Oracle oracle(ram);
    Subject subject(ram);
    Snapshot theirs, ours, before;
    code.registers(before.x);
    before.pc = kBase + kDataBytes;
    std::memcpy(before.data.data(), ram.data(), kDataBytes);
    oracle.restore(before);
    subject.restore(before);
    for (std::uint64_t done = 0; done < instructions; done += kPiece) {
        oracle.run(before.pc, kPiece);
        subject.run(kPiece);
        oracle.save(theirs);
        subject.save(ours);
        if (!(theirs == ours)) return first_difference(ram, before);
        std::swap(before, ours);
    }
    return "";
}

} // namespace

int main(int argc, char** argv) {
    const std::uint64_t instructions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    const std::uint64_t first_seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    constexpr std::uint64_t kProgram = 1 << 18; // instructions: each program has data and registers of its own
    std::uint64_t done = 0;
    try {
        for (std::uint64_t seed = first_seed; done < instructions; ++seed) {
            const std::uint64_t length = std::min(kProgram, (instructions - done + kPiece - 1) / kPiece * kPiece);
            const std::string difference = compare(seed, length);
            if (!difference.empty()) {
                std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), difference.c_str());
                return 1;
            }
            done += length;
        }
    } catch (const std::exception& e) {
        std::printf("%s\n", e.what());
        return 1;
    }
    std::printf("%llu instructions, no difference\n", static_cast<unsigned long long>(done));
    return 0;
}

#include "tests/models/riscv/lockstep/random_code.h"

#include <algorithm>
#include <cstring>

namespace numavp {

using namespace rv;

namespace {
constexpr std::uint64_t kCorners[] = {0,
                                      1,
                                      2,
                                      ~std::uint64_t{0},
                                      std::uint64_t{1} << 63,
                                      (std::uint64_t{1} << 63) - 1,
                                      0x80000000,
                                      0x7fffffff,
                                      0xffffffff,
                                      0xffffffff80000000,
                                      0x100000000,
                                      0xff80,
                                      0x8000};
constexpr std::uint64_t kReadOnly = 1024; ///< bytes at the start of the data that are only read
} // namespace

RandomCode::RandomCode(std::uint64_t seed, std::uint64_t base, std::uint64_t data_bytes)
    : rng_(seed), base_(base), data_bytes_(data_bytes) {}

std::uint64_t RandomCode::value() {
    if (rng_.chance(1, 3)) return kCorners[rng_.below(std::size(kCorners))];
    return rng_.next() >> rng_.below(64);
}

void RandomCode::registers(std::uint64_t (&x)[32]) {
    for (unsigned i = 1; i < 32; ++i) x[i] = value();
    x[kS1] = base_ + kReadOnly / 2;
    x[kS0] = base_ + 2048;
    x[kSp] = base_ + 3072;
}

std::vector<unsigned char> RandomCode::ram(std::uint64_t instructions) {
    code_.resize(data_bytes_);
    for (std::uint64_t i = 0; i < data_bytes_; i += 8) {
        const std::uint64_t v = value();
        std::memcpy(&code_[i], &v, 8);
    }
    // Branches skip up to three: what executes is fewer than what is there.
    while (emitted_ < 2 * instructions) one();
    for (int i = 0; i < 8; ++i) settle(), emit(kNop);
    code_.resize((code_.size() + 4095) / 4096 * 4096);
    return code_;
}

Word RandomCode::rd() {
    const Word r = pick(32);
    return r == kSp || r == kS0 || r == kS1 ? r + 10 : r;
}

std::int64_t RandomCode::imm(unsigned bits) {
    const std::int64_t span = std::int64_t{1} << bits;
    return static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(span))) - span / 2;
}

void RandomCode::emit(Word word) {
    const std::size_t bytes = (word & 3) == 3 ? 4 : 2, at = code_.size();
    code_.resize(at + bytes);
    std::memcpy(&code_[at], &word, bytes);
    ++emitted_;
}

/// The branch or jump at `at` goes over the next `instructions`.
void RandomCode::ahead(std::size_t at, std::uint64_t instructions) {
    forward_.push_back({at, emitted_ + instructions});
}

/// Gives targets to the branches that wait for the instruction that comes next.
void RandomCode::settle() {
    for (const Forward& f : forward_) {
        if (f.until > emitted_) continue;
        const auto offset = static_cast<std::int64_t>(code_.size() - f.at);
        Word w = 0;
        std::memcpy(&w, &code_[f.at], 2);
        if ((w & 3) == 3) {
            std::memcpy(&w, &code_[f.at], 4);
            w |= (w & 0x7f) == 0x63 ? branch(0, 0, 0, offset) : jal(0, offset);
            std::memcpy(&code_[f.at], &w, 4);
            continue;
        }
        // Offsets below 32: bits 4 and 3 to 1 are in different places in C.J and C.BEQZ.
        w |= w >> 13 == 5 ? field(offset, 4, 4) << 11 | field(offset, 3, 1) << 3 | field(offset, 5, 5) << 2
                          : field(offset, 4, 3) << 10 | field(offset, 2, 1) << 3 | field(offset, 5, 5) << 2;
        std::memcpy(&code_[f.at], &w, 2);
    }
    forward_.erase(
        std::remove_if(forward_.begin(), forward_.end(), [&](const Forward& f) { return f.until <= emitted_; }),
        forward_.end());
}

void RandomCode::one() {
    settle();
    const Word kind = pick(100);
    if (kind < 22)
        arithmetic();
    else if (kind < 36)
        immediate();
    else if (kind < 52)
        memory();
    else if (kind < 58)
        atomics();
    else if (kind < 66)
        jump();
    else if (kind < 69)
        control();
    else
        compressed();
}

void RandomCode::arithmetic() {
    static constexpr Word kBase64[][2] = {{0, 0}, {0, 0x20}, {1, 0},    {2, 0}, {3, 0},
                                          {4, 0}, {5, 0},    {5, 0x20}, {6, 0}, {7, 0}};
    static constexpr Word kBase32[][2] = {{0, 0}, {0, 0x20}, {1, 0}, {5, 0}, {5, 0x20},
                                          {0, 1}, {4, 1},    {5, 1}, {6, 1}, {7, 1}};
    const Word i = pick(28);
    if (i < 8)
        emit(r_type(0x33, i, 1, rd(), any(), any())); // MUL to REMU
    else if (i < 18)
        emit(r_type(0x33, kBase64[i - 8][0], kBase64[i - 8][1], rd(), any(), any()));
    else
        emit(r_type(0x3b, kBase32[i - 18][0], kBase32[i - 18][1], rd(), any(), any()));
}

void RandomCode::immediate() {
    static constexpr Word kPlain[] = {0, 2, 3, 4, 6, 7};
    switch (pick(10)) {
    case 0: return emit(u_type(0x37, rd(), imm(32)));
    case 1: return emit(u_type(0x17, rd(), imm(32)));
    case 2: return emit(slli(rd(), any(), pick(64)));
    case 3: return emit(i_type(0x13, 5, rd(), any(), pick(64) | (pick(2) << 10)));
    case 4: return emit(i_type(0x1b, 1, rd(), any(), pick(32)));
    case 5: return emit(i_type(0x1b, 5, rd(), any(), pick(32) | (pick(2) << 10)));
    case 6: return emit(addiw(rd(), any(), imm(12)));
    default: return emit(i_type(0x13, kPlain[pick(6)], rd(), any(), imm(12)));
    }
}

void RandomCode::memory() {
    const Word base = pick(3) == 0 ? kS1 : pick(2) ? kS0 : kSp;
    if (base == kS1 || pick(2)) return emit(load(pick(7), rd(), base, base == kS1 ? imm(9) : imm(10)));
    emit(store(pick(4), any(), base, imm(10)));
}

void RandomCode::atomics() {
    static constexpr Word kAll[] = {kAmoAdd, kAmoSwap, kAmoXor, kAmoOr, kAmoAnd, kAmoMin, kAmoMax, kAmoMinu, kAmoMaxu};
    const Word width = 2 + pick(2), order = pick(4) << 25, where = pick(4) ? kS0 : kSp;
    if (pick(3) == 0) { // a pair, and perhaps one more SC, which fails
        emit(lr(width, rd(), where) | order);
        if (pick(2)) emit(addi(rd(), any(), imm(12)));
        emit(sc(width, rd(), any(), where) | order);
        if (pick(2)) emit(sc(width, rd(), any(), where) | order);
        return;
    }
    emit(atomic(kAll[pick(width == 2 ? 5 : 9)], width, rd(), where, any()) | order); // no AMOMIN.W and its like
}

void RandomCode::jump() {
    static constexpr Word kConditions[] = {0, 1, 4, 5, 6, 7};
    const std::size_t at = code_.size();
    const Word kind = pick(8);
    if (kind < 5) {
        emit(branch(kConditions[pick(6)], any(), any(), 0));
        ahead(at, pick(4));
    } else if (kind == 5) {
        emit(jal(rd(), 0));
        ahead(at, pick(4));
    } else {
        const Word via = 10 + pick(16);
        emit(auipc(via, 0));
        emit(jalr(rd(), via, 8 + pick(2))); // the lowest bit of the target does not count
    }
}

void RandomCode::control() {
    if (pick(4) == 0) return emit(pick(2) ? kFence : kFenceI);
    static constexpr Word kKinds[] = {1, 2, 3, 5, 6, 7};
    emit(csr(kKinds[pick(6)], rd(), 0x340, any())); // mscratch
}

void RandomCode::compressed() {
    const Word kind = pick(16);
    if (kind < 10) return compressed_arithmetic(kind);
    if (kind < 14) return compressed_memory();
    compressed_jump();
}

void RandomCode::compressed_arithmetic(Word kind) {
    const Word nonzero = pick(31) + 1;
    Word d = rd();
    switch (kind) {
    case 0: return emit(ci(1, 0, d, imm(6)));                                                  // C.ADDI
    case 1: return emit(ci(1, 1, d == 0 ? 10 : d, imm(6)));                                    // C.ADDIW
    case 2: return emit(ci(1, 2, d, imm(6)));                                                  // C.LI
    case 3: return emit(ci(1, 3, d, static_cast<std::int64_t>(nonzero) - (pick(2) ? 32 : 0))); // C.LUI
    case 4: return emit(ci(2, 0, d, pick(64)));                                                // C.SLLI
    case 5: return emit((pick(255) + 1) << 5 | (low_rd() - 8) << 2);                           // C.ADDI4SPN
    case 6: return emit(ci(1, 4, low_rd() - 8, imm(6)) | pick(3) << 10);                       // C.SRLI, C.SRAI, C.ANDI
    case 7: {                                                                                  // C.SUB to C.ADDW
        const Word which = pick(6);
        return emit(4U << 13 | (which >> 2) << 12 | 3U << 10 | (low_rd() - 8) << 7 | (which & 3) << 5 |
                    (low() - 8) << 2 | 1);
    }
    default: return emit(ci(2, 4, d, nonzero) & ~(kind == 8 ? 1U << 12 : 0U)); // C.MV, C.ADD
    }
}

void RandomCode::compressed_memory() {
    const Word offset = pick(8) << 10 | pick(4) << 5;
    switch (pick(8)) {
    case 0: return emit(2U << 13 | offset | pick(2) << 7 | (low_rd() - 8) << 2); // C.LW from x8 or x9
    case 1: return emit(3U << 13 | offset | pick(2) << 7 | (low_rd() - 8) << 2); // C.LD
    case 2: return emit(6U << 13 | offset | (low() - 8) << 2);                   // C.SW to x8
    case 3: return emit(7U << 13 | offset | (low() - 8) << 2);                   // C.SD
    case 4: return emit(ci(2, 2, std::max(rd(), kRa), pick(64)));                // C.LWSP
    case 5: return emit(ci(2, 3, std::max(rd(), kRa), pick(64)));                // C.LDSP
    case 6: return emit(6U << 13 | pick(64) << 7 | any() << 2 | 2);              // C.SWSP
    default: return emit(7U << 13 | pick(64) << 7 | any() << 2 | 2);             // C.SDSP
    }
}

void RandomCode::compressed_jump() {
    const std::size_t at = code_.size();
    const Word kind = pick(5);
    if (kind == 0) {
        emit(5U << 13 | 1); // C.J
        ahead(at, pick(4));
    } else if (kind < 4) {
        emit((6 + pick(2)) << 13 | (low() - 8) << 7 | 1); // C.BEQZ, C.BNEZ
        ahead(at, pick(4));
    } else { // C.JR, C.JALR
        const Word via = 10 + pick(16);
        emit(auipc(via, 0));
        emit(c_addi(via, 8));
        emit(ci(2, 4, via, 0) | pick(2) << 12);
    }
}

} // namespace numavp

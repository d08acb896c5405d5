/// Random programs for two cores to run in lock-step: straight on, with jumps and branches forward.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/rng.h"
#include "tests/models/riscv/encode.h"

namespace numavp {

/// x8 and x2 point into data that may be written, x9 into data that may not; no instruction changes these three.
class RandomCode {
  public:
    RandomCode(std::uint64_t seed, std::uint64_t base, std::uint64_t data_bytes);
    /// Data, then a program that executes at least `instructions`.
    std::vector<unsigned char> ram(std::uint64_t instructions);
    void registers(std::uint64_t (&x)[32]);

  private:
    using Word = rv::Word;
    Word pick(std::uint64_t n) { return static_cast<Word>(rng_.below(n)); }
    Word rd();
    Word any() { return pick(32); }
    Word low() { return 8 + pick(8); }     ///< of the eight that short forms have
    Word low_rd() { return 10 + pick(6); } ///< of those, one that may change
    std::int64_t imm(unsigned bits);
    std::uint64_t value();
    void emit(Word word);
    void ahead(std::size_t at, std::uint64_t instructions);

    void one();
    void arithmetic();
    void immediate();
    void memory();
    void atomics();
    void jump();
    void control();
    void compressed();
    void compressed_arithmetic(Word kind);
    void compressed_memory();
    void compressed_jump();
    void settle();

    struct Forward {
        std::size_t at;      ///< of a branch or jump that waits for its target
        std::uint64_t until; ///< number of the instruction that it goes to
    };
    Rng rng_;
    std::uint64_t base_, data_bytes_;
    std::vector<unsigned char> code_;
    std::vector<Forward> forward_;
    std::uint64_t emitted_ = 0;
};

} // namespace numavp

#include "models/sm/shared_banks.h"

#include <algorithm>
#include <array>

namespace numavp {

namespace {
constexpr unsigned kMaxWords = kWarpLanes * (32 / kBankBytes + 1); // 32 bytes, perhaps not aligned

/// The words of all active lanes, each once; returns how many.
unsigned words_of(const Inst& inst, std::array<std::uint64_t, kMaxWords>& words) {
    unsigned count = 0;
    for (std::uint32_t mask = inst.mask; mask != 0; mask &= mask - 1) {
        const std::uint64_t first = inst.address(static_cast<unsigned>(__builtin_ctz(mask)));
        for (std::uint64_t word = first / kBankBytes; word <= (first + inst.width - 1) / kBankBytes; ++word)
            words[count++] = word;
    }
    std::sort(words.begin(), words.begin() + count);
    return static_cast<unsigned>(std::unique(words.begin(), words.begin() + count) - words.begin());
}
} // namespace

unsigned shared_cycles(const Inst& inst, unsigned banks) {
    const bool words_in_turn = inst.mode == AddressMode::affine && inst.width >= kBankBytes &&
                               inst.stride == static_cast<int>(inst.width) && inst.base % kBankBytes == 0 &&
                               (inst.mask & (inst.mask + 1)) == 0; // the lowest lanes: no word is left out
    if (words_in_turn) {
        const auto lanes = static_cast<unsigned>(__builtin_popcount(inst.mask));
        return std::max(1U, (lanes * inst.width / kBankBytes + banks - 1) / banks);
    }
    std::array<std::uint64_t, kMaxWords> words;
    const unsigned count = words_of(inst, words);
    std::array<std::uint16_t, kMaxWords> uses{}; // of each bank; more banks than words are like as many
    std::array<std::uint64_t, kMaxWords> bank;
    for (unsigned i = 0; i < count; ++i) bank[i] = words[i] % banks;
    std::sort(bank.begin(), bank.begin() + count);
    unsigned most = 1;
    for (unsigned i = 0; i < count; ++i) {
        uses[i] = static_cast<std::uint16_t>(i != 0 && bank[i] == bank[i - 1] ? uses[i - 1] + 1 : 1);
        most = std::max<unsigned>(most, uses[i]);
    }
    return most;
}

} // namespace numavp

/// The tree rule as firmware: the same source, compiled for RV64 and executed, decides as it does natively.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "sw/driver/prefetch_tree.h"
#include "tests/sw/driver/called_firmware.h"

namespace numavp::test {
namespace {

TEST(PrefetchTree, DecidesAlikeOnRiscV) {
#ifndef NUMAVP_FUNCTIONS_ELF
    GTEST_SKIP() << "there is no compiler for RISC-V";
#else
    CalledFirmware firmware(NUMAVP_FUNCTIONS_ELF, 64 << 10);
    const auto decide = [&](std::uint32_t resident, std::uint32_t faulted, std::uint32_t all) {
        return static_cast<std::uint32_t>(
            firmware.call("prefetch_leaves", {CalledFirmware::word(resident), CalledFirmware::word(faulted),
                                              CalledFirmware::word(all), kPrefetchPercent}));
    };
    std::mt19937 random(3);
    std::uint64_t most = 0;
    for (unsigned i = 0; i < 500; ++i) {
        const auto some = [&random] { // a quarter of the bits
            const auto half = static_cast<std::uint32_t>(random());
            return half & static_cast<std::uint32_t>(random());
        };
        const std::uint32_t resident = some(), faulted = i % 3 == 0 ? 1U << i % 32 : some();
        const std::uint32_t all = i % 4 == 0 ? (1U << i % 31) : ~0U;
        EXPECT_EQ(decide(resident, faulted, all), prefetch_leaves(resident, faulted, all, kPrefetchPercent));
        most = std::max(most, firmware.steps());
    }
    EXPECT_EQ(decide(0, 1, ~0U), 1U);
    EXPECT_LT(firmware.steps(), 2000U) << "of one fault";
    EXPECT_LT(most, 50'000U);
#endif
}

} // namespace
} // namespace numavp::test

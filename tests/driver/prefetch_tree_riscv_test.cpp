/// The tree rule as firmware: the same source, compiled for RV64 and executed, decides as it does natively.
#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "models/cpu/elf_image.h"
#include "models/cpu/rv64_core.h"
#include "sw/driver/prefetch_tree.h"

namespace numavp::test {
namespace {

constexpr std::uint64_t kRam = 0x80000000, kRamBytes = 64 << 10, kReturn = kRam + kRamBytes - 8;
constexpr std::uint32_t kWaitForInterrupt = 0x10500073;

class Firmware {
  public:
    explicit Firmware(const std::string& path) : ram_(kRamBytes), image_(ElfImage::read(path)), core_(config()) {
        image_.load(kRam, kRamBytes, ram_.data());
        for (unsigned i = 0; i < 4; ++i)
            ram_[kReturn - kRam + i] = static_cast<unsigned char>(kWaitForInterrupt >> 8 * i);
        core_.flush_code();
    }
    std::uint32_t decide(std::uint32_t resident, std::uint32_t faulted, std::uint32_t all, std::uint32_t percent) {
        core_.reset();
        core_.set_pc(image_.symbol("prefetch_leaves")->address);
        core_.set_x(1, kReturn);
        core_.set_x(2, kReturn - 64); // stack
        unsigned argument = 10;
        for (const std::uint32_t value : {resident, faulted, all, percent}) core_.set_x(argument++, signed_word(value));
        EXPECT_EQ(core_.run(100'000), CoreStop::wait) << core_.in_words();
        steps = core_.steps();
        return static_cast<std::uint32_t>(core_.x(10));
    }
    std::uint64_t steps = 0;

  private:
    /// As the ABI passes 32 bits.
    static std::uint64_t signed_word(std::uint32_t value) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
    }
    Rv64Core::Config config() {
        Rv64Core::Config c;
        c.ram_base = kRam;
        c.ram_bytes = kRamBytes;
        c.ram = ram_.data();
        c.reset_pc = kRam;
        return c;
    }
    std::vector<unsigned char> ram_;
    ElfImage image_;
    Rv64Core core_;
};

TEST(PrefetchTree, DecidesAlikeOnRiscV) {
#ifndef NUMAVP_PREFETCH_ELF
    GTEST_SKIP() << "there is no compiler for RISC-V";
#else
    Firmware firmware(NUMAVP_PREFETCH_ELF);
    std::mt19937 random(3);
    std::uint64_t most = 0;
    for (unsigned i = 0; i < 500; ++i) {
        const auto some = [&random] { // a quarter of the bits
            const auto half = static_cast<std::uint32_t>(random());
            return half & static_cast<std::uint32_t>(random());
        };
        const std::uint32_t resident = some(), faulted = i % 3 == 0 ? 1U << i % 32 : some();
        const std::uint32_t all = i % 4 == 0 ? (1U << i % 31) : ~0U;
        EXPECT_EQ(firmware.decide(resident, faulted, all, kPrefetchPercent),
                  prefetch_leaves(resident, faulted, all, kPrefetchPercent));
        most = std::max(most, firmware.steps);
    }
    EXPECT_EQ(firmware.decide(0, 1, ~0U, kPrefetchPercent), 1U);
    EXPECT_LT(firmware.steps, 2000U) << "of one fault";
    EXPECT_LT(most, 50'000U);
#endif
}

} // namespace
} // namespace numavp::test

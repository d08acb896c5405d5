/// Cores as a debugger's target: registers by GDB's numbers, the bounds of RAM, and steps whose instruction is an
/// access to a device or a sleep.
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/riscv/machine_csrs.h"
#include "models/riscv/rv64_debug.h"

namespace numavp::test {
namespace {

constexpr std::uint64_t kRam = 0x80000000;
constexpr std::uint64_t kRamBytes = 0x1000;

constexpr std::uint32_t kNop = 0x00000013;
constexpr std::uint32_t kLoad = 0x00043283;      // ld t0, 0(s0)
constexpr std::uint32_t kStore = 0x00543023;     // sd t0, 0(s0)
constexpr std::uint32_t kStoreByte = 0x00540023; // sb t0, 0(s0)
constexpr std::uint32_t kWfi = 0x10500073;
constexpr unsigned kS0 = 8;

/// Two cores, RAM, and 8 bytes at address 0x100.
class Cores final : public Rv64Debug {
  public:
    Cores(std::vector<Rv64Core*> cores, unsigned char* ram) : Rv64Debug(std::move(cores), {kRam, kRamBytes, ram}) {}
    std::uint64_t elsewhere = 0x1122334455667788;

  private:
    std::uint64_t time(unsigned core) const override { return 1000 + core; }
    bool read_elsewhere(std::uint64_t address, unsigned char* to, std::size_t bytes) override {
        if (address != 0x100 || bytes != 8) return false;
        std::memcpy(to, &elsewhere, bytes);
        return true;
    }
    bool write_elsewhere(std::uint64_t address, const unsigned char* from, std::size_t bytes) override {
        if (address != 0x100 || bytes != 8) return false;
        std::memcpy(&elsewhere, from, bytes);
        return true;
    }
    std::vector<GdbCommand> monitor_commands() const override { return {}; }
    std::optional<std::string> monitor(const std::vector<std::string>&) override { return std::nullopt; }
};

class Rv64DebugTest : public ::testing::Test {
  protected:
    Rv64Core::Config config(std::uint64_t hart) {
        Rv64Core::Config config;
        config.ram_base = config.reset_pc = kRam;
        config.ram_bytes = kRamBytes;
        config.ram = ram.data();
        config.hart = hart;
        return config;
    }
    void program(const std::vector<std::uint32_t>& words) {
        for (std::size_t i = 0; i < words.size(); ++i)
            ASSERT_TRUE(cores.write_memory(kRam + 4 * i, reinterpret_cast<const unsigned char*>(&words[i]), 4));
    }

    std::array<unsigned char, kRamBytes> ram{};
    Rv64Core first{config(0)}, second{config(1)};
    Cores cores{{&first, &second}, ram.data()};
};

TEST_F(Rv64DebugTest, RegistersHaveGdbsNumbers) {
    EXPECT_TRUE(cores.write_register(1, 5, 42));
    EXPECT_EQ(cores.read_register(1, 5), 42U);
    EXPECT_EQ(cores.read_register(0, 5), 0U);
    EXPECT_TRUE(cores.write_register(0, 0, 42)); // x0 takes it and stays
    EXPECT_EQ(cores.read_register(0, 0), 0U);
    EXPECT_EQ(cores.read_register(0, kGdbPc), kRam);
    EXPECT_TRUE(cores.write_register(0, kGdbPc, kRam + 8));
    EXPECT_EQ(cores.read_register(0, kGdbPc), kRam + 8);
    for (unsigned gap = kGdbPc + 1; gap < kGdbFirstCsr; ++gap) {
        EXPECT_EQ(cores.read_register(0, gap), std::nullopt) << gap;
        EXPECT_FALSE(cores.write_register(0, gap, 1)) << gap;
    }
    EXPECT_TRUE(cores.write_register(0, kGdbFirstCsr + kMscratch, 7));
    EXPECT_EQ(cores.read_register(0, kGdbFirstCsr + kMscratch), 7U);
    EXPECT_EQ(cores.read_register(1, kGdbFirstCsr + kMhartid), 1U);
    EXPECT_EQ(cores.read_register(1, kGdbFirstCsr + kTime), 1001U);
    EXPECT_EQ(cores.read_register(0, kGdbFirstCsr + 0x180), std::nullopt); // satp
    for (const GdbCsr& csr : cores.csrs()) EXPECT_TRUE(cores.read_register(0, kGdbFirstCsr + csr.number)) << csr.name;
}

TEST_F(Rv64DebugTest, MemoryKnowsItsBounds) {
    unsigned char bytes[16] = {1, 2, 3, 4};
    EXPECT_TRUE(cores.write_memory(kRam + kRamBytes - 16, bytes, 16));
    EXPECT_TRUE(cores.read_memory(kRam + kRamBytes - 16, bytes, 16));
    EXPECT_FALSE(cores.read_memory(kRam + kRamBytes - 15, bytes, 16));
    EXPECT_FALSE(cores.write_memory(kRam + kRamBytes - 15, bytes, 16));
    EXPECT_FALSE(cores.read_memory(kRam - 4, bytes, 16));
    EXPECT_FALSE(cores.read_memory(~std::uint64_t{0} - 3, bytes, 4)); // base + size wraps from there
    EXPECT_FALSE(cores.read_memory(kRam, bytes, ~std::size_t{0}));
    EXPECT_TRUE(cores.read_memory(0x100, bytes, 8));
    EXPECT_EQ(bytes[0], 0x88);
    EXPECT_FALSE(cores.write_memory(0x104, bytes, 8));
}

TEST_F(Rv64DebugTest, WrittenCodeIsExecuted) {
    program({kNop, kNop});
    EXPECT_EQ(cores.run(0, 1), CoreStop::budget);
    first.set_pc(kRam);
    program({0x00700293}); // li t0, 7
    EXPECT_EQ(cores.run(0, 1), CoreStop::budget);
    EXPECT_EQ(first.x(5), 7U);
}

TEST_F(Rv64DebugTest, AStepIsOneInstructionOfItsCoreAlone) {
    program({kNop, kNop, kNop, kNop});
    cores.resume(1);
    EXPECT_EQ(cores.run(0, 2), CoreStop::budget);
    EXPECT_EQ(cores.run(1, 0), CoreStop::budget);
    EXPECT_EQ(cores.run(1, 2), CoreStop::stepped);
    EXPECT_EQ(second.pc(), kRam + 4);
    EXPECT_EQ(cores.run(1, 2), CoreStop::budget) << "once";
    cores.resume(0);
    cores.resume(std::nullopt);
    EXPECT_EQ(cores.run(0, 2), CoreStop::budget) << "taken back";
}

TEST_F(Rv64DebugTest, AStepOfAnAccessEndsWhenItIsCompleted) {
    program({kLoad, kStore, kLoad});
    first.set_x(kS0, 0x100);
    cores.resume(0);
    ASSERT_EQ(cores.run(0, 100), CoreStop::bus);
    EXPECT_EQ(cores.told(0, CoreStop::bus), std::nullopt);
    first.complete(9);
    EXPECT_EQ(cores.run(0, 100), CoreStop::stepped);
    EXPECT_EQ(first.pc(), kRam + 4);
    // What watches the device is told in place of the step.
    ASSERT_TRUE(cores.insert({GdbPoint::Kind::write, 0x104, 4}));
    cores.resume(0);
    ASSERT_EQ(cores.run(0, 100), CoreStop::bus);
    first.complete(0);
    ASSERT_EQ(cores.run(0, 100), CoreStop::watchpoint);
    EXPECT_EQ(first.pc(), kRam + 8);
    const auto told = cores.told(0, CoreStop::watchpoint);
    ASSERT_TRUE(told);
    EXPECT_EQ(told->why, GdbStop::Why::write_watch);
    EXPECT_EQ(told->address, 0x104U) << "the store begins at 0x100, which is not watched";
    cores.remove({GdbPoint::Kind::write, 0x104, 4});
    // A bus error is a trap, which is a step too.
    cores.resume(0);
    ASSERT_EQ(cores.run(0, 100), CoreStop::bus);
    first.fail();
    EXPECT_EQ(cores.run(0, 100), CoreStop::stepped);
    EXPECT_EQ(cores.read_register(0, kGdbFirstCsr + kMcause), std::uint64_t{kLoadFault});
}

TEST_F(Rv64DebugTest, AStepOfASleepEndsBehindItAndTheNextOneWaits) {
    program({kWfi, kNop});
    first.write_csr(kMie, MachineCsrs::kExternalBit);
    cores.resume(0);
    EXPECT_EQ(cores.run(0, 100), CoreStop::stepped);
    EXPECT_EQ(first.pc(), kRam + 4);
    cores.write_register(0, kGdbPc, kRam + 4); // GDB may write back what it has read
    cores.resume(0);
    EXPECT_EQ(cores.run(0, 100), CoreStop::wait);
    first.set_external_interrupt(true);
    EXPECT_EQ(cores.run(0, 100), CoreStop::stepped);
    EXPECT_EQ(first.pc(), kRam + 8);
}

TEST_F(Rv64DebugTest, PointsHoldForEveryCore) {
    program({kNop, kStoreByte, kLoad, kNop});
    const std::vector<GdbPoint> points = {{GdbPoint::Kind::instruction, kRam + 12, 0},
                                          {GdbPoint::Kind::access, kRam + 0x800, 1},
                                          {GdbPoint::Kind::read, kRam + 0x801, 1}};
    for (const GdbPoint& point : points) ASSERT_TRUE(cores.insert(point));
    for (const unsigned core : {0U, 1U}) {
        cores.write_register(core, kS0, kRam + 0x800);
        ASSERT_EQ(cores.run(core, 100), CoreStop::watchpoint);
        EXPECT_EQ(cores.told(core, CoreStop::watchpoint)->why, GdbStop::Why::access_watch);
        ASSERT_EQ(cores.run(core, 100), CoreStop::watchpoint); // the load touches both
        ASSERT_EQ(cores.run(core, 100), CoreStop::breakpoint);
        EXPECT_EQ(cores.told(core, CoreStop::breakpoint)->core, core);
        EXPECT_EQ(cores.read_register(core, kGdbPc), kRam + 12);
        cores.write_register(core, kGdbPc, kRam);
    }
    for (const GdbPoint& point : points) cores.remove(point);
    EXPECT_EQ(cores.run(0, 4), CoreStop::budget);
    EXPECT_EQ(cores.run(1, 4), CoreStop::budget);
}

} // namespace
} // namespace numavp::test

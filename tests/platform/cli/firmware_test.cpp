/// Firmware that is wrong, and firmware under GDB, on the whole platform.
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "tests/models/riscv/encode.h"
#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kRam = 0x80000000;
constexpr unsigned kHeader = 64, kSegment = 56;

/// An executable of these instructions, loaded and entered at `base`.
std::string executable(const std::vector<rv::Word>& code, std::uint64_t base = kRam, unsigned machine = 243) {
    std::string elf(kHeader + kSegment, '\0');
    const auto put = [&](std::size_t at, unsigned bytes, std::uint64_t value) {
        for (unsigned i = 0; i < bytes; ++i) elf[at + i] = static_cast<char>(value >> 8 * i);
    };
    elf.replace(0, 7,
                std::string("\x7f"
                            "ELF\2\1\1",
                            7));
    put(16, 2, 2); // an executable
    put(18, 2, machine);
    put(20, 4, 1);
    put(24, 8, base);
    put(32, 8, kHeader);
    put(52, 2, kHeader);
    put(54, 2, kSegment);
    put(56, 2, 1);
    put(kHeader, 4, 1); // to be loaded
    put(kHeader + 4, 4, 5);
    put(kHeader + 8, 8, kHeader + kSegment);
    put(kHeader + 16, 8, base);
    put(kHeader + 24, 8, base);
    put(kHeader + 32, 8, 4 * code.size());
    put(kHeader + 40, 8, 4 * code.size());
    for (const rv::Word word : code)
        for (unsigned shift = 0; shift < 32; shift += 8) elf += static_cast<char>(word >> shift & 255);
    return elf;
}

class Firmware : public Cli {
  protected:
    static Args run_words(const Args& more) {
        Args words = {"run",           "numa-aware-2",
                      "spmv-powerlaw", "--scale",
                      "0.01",          "--quiet",
                      "--set",         "socket.sms=4",
                      "--set",         "translation.mode=full",
                      "--set",         "driver.execution=riscv",
                      "--set",         "placement.page_kib=4",
                      "--set",         "driver.policy=lab"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    /// A run with this image, which fails: one sentence for the user, or what is stuck.
    Ended run_image(const std::string& elf) const {
        dir_.write("image.elf", elf);
        Ended ended = numavp(
            run_words({"--set", "driver.riscv.firmware=image.elf", "--set", "driver.watchdog_us=50", "--out", "out"}));
        EXPECT_FALSE(exists("out"));
        return ended;
    }
};

TEST_F(Firmware, OfAnotherMachineIsRefused) {
    const Ended ended = run_image(executable({rv::kNop}, kRam, 62));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("image.elf: "));
}

TEST_F(Firmware, OutsideTheCoresMemoryIsRefused) {
    const Ended ended = run_image(executable({rv::kNop}, 0x1000));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("image.elf: "));
}

TEST_F(Firmware, ThatIsNotThereIsSaid) {
    expect_fault(run_words({"--set", "driver.riscv.firmware=none.elf"}), "none.elf");
}

TEST_F(Firmware, WithAnIllegalInstructionSaysWhere) {
    const Ended ended = run_image(executable({rv::kNop, 0}));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("the driver's firmware traps in its trap handler"));
}

TEST_F(Firmware, ThatStoresToAReadOnlyRegisterTraps) {
    const Ended ended = run_image(executable({rv::lui(rv::kT0, 0x10000000), rv::sd(rv::kZero, rv::kT0, 0)}));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("the driver's firmware traps in its trap handler"));
}

TEST_F(Firmware, ThatNeverAnswersIsEndedByTheWatchdog) {
    const Ended ended = run_image(executable({rv::jal(rv::kZero, 0)}));
    EXPECT_EQ(ended.status, 3);
    EXPECT_THAT(ended.err, HasSubstr("the driver has not served a page fault for"));
    EXPECT_THAT(ended.err, HasSubstr("the page-fault unit waits for the driver to complete"));
    EXPECT_THAT(ended.err, HasSubstr("0x80000000"));
}

/// What the watchdog is about is a driver that does not get on: in a queue that moves, faults wait for longer.
TEST_F(Firmware, ThatGetsOnIsNotEndedByTheWatchdog) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    constexpr double kWatchdogUs = 5.0, kAccessesUs = 10.0;
    const Ended ended = numavp(run_words({"--set", "driver.watchdog_us=5", "--out", "out"}));
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto latency = json_of("out/results.json")["statistics"]["host"]["faults"];
    EXPECT_GT(latency["latency"]["max_ps"].get<double>() / 1e6, kWatchdogUs + kAccessesUs) << latency;
}

/// Memory of the core that the firmware does not touch is not the host's either.
TEST_F(Firmware, MemoryThatIsNotUsedCostsNothing) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    const auto peak = [this](const char* mib) {
        const std::string setting = std::string("driver.riscv.ram_mib=") + mib;
        EXPECT_EQ(numavp(run_words({"--set", setting, "--out", mib})).status, 0);
        return json_of(std::string(mib) + "/run.json")["peak_memory_bytes"].get<double>();
    };
    EXPECT_LT(peak("2048"), peak("32") + 1e9);
}

TEST_F(Firmware, ThatSleepsForGoodIsSaid) {
    const Ended ended = run_image(executable({rv::kWfi, rv::jal(rv::kZero, -4)}));
    EXPECT_EQ(ended.status, 3);
    EXPECT_THAT(ended.err, HasSubstr("the driver's core waits for itself"));
}

/// A session of gdb-multiarch with the driver's own symbols.
class FirmwareUnderGdb : public Firmware {
  protected:
    void SetUp() override {
        NUMAVP_NEEDS(run_process({"gdb-multiarch", "--version"}).status != 127,
                     "gdb-multiarch is not installed (./numavp install-deps does that)");
        NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    }
    /// What GDB printed; the run's results are in `out`.
    std::string session(const std::string& out, const std::vector<std::string>& commands) const {
        Process platform(program(run_words({"--gdb", "0", "--out", out})), environment(), dir_.path(""));
        const std::string port = port_of(platform);
        Args words = {
            "gdb-multiarch", "-nx", "-batch", "-ex", "set confirm off", "-ex", "target remote 127.0.0.1:" + port};
        for (const std::string& command : commands) words.insert(words.end(), {"-ex", command});
        words.push_back(firmware_file());
        const Ended gdb = run_process(words, {}, source_dir());
        EXPECT_EQ(platform.wait().status, 0) << platform.errors_so_far();
        return gdb.out + gdb.err;
    }
    /// Of the invitation, which comes before anything runs.
    static std::string port_of(const Process& platform) {
        for (unsigned tries = 0; tries < 600; ++tries) {
            const std::string said = platform.errors_so_far();
            const std::size_t at = said.find("target remote ");
            const std::size_t colon = at == std::string::npos ? at : said.find(':', at);
            if (colon != std::string::npos)
                return said.substr(colon + 1, said.find_first_not_of("0123456789", colon + 1) - colon - 1);
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        ADD_FAILURE() << "no invitation: " << platform.errors_so_far();
        return "1";
    }
};

TEST_F(FirmwareUnderGdb, SeesThePolicyThroughTheInterrupt) {
    ASSERT_EQ(numavp(run_words({"--out", "alone"})).status, 0);
    const std::string said =
        session("watched", {"break lab", "continue", "backtrace", "print view->toucher", "print/x $mcause",
                            "monitor faults", "monitor pagetable", "x/1gx 0x10000000", "stepi", "delete",
                            "watch view->calls", "continue", "delete", "detach"});
    for (const char* part :
         {"lab (view=", "policy_ask (", "driver_place (", "driver_interrupt (", "<signal handler called>", "main (",
          "0x800000000000000b", "faults wait", "pages have faulted", "Watchpoint 2: view->calls", "detached"})
        EXPECT_THAT(said, HasSubstr(part));
    EXPECT_EQ(text_of("watched/results.json"), text_of("alone/results.json"));
}

TEST_F(FirmwareUnderGdb, ChangesTheResultByChangingAVariable) {
    ASSERT_EQ(numavp(run_words({"--out", "alone"})).status, 0);
    session("changed", {"break lab", "continue", "set var view->pages[0] = 1000000", "delete", "detach"});
    const auto alone = json_of("alone/results.json").at("driver"),
               changed = json_of("changed/results.json").at("driver");
    EXPECT_NE(alone.at("homes_digest"), changed.at("homes_digest"));
}

TEST_F(FirmwareUnderGdb, KillsTheRun) {
    Process platform(program(run_words({"--gdb", "0", "--out", "out"})), environment(), dir_.path(""));
    const std::string port = port_of(platform);
    run_process({"gdb-multiarch", "-nx", "-batch", "-ex", "target remote 127.0.0.1:" + port, "-ex", "kill"});
    const Ended ended = platform.wait();
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("the debugger ended the simulation"));
    EXPECT_FALSE(exists("out"));
}

TEST_F(Firmware, DebuggerNeedsACore) {
    expect_fault(run_words({"--gdb", "0", "--set", "driver.execution=native"}),
                 "--gdb: there is no core to debug; driver.execution riscv is expected");
}

} // namespace
} // namespace numavp::test

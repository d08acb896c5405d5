/// Sessions with the real gdb-multiarch against a tiny machine around one core: what an engineer sees is right, and
/// what comes out of the machine is what comes out without a debugger, unless the engineer changes something.
#include <csignal>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/riscv/gdb/machine.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"
#include "tests/support/process.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr unsigned kSessionGiveUpSeconds = 100; ///< a machine whose debugger never comes ends this process
constexpr int kNoSuchProgram = 127;
constexpr char kExited[] = "[Inferior 1 (Remote target) exited normally]";

/// Counts to ten in memory at 0x80001000 and in t0, then ends with it.
constexpr std::uint32_t kCountToTen[] = {
    0x00001317, // 80000000: auipc t1, 1
    0x00000293, //        4: li t0, 0
    0x00128293, //        8: addi t0, t0, 1
    0x00533023, //        c: sd t0, 0(t1)
    0x00a00393, //       10: li t2, 10
    0xfe729ae3, //       14: bne t0, t2, 80000008
    0x10000437, //       18: lui s0, 0x10000
    0x00543c23, //       1c: sd t0, 24(s0)
};
/// Returns by mret to the instruction behind it, then ends with 7.
constexpr std::uint32_t kReturn[] = {
    0x00000317, // 80000000: auipc t1, 0
    0x01030313, //        4: addi t1, t1, 16
    0x34131073, //        8: csrw mepc, t1
    0x30200073, //        c: mret
    0x00700293, //       10: li t0, 7
    0x10000437, //       14: lui s0, 0x10000
    0x00543c23, //       18: sd t0, 24(s0)
};
constexpr std::uint32_t kForEver = 0x0000006f; // j .

template <class Words> std::string image_of(const Words& words) {
    std::string image;
    for (const std::uint32_t word : words)
        for (unsigned shift = 0; shift < 32; shift += 8) image += static_cast<char>(word >> shift & 255);
    return image;
}

class GdbSessionTest : public ::testing::Test {
  protected:
    void SetUp() override {
        ::alarm(kSessionGiveUpSeconds);
        NUMAVP_NEEDS(run_process({"gdb-multiarch", "--version"}).status != kNoSuchProgram,
                     "gdb-multiarch is not installed (./numavp install-deps does that)");
    }
    void TearDown() override { ::alarm(0); }

    /// Runs `commands` in GDB, which has attached to `machine`; `elf` has symbols if there is one.
    Outcome session(Machine& machine, const std::vector<std::string>& commands, const std::string& elf = "") {
        GdbServer server(machine.debug(), 0);
        std::vector<std::string> words{"gdb-multiarch", "-nx", "-batch"};
        const auto add = [&words](const std::string& command) { words.insert(words.end(), {"-ex", command}); };
        add("set debuginfod enabled off");
        add("set width 0");
        add("target remote :" + std::to_string(server.port()));
        for (const std::string& command : commands) add(command);
        if (!elf.empty()) words.push_back(elf);
        gdb = std::make_unique<Process>(words);
        Outcome outcome = machine.run(&server);
        const Ended ended = gdb->wait();
        said = ended.out;
        complained = ended.err;
        return outcome;
    }
    /// The texts come in this order in what GDB said.
    void expect_in_order(const std::vector<std::string>& texts) const {
        std::size_t at = 0;
        for (const std::string& text : texts) {
            const std::size_t found = said.find(text, at);
            EXPECT_NE(found, std::string::npos) << "not said, or not in its turn: " << text << "\n"
                                                << said << complained;
            if (found != std::string::npos) at = found + text.size();
        }
    }

    std::unique_ptr<Process> gdb;
    std::string said, complained;
};

TEST_F(GdbSessionTest, WorksWithAddressesAlone) {
    const std::string image = image_of(kCountToTen);
    const Outcome alone = Machine(image).run();
    ASSERT_EQ(alone.end, 10U);
    Machine machine(image);
    const Outcome outcome =
        session(machine,
                {"p/x $pc", "break *0x8000000c", "continue", "continue", "p $t0", "stepi", "p/x $pc", "x/gx 0x80001000",
                 "delete", "watch *(unsigned long*)0x80001000", "continue", "x/i 0x80000000", "delete", "continue"});
    expect_in_order({"$1 = 0x80000000", "Breakpoint 1, 0x000000008000000c", "Breakpoint 1, 0x000000008000000c",
                     "$2 = 2", "$3 = 0x80000010", "0x80001000:\t0x0000000000000002", "Old value = 2", "New value = 3",
                     "auipc\tt1,0x1", kExited});
    EXPECT_THAT(complained, Not(HasSubstr("annot")));
    EXPECT_TRUE(outcome == alone);
}

TEST_F(GdbSessionTest, WritesRegistersMemoryAndCsrs) {
    Machine machine(image_of(kCountToTen));
    const Outcome outcome = session(machine, {"break *0x8000000c", "continue", "set $t0 = 9", "set $mscratch = 0x1234",
                                              "p/x $mscratch", "set {unsigned long}0x80002000 = 77", "x/gd 0x80002000",
                                              "set {int}0x80000010 = 0x00b00393", "delete", "continue"});
    expect_in_order({"$1 = 0x1234", "0x80002000:\t77", kExited});
    EXPECT_EQ(outcome.end, 11U) << "the new instruction says li t2, 11";
    EXPECT_EQ(outcome.retired, 2U + 3 * 4 + 2) << "the loop ran for 1, then for 10 and 11";
}

TEST_F(GdbSessionTest, StepsOverAReturnFromATrapHandler) {
    Machine machine(image_of(kReturn));
    const Outcome outcome =
        session(machine, {"break *0x8000000c", "continue", "stepi", "p/x $pc", "stepi", "p $t0", "continue"});
    expect_in_order({"Breakpoint 1, 0x000000008000000c", "$1 = 0x80000010", "$2 = 7", kExited});
    EXPECT_EQ(outcome.end, 7U);
}

TEST_F(GdbSessionTest, CtrlCStopsAndKillEnds) {
    Machine machine(image_of(std::vector<std::uint32_t>{kForEver}));
    std::uint64_t quanta = 0;
    machine.each_quantum = [&] {
        if (++quanta == 1000) gdb->send(SIGINT);
    };
    const Outcome outcome = session(machine, {"continue", "p $pc", "kill"});
    expect_in_order({"Program received signal SIGINT", "$1 = (void (*)()) 0x80000000"});
    EXPECT_TRUE(outcome.killed);
    EXPECT_GE(quanta, 1000U);
}

class GdbFirmwareTest : public GdbSessionTest {
  protected:
    void SetUp() override {
        NUMAVP_NEEDS(!gdb_firmware_file().empty(),
                     "the firmware was not built: there was no riscv64-unknown-elf-gcc at configuration");
        GdbSessionTest::SetUp();
    }
    static std::string firmware() {
        std::ifstream in(gdb_firmware_file() + ".bin", std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
};

TEST_F(GdbFirmwareTest, IsLookedAtWithoutChangingItsResult) {
    const Outcome alone = Machine(firmware()).run();
    ASSERT_EQ(alone.homes.size(), 200U);
    ASSERT_GT(alone.traps, 10U);
    Machine machine(firmware());
    const Outcome outcome = session(machine,
                                    {"compare-sections",
                                     "break place",
                                     "continue",
                                     "backtrace",
                                     "p/x $mcause",
                                     "p *p",
                                     "stepi",
                                     "next",
                                     "finish",
                                     "x/gx 0x10000008",
                                     "x/gx 0x10000010",
                                     "x/gx 0x80010000",
                                     "x/gx 0xfffffffffffffffc",
                                     "set {long}0x10000010 = 1",
                                     "monitor faults",
                                     "monitor fault",
                                     "delete",
                                     "watch policy.served",
                                     "continue",
                                     "delete",
                                     "rwatch policy.sockets",
                                     "continue",
                                     "delete",
                                     "awatch *(long*)0x10000010",
                                     "continue",
                                     "delete",
                                     "tbreak place if page == 37",
                                     "continue",
                                     "p policy.served",
                                     "info threads",
                                     "detach"},
                                    gdb_firmware_file());
    expect_in_order({"Section .text",
                     "matched",
                     "Breakpoint 1, place (",
                     "#0  place (",
                     "#1  ",
                     " on_faults (",
                     "#2  <signal handler called>",
                     "#3  ",
                     " main (",
                     "$1 = 0x800000000000000b",
                     "$2 = {sockets = 4, next = 0, served = 0, last_page = 0}",
                     "Value returned is $3 = 0",
                     "0x10000008:\t0x0000000000000001",
                     "Old value = 0",
                     "New value = 1",
                     "Hardware read watchpoint",
                     "Value = 4",
                     "Hardware access (read/write) watchpoint",
                     "page=37",
                     "$4 = 37",
                     "Thread 1 (core 0)",
                     "detached"});
    for (const char* text : {"1 taken, 0 served", "unknown monitor command 'fault', the nearest is 'faults'"})
        EXPECT_THAT(complained, HasSubstr(text)); // where GDB puts what a target says
    for (const char* address : {"0x10000010", "0x80010000", "0xfffffffffffffffc"})
        EXPECT_THAT(complained, HasSubstr(std::string("Cannot access memory at address ") + address));
    EXPECT_TRUE(outcome == alone) << outcome.time_ns << " ns, not " << alone.time_ns << "; " << outcome.retired
                                  << " instructions, not " << alone.retired;
}

TEST_F(GdbFirmwareTest, SteppingThroughInterruptsAndDeviceAccessesChangesNothing) {
    const Outcome alone = Machine(firmware()).run();
    Machine machine(firmware());
    const Outcome outcome = session(machine,
                                    {"break on_faults", "continue", "continue", "delete", "stepi 300", "step", "step",
                                     "next", "stepi 1000", "p policy.served", "continue"},
                                    gdb_firmware_file());
    expect_in_order({"$1 = ", kExited});
    EXPECT_EQ(complained, "");
    EXPECT_TRUE(outcome == alone) << outcome.time_ns << " ns, not " << alone.time_ns << "; " << outcome.retired
                                  << " instructions, not " << alone.retired;
}

TEST_F(GdbFirmwareTest, AChangedVariableChangesTheResult) {
    Machine machine(firmware());
    const Outcome outcome = session(
        machine,
        {"tbreak place if page == 100", "continue", "set var p->sockets = 2", "set var p->next = 0", "continue"},
        gdb_firmware_file());
    expect_in_order({"page=100", kExited});
    ASSERT_EQ(outcome.homes.size(), 200U);
    for (std::size_t page = 0; page < 200; ++page)
        EXPECT_EQ(outcome.homes[page].second, page < 100 ? page % 4 : page % 2) << page;
}

TEST_F(GdbFirmwareTest, LoadsAProgramThatThenRunsAsIfItHadBeenThere) {
    Machine machine("");
    const Outcome outcome = session(machine, {"load", "continue"}, gdb_firmware_file());
    expect_in_order({"Start address 0x0000000080000000", kExited});
    EXPECT_TRUE(outcome == Machine(firmware()).run());
}

} // namespace
} // namespace numavp::test

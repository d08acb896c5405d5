/// Who notices what on AXI4 pins: the assertions of axi4_checker.sv, our C++ monitor, or the comparison of values.
/// docs/trust/RTL_CHECKS.md has the tables.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rtl/blocks.h"
#include "tests/rtl/axi4/checked/blocks.h"
#include "tests/tlm-links/axi4_pin_loop.h"

namespace numavp::test {
namespace {

constexpr unsigned kRules = 33; ///< assertions in axi4_checker.sv
constexpr Axi4ManagerConfig kManager{16, 4, 1, 64};

std::uint64_t bit(unsigned rule) { return std::uint64_t{1} << rule; }

TEST(Axi4Checker, IsSilentWhereAllIsWell) {
    const Axi4ManagerConfig configs[] = {{}, {16, 4, 1, 1}, {1, 1, 1, 64}, {4, 16, 8, 16}};
    for (const Axi4ManagerConfig& config : configs) {
        for (const unsigned stall : {0U, 64U, 230U}) {
            BoundRam ram(0, stall);
            PinLoop loop(ram, config, stall);
            loop.run(1'000, 1'000'000);
            EXPECT_EQ(loop.done, 1'000U);
            EXPECT_EQ(loop.wrong, 0U);
            EXPECT_EQ(ram.broken(), 0U);
        }
    }
}

struct Expected {
    const char* what;
    std::uint64_t rules; ///< assertions that break first; 0: the pins keep to all rules
};

/// The faults of axi4_pin_faults.cpp in their order.
const Expected kOfManagers[] = {
    {"ARADDR moves while it waits", bit(3)},
    {"AWADDR moves while it waits", bit(0)},
    {"AWID changes while it waits", bit(0)},
    {"ARVALID is withdrawn", bit(3)},
    {"WVALID is withdrawn", bit(1)},
    {"WDATA changes while it waits", bit(1)},
    {"WLAST comes with the first beat", bit(18)},
    {"WLAST never comes", bit(19)},
    {"strobes before an unaligned address", bit(17)},
    {"bursts cross 4 KB", bit(15)},
    {"the burst type is reserved", bit(13)},
    {"beats of 128 bytes", bit(7)},
    {"WRAP of many beats", bit(14) | bit(16)}, // the monitor does not know that of 16 lengths 4 wrap
    {"read data is never taken", bit(31)},
    {"write responses are never taken", bit(29)},
    {"a read comes from a line farther on", 0},
};
const Expected kOfSubordinates[] = {
    {"RDATA changes while it waits", bit(4)},
    {"RVALID is withdrawn", bit(4)},
    {"BVALID is withdrawn", bit(2)},
    {"RID is nobody's", bit(23)},
    {"BID is nobody's", bit(20)},
    {"RLAST comes with the first beat", bit(25)},
    {"RLAST never comes", bit(26)},
    {"BVALID before the last beat", bit(22)},
    {"EXOKAY to a read", bit(24)},
    {"EXOKAY to a write", bit(21)},
    {"write addresses are never taken", bit(27) | bit(28)},
    {"read addresses are never taken", bit(30)},
    {"write data is never taken", bit(28)},
    {"nothing is answered", bit(32)},
    {"a bit of read data is wrong", 0},
    {"every write fails", 0},
};

/// The assertions notice what the monitor notices, no edge later.
template <std::size_t N> void expect_seen(const std::vector<PinFault>& faults, const Expected (&expected)[N]) {
    ASSERT_EQ(faults.size(), N);
    for (std::size_t i = 0; i < N; ++i) {
        const PinFault& fault = faults[i];
        SCOPED_TRACE(fault.what);
        ASSERT_STREQ(fault.what, expected[i].what);
        rtl::Axi4RamBlock ram(120);
        CheckerBlock checker;
        PinLoop loop(ram, kManager, 3);
        fault.put_into(loop);
        bool late = false;
        loop.observer = [&](const auto& m, const auto& s) {
            checker.observe(m, s);
            late = late || (checker.broken() == 0 && !loop.monitor.breaches().empty());
        };
        loop.run(500, 200'000);
        EXPECT_FALSE(late);
        EXPECT_EQ(checker.broken(), expected[i].rules);
        EXPECT_EQ(expected[i].rules != 0, fault.rule != nullptr);
        EXPECT_TRUE(fault.rule || loop.wrong > 0);
    }
}

TEST(Axi4Checker, SeesTheFaultsOfManagers) { expect_seen(faults_of_managers(), kOfManagers); }
TEST(Axi4Checker, SeesTheFaultsOfSubordinates) { expect_seen(faults_of_subordinates(), kOfSubordinates); }

/// One edge with an address that is taken at once.
std::uint64_t broken_by(const rtl::AxiAddressPins& address, bool write, bool reset = false) {
    CheckerBlock checker;
    AxiManagerPins m;
    AxiSubordinatePins s;
    (write ? m.aw : m.ar) = address;
    s.awready = s.arready = true;
    checker.observe(m, s, reset);
    return checker.broken();
}

TEST(Axi4Checker, HasNoAssertionThatCannotBreak) {
    const struct {
        rtl::AxiAddressPins address;
        std::uint64_t write, read; ///< assertions
    } illegal[] = {
        {{true, 0, 0, 0, 7, 1}, bit(7), bit(12)},     // beats of 128 bytes
        {{true, 0, 0, 0, 6, 3}, bit(8), bit(13)},     // a reserved type
        {{true, 0, 0, 16, 6, 0}, bit(9), bit(14)},    // FIXED of 17 beats
        {{true, 0, 4032, 1, 6, 1}, bit(10), bit(15)}, // two lines at the end of 4 KB
        {{true, 0, 0, 2, 6, 2}, bit(11), bit(16)},    // WRAP of 3 beats
        {{true, 0, 32, 1, 6, 2}, bit(11), bit(16)},   // WRAP, unaligned
        {{true, 0, 4032, 1, 6, 2}, 0, 0},             // WRAP of 2 beats stays within its 128 bytes
        {{true, 0, 4095, 15, 6, 0}, 0, 0},            // FIXED stays
    };
    std::uint64_t all = 0;
    for (const auto& i : illegal) {
        EXPECT_EQ(broken_by(i.address, true), i.write);
        EXPECT_EQ(broken_by(i.address, false), i.read);
        all |= i.write | i.read;
    }
    EXPECT_EQ(broken_by({true, 0, 0, 0, 6, 1}, true, true), bit(5));
    CheckerBlock checker;
    AxiSubordinatePins valid;
    valid.b.valid = true;
    checker.observe({}, valid, true);
    EXPECT_EQ(checker.broken(), bit(6));
    all |= bit(5) | bit(6);
    for (const Expected& fault : kOfManagers) all |= fault.rules;
    for (const Expected& fault : kOfSubordinates) all |= fault.rules;
    EXPECT_EQ(all, bit(kRules) - 1);
}

// --- faults of the memory itself (tests/mutation/rtl.json)

struct Fault {
    unsigned number;
    const char* what;
    bool rules;  ///< assertions and monitor notice it
    bool values; ///< the pins keep to all rules, and what is read or answered is wrong
};

struct Noticed {
    bool by_assertion = false, by_monitor = false, by_values = false;
};

/// Long bursts, and bursts of one beat, whose answers pile up.
Noticed run_faulty(unsigned number) {
    Noticed noticed;
    for (const Axi4ManagerConfig& manager : {kManager, Axi4ManagerConfig{16, 16, 1, 1}}) {
        BoundRam ram(number, 220);
        PinLoop loop(ram, manager, 3);
        loop.run(500, 200'000);
        noticed.by_assertion |= ram.broken() != 0;
        noticed.by_monitor |= !loop.monitor.breaches().empty();
        noticed.by_values |= loop.done != 500 || loop.wrong != 0;
    }
    return noticed;
}

TEST(RtlFaults, OfTheAxi4Memory) {
    const Fault faults[] = {
        {0, "none", false, false},
        {1, "strobes are ignored", false, true},
        {2, "a burst is written from the neighbouring word on", false, true},
        {3, "B follows the first beat", true, false},
        {4, "a fifth response pushes the first out", true, false},
        {5, "BVALID is withdrawn", true, false},
        {6, "BID is another", true, false},
        {7, "EXOKAY to a write", true, false},
        {8, "RVALID is withdrawn", true, false},
        {9, "RDATA changes while it waits", true, false},
        {10, "a fifth read pushes the first out", true, false},
        {11, "the last beat but one is dropped", true, false},
        {12, "RID is another", true, false},
        {13, "RLAST comes a beat early", true, false},
        {14, "EXOKAY to a read", true, false},
        {15, "every beat reads the first word", false, true},
    };
    for (const Fault& fault : faults) {
        SCOPED_TRACE(fault.what);
        const Noticed noticed = run_faulty(fault.number);
        EXPECT_EQ(noticed.by_assertion, fault.rules);
        EXPECT_EQ(noticed.by_monitor, fault.rules);
        EXPECT_TRUE(fault.rules || noticed.by_values == fault.values);
    }
}

} // namespace
} // namespace numavp::test

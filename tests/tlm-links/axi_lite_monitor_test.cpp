/// The monitor of AXI4-Lite pins, fed with edges of which one breaks a rule.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tlm-links/axi_lite/axi_lite_monitor.h"

namespace numavp::test {
namespace {

struct LitePins {
    rtl::AxiLiteManagerPins m;
    rtl::AxiLiteSubordinatePins s;
};

/// A write and a read of a word, each channel taken at its second edge.
std::vector<LitePins> legal_lite_edges() {
    LitePins asked, taken, waits, answered;
    asked.m.aw = {true, 8};
    asked.m.w = {true, 0x0f, 7};
    asked.m.ar = {true, 16};
    taken = asked;
    taken.s.awready = taken.s.wready = taken.s.arready = true;
    waits.s.b = {true, rtl::kAxiOkay};
    waits.s.r = {true, rtl::kAxiOkay, 9};
    answered = waits;
    answered.m.bready = answered.m.rready = true;
    return {asked, taken, waits, answered, {}};
}

std::string breach_on_lite_pins(const std::vector<LitePins>& edges) {
    AxiLiteMonitor monitor(20);
    for (const LitePins& pins : edges) monitor.observe(pins.m, pins.s);
    monitor.finish();
    return monitor.breaches().empty() ? "" : monitor.breaches().front();
}

struct BrokenPins {
    const char* name;
    void (*change)(std::vector<LitePins>& edges);
    const char* said; ///< part of the first breach
};
void PrintTo(const BrokenPins& row, std::ostream* out) { *out << row.name; }

const BrokenPins kBrokenPins[] = {
    {"WriteAddressChanges", [](auto& e) { e[1].m.aw.addr = 24; }, "a write address changed"},
    {"WriteAddressIsWithdrawn", [](auto& e) { e[1].m.aw.valid = false; }, "a write address changed"},
    {"ReadAddressChanges", [](auto& e) { e[1].m.ar.addr = 24; }, "a read address changed"},
    {"WriteDataChanges", [](auto& e) { e[1].m.w.data = 8; }, "write data changed"},
    {"StrobesChange", [](auto& e) { e[1].m.w.strb = 0xff; }, "write data changed"},
    {"ReadDataChanges", [](auto& e) { e[3].s.r.data = 8; }, "read data changed"},
    {"WriteResponseIsWithdrawn", [](auto& e) { e[3].s.b.valid = false; }, "a write response changed"},
    {"ReadDataForNobody", [](auto& e) { e[4].s.r.valid = e[4].m.rready = true; }, "read data for an id that waits"},
    {"ResponseToNobody", [](auto& e) { e[4].s.b.valid = e[4].m.bready = true; }, "a write response to an id that"},
    {"ReadIsNotAnswered", [](auto& e) { e[2].s.r.valid = e[3].s.r.valid = false; }, "a read was not answered"},
    {"WriteIsNotAnswered", [](auto& e) { e[2].s.b.valid = e[3].s.b.valid = false; }, "a write was not answered"},
    {"NothingIsTaken", [](auto& e) { e.assign(50, e[0]); }, "is never taken"},
};

class AxiLiteMonitors : public ::testing::TestWithParam<BrokenPins> {};

TEST_P(AxiLiteMonitors, SayWhatIsWrong) {
    std::vector<LitePins> edges = legal_lite_edges();
    ASSERT_EQ(breach_on_lite_pins(edges), "");
    GetParam().change(edges);
    EXPECT_THAT(breach_on_lite_pins(edges), ::testing::HasSubstr(GetParam().said));
}
INSTANTIATE_TEST_SUITE_P(All, AxiLiteMonitors, ::testing::ValuesIn(kBrokenPins),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace numavp::test

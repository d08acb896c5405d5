/// RTL that ends the simulation: the run ends with a sentence that has the block's place, the process goes on, and
/// stdout stays the program's.
#include <Vending.h>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <systemc>

#include "rtl/block_end.h"
#include "rtl/verilated/clocked.h"

namespace numavp {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

/// Clocks the block each ns.
struct Ticker final : sc_core::sc_module {
    SC_HAS_PROCESS(Ticker);
    Ticker(sc_core::sc_module_name name, unsigned how) : sc_module(name) {
        block.pins.how = static_cast<CData>(how);
        block.reset();
        SC_METHOD(tick);
    }
    void tick() {
        block.edge();
        next_trigger(sc_core::sc_time(1, sc_core::SC_NS));
    }
    rtl::Clocked<Vending> block;
};

/// The message with which the run ended; empty if it did not.
std::string end_of(unsigned how) {
    Ticker ticker("ticker", how);
    ::testing::internal::CaptureStdout();
    std::string message;
    try {
        sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
    } catch (const sc_core::sc_report& report) {
        EXPECT_TRUE(rtl::is_block_end(report.get_msg_type())) << report.what();
        message = report.get_msg();
    }
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    return message;
}

TEST(RtlEnding, ABlockThatGoesOnDoesNotEndTheRun) { EXPECT_EQ(end_of(0), ""); }

TEST(RtlEnding, FinishEndsTheRunWithThePlace) {
    const std::string message = end_of(1);
    EXPECT_THAT(message, HasSubstr("checked/ending.sv:12: the RTL block ended the simulation at 1 ns by $finish"));
}

TEST(RtlEnding, StopEndsTheRunWithThePlaceAndDoesNotAbort) {
    const std::string message = end_of(2);
    EXPECT_THAT(message, HasSubstr("checked/ending.sv:13: the RTL block ended the simulation at 1 ns by $stop"));
}

TEST(RtlEnding, ABrokenAssertionEndsTheRunWithThePlace) {
    const std::string message = end_of(3);
    EXPECT_THAT(message, HasSubstr("checked/ending.sv:16: the RTL block ended the simulation at "));
    EXPECT_THAT(message, EndsWith("a failed assertion"));
}

} // namespace
} // namespace numavp

/// Simulated time that stands still is noticed; many delta cycles over many times are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <systemc>

#include "base/time/delta_watch.h"

namespace numavp {
namespace {

using ::testing::HasSubstr;

/// Two processes that wake each other in zero time, from a time on: `turns` times at each time, or for ever if it is 0.
struct PingPong : sc_core::sc_module {
    SC_HAS_PROCESS(PingPong);
    PingPong(sc_core::sc_module_name name, unsigned at_each) : sc_module(name), turns(at_each) {
        SC_METHOD(hit);
        sensitive << ball;
        dont_initialize();
        SC_METHOD(follow);
        sensitive << level;
        dont_initialize();
        ball.notify(sc_core::sc_time(5, sc_core::SC_NS));
    }
    void hit() { level.write(!level.read()); }
    void follow() {
        const bool rests = turns != 0 && ++done % turns == 0;
        ball.notify(rests ? sc_core::sc_time(1, sc_core::SC_NS) : sc_core::SC_ZERO_TIME);
    }
    unsigned turns, done = 0;
    sc_core::sc_event ball{"ball"};
    sc_core::sc_signal<bool> level{"level"};
};

TEST(DeltaWatch, StopsWhatTurnsForEverAndSaysWhenAndWhat) {
    DeltaWatch watch(1000);
    PingPong loop("loop", 0);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(5, sc_core::SC_NS));
    EXPECT_THAT(watch.failure(), HasSubstr("stands still at 5000 ps"));
    EXPECT_THAT(watch.failure(), HasSubstr("for 1000 delta cycles"));
    EXPECT_THAT(watch.failure(), HasSubstr("loop.ball"));
    EXPECT_THAT(watch.failure(), HasSubstr("loop.level"));
}

TEST(DeltaWatch, LetsTimeGoOn) {
    DeltaWatch watch(1000);
    PingPong busy("busy", 400); // 800 delta cycles at each time
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_EQ(watch.failure(), "");
    EXPECT_GT(busy.done, 10000U);
}

} // namespace
} // namespace numavp

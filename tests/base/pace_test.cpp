/// Edges are shared where that is cheaper, and only there, whatever the cores do meanwhile.
#include <chrono>

#include <gtest/gtest.h>

#include "base/time/pace.h"

namespace numavp::test {
namespace {

using std::chrono::microseconds;

/// A simulation of a hundred events an edge, whose edges take so long alone and shared.
struct Simulated {
    Pace pace;
    Pace::Time now{};
    std::uint64_t events = 0;
    microseconds alone{20}, shared{12};
    unsigned shared_edges = 0;

    void run(unsigned edges) {
        shared_edges = 0;
        for (unsigned i = 0; i < edges; ++i) {
            const bool is_alone = pace.alone([this] { return Pace::Reading{events, now}; });
            now += is_alone ? alone : shared;
            events += 100;
            shared_edges += is_alone ? 0 : 1;
        }
    }
};

constexpr unsigned kLong = 100'000;

TEST(Pace, SharesNearlyAllEdgesWhereThatIsCheaper) {
    Simulated s;
    s.run(kLong);
    EXPECT_GT(s.shared_edges, kLong * 95 / 100);
}

TEST(Pace, SharesFewEdgesWhereThatIsDearer) {
    Simulated s;
    s.shared = microseconds(30);
    s.run(kLong);
    EXPECT_LT(s.shared_edges, kLong / 50);
}

/// On busy cores an edge takes milliseconds: a trial ends after the first edges in which threads were awake.
TEST(Pace, LosesLittleOnBusyCores) {
    Simulated s;
    s.shared = microseconds(4000);
    s.run(kLong);
    const auto lost =
        std::chrono::duration<double>(s.now.time_since_epoch()) - kLong * std::chrono::duration<double>(s.alone);
    EXPECT_LT(lost.count(), 0.5) << "seconds, of a run of two";
    EXPECT_GT(s.shared_edges, 0U) << "it tries again";
}

TEST(Pace, NoticesThatCoresBecomeBusyAndIdle) {
    Simulated s;
    s.run(kLong);
    s.shared = microseconds(4000);
    s.run(kLong);
    EXPECT_LT(s.shared_edges, 2000U);
    s.shared = microseconds(12);
    s.run(kLong);
    EXPECT_GT(s.shared_edges, kLong * 3 / 4);
}

/// Building the machine is none of an edge's cost, and waking threads none of a shared edge's.
TEST(Pace, LeavesTheFirstEdgesOut) {
    Simulated s;
    s.pace.alone([&s] { return Pace::Reading{0, s.now}; });
    s.now += std::chrono::seconds(3);
    s.run(2 + Pace::kAlone);
    s.shared = microseconds(500);
    s.run(Pace::kWaking);
    s.shared = microseconds(12);
    s.run(kLong);
    EXPECT_GT(s.shared_edges, kLong * 95 / 100);
}

} // namespace
} // namespace numavp::test

/// Trails of followed accesses: an access begins with nothing of the one before.
#include <gtest/gtest.h>

#include "tlm-links/protocol/access_trail.h"

namespace numavp::test {
namespace {

TEST(AccessTrail, AWaitIsForWhatWasBlamedByThisAccess) {
    AccessTrail trail;
    trail.start(1, 0);
    trail.blame(Waited::pending, 7);
    trail.waited("port", 100, Waited::room);
    ASSERT_EQ(trail.hops().size(), 1U);
    EXPECT_EQ(trail.hops()[0].waited, Waited::pending);
    EXPECT_EQ(trail.hops()[0].waited_access, 7U);
    trail.blame(Waited::pending, 8); // and it ends
    trail.start(2, 200);
    trail.waited("port", 300, Waited::room);
    ASSERT_EQ(trail.hops().size(), 1U);
    EXPECT_EQ(trail.hops()[0].from_ps, 200U);
    EXPECT_EQ(trail.hops()[0].time_ps, 100U);
    EXPECT_EQ(trail.hops()[0].waited, Waited::room);
    EXPECT_EQ(trail.hops()[0].waited_access, 0U);
}

} // namespace
} // namespace numavp::test

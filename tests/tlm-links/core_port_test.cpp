/// One initiator that uses both interfaces of TLM-2.0 at the port of a GPU socket, against a flat memory.
#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/tlm-links/foreign_initiator.h"

namespace numavp::test {
namespace {

TEST(CorePort, KeepsTheOrderOfMixedBlockingAndNonBlockingCalls) {
    InitiatorStyle style = initiator_styles().back();
    ASSERT_NE(style.blocking_percent, 0U);
    style.wrong_percent = 0; // the platform has memory on both sides of its range
    ForeignInitiator initiator("initiator", style, 1500, 1);
    Workload none;
    none.name = "none";
    SystemOptions options;
    options.core_ports = 1;
    System system(small_system(2), none, options);
    initiator.socket.bind(system.core_port(1, 0)); // the memory is socket 0's
    system.run_for(1'000'000);
    EXPECT_TRUE(initiator.finished()) << initiator.answered();
    EXPECT_EQ(initiator.wrong(), 0U);
    system.run(); // nothing is left
}

} // namespace
} // namespace numavp::test

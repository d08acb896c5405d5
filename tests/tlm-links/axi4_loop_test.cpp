/// TLM to AXI4 to TLM: initiators of every legal style, the two bridges pin to pin, targets of every legal style.
/// Values against a flat memory, our TLM checker on both ends, our monitor on the pins of both bridges.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/fast_build.h"
#include "tests/tlm-links/axi4_loop.h"

namespace numavp::test {
namespace {

/// In front of every target, with much room and little, with and without stalls on the pins.
void expect_a_memory(const InitiatorStyle& style, unsigned count) {
    const LoopShape shapes[] = {{{}, {16, 16}, 0}, {{2, 2, 1, 3}, {2, 1}, 100}, {{16, 8, 2, 64}, {5, 4}, 200}};
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'410'000);
    std::vector<std::unique_ptr<Axi4LoopChain>> chains;
    for (const TargetStyle& target : target_styles())
        for (const LoopShape& shape : shapes)
            chains.push_back(std::make_unique<Axi4LoopChain>(chains.size(), style, target, shape, count, clock));
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_MS));
    for (std::size_t n = 0; n < chains.size(); ++n) {
        SCOPED_TRACE(std::string(target_styles()[n / 3].name) + ", shape " + std::to_string(n % 3));
        chains[n]->checkers_finish();
        EXPECT_EQ(chains[n]->what_is_wrong(), "");
        EXPECT_EQ(chains[n]->monitor_says(), "");
    }
}

class Axi4Loop : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Axi4Loop, IsAMemoryForEveryInitiator) {
    const InitiatorStyle& style = initiator_styles()[GetParam()];
    const unsigned count = style.longest > 1'000 ? 1'000 : 1'950; // a million in all, of 45 chains and 12 styles
    expect_a_memory(style, of_campaign(count, 40));
}
INSTANTIATE_TEST_SUITE_P(All, Axi4Loop, ::testing::Range(std::size_t{0}, initiator_styles().size()));

TEST(Axi4LoopErrors, OfTheTargetReachTheInitiator) {
    expect_a_memory({"errors", 0, ResponseAnswer::any, 300, 8, 1'009, 0, true, false, 30, true}, of_campaign(500, 50));
}

} // namespace
} // namespace numavp::test

/// The RTL manager against the RTL memory: all that it reads is what it has written, and no assertion fails.
#include <Vaxi4_loop.h>
#include <verilated.h>

#include <gtest/gtest.h>

#include "rtl/verilated/clocked.h"
#include "tests/support/fast_build.h"

namespace numavp::test {
namespace {

struct Loop : rtl::Clocked<Vaxi4_loop> {
    Loop(unsigned stall, unsigned ram_stall, unsigned most_beats) {
        context.fatalOnError(false); // a broken assertion is counted
        context.errorLimit(1'000'000'000);
        pins.seed = stall + ram_stall;
        pins.rate = 256;
        pins.stall = static_cast<CData>(stall);
        pins.ram_stall = static_cast<CData>(ram_stall);
        pins.most_beats = static_cast<CData>(most_beats);
        reset();
    }
    /// Edges that it took.
    std::uint64_t run(unsigned bursts) {
        pins.bursts = bursts;
        pins.eval();
        std::uint64_t edges = 0;
        for (; !pins.idle && edges < 1'000ULL * bursts; ++edges) edge();
        return edges;
    }
};

TEST(Axi4Master, ChecksItselfAgainstTheMemory) {
    const unsigned count = of_campaign(30'000);
    for (const unsigned most_beats : {1U, 4U, 64U})
        for (const unsigned stalls : {0U, 100U, 200U}) {
            Loop loop(stalls, 200 - stalls, most_beats);
            loop.run(count / (2 + most_beats));
            EXPECT_TRUE(loop.pins.idle);
            EXPECT_EQ(loop.pins.answered, count / (2 + most_beats));
            EXPECT_EQ(loop.pins.wrong, 0U);
            EXPECT_EQ(loop.context.errorCount(), 0U);
            EXPECT_GT(loop.run(loop.pins.bursts + 100), 0U); // more when it is told
            EXPECT_EQ(loop.pins.answered, count / (2 + most_beats) + 100);
            EXPECT_EQ(loop.pins.wrong, 0U);
        }
}

} // namespace
} // namespace numavp::test

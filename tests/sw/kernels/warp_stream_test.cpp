/// Instructions that come in spans, and what a stream says of the next one.
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sw/work/workload.h"

namespace numavp::test {
namespace {

/// Makes spans of these lengths; destination registers count the instructions. Each span is made in the place of the
/// one before.
struct Spans final : WarpStream {
    explicit Spans(std::vector<unsigned> all) : lengths(std::move(all)) {}
    InstSpan make() override {
        const unsigned length = lengths.at(made++);
        for (unsigned i = 0; i < length; ++i) place.at(i).dst = static_cast<std::uint8_t>(count++);
        return {place.data(), place.data() + length};
    }
    std::vector<unsigned> lengths;
    std::array<Inst, 4> place;
    unsigned made = 0, count = 0;
};

TEST(WarpStreams, GiveEachInstructionOnceAndInOrder) {
    Spans stream({1, 3, 1, 4, 2});
    for (unsigned i = 0; i < 11; ++i) EXPECT_EQ(stream.fetch()->dst, i);
    EXPECT_EQ(stream.made, 5U);
}

TEST(WarpStreams, MakeASpanOnlyWhenTheOneBeforeHasEnded) {
    Spans stream({2, 1});
    EXPECT_EQ(stream.made, 0U);
    EXPECT_EQ(stream.coming(), nullptr);
    const Inst* const first = stream.fetch();
    EXPECT_EQ(stream.made, 1U);
    ASSERT_NE(stream.coming(), nullptr);
    EXPECT_EQ(stream.coming()->dst, 1);
    EXPECT_EQ(first->dst, 0) << "valid until the next call";
    EXPECT_EQ(stream.fetch()->dst, 1);
    EXPECT_EQ(stream.made, 1U);
    EXPECT_EQ(stream.coming(), nullptr) << "not made yet";
    EXPECT_EQ(stream.fetch()->dst, 2);
    EXPECT_EQ(stream.made, 2U);
}

} // namespace
} // namespace numavp::test

/// The retry buffer in RTL beside the sending side of a line, edge for edge: the same items are taken, sent, broken off
/// and sent again in the same cycles.
#include <algorithm>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "rtl/blocks.h"
#include "rtl/retry_block.h"
#include "tests/support/needs.h"
#include "tests/tlm-links/retry/go_back_line.h"
#include "tlm-links/retry/retry_line.h"

namespace numavp::test {
namespace {

struct RtlCase {
    double rate;
    Cycle round_trip;
    unsigned buffer, most_idle;
};

/// A receiver of what the RTL sends, which answers a round trip later.
class Receiver {
  public:
    Receiver(const std::vector<GoBackItem>& items, Cycle round_trip, ErrorDistance errors)
        : items_(items), round_trip_(round_trip), errors_(errors) {}

    rtl::RetrySenderBlock::Inputs answers(Cycle now) {
        rtl::RetrySenderBlock::Inputs in;
        in.acknowledge = !acknowledged_.empty() && acknowledged_.front() == now;
        if (in.acknowledge) acknowledged_.pop_front();
        in.again = asked_at_ == now;
        return in;
    }
    /// The last unit of an item has come; true if it is taken.
    bool take(unsigned sequence, Cycle at) {
        if (sequence != (expected_ & 0xffU) || (asked_at_ != kNever && asked_at_ >= at)) return false;
        if (errors_.hits(std::uint64_t{items_[expected_].units} * 8)) {
            asked_at_ = at + round_trip_;
            return false;
        }
        acknowledged_.push_back(at + round_trip_);
        ++expected_;
        return true;
    }
    std::size_t expected() const { return expected_; }

  private:
    const std::vector<GoBackItem>& items_;
    Cycle round_trip_;
    ErrorDistance errors_;
    std::deque<Cycle> acknowledged_;
    Cycle asked_at_ = kNever;
    std::size_t expected_ = 0;
};

class RtlRetrySender : public ::testing::TestWithParam<RtlCase> {};

TEST_P(RtlRetrySender, GoesInStepWithTheModel) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    constexpr unsigned kLargest = 9, kItems = 4000;
    const RtlCase& tested = GetParam();
    Rng draws(11);
    std::vector<GoBackItem> items(kItems);
    Cycle comes = 0;
    for (GoBackItem& item : items) {
        comes += tested.most_idle == 0 ? 0 : draws.below(tested.most_idle + 1);
        item = {comes, static_cast<unsigned>(1 + draws.below(kLargest))};
    }
    RetryLineConfig config;
    config.clock_khz = 1000000;
    config.units_per_second = 1000000000;
    config.round_trip_cycles = tested.round_trip;
    config.largest_units = kLargest;
    config.buffer_units = tested.buffer;
    RetryLine line(config, ErrorDistance(tested.rate, Rng(5)));
    Receiver receiver(items, tested.round_trip, ErrorDistance(tested.rate, Rng(5)));
    rtl::RetrySenderBlock block(kLargest, tested.buffer);
    std::vector<Cycle> leaves(kItems);
    std::size_t next = 0;
    std::uint64_t units = 0;
    for (Cycle now = 0; receiver.expected() < kItems; ++now) {
        ASSERT_LT(now, 10'000'000U) << "it does not end";
        rtl::RetrySenderBlock::Inputs in = receiver.answers(now);
        in.item = next < kItems && items[next].comes <= now;
        if (in.item) in.item_units = items[next].units;
        const rtl::RetrySenderBlock::Outputs out = block.edge(in);
        units += out.valid ? 1 : 0;
        const bool takes = in.item && line.free_at(now) <= now;
        ASSERT_EQ(out.taken, takes) << "item " << next << " at " << now;
        if (takes) {
            leaves[next] = line.take(now, items[next].units);
            ++next;
        }
        if (!out.last) continue;
        const std::size_t item = receiver.expected();
        if (receiver.take(out.sequence_number, now + 1)) {
            ASSERT_EQ(leaves[item], now + 1) << "item " << item;
        }
    }
    EXPECT_EQ(units, line.busy_units(leaves.back()));
    EXPECT_GT(line.counts().errors, kItems * tested.rate);
}
INSTANTIATE_TEST_SUITE_P(All, RtlRetrySender,
                         ::testing::Values(RtlCase{1e-3, 30, 250, 0}, RtlCase{1e-2, 100, 40, 0},
                                           RtlCase{1e-3, 200, 64, 0}, RtlCase{1e-2, 30, 250, 12},
                                           RtlCase{1e-3, 7, 20, 30}, RtlCase{1e-2, 1, 9, 3}));

} // namespace
} // namespace numavp::test

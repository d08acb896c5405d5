/// The order of requests to a line that is on its way, without a slice.
#include <array>
#include <deque>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tests/models/cache/plain_requests.h"

namespace numavp {
namespace {

using test::adds;
using test::passed_on;
using test::PlainRequest;
using test::PlainRequests;
using test::reads;
using test::what_of;
using test::writes;

/// A line whose fills for `asked` are on their way, and requests that wait for it.
struct WaitingLine {
    explicit WaitingLine(unsigned asked) {
        order.begin(RequestOrder::State::fill);
        order.ask(SectorSet(asked));
    }
    void wait(LineRequest what) {
        all.push_back({static_cast<unsigned>(all.size()), what});
        queue.push(all.back());
        order.wait(what);
    }
    /// A fill comes; the numbers of the requests that it serves. Those that are passed on can't be served.
    std::vector<unsigned> come(unsigned sectors) {
        std::vector<unsigned> served;
        const auto serve = [&](PlainRequest& request) {
            if (request.what.passed_on) return false;
            served.push_back(request.number);
            return true;
        };
        if (order.arrive(SectorSet(sectors)))
            order.serve_all(queue, serve);
        else
            order.serve_arrived(queue, what_of, serve);
        return served;
    }
    std::vector<unsigned> left() {
        std::vector<unsigned> numbers;
        while (!queue.empty()) numbers.push_back(queue.pop().number);
        return numbers;
    }
    RequestOrder order;
    std::deque<PlainRequest> all;
    PlainRequests queue;
};
using Numbers = std::vector<unsigned>;

TEST(RequestOrder, LetsByWhatTouchesNothingOnItsWay) {
    WaitingLine line(0b0011);
    line.wait(reads(0b0001));
    line.wait(writes(0b0010));
    EXPECT_TRUE(line.order.lets_by(reads(0b0001))) << "a read passes a read";
    EXPECT_FALSE(line.order.lets_by(reads(0b0010))) << "a read does not pass a write to its sector";
    EXPECT_TRUE(line.order.lets_by(reads(0b1100)));
    EXPECT_TRUE(line.order.lets_by(writes(0b1100)));
    EXPECT_FALSE(line.order.lets_by(writes(0b1001))) << "a write does not pass a read of its sector";
    EXPECT_FALSE(line.order.lets_by(passed_on(writes(0b1100)))) << "it needs the line's one write";
    EXPECT_FALSE(line.order.lets_by(adds(0b1100)));
    line.order.cut(2);
    EXPECT_FALSE(line.order.lets_by(reads(0b1000))) << "what comes after a cut starts again";
    RequestOrder written;
    written.begin(RequestOrder::State::write);
    EXPECT_FALSE(written.lets_by(reads(0b1000)));
}

TEST(RequestOrder, AWriteDoesNotPassAFillForItsSector) {
    WaitingLine line(0b0011);
    EXPECT_FALSE(line.order.lets_by(writes(0b0001)));
    EXPECT_TRUE(line.order.lets_by(writes(0b0100)));
}

TEST(RequestOrder, AnAtomicOfAnotherHomeTakesTheWholeLine) {
    WaitingLine line(0b0001);
    line.wait(passed_on(adds(0b0001)));
    EXPECT_FALSE(line.order.lets_by(reads(0b1000)));
    EXPECT_FALSE(line.order.lets_by(writes(0b1000)));
}

TEST(RequestOrder, ServesReadsBeforeTheLastFillAndTheOthersAfterIt) {
    WaitingLine line(0b0001);
    line.order.ask(SectorSet(0b0010U));
    line.wait(reads(0b0001));
    line.wait(writes(0b0001));
    line.wait(reads(0b0001)); // of what the write before it brings
    line.wait(reads(0b0011));
    line.wait(adds(0b0010));
    EXPECT_EQ(line.come(0b0001), (Numbers{0}));
    EXPECT_EQ(line.come(0b0010), (Numbers{1, 2, 3, 4}));
}

TEST(RequestOrder, ClaimsOnlyWhatStillWaitsAfterAFill) {
    WaitingLine line(0b0001);
    line.order.ask(SectorSet(0b0010U));
    line.wait(reads(0b0001));
    line.wait(reads(0b0010));
    EXPECT_EQ(line.come(0b0001), (Numbers{0}));
    EXPECT_EQ(line.order.claimed, SectorSet(0b0010U));
}

TEST(RequestOrder, WhoCannotBeServedStartsAgainWithThoseBehindIt) {
    for (const LineRequest refused : {passed_on(writes(1)), passed_on(adds(1))}) {
        WaitingLine line(0b1111);
        line.wait(reads(1));
        line.wait(refused);
        line.wait(reads(1));
        EXPECT_EQ(line.come(0b1111), (Numbers{0}));
        EXPECT_EQ(line.left(), (Numbers{1, 2}));
    }
}

TEST(RequestOrder, ACutDividesTheQueue) {
    WaitingLine line(0b0001);
    line.order.ask(SectorSet(0b0010U));
    line.wait(reads(0b0001));
    line.wait(reads(0b0010));
    EXPECT_TRUE(line.order.cut(line.queue.size()));
    line.wait(reads(0b0001));
    EXPECT_FALSE(line.order.cut(line.queue.size())) << "the first cut stays";
    EXPECT_EQ(line.come(0b0001), (Numbers{0})) << "not the one behind the cut, though its sector is there";
    EXPECT_EQ(line.come(0b0010), (Numbers{1}));
    EXPECT_EQ(line.left(), (Numbers{2}));
}

TEST(RequestOrder, AWriteHasNoCut) {
    RequestOrder order;
    order.begin(RequestOrder::State::write);
    EXPECT_FALSE(order.cut(3));
    EXPECT_FALSE(order.stale);
}

TEST(RequestOrder, WritesThatGoOnToMemoryJoinUpToTheFirstOther) {
    WaitingLine line(0);
    line.order.begin(RequestOrder::State::write);
    for (int i = 0; i < 2; ++i) line.wait(passed_on(writes(1)));
    line.wait(reads(1));
    line.wait(passed_on(writes(1)));
    Numbers joined, answered;
    const auto join = [&](PlainRequest& request) { joined.push_back(request.number); };
    const auto answer = [&](PlainRequest& request) { answered.push_back(request.number); };
    EXPECT_TRUE(line.order.combine(line.queue, what_of, join));
    EXPECT_EQ(joined, (Numbers{0, 1}));
    line.order.end_write(line.queue, answer);
    EXPECT_EQ(answered, (Numbers{0, 1}));
    EXPECT_EQ(line.order.stores, 0U);
    EXPECT_FALSE(line.order.combine(line.queue, what_of, join)) << "a read is first";
    EXPECT_EQ(line.left(), (Numbers{2, 3}));
}

/// Sectors as numbers: how often each was written. A line whose frame holds some of them, and whose others come by
/// fills in any order, while requests come: each sees all writes before it and none behind it.
class CountedLine {
  public:
    CountedLine(Rng& rng, unsigned held) : rng_(rng), held_(held) { order_.begin(RequestOrder::State::fill); }
    void request() {
        const bool changes = rng_.below(3) == 0;
        const unsigned sectors = 1 + static_cast<unsigned>(rng_.below(15));
        all_.push_back({static_cast<unsigned>(all_.size()), changes ? writes(sectors) : reads(sectors)});
        PlainRequest& request = all_.back();
        expected_.push_back(in_order_);
        if (changes) add(in_order_, sectors);
        const bool there = changes || (sectors & ~held_.bits) == 0;
        if (there && order_.lets_by(request.what)) return serve(request);
        if (const SectorSet missing = SectorSet(sectors) & ~order_.asked; !changes && missing.any()) {
            const SectorSet here = missing & held_;
            order_.take(here);
            if (const SectorSet absent = missing & ~here; absent.any()) ask(absent);
        }
        waiting_.push(request);
        order_.wait(request.what);
    }
    void ask(SectorSet sectors) {
        order_.ask(sectors);
        fills_.push_back(sectors);
    }
    /// One of the fills comes. False: it was the last.
    bool fill() {
        const std::size_t which = rng_.below(fills_.size());
        const SectorSet came = fills_[which];
        fills_.erase(fills_.begin() + static_cast<std::ptrdiff_t>(which));
        held_ |= came;
        const bool last = order_.arrive(came);
        const auto answer = [&](PlainRequest& request) {
            serve(request);
            return true;
        };
        if (last)
            order_.serve_all(waiting_, answer);
        else
            order_.serve_arrived(waiting_, what_of, answer);
        return !last;
    }
    std::size_t requests() const { return all_.size(); }
    unsigned served() const { return served_; }

  private:
    using Counts = std::array<unsigned, kLineSectors>;
    static void add(Counts& counts, unsigned sectors) {
        for (unsigned s = 0; s < kLineSectors; ++s) counts[s] += sectors >> s & 1;
    }
    void serve(const PlainRequest& request) {
        ++served_;
        for (unsigned s = 0; s < kLineSectors; ++s) {
            if ((request.what.touched.bits >> s & 1) == 0) continue;
            EXPECT_EQ(now_[s], expected_[request.number][s]) << "request " << request.number << ", sector " << s;
        }
        if (request.what.changes()) {
            add(now_, request.what.touched.bits);
            held_ |= request.what.touched;
        }
    }
    Rng& rng_;
    RequestOrder order_;
    SectorSet held_; ///< in the frame
    std::deque<PlainRequest> all_;
    std::vector<Counts> expected_; ///< what each request finds
    PlainRequests waiting_;
    std::vector<SectorSet> fills_;
    Counts in_order_{}, now_{};
    unsigned served_ = 0;
};

TEST(RequestOrder, EachRequestFindsTheWritesBeforeItAndNoOthers) {
    Rng rng(1, 1);
    for (int run = 0; run < 2000; ++run) {
        CountedLine line(rng, static_cast<unsigned>(rng.below(16)));
        line.ask(SectorSet(1 + static_cast<unsigned>(rng.below(15))));
        for (bool more = true; more;) {
            for (std::uint64_t n = rng.below(4); n != 0; --n) line.request();
            more = line.fill();
        }
        ASSERT_EQ(line.served(), line.requests());
        if (HasFailure()) FAIL() << "run " << run;
    }
}

} // namespace
} // namespace numavp

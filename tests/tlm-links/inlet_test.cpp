/// Queues of records: a port's inlet, and lists through the records themselves.
#include <deque>
#include <utility>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {
namespace {

TEST(Inlet, KeepsOneRecordAsideWhenFullAndAdmitsItAfterAPop) {
    TxnPool pool;
    Inlet inlet(1);
    Txn& first = pool.make(Kind::load, 0, ByteMask::full());
    Txn& second = pool.make(Kind::load, 128, ByteMask::full());
    EXPECT_TRUE(inlet.arrive(first));
    EXPECT_FALSE(inlet.arrive(second));
    EXPECT_EQ(inlet.size(), 2U);
    EXPECT_EQ(inlet.admit(), nullptr);
    EXPECT_EQ(&inlet.pop(), &first);
    EXPECT_EQ(inlet.admit(), &second);
    EXPECT_EQ(inlet.admit(), nullptr);
    EXPECT_EQ(&inlet.front(), &second);
    EXPECT_EQ(inlet.size(), 1U);
    first.release();
    second.release();
}

/// Of depths that are no power of two too, each many times around its ring.
TEST(Inlet, IsAQueueOfItsDepthAndOneRecordBesideIt) {
    TxnPool pool;
    for (const unsigned depth : {1U, 2U, 3U, 4U, 5U, 16U, 19U}) {
        Rng rng(depth);
        Inlet inlet(depth);
        std::deque<Txn*> model;
        for (unsigned step = 0; step < 2'000; ++step) {
            if (rng.below(2) == 0 && model.size() <= depth) {
                Txn& txn = pool.make(Kind::load, step * kLineBytes, ByteMask::full());
                EXPECT_EQ(inlet.arrive(txn), model.size() < depth);
                model.push_back(&txn);
            } else if (!model.empty()) {
                Txn& txn = inlet.pop();
                ASSERT_EQ(&txn, model.front()) << "depth " << depth << ", step " << step;
                if (rng.below(3) == 0) { // refused, and tried again
                    inlet.unpop(txn);
                    continue;
                }
                model.pop_front();
                EXPECT_EQ(inlet.admit(), model.size() == depth ? model.back() : nullptr);
                pool.end(txn);
            }
            ASSERT_EQ(inlet.size(), model.size());
        }
        for (Txn* txn : model) pool.end(*txn);
    }
    EXPECT_EQ(pool.in_flight(), 0U);
}

/// Against a deque; queues are taken over whole, as caches do with what waits for a line.
TEST(TxnQueue, IsAQueueThatCanBeTakenOver) {
    TxnPool pool;
    Rng rng(3);
    CountedTxnQueue queue;
    std::deque<Txn*> model;
    for (unsigned step = 0; step < 5'000; ++step) {
        const std::uint64_t what = rng.below(8);
        if (what < 4) {
            Txn& txn = pool.make(Kind::load, step * kLineBytes, ByteMask::full());
            what == 0 ? queue.push_front(txn) : queue.push(txn);
            what == 0 ? model.push_front(&txn) : model.push_back(&txn);
        } else if (what < 7 && !model.empty()) {
            EXPECT_EQ(&queue.front(), model.front());
            ASSERT_EQ(&queue.pop(), model.front()) << "step " << step;
            pool.end(*model.front());
            model.pop_front();
        } else if (what == 7) {
            CountedTxnQueue all;
            std::swap(all, queue);
            EXPECT_TRUE(queue.empty());
            queue = all;
        }
        ASSERT_EQ(queue.size(), model.size());
        ASSERT_EQ(queue.empty(), model.empty());
    }
    for (Txn* txn : model) pool.end(*txn);
}

} // namespace
} // namespace numavp

/// Records end once, and live as long as somebody holds them.
#include <gtest/gtest.h>

#include "tlm-links/protocol/txn.h"

namespace numavp {
namespace {

TEST(TxnPool, ARecordHasOneReferenceHoweverItsLastLifeEnded) {
    TxnPool pool;
    Txn& first = pool.make(Kind::load, 0, ByteMask::full());
    pool.end(first);
    Txn& second = pool.make(Kind::store, kLineBytes, ByteMask::full());
    ASSERT_EQ(&second, &first);
    EXPECT_EQ(second.get_ref_count(), 1);
    second.release();
    Txn& third = pool.make(Kind::atomic, 0, ByteMask::full());
    ASSERT_EQ(&third, &first);
    EXPECT_EQ(third.get_ref_count(), 1);
    pool.end(third);
    EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(TxnPool, ARecordThatIsEndedTwiceIsAnError) {
    TxnPool pool;
    Txn& txn = pool.make(Kind::load, 0, ByteMask::full());
    pool.end(txn);
    EXPECT_THROW(pool.end(txn), sc_core::sc_report);
    EXPECT_THROW(txn.release(), sc_core::sc_report);
}

TEST(TxnPool, ARecordThatSomebodyOutsideHoldsLivesUntilItIsLetGo) {
    TxnPool pool;
    Txn& txn = pool.make(Kind::load, 0, ByteMask::full());
    txn.seen_outside = true;
    txn.acquire(); // a foreign module's
    pool.end(txn);
    EXPECT_EQ(pool.in_flight(), 1U);
    txn.release();
    EXPECT_EQ(pool.in_flight(), 0U);
    EXPECT_EQ(pool.make(Kind::load, 0, ByteMask::full()).get_ref_count(), 1);
}

} // namespace
} // namespace numavp

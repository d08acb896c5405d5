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

TEST(TxnPool, APayloadIsThatOfItsRecordWhenAModuleOutsideSeesIt) {
    TxnPool pool;
    for (unsigned i = 0; i < 2; ++i) { // the same record, with other contents
        Txn& store = pool.make(Kind::store, 0x1080, ByteMask::range(4, 4));
        store.show();
        EXPECT_EQ(store.get_command(), tlm::TLM_WRITE_COMMAND);
        EXPECT_EQ(store.get_address(), 0x1080U);
        EXPECT_EQ(store.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        ASSERT_EQ(store.get_byte_enable_length(), kLineBytes);
        for (unsigned b = 0; b < kLineBytes; ++b)
            EXPECT_EQ(store.get_byte_enable_ptr()[b], b / 4 == 1 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
        store.answer();
        EXPECT_TRUE(store.is_response_ok());
        pool.end(store);
        Txn& fill = pool.make(Kind::fill, 0x2000, ByteMask::range(0, 32));
        ASSERT_EQ(&fill, &store);
        fill.show();
        EXPECT_EQ(fill.get_command(), tlm::TLM_READ_COMMAND);
        EXPECT_EQ(fill.get_address(), 0x2000U);
        EXPECT_EQ(fill.get_byte_enable_ptr(), nullptr);
        pool.end(fill);
    }
}

TEST(TxnPool, AnAnswerWithAnErrorIsThatOfItsRecordAlone) {
    TxnPool pool;
    Txn& refused = pool.make(Kind::load, 0, ByteMask::full());
    refused.answer(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(refused.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    pool.end(refused);
    Txn& next = pool.make(Kind::load, 0, ByteMask::full());
    ASSERT_EQ(&next, &refused);
    next.answer();
    EXPECT_TRUE(next.is_response_ok());
    pool.end(next);
}

TEST(Txn, PortsAreLeftInTheReverseOrder) {
    TxnPool pool;
    Txn& txn = pool.make(Kind::load, 0, ByteMask::full());
    for (unsigned port = 0; port < TxnHot::kMaxRoute; ++port) {
        txn.push_port(100 + port);
        EXPECT_EQ(txn.last_port(), 100 + port);
    }
    for (unsigned port = TxnHot::kMaxRoute; port-- > 0;) EXPECT_EQ(txn.pop_port(), 100 + port);
    pool.end(txn);
}

} // namespace
} // namespace numavp

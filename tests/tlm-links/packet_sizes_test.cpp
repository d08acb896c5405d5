/// Bytes of each kind of packet, whole and in part, against the sizes of NUBA, sections 5.2 and 6.
#include <gtest/gtest.h>

#include "tlm-links/protocol/resolved_address.h"

namespace numavp::test {
namespace {

constexpr unsigned kHeaderBytes = 8, kData = kHeaderBytes + kLineBytes;

struct Sizes {
    unsigned request, response;
    bool operator==(const Sizes& o) const { return request == o.request && response == o.response; }
};

Sizes sizes_of(Kind kind, ByteMask mask, bool no_return = false) {
    TxnPool pool;
    Txn& txn = pool.make(kind, 0, mask);
    txn.no_return = no_return;
    PacketSizes{kHeaderBytes}.apply(txn);
    const Sizes sizes{txn.request_bytes, txn.response_bytes};
    txn.release();
    return sizes;
}

TEST(PacketSizes, ReadsAskWithAHeaderAndGetALine) {
    for (const Kind kind : {Kind::load, Kind::fill, Kind::walk})
        EXPECT_EQ(sizes_of(kind, ByteMask::full()), (Sizes{kHeaderBytes, kData}));
}

TEST(PacketSizes, WritesCarryTheSectorsThatTheyTouch) {
    struct Row {
        unsigned first, count, sectors;
    };
    const Row rows[] = {{0, 1, 1},  {0, 32, 1},  {31, 1, 1},  {31, 2, 2},  {32, 64, 2}, {60, 8, 2},
                        {0, 96, 3}, {30, 68, 4}, {127, 1, 1}, {64, 64, 2}, {1, 127, 4}, {0, 128, 4}};
    for (const Row& row : rows) {
        const ByteMask mask = ByteMask::range(row.first, row.count);
        const unsigned bytes = kHeaderBytes + row.sectors * kSectorBytes;
        for (const Kind kind : {Kind::store, Kind::write})
            EXPECT_EQ(sizes_of(kind, mask), (Sizes{bytes, kHeaderBytes})) << row.first << " + " << row.count;
        EXPECT_EQ(sizes_of(Kind::atomic, mask), (Sizes{bytes, bytes})) << row.first << " + " << row.count;
        EXPECT_EQ(sizes_of(Kind::atomic, mask, true), (Sizes{bytes, kHeaderBytes})) << row.first << " + " << row.count;
    }
    EXPECT_EQ(sizes_of(Kind::write, ByteMask::range(0, 4) | ByteMask::range(100, 4)),
              (Sizes{kHeaderBytes + 2 * kSectorBytes, kHeaderBytes}));
}

} // namespace
} // namespace numavp::test

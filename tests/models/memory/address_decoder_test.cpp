/// Maps of addresses to banks, with and without scattered rows.
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "models/memory/dram/address_decoder.h"

namespace numavp::test {
namespace {

TEST(AddressDecoder, ScattersRowsOverBanksAndLosesNone) {
    const char* const fields = "column:1 group:1 bank:2 row:6";
    const AddressDecoder plain(64, fields, "plain"), scattered(64, std::string(fields) + " scatter", "scattered");
    EXPECT_EQ(plain.capacity(), scattered.capacity());
    std::set<std::vector<unsigned>> places;
    for (std::uint64_t at = 0; at < plain.capacity(); at += 64) {
        const DramAddress a = plain.decode(at), b = scattered.decode(at);
        EXPECT_EQ(b.row, a.row);
        EXPECT_EQ(b.column, a.column);
        EXPECT_EQ(b.bank, a.bank ^ (a.row & 7) ^ (a.row >> 3)); // 8 banks: the row's bits by threes
        EXPECT_EQ(scattered.encode(b), at);
        places.insert({b.bank, b.row, b.column});
    }
    EXPECT_EQ(places.size(), plain.capacity() / 64);
}

} // namespace
} // namespace numavp::test

/// Caches that fetch sectors of 32 bytes: sets of sectors, tags with them, an L2 slice before a memory channel.
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/cache/l2_slice.h"
#include "models/memory/channel/channel.h"
#include "tlm-links/protocol/flat_memory.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {
namespace {

constexpr SectorSet sectors(unsigned bits) { return SectorSet(bits); }

TEST(SectorSet, AgreesWithTheBytesOfItsSectors) {
    Rng rng(1, 1);
    for (int step = 0; step < 2000; ++step) {
        const auto first = static_cast<unsigned>(rng.below(kLineBytes));
        const ByteMask mask = ByteMask::range(first, static_cast<unsigned>(rng.below(kLineBytes - first + 1))) |
                              ByteMask::range(static_cast<unsigned>(rng.below(kLineBytes)), 1);
        unsigned touched = 0, covered = 0;
        for (unsigned s = 0; s < kLineSectors; ++s) {
            const ByteMask own = ByteMask::range(s * kSectorBytes, kSectorBytes);
            touched |= (mask & own).any() ? 1U << s : 0U;
            covered |= mask.covers(own) ? 1U << s : 0U;
        }
        ASSERT_EQ(SectorSet::touched(mask), sectors(touched));
        ASSERT_EQ(SectorSet::covered(mask), sectors(covered));
        ASSERT_EQ(SectorSet::touched(sectors(touched).bytes()), sectors(touched));
        ASSERT_EQ(sectors(touched).bytes().count(), mask.sectors() * kSectorBytes);
    }
}

TEST(TagArray, AFramesSectorsComeOneByOne) {
    TagArray tags(1, 2, false);
    const auto f = static_cast<unsigned>(tags.victim(0, {}));
    tags.install(f, 0, false, sectors(0b0010));
    EXPECT_TRUE(tags.readable(f, ByteMask::range(32, 32)));
    EXPECT_FALSE(tags.readable(f, ByteMask::range(32, 33)));
    tags.add_sectors(f, sectors(0b0100));
    EXPECT_TRUE(tags.readable(f, ByteMask::range(32, 64)));
    tags.mark_dirty(f, ByteMask::range(0, 16));
    EXPECT_EQ(tags.sectors(f), sectors(0b0110)) << "a sector of which half is dirty is not there";
    EXPECT_TRUE(tags.readable(f, ByteMask::range(8, 8)));
    EXPECT_FALSE(tags.readable(f, ByteMask::range(8, 16)));
    tags.mark_dirty(f, ByteMask::range(16, 16));
    EXPECT_EQ(tags.sectors(f), sectors(0b0111));
    EXPECT_EQ(tags.dirty_mask(f), ByteMask::range(0, 32));
    tags.add_sectors(f, sectors(0b1000));
    EXPECT_TRUE(tags.readable(f, ByteMask::full()));
}

TEST(TagArray, AFrameThatLosesItsLastSectorIsInvalid) {
    TagArray tags(1, 2, false);
    const auto f = static_cast<unsigned>(tags.victim(0, {}));
    tags.install(f, 0, true, sectors(0b0101));
    tags.drop(f, sectors(0b0011));
    EXPECT_EQ(tags.sectors(f), sectors(0b0100));
    tags.drop(f, sectors(0b0100));
    EXPECT_LT(tags.find(0), 0);
    EXPECT_EQ(tags.count_valid(true), 0U);
}

/// An access and when it leaves.
struct Ask {
    Cycle at;
    Kind kind;
    std::uint64_t line; ///< number
    ByteMask mask;
};

/// Sends accesses at given edges and keeps their answers in order. Byte i of a write is 100 + i.
struct Asker final : sc_core::sc_module, RequesterIf, Handler {
    struct Answer {
        std::size_t number; ///< of the access
        Cycle at;
        std::array<unsigned char, kLineBytes> data;
    };
    Asker(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, const AddressMap& addresses,
          std::vector<Ask> accesses)
        : sc_module(name), port("port", clock, {8, Part::sm}, *this, 0), domain(clock), records(pool), map(addresses),
          asks(std::move(accesses)) {
        start.handler = this;
        clock.at(asks.front().at, start);
    }
    void deliver(Node&) override {
        const Ask& ask = asks[next];
        Txn& txn = records.make(ask.kind, ask.line * kLineBytes, ask.mask);
        for (unsigned i = 0; i < kLineBytes; ++i) txn.data[i] = static_cast<unsigned char>(100 + i);
        txn.requester = SocketId(0);
        txn.tag = static_cast<std::uint32_t>(next++);
        map.resolve(txn);
        txn.start(domain.edge_ps(domain.now()));
        port.send(txn, domain.now() + 1);
        if (next < asks.size()) domain.at(asks[next].at, start);
    }
    bool response(unsigned, Txn& txn) override {
        answers.push_back({txn.tag, domain.now(), txn.data});
        txn.release();
        return true;
    }
    Node start;
    InitiatorPort port;
    ClockDomain& domain;
    TxnPool& records;
    const AddressMap& map;
    std::vector<Ask> asks;
    std::size_t next = 0;
    std::vector<Answer> answers;
};

/// A slice of one set with 8 ways before a channel; byte i of memory is i % 251.
class SectoredSlice : public ::testing::Test {
  protected:
    void run(std::vector<Ask> asks, bool sectored = true) {
        pool.functional = true;
        map.slicing.slices = 1;
        map.packets.sectored = sectored;
        L2Config config;
        config.slices = config.size_kib = 1;
        config.ways = 8;
        config.sectored = sectored;
        slice = std::make_unique<L2Slice>(
            "slice", config, L2Slice::Resources{clock, pool, map, SocketId(0), 0, false, Rank{0, kRankSlice, 0}});
        channel = std::make_unique<Channel>("channel", ChannelConfig(), clock, Rank{0, kRankChannel, 0});
        channel->set_memory(&memory);
        std::vector<unsigned char> bytes(64 * kLineBytes);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = in_memory(i);
        memory.write(0, bytes.data(), bytes.size());
        asker = std::make_unique<Asker>("asker", clock, pool, map, std::move(asks));
        asker->port.socket.bind(slice->core_side());
        slice->mem_side().bind(channel->port(0));
        sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
        ASSERT_EQ(asker->answers.size(), asker->asks.size());
        EXPECT_TRUE(slice->drained());
        EXPECT_EQ(pool.in_flight(), 0U);
    }
    static unsigned char in_memory(std::size_t at) { return static_cast<unsigned char>(at % 251); }
    const Asker::Answer& answer(std::size_t number) const {
        for (const Asker::Answer& a : asker->answers)
            if (a.number == number) return a;
        ADD_FAILURE() << "no answer";
        return asker->answers.front();
    }
    /// Bytes of an answer that are those of memory.
    void expect_memory(std::size_t number, ByteMask mask) const {
        const std::uint64_t line = asker->asks[number].line * kLineBytes;
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) {
                ASSERT_EQ(answer(number).data[i], in_memory(line + i)) << "byte " << i;
            }
    }

    Clockwork clockwork{"clockwork"};
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    AddressMap map;
    FlatMemory memory;
    std::unique_ptr<L2Slice> slice;
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Asker> asker;
};

const ByteMask kFirst = ByteMask::range(0, 32), kSecond = ByteMask::range(32, 32), kHalf = ByteMask::range(0, 64);

TEST_F(SectoredSlice, AMissAsksForTheSectorsThatAreMissing) {
    run({{1, Kind::load, 3, kFirst},
         {1001, Kind::load, 3, kFirst},
         {2001, Kind::load, 3, kHalf},
         {3001, Kind::load, 3, kHalf},
         {4001, Kind::load, 3, ByteMask::full()}});
    EXPECT_EQ(slice->counts().local.misses, 3U);
    EXPECT_EQ(slice->counts().local.hits, 2U);
    EXPECT_EQ(slice->counts().fill_sectors, 4U);
    EXPECT_EQ(channel->counts().read_bytes, kLineBytes);
    for (std::size_t i = 0; i < 5; ++i) expect_memory(i, asker->asks[i].mask);
}

TEST_F(SectoredSlice, WholeLinesAreReadAtOnceWithoutSectors) {
    run({{1, Kind::load, 3, ByteMask::full()}, {1001, Kind::load, 3, kFirst}}, false);
    EXPECT_EQ(slice->counts().local.hits, 1U);
    EXPECT_EQ(channel->counts().read_bytes, kLineBytes);
}

TEST_F(SectoredSlice, PendingMissesMergeBySector) {
    run({{1, Kind::load, 3, kFirst},   // asks for the first
         {3, Kind::load, 3, kHalf},    // for the second, and waits for both
         {5, Kind::load, 3, kSecond},  // waits for it
         {7, Kind::load, 3, kFirst}}); // and this one for the first
    EXPECT_EQ(slice->counts().local.misses, 2U);
    EXPECT_EQ(slice->counts().local.merged, 2U);
    EXPECT_EQ(slice->counts().fills, 2U);
    EXPECT_EQ(channel->counts().read_bytes, 64U);
    for (std::size_t i = 0; i < 4; ++i) expect_memory(i, asker->asks[i].mask);
    EXPECT_LT(answer(3).at, answer(1).at) << "its sector came with the first fill";
}

TEST_F(SectoredSlice, ASectorThatIsThereIsReadWhileAnotherIsOnItsWay) {
    run({{1, Kind::load, 3, kFirst}, {1001, Kind::load, 3, kSecond}, {1003, Kind::load, 3, kFirst}});
    EXPECT_EQ(slice->counts().local.hits, 1U);
    EXPECT_LT(answer(2).at, answer(1).at + 30) << "a hit takes 120 cycles, a miss more than 100 besides";
    expect_memory(2, kFirst);
}

TEST_F(SectoredSlice, AWriteToAnotherSectorDoesNotWaitForAFill) {
    const ByteMask few = ByteMask::range(96, 8);
    run({{1, Kind::load, 3, kFirst},
         {1001, Kind::load, 3, kSecond},
         {1003, Kind::store, 3, few},
         {2001, Kind::load, 3, few}});
    EXPECT_EQ(slice->counts().fills, 2U) << "dirty bytes are read without their sector";
    EXPECT_LT(answer(2).at, answer(1).at) << "the write came last, and is done while the fill is on its way";
    for (unsigned i = 96; i < 104; ++i) EXPECT_EQ(answer(3).data[i], 100 + i);
}

TEST_F(SectoredSlice, AWriteToASectorOnItsWayIsNotLost) {
    run({{1, Kind::load, 3, kFirst},
         {3, Kind::store, 3, ByteMask::range(4, 4)},
         {5, Kind::load, 3, kHalf},
         {2001, Kind::load, 3, kHalf}});
    for (const std::size_t reader : {2U, 3U}) {
        for (unsigned i = 4; i < 8; ++i) EXPECT_EQ(answer(reader).data[i], 100 + i);
        expect_memory(reader, kHalf & ~ByteMask::range(4, 4));
    }
    expect_memory(0, kFirst);
    EXPECT_EQ(channel->counts().read_bytes, 64U);
}

TEST_F(SectoredSlice, AFillKeepsTheBytesThatWereWrittenBefore) {
    run({{1, Kind::store, 3, ByteMask::range(4, 4)}, {1001, Kind::load, 3, kHalf}});
    EXPECT_EQ(slice->counts().fill_sectors, 2U);
    for (unsigned i = 4; i < 8; ++i) EXPECT_EQ(answer(1).data[i], 100 + i);
    expect_memory(1, kHalf & ~ByteMask::range(4, 4));
}

TEST_F(SectoredSlice, AWriteBackCarriesTheSectorsThatAreDirty) {
    std::vector<Ask> asks{{1, Kind::load, 0, kSecond}, {1001, Kind::store, 0, ByteMask::range(4, 4)}};
    for (std::uint64_t line = 1; line <= 8; ++line) asks.push_back({2001 + 1000 * line, Kind::load, line, kFirst});
    run(std::move(asks));
    EXPECT_EQ(slice->counts().written_local, 1U);
    EXPECT_EQ(channel->counts().write_bytes, kSectorBytes);
    std::array<unsigned char, kLineBytes> line;
    memory.read(0, line.data(), kLineBytes);
    for (unsigned i = 0; i < kLineBytes; ++i) EXPECT_EQ(line[i], i >= 4 && i < 8 ? 100 + i : in_memory(i)) << i;
}

/// Writes are counted once with the sectors that they touch, also one that waits for a fill; of reads and atomics those
/// count that a request brings or changes.
TEST_F(SectoredSlice, SectorsAreCountedForEachRequest) {
    const ByteMask both = ByteMask::range(28, 8);
    run({{1, Kind::load, 3, kFirst},
         {3, Kind::store, 3, both},               // waits for the first sector
         {1001, Kind::store, 3, kHalf},           // hits
         {2001, Kind::load, 3, kFirst},           // hits, one sector
         {3001, Kind::load, 3, ByteMask::full()}, // misses two
         {4001, Kind::atomic, 3, both},           // hits two
         {5001, Kind::store, 5, ByteMask::full()}});
    EXPECT_EQ(slice->counts().writes, 3U);
    EXPECT_EQ(slice->counts().write_sectors, 2U + 2 + 4);
    EXPECT_EQ(slice->counts().hit_sectors, 1U + 2);
    EXPECT_EQ(slice->counts().atomic_sectors, 2U);
    EXPECT_EQ(slice->counts().fill_sectors, 1U + 2);
    EXPECT_EQ(slice->counts().write_misses, 1U) << "line 5";
}

TEST_F(SectoredSlice, AReadBehindAWriteOfItsSectorWaitsForIt) {
    // The write waits for the fill of the first sector, and the last read, whose sector came before, for the write.
    run({{1, Kind::load, 3, kSecond},
         {1001, Kind::load, 3, kFirst},
         {1002, Kind::store, 3, ByteMask::range(28, 8)},
         {1003, Kind::load, 3, kSecond}});
    for (unsigned i = 32; i < 36; ++i) EXPECT_EQ(answer(3).data[i], 100 + i);
}

TEST_F(SectoredSlice, AReadBehindAnAtomicOfItsSectorWaitsForIt) {
    // The atomic touches a sector that is there and one that is not.
    run({{1, Kind::load, 3, kFirst}, {1001, Kind::atomic, 3, ByteMask::range(28, 8)}, {1003, Kind::load, 3, kFirst}});
    EXPECT_EQ(slice->counts().atomics, 1U);
    EXPECT_GE(answer(2).at, answer(1).at);
}

} // namespace
} // namespace numavp

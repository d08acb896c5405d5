/// An L2 slice alone, before a memory channel.
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/cache/l2_slice.h"
#include "models/memory/channel/channel.h"
#include "tests/tlm-links/traffic_ends.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {
namespace {

/// A slice alone before a memory channel, with a clock of 1 GHz.
struct SliceBench {
    explicit SliceBench(const L2Config& config, bool functional = false)
        : slice("slice", config,
                L2Slice::Resources{clock, with_values(pool, functional), one_slice(map), SocketId(0), 0, false,
                                   Rank{0, kRankSlice, 0}}),
          channel("channel", ChannelConfig(), clock, Rank{0, kRankChannel, 0}) {
        if (functional) channel.set_memory(&memory);
        slice.mem_side().bind(channel.port(0));
    }
    static TxnPool& with_values(TxnPool& pool, bool functional) {
        pool.functional = functional;
        return pool;
    }
    static const AddressMap& one_slice(AddressMap& map) {
        map.slicing.slices = 1;
        return map;
    }
    /// Binds who sends to it, and runs.
    template <class Sender> void run(Sender& sender, double us) {
        sender.port.socket.bind(slice.core_side());
        sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US));
        EXPECT_EQ(pool.in_flight(), 0U);
    }
    Clockwork clockwork{"clockwork"};
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    AddressMap map;
    L2Slice slice;
    FlatMemory memory;
    Channel channel;
};

/// Sends two atomics, of which the first has lost its operand on the way, and keeps their answers.
struct Atomics final : sc_core::sc_module, RequesterIf, Handler {
    Atomics(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, const AddressMap& addresses)
        : sc_module(name), port("port", clock, {2, Part::sm}, *this, 0), domain(clock), records(pool), map(addresses) {
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node&) override {
        for (const std::uint64_t line : {0ULL, 128ULL}) {
            Txn& txn = records.make(Kind::atomic, line, ByteMask::range(0, 4));
            txn.requester = SocketId(0);
            map.resolve(txn);
            txn.start(domain.edge_ps(domain.now()));
            if (line == 0) lost.swap(txn);
            port.send(txn, domain.now() + 1);
        }
    }
    bool response(unsigned, Txn& txn) override {
        answers.emplace_back(txn.line, txn.get_response_status());
        if (txn.line == 0) lost.swap(txn);
        txn.release();
        return true;
    }
    /// What stands between takes the extension away and gives it back.
    struct Lost {
        AtomicExtension* kept = nullptr;
        void swap(Txn& txn) {
            AtomicExtension* const now = txn.set_extension(kept);
            kept = now;
        }
    } lost;
    Node start;
    InitiatorPort port;
    ClockDomain& domain;
    TxnPool& records;
    const AddressMap& map;
    std::vector<std::pair<std::uint64_t, tlm::tlm_response_status>> answers;
};

TEST(L2Slice, AnAtomicWithoutOperandIsAnsweredWithAnErrorAndNotPerformed) {
    SliceBench bench(L2Config(), true);
    Atomics atomics("atomics", bench.clock, bench.pool, bench.map);
    bench.run(atomics, 10);
    ASSERT_EQ(atomics.answers.size(), 2U);
    EXPECT_EQ(atomics.answers[0].first, 0U);
    EXPECT_EQ(atomics.answers[0].second, tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(atomics.answers[1].second, tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.slice.counts().atomics, 1U);
    EXPECT_TRUE(bench.slice.drained());
}

/// Reads lines one after the other.
struct LineReader final : sc_core::sc_module, RequesterIf, Handler {
    LineReader(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, const AddressMap& addresses,
               std::vector<std::uint64_t> lines)
        : sc_module(name), port("port", clock, {2, Part::sm}, *this, 0), domain(clock), records(pool), map(addresses),
          left(std::move(lines)) {
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node&) override {
        Txn& txn = records.make(Kind::load, left[next++] * kLineBytes, ByteMask::full());
        txn.requester = SocketId(0);
        map.resolve(txn);
        txn.start(domain.edge_ps(domain.now()));
        port.send(txn, domain.now() + 1);
    }
    bool response(unsigned, Txn& txn) override {
        took_ps += domain.clockwork().now_ps() - txn.born_ps;
        for (unsigned p = 0; p < kParts; ++p) parts_ps += txn.part(p);
        txn.release();
        if (next < left.size()) domain.at(domain.now() + 1, start);
        return true;
    }
    Node start;
    InitiatorPort port;
    ClockDomain& domain;
    TxnPool& records;
    const AddressMap& map;
    std::vector<std::uint64_t> left; ///< numbers of lines
    std::size_t next = 0;
    std::uint64_t took_ps = 0, parts_ps = 0; ///< from each request to its answer, by the clock and by their parts
};

TEST(L2Slice, AReadThatHitsMakesItsLineTheLastToGo) {
    L2Config config;
    config.size_kib = config.slices = 1;
    config.ways = 8; // one set
    SliceBench bench(config);
    // Line 0 is read again before line 8 comes: line 1 has to go, and line 0 is still there.
    LineReader reader("reader", bench.clock, bench.pool, bench.map, {0, 1, 2, 3, 4, 5, 6, 7, 0, 8, 0, 1});
    bench.run(reader, 100);
    EXPECT_EQ(bench.slice.counts().local.hits, 2U);
    EXPECT_EQ(bench.slice.counts().local.misses, 10U);
}

/// Stores word i of a line, for each i at once.
struct WordWriter final : sc_core::sc_module, RequesterIf, Handler {
    WordWriter(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, const AddressMap& addresses)
        : sc_module(name), port("port", clock, {kWords, Part::sm}, *this, 0), domain(clock), records(pool),
          map(addresses) {
        start.handler = this;
        clock.at(1, start);
    }
    static constexpr unsigned kWords = 32;
    void deliver(Node&) override {
        for (unsigned i = 0; i < kWords; ++i) {
            Txn& txn = records.make(Kind::store, 0, ByteMask::range(4 * i, 4));
            txn.requester = SocketId(0);
            for (unsigned b = 0; b < 4; ++b) txn.data[4 * i + b] = static_cast<unsigned char>(i + 1);
            map.resolve(txn);
            txn.start(domain.edge_ps(domain.now()));
            port.send(txn, domain.now() + 1 + i);
        }
    }
    bool response(unsigned, Txn& txn) override {
        EXPECT_EQ(txn.get_response_status(), tlm::TLM_OK_RESPONSE);
        last = domain.now();
        ++answers;
        txn.release();
        return true;
    }
    Node start;
    InitiatorPort port;
    ClockDomain& domain;
    TxnPool& records;
    const AddressMap& map;
    Cycle last = 0;
    unsigned answers = 0;
};

/// The first goes alone; the others wait for it and go as one. In a chain they would take 32 times the memory's 100 ns.
TEST(L2Slice, StoresThatWaitForAWriteThroughOfTheirLineGoOnTogether) {
    L2Config config;
    config.write_policy = WritePolicy::write_through;
    SliceBench bench(config, true);
    WordWriter writer("writer", bench.clock, bench.pool, bench.map);
    bench.run(writer, 10);
    EXPECT_EQ(writer.answers, WordWriter::kWords);
    EXPECT_EQ(bench.slice.counts().writes, WordWriter::kWords);
    EXPECT_EQ(bench.slice.counts().write_sectors, WordWriter::kWords) << "a word each";
    EXPECT_EQ(bench.slice.counts().written_local, 2U);
    EXPECT_LT(writer.last, 400U);
    unsigned char line[kLineBytes] = {};
    bench.memory.read(0, line, kLineBytes);
    for (unsigned b = 0; b < kLineBytes; ++b) EXPECT_EQ(line[b], b / 4 + 1) << b;
}

TEST(L2Slice, HoldsALineThatItIsGivenUnlessANewerOneWouldHaveToGo) {
    L2Config config;
    config.size_kib = config.slices = 1;
    config.ways = 8; // one set
    SliceBench bench(config, true);
    WordWriter writer("writer", bench.clock, bench.pool, bench.map);
    bench.run(writer, 10); // line 0 is dirty
    std::array<unsigned char, kLineBytes> given, held{};
    given.fill(0x5a);
    const auto holds = [&](std::uint64_t line) { return bench.slice.tags().find(line * kLineBytes) >= 0; };
    EXPECT_FALSE(bench.slice.hold(0, given.data()));
    for (std::uint64_t line = 1; line <= 8; ++line)
        EXPECT_EQ(bench.slice.hold(line * kLineBytes, given.data()), line < 8) << line;
    EXPECT_TRUE(holds(0));
    EXPECT_TRUE(holds(7));
    EXPECT_FALSE(holds(8)) << "line 0 would have to go, which memory does not have";
    bench.slice.debug_overlay(7 * kLineBytes, held.data());
    EXPECT_EQ(held, given);
    bench.slice.debug_overlay(0, held.data());
    EXPECT_EQ(held[4], 2) << "what was written there, not what was given";
}

TEST(L2Slice, LeavesALineThatIsOnItsWayToItsFill) {
    L2Config config;
    config.size_kib = config.slices = 1;
    config.ways = 8;
    SliceBench bench(config, true);
    LineReader reader("reader", bench.clock, bench.pool, bench.map, {0});
    std::array<unsigned char, kLineBytes> given, kept;
    given.fill(0x5a);
    kept.fill(0xff);
    reader.port.socket.bind(bench.slice.core_side());
    sc_core::sc_start(sc_core::sc_time(80, sc_core::SC_NS)); // memory takes 100
    ASSERT_EQ(bench.slice.entries_in_use(), 1U);
    EXPECT_FALSE(bench.slice.hold(0, given.data()));
    EXPECT_TRUE(bench.slice.hold(kLineBytes, given.data()));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_TRUE(bench.slice.drained());
    EXPECT_GE(bench.slice.tags().find(0), 0);
    bench.slice.debug_overlay(0, kept.data());
    EXPECT_EQ(kept[4], 0) << "what memory has, not what was given";
}

TEST(L2Slice, KeepsNoLineWithoutACache) {
    L2Config config;
    config.size_kib = 0;
    SliceBench bench(config);
    LineReader reader("reader", bench.clock, bench.pool, bench.map, {0, 0, 1, 0});
    bench.run(reader, 10);
    EXPECT_EQ(bench.slice.counts().local.hits, 0U);
    EXPECT_EQ(bench.slice.counts().local.misses, 4U);
    EXPECT_EQ(bench.slice.counts().fills, 4U);
}

/// Keeps reads of a few lines under way, and notes each answer with its name in a list that several share.
struct Reads final : sc_core::sc_module, RequesterIf, Handler {
    Reads(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, const AddressMap& addresses, SocketId socket,
          std::vector<char>& answered)
        : sc_module(name), port("port", clock, {16, Part::sm}, *this, 0), domain(clock), records(pool), map(addresses),
          self(socket), all(answered) {
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node&) override {
        Txn& txn = records.make(Kind::load, sent++ % 4 * kLineBytes, ByteMask::full());
        txn.requester = self;
        map.resolve(txn);
        txn.start(domain.edge_ps(domain.now()));
        port.send(txn, domain.now() + 1);
        if (sent < 8) domain.at(domain.now() + 1, start);
    }
    bool response(unsigned, Txn& txn) override {
        all.push_back(basename()[0]);
        txn.release();
        if (sent < 200) domain.at(domain.now() + 1, start);
        return true;
    }
    Node start;
    InitiatorPort port;
    ClockDomain& domain;
    TxnPool& records;
    const AddressMap& map;
    SocketId self;
    std::vector<char>& all;
    unsigned sent = 0;
};

/// NUBA, section 3: round robin between the queues of local and of remote requests.
TEST(L2Slice, ServesLocalAndRemoteRequestsInTurn) {
    Clockwork clockwork("clockwork");
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    AddressMap map;
    map.memories = 2;
    map.slicing.slices = 1;
    L2Config config;
    config.organisation = L2Organisation::memory_side;
    config.bytes_per_cycle = 32;
    L2Slice slice("slice", config, L2Slice::Resources{clock, pool, map, SocketId(0), 0, true, Rank{0, kRankSlice, 0}});
    Channel channel("channel", ChannelConfig(), clock, Rank{0, kRankChannel, 0});
    test::Taker link("link", clock, 0);
    std::vector<char> answered;
    Reads local("local", clock, pool, map, SocketId(0), answered);
    Reads remote("remote", clock, pool, map, SocketId(1), answered);
    local.port.socket.bind(slice.core_side());
    remote.port.socket.bind(slice.home_side());
    slice.mem_side().bind(channel.port(0));
    slice.link_side().bind(link.socket());
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_US));
    ASSERT_EQ(answered.size(), 400U);
    EXPECT_GT(slice.counts().local.hits, 150U);
    EXPECT_GT(slice.counts().incoming.hits, 150U);
    for (std::size_t i = 40; i + 40 < answered.size(); ++i) // both have requests waiting all the time
        ASSERT_NE(answered[i], answered[i + 1]) << "answer " << i;
    EXPECT_EQ(pool.in_flight(), 0U);
}

/// Parts have 32 bits of picoseconds beside what is rarely there.
TEST(L2Slice, PartsOfAMissSumToItsLatencyHoweverLongItTakes) {
    Clockwork clockwork("clockwork");
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    AddressMap map;
    map.slicing.slices = 1;
    L2Slice slice("slice", L2Config(),
                  L2Slice::Resources{clock, pool, map, SocketId(0), 0, false, Rank{0, kRankSlice, 0}});
    test::Taker memory("memory", clock, 0);
    memory.close_until(9'000'000);
    LineReader reader("reader", clock, pool, map, {0, 1});
    reader.port.socket.bind(slice.core_side());
    slice.mem_side().bind(memory.socket());
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(slice.entries_in_use(), 1U);
    sc_core::sc_start(sc_core::sc_time(9, sc_core::SC_MS));
    EXPECT_EQ(reader.next, 2U);
    EXPECT_GT(reader.took_ps, 2ULL << 32);
    EXPECT_EQ(reader.parts_ps, reader.took_ps);
    EXPECT_EQ(slice.entries_in_use(), 0U);
    EXPECT_EQ(pool.in_flight(), 0U);
}

} // namespace
} // namespace numavp

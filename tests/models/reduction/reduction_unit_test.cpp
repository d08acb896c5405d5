/// A reduction unit alone, between a sender and members whose answers come in the opposite of their order.
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/paging/page_placement.h"
#include "models/reduction/reduction_unit.h"
#include "tlm-links/protocol/flat_memory.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {
namespace {

constexpr unsigned kMembers = 3;
constexpr std::uint64_t kPageOfUnit = 4096, kOneMemory = 1 << 20;
constexpr std::uint64_t kSums = 0x100000, kMemberBase = 0x200000; ///< virtual addresses; members are 64 KiB apart

/// All members' memories: member m answers after 40 - 10 m cycles.
struct MembersOfUnit final : sc_core::sc_module, ResponderIf {
    MembersOfUnit(sc_core::sc_module_name name, ClockDomain& clock)
        : sc_module(name), port("port", clock, {256, Part::memory}, *this, 0), domain(clock) {}
    bool request(unsigned, Txn& txn) override {
        arrivals.emplace_back(domain.now(), txn.home.value);
        if (txn.kind == Kind::load) memory.read(txn.line, txn.data.data(), kLineBytes);
        if (txn.kind == Kind::store) {
            memory.write(txn.line, txn.data.data(), txn.mask);
            stored[txn.home.value].push_back(txn.data[0]);
        }
        if (txn.kind == Kind::atomic) {
            std::uint32_t word = 0, more = 0;
            memory.read(txn.line, reinterpret_cast<unsigned char*>(&word), 4);
            std::memcpy(&more, txn.atomic().operand.data(), 4);
            word += more;
            memory.write(txn.line, reinterpret_cast<unsigned char*>(&word), 4);
        }
        txn.set_response_status(tlm::TLM_OK_RESPONSE);
        port.send(txn, domain.now() + 40 - 10 * txn.home.value);
        return true;
    }
    TargetPort port;
    ClockDomain& domain;
    FlatMemory memory;
    std::vector<std::pair<Cycle, unsigned>> arrivals;
    std::map<unsigned, std::vector<unsigned>> stored; ///< first bytes, by member
};

/// Sends all its requests at edge 1.
struct SenderToUnit final : sc_core::sc_module, RequesterIf, Handler {
    struct Request {
        Kind kind;
        std::uint64_t offset;
        unsigned char byte = 0;
        bool no_return = true;
    };
    SenderToUnit(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, PageTable& pages,
                 const AddressMap& addresses, std::vector<Request> all)
        : sc_module(name), port("port", clock, {64, Part::sm}, *this, 0), domain(clock), records(pool), table(pages),
          map(addresses), requests(std::move(all)) {
        start.handler = this;
        clock.at(1, start);
    }
    void deliver(Node&) override {
        for (const Request& request : requests) {
            bool failed = false;
            const std::uint64_t line = table.translate((kSums + request.offset) >> kLineShift, SocketId(0), failed);
            const ByteMask mask = request.kind == Kind::load ? ByteMask::full() : ByteMask::range(0, 4);
            Txn& txn = records.make(request.kind, line, mask);
            txn.no_return = request.no_return;
            txn.data[0] = request.byte;
            txn.requester = SocketId(0);
            if (request.kind == Kind::atomic) {
                txn.atomic().operand.fill(0);
                txn.atomic().operand[0] = request.byte;
            }
            map.resolve(txn);
            homes.push_back(txn.home.value);
            txn.start(domain.edge_ps(domain.now()));
            port.send(txn, domain.now() + 1);
        }
    }
    bool response(unsigned, Txn& txn) override {
        float sum = 0;
        std::memcpy(&sum, txn.data.data(), sizeof sum);
        answers.emplace_back(domain.now(), sum);
        EXPECT_EQ(txn.get_response_status(), tlm::TLM_OK_RESPONSE);
        txn.release();
        return true;
    }
    Node start;
    InitiatorPort port;
    ClockDomain& domain;
    TxnPool& records;
    PageTable& table;
    const AddressMap& map;
    std::vector<Request> requests;
    std::vector<unsigned> homes;
    std::vector<std::pair<Cycle, float>> answers;
};

ReductionConfig unit_with(unsigned entries, unsigned per_cycle = 8) {
    ReductionConfig config;
    config.entries = entries;
    config.records_per_cycle = per_cycle;
    return config;
}

/// Clock of 1 GHz; adders of 1600 B a cycle.
struct UnitBench {
    explicit UnitBench(std::vector<SenderToUnit::Request> requests, const ReductionConfig& config = unit_with(16))
        : unit("unit", config, {clock, with_data(pool), map, pages, arrays, SocketId(kMembers), Rank{9, kRankLink, 0}}),
          members("members_of_unit", clock), sender("sender", clock, pool, pages, map, std::move(requests)) {
        map.memories = kMembers;
        map.socket_shift = 20;
        map.slicing.slices = 1;
        MulticastArray array{kSums, 2 * kPageOfUnit, SumElement::fp32, {}};
        for (unsigned m = 0; m < kMembers; ++m) array.members.push_back({member(m), SocketId(m)});
        arrays.add(array);
        pages.set_multicast(arrays);
        sender.port.socket.bind(unit.requests());
        unit.members().bind(members.port.socket);
    }
    static TxnPool& with_data(TxnPool& pool) {
        pool.functional = true;
        return pool;
    }
    static std::uint64_t member(unsigned m) { return kMemberBase + m * 0x10000ULL; }
    std::uint64_t physical(unsigned m, std::uint64_t offset) {
        bool failed = false;
        return pages.translate((member(m) + offset) >> kLineShift, SocketId(m), failed);
    }
    void put(unsigned m, std::uint64_t offset, float value) {
        members.memory.write(physical(m, offset), reinterpret_cast<const unsigned char*>(&value), sizeof value);
    }
    void run() {
        sc_core::sc_start(sc_core::sc_time(2, sc_core::SC_US));
        EXPECT_EQ(pool.in_flight(), 0U);
        EXPECT_TRUE(unit.drained());
        EXPECT_EQ(unit.disagreement(), "");
    }
    Clockwork clockwork{"clockwork"};
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    AddressMap map;
    std::unique_ptr<PagePlacement> placement = make_page_placement(PlacementKind::first_touch);
    PageTable pages{PageTableParams{kMembers, kOneMemory, kPageOfUnit}, *placement};
    MulticastMap arrays{{kMembers, 1, 20}, kPageOfUnit};
    ReductionUnit unit;
    MembersOfUnit members;
    SenderToUnit sender;
};

/// Added in the order of answers, from the last member to the first, the sum would be 0.
TEST(ReductionUnit, AddsInTheOrderOfMembersWhateverTheOrderOfAnswers) {
    UnitBench bench({{Kind::load, 0}, {Kind::load, kPageOfUnit + 256}});
    bench.put(0, 0, -1e8F);
    bench.put(1, 0, 1e8F);
    bench.put(2, 0, 1.0F);
    for (unsigned m = 0; m < kMembers; ++m) bench.put(m, kPageOfUnit + 256, static_cast<float>(m + 2));
    bench.run();
    EXPECT_EQ(bench.sender.homes, (std::vector<unsigned>{kMembers, kMembers})) << "the unit is the lines' home";
    ASSERT_EQ(bench.sender.answers.size(), 2U);
    EXPECT_EQ(bench.sender.answers[0].second, 1.0F);
    EXPECT_EQ(bench.sender.answers[1].second, 9.0F);
}

/// The request comes at edge 2, its reads at 3, the last answer 40 later; then the adders' cycle and the sum's 8.
TEST(ReductionUnit, AnswersAfterTheLastMemberAndTheSum) {
    UnitBench bench({{Kind::load, 0}});
    bench.run();
    ASSERT_EQ(bench.members.arrivals.size(), std::size_t{kMembers});
    for (const auto& [edge, home] : bench.members.arrivals) EXPECT_EQ(edge, 3U) << "member " << home;
    ASSERT_EQ(bench.sender.answers.size(), 1U);
    EXPECT_EQ(bench.sender.answers[0].first, 3U + 40 + 1 + 8);
}

/// One record a cycle: three members make three cycles a line.
TEST(ReductionUnit, SendsSoManyRecordsACycle) {
    UnitBench bench({{Kind::load, 0}, {Kind::load, 128}, {Kind::load, 256}, {Kind::load, 384}}, unit_with(16, 1));
    bench.run();
    ASSERT_EQ(bench.sender.answers.size(), 4U);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_EQ(bench.sender.answers[i].first, bench.sender.answers[i - 1].first + kMembers);
}

/// With one entry a request begins when the one before has all its answers.
TEST(ReductionUnit, HoldsUpItsPortWithAFullTable) {
    UnitBench bench({{Kind::load, 0}, {Kind::load, 128}, {Kind::load, 256}}, unit_with(1));
    bench.run();
    ASSERT_EQ(bench.sender.answers.size(), 3U);
    for (std::size_t i = 1; i < 3; ++i)
        EXPECT_EQ(bench.sender.answers[i].first, bench.sender.answers[i - 1].first + 41);
    EXPECT_GT(bench.unit.counts().stalls, 0U);
}

TEST(ReductionUnit, WritesReachEachMemberInTheirOrderAndAreAnsweredOnce) {
    UnitBench bench({{Kind::store, 128, 7}, {Kind::store, 128, 9}});
    bench.run();
    ASSERT_EQ(bench.members.stored.size(), std::size_t{kMembers});
    for (const auto& [member, bytes] : bench.members.stored) EXPECT_EQ(bytes, (std::vector<unsigned>{7, 9})) << member;
    ASSERT_EQ(bench.sender.answers.size(), 2U);
    EXPECT_EQ(bench.sender.answers[0].first, 3U + 40 + 1) << "when the last member has it";
    EXPECT_EQ(bench.unit.counts().written_bytes, 2U * kMembers * 4);
}

TEST(ReductionUnit, PerformsReductionsAtEachMember) {
    UnitBench bench({{Kind::atomic, 0, 5}, {Kind::atomic, 0, 6}});
    bench.run();
    for (unsigned m = 0; m < kMembers; ++m) {
        std::uint32_t word = 0;
        bench.members.memory.read(bench.physical(m, 0), reinterpret_cast<unsigned char*>(&word), 4);
        EXPECT_EQ(word, 11U) << "member " << m;
    }
    EXPECT_EQ(bench.sender.answers.size(), 2U);
    EXPECT_EQ(bench.unit.counts().written_bytes, 2U * kMembers * 4) << "each member gets the operands";
}

TEST(ReductionUnit, EndsTheRunAtAnAtomicThatReturnsAValue) {
    UnitBench bench({{Kind::atomic, 0, 5, false}});
    try {
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    } catch (const sc_core::sc_report&) { // records stay open
    }
    EXPECT_EQ(bench.clockwork.failure(), "an atomic at the multicast address 0x100000 returns a value, and each member "
                                         "has one; a reduction without a result is allowed");
}

} // namespace
} // namespace numavp

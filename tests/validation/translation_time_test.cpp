/// What address translation costs on an idle system, to the cycle, from configuration values alone.
///
/// A wait begins with the look-up in the SM that finds no entry and ends with the answer, after which the access is
/// made at once: equal numbers mean that a page was not there a cycle earlier. A walk's read of a word leaves the MMU
/// in one cycle, crosses the crossbar, is served by the slice, and its line comes back.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "common/system/derived.h"
#include "models/mmu/fault_port.h"
#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

using nlohmann::json;

constexpr std::uint64_t kTranslatedPage = 4096;

SystemConfig translating(unsigned sms = 1) {
    SystemConfig c;
    c.sockets = 1;
    c.socket.sms = sms;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    c.placement.page_kib = 4;
    c.translation.mode = TranslationMode::full;
    return c;
}

std::uint64_t ceil_div(std::uint64_t bytes, std::uint64_t bytes_per_cycle) {
    return (bytes + bytes_per_cycle - 1) / bytes_per_cycle;
}

/// Cycles of a walk's read of one word.
std::uint64_t read_cycles(const SystemConfig& c, bool in_l2) {
    const std::uint64_t request = c.packets.header_bytes, data = request + kLineBytes;
    const NocConfig& noc = c.socket.noc;
    const L2Config& l2 = c.socket.l2;
    const MemoryConfig& m = c.socket.memory;
    const std::uint64_t memory =
        static_cast<std::uint64_t>(std::ceil(kLineBytes * m.channels / m.bandwidth_gbps - 1e-9) + m.latency_ns);
    const std::uint64_t slice = in_l2 ? l2.hit_cycles : l2.miss_cycles + memory + l2.fill_cycles;
    return 2 * ceil_div(request, noc.request_bytes_per_cycle) + noc.latency_cycles + slice +
           ceil_div(data, l2.bytes_per_cycle) + ceil_div(data, noc.response_bytes_per_cycle) + noc.latency_cycles;
}

json run(const SystemConfig& config, std::vector<Launch> launches) {
    return run_apart([&] {
        const Workload workload = hand_workload(std::move(launches));
        System system(config, workload);
        system.run();
        json values = system.stats().values();
        values["measured"] = kernel_cycles(system, "measured");
        return values;
    });
}

Launch one_warp(const char* name, const WarpCode& code) {
    return hand_launch(name, 1, 1, [code](std::uint64_t, unsigned) { return code; });
}

std::uint64_t ps(std::uint64_t cycles) { return cycles * 1000; }

class Walks : public ::testing::TestWithParam<unsigned> {};

/// The first walk finds no table line in the L2, the second, for the next page, finds all.
TEST_P(Walks, TakeTheL2TlbAndAReadOfEachLevel) {
    SystemConfig c = translating();
    c.placement.page_kib = GetParam();
    c.translation.l2_cycles = 13;
    const std::uint64_t page = GetParam() * std::uint64_t{1024};
    const json values = run(c, {one_warp("measured", {load(kHandBase, 1), load(kHandBase + page, 2, 1)})});
    const unsigned levels = radix_layout(c).levels();
    EXPECT_EQ(levels, GetParam() == 4 ? 5U : 4U);
    EXPECT_EQ(stat(values, "socket0.mmu.wait_ps.count"), 2U);
    EXPECT_EQ(stat(values, "socket0.mmu.wait_ps.max"), ps(13 + levels * read_cycles(c, false)));
    EXPECT_EQ(stat(values, "socket0.mmu.wait_ps.min"), ps(13 + levels * read_cycles(c, true)));
    EXPECT_EQ(stat(values, "socket0.mmu.walk_ps.min"), ps(levels * read_cycles(c, true)));
    EXPECT_EQ(stat(values, "socket0.mmu.walk_reads"), 2 * levels);
    EXPECT_EQ(stat(values, "socket0.mmu.faults"), 2U);
}
INSTANTIATE_TEST_SUITE_P(PageKiB, Walks, ::testing::Values(4U, 64U, 2048U));

/// With one entry in the L1 TLB two pages in turn always miss it, and always hit the L2 TLB.
TEST(Translating, TakesTheL2TlbsCyclesWhereTheL1TlbMisses) {
    SystemConfig c = translating();
    c.translation.l1_entries = 1;
    const auto cycles_of = [&](unsigned rounds) {
        WarpCode code;
        for (unsigned i = 0; i < rounds; ++i) {
            code.push_back(load(kHandBase, 1, 1));
            code.push_back(load(kHandBase + kTranslatedPage, 1, 1));
        }
        const json values = run(c, {one_warp("measured", code)});
        EXPECT_EQ(stat(values, "socket0.mmu.l2_hits"), 2 * (rounds - 1));
        EXPECT_EQ(stat(values, "socket0.mmu.wait_ps.min"), ps(c.translation.l2_cycles));
        return stat(values, "measured");
    };
    // Issue, look-up on the next cycle, the answer, then the L1 TLB's and the L1's time to use.
    const std::uint64_t one = 1 + c.translation.l2_cycles + c.translation.l1_cycles + c.socket.sm.l1.hit_cycles;
    EXPECT_EQ(cycles_of(30) - cycles_of(10), 40 * one);
}

TEST(Translating, AddsTheL1TlbsCyclesToEachAccessThatHits) {
    for (const unsigned l1_cycles : {0U, 1U, 5U}) {
        SystemConfig c = translating();
        c.translation.l1_cycles = l1_cycles;
        const auto cycles_of = [&](unsigned loads) {
            return stat(run(c, {one_warp("measured", WarpCode(loads, load(kHandBase, 1, 1)))}), "measured");
        };
        EXPECT_EQ(cycles_of(300) - cycles_of(100), 200 * (1 + l1_cycles + c.socket.sm.l1.hit_cycles));
    }
}

TEST(Translating, GivesThePortsOfTheL2TlbInTurn) {
    SystemConfig c = translating(5);
    c.dispatch.blocks_per_cycle = 5; // all SMs begin in one cycle
    c.translation.l2_ports = 2;
    const auto page_of = [](std::uint64_t block, unsigned) {
        return WarpCode{load(kHandBase + block * kTranslatedPage)};
    };
    WarpCode all;
    for (unsigned i = 0; i < 5; ++i) all.push_back(load(kHandBase + i * kTranslatedPage, 1, 1));
    const auto waits = [&](bool measured) {
        std::vector<Launch> launches{one_warp("warm", all)};
        // The warm SM knows the pages; the other four find them in the L2 TLB.
        launches.push_back(hand_launch("measured", 5, 1, page_of));
        if (!measured) launches.pop_back(), launches.push_back(one_warp("measured", {}));
        return run(c, launches);
    };
    const json with = waits(true), without = waits(false);
    const auto of = [&](const char* name) { return stat(with, name) - stat(without, name); };
    EXPECT_EQ(of("socket0.mmu.l2_hits"), 4U);
    // Two at once, the other two a cycle later.
    EXPECT_EQ(of("socket0.mmu.wait_ps.sum"), ps(4 * c.translation.l2_cycles + 2));
}

/// Sixteen SMs want sixteen pages at once.
TEST(Translating, WalksAsManyAtOnceAsThereAreWalkers) {
    for (const unsigned walkers : {1U, 5U, 64U}) {
        SystemConfig c = translating(16);
        c.dispatch.blocks_per_cycle = 16;
        c.translation.walkers = walkers;
        const json values =
            run(c, {hand_launch("measured", 16, 1, [](std::uint64_t block, unsigned) {
                    return WarpCode{load(kHandBase + block * 16 * kTranslatedPage)}; // no two in one line
                })});
        EXPECT_EQ(stat(values, "socket0.mmu.walks"), 16U);
        EXPECT_EQ(stat(values, "socket0.mmu.most_walks"), std::min(walkers, 16U));
        if (walkers != 1) continue;
        // One after the other, and only the first finds the upper levels missing.
        const std::uint64_t later = 4 * read_cycles(c, true) + read_cycles(c, false);
        EXPECT_EQ(stat(values, "socket0.mmu.wait_ps.max"), // eight ports' turns apart, all within the first walk
                  ps(c.translation.l2_cycles + 5 * read_cycles(c, false) + 15 * later));
    }
}

TEST(Translating, MergesTheRequestsForAPage) {
    SystemConfig c = translating(8);
    c.dispatch.blocks_per_cycle = 8;
    const json values =
        run(c, {hand_launch("measured", 8, 2, [](std::uint64_t, unsigned) { return WarpCode{load(kHandBase)}; })});
    EXPECT_EQ(stat(values, "socket0.mmu.walks"), 1U);
    EXPECT_EQ(stat(values, "socket0.mmu.l2_misses"), 8U) << "an SM asks once for its two warps";
    EXPECT_EQ(stat(values, "socket0.mmu.merged"), 7U);
    EXPECT_EQ(stat(values, "socket0.mmu.wait_ps.count"), 16U);
}

TEST(Translating, IdealWithoutADriverTakesNoTime) {
    SystemConfig c = translating(4);
    c.sockets = 2;
    const auto code = [](std::uint64_t block, unsigned warp) {
        WarpCode list;
        for (std::uint64_t i = 0; i < 40; ++i)
            list.push_back(load(kHandBase + (block * 7 + warp * 3 + i * i) % 64 * kTranslatedPage,
                                static_cast<std::uint8_t>(i % 4)));
        return list;
    };
    json kinds[2];
    for (const bool ideal : {false, true}) {
        c.translation.mode = ideal ? TranslationMode::ideal : TranslationMode::off;
        kinds[ideal] = run(c, {hand_launch("measured", 16, 4, code)});
    }
    for (const char* socket : {"socket0", "socket1"}) {
        kinds[true][socket].erase("mmu");
        for (json& latency : kinds[true][socket]["load_latency"]) latency.erase("translation_ps");
    }
    kinds[true]["system"].erase("table_pages");
    EXPECT_EQ(kinds[0], kinds[1]);
}

// --- access counters

/// Resolves nothing by itself: pages are mapped before. Remembers the notes.
struct Notes final : FaultSink {
    bool fault(const PageFault&) override { return true; }
    void invalidated(SocketId, std::uint64_t) override {}
    void access_note(SocketId socket, std::uint64_t page) override { ++notes[{socket.value, page}]; }
    std::map<std::pair<unsigned, std::uint64_t>, unsigned> notes;
};

/// Moves the page `kPage` of socket 1, for socket 0, at an edge: it is forgotten there, and mapped again.
class MovesAtAnEdge final : public FaultSink {
  public:
    static constexpr std::uint64_t kPage = kHandBase / kTranslatedPage;
    explicit MovesAtAnEdge(Cycle at) : at_(at) {}
    void attach(System& system) {
        system_ = &system;
        frame_ = std::uint64_t{1} << system.page_table().region().socket_shift;
        ASSERT_TRUE(system.page_table().map(kPage, frame_));
        if (at_ != kNever) clocked_ = std::make_unique<Clocked>(*this, system.clock());
    }
    bool fault(const PageFault&) override { return true; }
    void invalidated(SocketId, std::uint64_t page) override {
        moved = true;
        system_->page_table().write_leaf(page, word_);
        for (const unsigned socket : {0U, 1U}) system_->fault_client(socket).resolved(page);
    }
    void access_note(SocketId, std::uint64_t) override { ++notes; }
    bool moved = false;
    unsigned notes = 0;

  private:
    struct Clocked final : Arbiter {
        Clocked(MovesAtAnEdge& owner, ClockDomain& domain)
            : Arbiter(domain, {kSystemRank, kRankControl, 7}), sink(owner) {
            wake_at_start();
        }
        void arbitrate() override { sink.step(*this); }
        MovesAtAnEdge& sink;
    };
    void step(Arbiter& clocked) {
        if (system_->clock().now() < at_) return clocked.wake_at(at_);
        word_ = system_->page_table().leaf(kPage);
        system_->page_table().write_leaf(kPage, {TableWord::kMoving});
        system_->fault_client(0).invalidate({kPage, frame_, true});
    }
    Cycle at_;
    System* system_ = nullptr;
    std::unique_ptr<Clocked> clocked_;
    PhysicalAddress frame_ = 0;
    TableWord word_;
};

/// A page that was moved begins anew: what it was accessed before counts no more towards the threshold of 10.
TEST(AccessCounters, BeginAnewWhereAPageHasMoved) {
    constexpr Cycle kMoveAt = 20000;
    const auto notes = [](unsigned before, unsigned after, bool moves) {
        return run_apart([=] {
                   SystemConfig c = translating();
                   c.sockets = 2;
                   MovesAtAnEdge sink(moves ? kMoveAt : kNever);
                   SystemOptions options;
                   options.faults = &sink;
                   options.migration_threshold = 10;
                   const Workload workload =
                       hand_workload({hand_launch("count", 2, 1, [=](std::uint64_t block, unsigned) {
                           WarpCode code;
                           for (unsigned i = 0; block == 0 && i < before + after; ++i) {
                               for (unsigned pause = 0; i == before && pause < 2 * kMoveAt / 200; ++pause) {
                                   code.emplace_back();
                                   code.back().dst = code.back().src[0] = 1;
                                   code.back().latency = 200;
                               }
                               code.push_back(load(kHandBase + std::uint64_t{i} * kLineBytes, 1, 1));
                           }
                           return code;
                       })});
                   System system(c, workload, options);
                   sink.attach(system);
                   system.run();
                   EXPECT_EQ(sink.moved, moves);
                   return json(sink.notes);
               })
            .get<unsigned>();
    };
    EXPECT_EQ(notes(9, 9, false), 1U);
    EXPECT_EQ(notes(9, 9, true), 0U);
    EXPECT_EQ(notes(9, 10, true), 1U);
    EXPECT_EQ(notes(10, 9, true), 1U) << "before the move";
}

TEST(AccessCounters, SendANoteForEachThresholdOfRemoteAccesses) {
    SystemConfig c = translating();
    c.sockets = 2;
    Notes sink;
    SystemOptions options;
    options.faults = &sink;
    options.migration_threshold = 10;
    constexpr std::uint64_t kNear = kHandBase / kTranslatedPage, kFar = kNear + 1;
    // 25 lines of each page by socket 0; what hits its L1 does not count.
    const Workload workload = hand_workload({hand_launch("count", 2, 1, [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (unsigned i = 0; block == 0 && i < 25; ++i) {
            code.push_back(load(kNear * kTranslatedPage + i * kLineBytes, 1, 1));
            code.push_back(load(kFar * kTranslatedPage + i * kLineBytes, 1, 1));
            code.push_back(load(kFar * kTranslatedPage + i * kLineBytes, 1, 1));
        }
        return code;
    })});
    System system(c, workload, options);
    ASSERT_TRUE(system.page_table().map(kNear, 0));
    ASSERT_TRUE(system.page_table().map(kFar, std::uint64_t{1} << system.page_table().region().socket_shift));
    system.run();
    EXPECT_EQ(sink.notes.size(), 1U);
    EXPECT_EQ((sink.notes[{0, kFar}]), 2U);
    EXPECT_EQ(stat(system.stats().values(), "socket0.mmu.notes"), 2U);
}

} // namespace
} // namespace numavp::test

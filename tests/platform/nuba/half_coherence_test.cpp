/// Two halves whose slices keep copies of each other's lines: values, what a recall costs, and that nothing blocks.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "tests/platform/nuba/half_coherence.h"
#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

const std::uint64_t kSeedsOfAGroup = of_seeds(20);

class HalfCoherence : public ::testing::TestWithParam<int> {};

TEST_P(HalfCoherence, GivesTheValuesOfASequentialExecution) {
    for (std::uint64_t i = 0; i < kSeedsOfAGroup; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * kSeedsOfAGroup + i;
        const json wrong = run_apart([seed] {
            Rng rng(seed, 83);
            const SystemConfig config = random_halves(rng);
            return json(wrong_values(config, seed, beside_each_other(rng)));
        });
        EXPECT_EQ(wrong, "") << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(Groups, HalfCoherence, ::testing::Range(0, 6));

/// Hands all on to a program, one byte that a load reads changed.
struct OneWrongByte final : DataHooks {
    explicit OneWrongByte(RandomProgram& p) : program(p) {}
    void produce(std::uint64_t cookie, std::uint64_t line, ByteMask mask, unsigned char* data) override {
        program.produce(cookie, line, mask, data);
    }
    void consume(std::uint64_t cookie, std::uint64_t line, ByteMask mask, const unsigned char* data) override {
        std::array<unsigned char, kLineBytes> seen{};
        std::copy_n(data, kLineBytes, seen.begin());
        if (++loads == 50)
            for (unsigned char& byte : seen) byte ^= 1U;
        program.consume(cookie, line, mask, seen.data());
    }
    RandomProgram& program;
    unsigned loads = 0;
};

TEST(TheComparisonOfValues, NoticesALoadThatSeesAnotherByte) {
    Rng rng(1, 83);
    const SystemConfig config = random_halves(rng);
    RandomProgram program(1, beside_each_other(rng));
    OneWrongByte hooks(program);
    SystemOptions options;
    options.hooks = &hooks;
    System system(config, program.workload(), options);
    system.run();
    EXPECT_GE(hooks.loads, 50U);
    EXPECT_NE(program.wrong_in(system), "");
}

TEST(HalvesOfLeastDepth, DoNotBlockWhileBothReadAndWriteEachOther) {
    for (const unsigned sector_bytes : {0U, kSectorBytes}) {
        const json wrong = run_apart([sector_bytes] {
            SystemConfig c = two_halves();
            c.sector_bytes = sector_bytes;
            if (c.sectored()) c.socket.l2.partial_lines = 1;
            c.socket.l2.entries = 2;
            c.socket.l2.reserved_home_entries = 1;
            c.socket.l2.merges = 1;
            c.socket.l2.directory_lines = 2;
            c.socket.sm.l1.miss_entries = 1;
            c.socket.sm.l1.merges = 1;
            set_all_depths(c, 1);
            RandomProgramShape shape;
            shape.blocks = 16;
            shape.accesses = 20;
            shape.lines = 128;
            return json(wrong_values(c, 7, shape));
        });
        EXPECT_EQ(wrong, "") << sector_bytes;
    }
}

// --- what stays, what goes, and the bytes of it

constexpr std::uint64_t kShared = 48;

WarpCode of_all(const std::function<Inst(std::uint64_t)>& inst) {
    WarpCode code;
    for (std::uint64_t i = 0; i < kShared; ++i) code.push_back(inst(kHandBase + i * kLineBytes));
    return code;
}
WarpCode reads() {
    return of_all([](std::uint64_t at) { return load_past_l1(at, 1, 1); }); // each after the one before
}
WarpCode writes() {
    return of_all([](std::uint64_t at) { return store(at); });
}

/// Lines of half 1's memory: it touches them, half 0 reads them twice, `writer` writes them, half 0 reads them again.
json read_twice_then_written(unsigned writer, const std::function<void(SystemConfig&)>& change = {}) {
    return run_apart([&] {
        SystemConfig c = two_halves();
        c.placement.policy = PlacementKind::first_touch;
        c.socket.l2.size_kib = 64; // all lines fit
        if (change) change(c);
        const Workload workload =
            hand_workload({hand_launch("touch", 2, 1, on(1, reads())), hand_launch("read", 2, 1, on(0, reads())),
                           hand_launch("read", 2, 1, on(0, reads())), hand_launch("write", 2, 1, on(writer, writes())),
                           hand_launch("read", 2, 1, on(0, reads()))});
        System system(c, workload);
        system.run();
        return json(system.stats().values());
    });
}

TEST(CopiesOfTheOtherHalf, StayUntilTheirLineIsWritten) {
    const json values = read_twice_then_written(1);
    EXPECT_EQ(stat(values, "socket0.l2.outgoing_reads"), 2 * kShared); // at first and after the writes
    EXPECT_EQ(stat(values, "socket0.l2.remote.hits"), kShared);
    EXPECT_EQ(stat(values, "socket0.l2.invalidated"), 0U);
    EXPECT_EQ(stat(values, "socket1.l2.coherence.recalls"), kShared);
    EXPECT_EQ(stat(values, "socket0.l2.coherence.recalled"), kShared);
    EXPECT_EQ(stat(values, "socket1.l2.coherence.evicted"), 0U);
    // Requests and recalls of 8 bytes, lines of 136, acknowledgements of 8.
    EXPECT_EQ(stat(values, "socket0.link.out.bytes"), 2 * kShared * 8 + kShared * 8);
    EXPECT_EQ(stat(values, "socket1.link.out.bytes"), 2 * kShared * 136 + kShared * 8);
}

TEST(CopiesOfTheOtherHalf, StayWhenItsOwnHalfWritesThem) {
    const json values = read_twice_then_written(0);
    EXPECT_EQ(stat(values, "socket0.l2.outgoing_reads"), kShared);
    EXPECT_EQ(stat(values, "socket0.l2.remote.hits"), 2 * kShared);
    EXPECT_EQ(stat(values, "socket1.l2.coherence.recalls"), 0U);
    EXPECT_EQ(stat(values, "socket0.l2.coherence.upgrades"), kShared);
    EXPECT_EQ(stat(values, "socket0.l2.written_remote"), kShared);
    EXPECT_EQ(stat(values, "socket0.link.out.bytes"), kShared * 8 + kShared * 136);
    EXPECT_EQ(stat(values, "socket1.link.out.bytes"), kShared * 136 + kShared * 8);
}

/// Each half writes lines of the other: a slice takes its time for those that come to it, and for those that it passes
/// on if it has a copy of their line.
TEST(WritesToTheOtherHalf, TakeTheirTimeWhereALineIsHeld) {
    constexpr unsigned kLines = 300, kCycles = 20;
    const auto of_half = [](unsigned half, const Inst& inst) {
        WarpCode code;
        for (std::uint64_t i = 0; i < kLines; ++i) {
            code.push_back(one_lane(inst, 0));
            code.back().base = kHandBase + (std::uint64_t{half} << 20) + i * kLineBytes;
        }
        return code;
    };
    const auto own = [&](std::uint64_t block, unsigned) {
        return of_half(static_cast<unsigned>(block), load_past_l1(0, 1));
    };
    const auto reads = [&](std::uint64_t block, unsigned) {
        return of_half(1 - static_cast<unsigned>(block), load_past_l1(0, 1));
    };
    const auto writes = [&](std::uint64_t block, unsigned) {
        return of_half(1 - static_cast<unsigned>(block), store(0));
    };
    const auto cycles_each = [&](bool copies) {
        const json cycles = run_apart([&] {
            SystemConfig c = two_halves();
            c.placement.policy = PlacementKind::first_touch;
            c.socket.l2.slices = c.socket.memory.channels = 1;
            c.socket.l2.size_kib = 256; // all lines fit
            c.socket.l2.write_cycles = kCycles;
            std::vector<Launch> launches{hand_launch("touch", 2, 1, own)};
            if (copies) launches.push_back(hand_launch("read", 2, 1, reads));
            launches.push_back(hand_launch("write", 2, 1, writes));
            System system(c, hand_workload(std::move(launches)));
            system.run();
            return json(kernel_cycles(system, "write"));
        });
        return cycles.get<double>() / kLines;
    };
    EXPECT_NEAR(cycles_each(false), kCycles, 4.0) << "those that are passed on take a turn each";
    EXPECT_NEAR(cycles_each(true), 2.0 * kCycles, 4.0);
}

/// A copy engine of half 1 writes a line of half 0's memory past half 1's slice, which has a copy of it: that copy is
/// recalled too, though its own half has written. What half 1 reads then: 0xab if that is right.
TEST(CopiesOfTheOtherHalf, GoWhenAnEngineOfTheirHalfWritesTheLine) {
    constexpr std::uint64_t kSource = kNewWord + (std::uint64_t{1} << 20);
    SystemConfig c = two_halves();
    c.placement.policy = PlacementKind::first_touch;
    c.socket.l2.size_kib = 64;      // all lines fit
    c.copies.mode = CopyMode::none; // but between arrays
    const CodeOf place = [](std::uint64_t block, unsigned) {
        return WarpCode{block == 0 ? one_lane(store(kNewWord), kZero) : one_lane(store(kSource), kWrite)};
    };
    Launch copy;
    copy.what = Launch::What::copy_peer;
    copy.address = kSource - 64; // whole lines
    copy.target = kNewWord - 64;
    copy.bytes = kLineBytes;
    const WarpCode reads_it = {one_lane(load_past_l1(kNewWord, 2), kRead)};
    Words words;
    SystemOptions options;
    options.hooks = &words;
    const Workload workload =
        hand_workload({hand_launch("place", 2, 1, place), hand_launch("keep", 2, 1, on(1, reads_it)), copy,
                       hand_launch("read", 2, 1, on(1, reads_it))});
    System system(c, workload, options);
    system.run();
    EXPECT_EQ(words.seen, 0xab);
    const json values = system.stats().values();
    EXPECT_EQ(stat(values, "socket0.l2.coherence.recalls"), 1U);
    EXPECT_EQ(stat(values, "socket1.l2.coherence.recalled"), 1U);
    EXPECT_EQ(stat(values, "socket1.l2.outgoing_reads"), 2U) << "before and behind the copy";
}

TEST(CopiesOfTheOtherHalf, GoWithTheirPlaceInTheDirectory) {
    constexpr std::uint64_t kPlaces = 8; // of each of two slices
    const json values = read_twice_then_written(1, [](SystemConfig& c) { c.socket.l2.directory_lines = kPlaces; });
    // Lines are read in turn, so that each has lost its place when it is read again.
    EXPECT_EQ(stat(values, "socket0.l2.remote.hits"), 0U);
    EXPECT_EQ(stat(values, "socket0.l2.outgoing_reads"), 3 * kShared);
    EXPECT_EQ(stat(values, "socket1.l2.coherence.evicted"), 3 * kShared - 2 * 2 * kPlaces);
    EXPECT_EQ(stat(values, "socket1.l2.coherence.recalls"), 3 * kShared - 2 * kPlaces);
}

/// Cycles from the end of a kernel to coherent caches.
Cycle flush_cycles(const SystemConfig& c) {
    return run_apart([&] {
               const auto one = [](const Inst& inst) { return WarpCode{inst}; };
               const Workload workload = hand_workload({hand_launch("touch", 2, 1, on(1, one(load(kHandBase)))),
                                                        hand_launch("read", 2, 1, on(0, one(load(kHandBase)))),
                                                        hand_launch("write", 2, 1, on(1, one(store(kHandBase))))});
               System system(c, workload);
               system.run();
               for (const TimelineEvent& e : system.timeline())
                   if (e.what == "flush" && e.name == "write") return json(e.end - e.cycle);
               return json(kNever);
           })
        .get<Cycle>();
}

// The recall leaves while the store's answer is on its way to the SM: what is left of it is the kernel's end.
TEST(AKernelsEnd, WaitsForItsRecalls) {
    SystemConfig c = two_halves();
    c.placement.policy = PlacementKind::first_touch;
    const Cycle near = flush_cycles(c);
    c.switch_.latency_cycles += 1000;
    EXPECT_EQ(flush_cycles(c), near + 2000) << "there and back";
    c.socket.l2.directory_cycles += 100;
    EXPECT_EQ(flush_cycles(c), near + 2200) << "before it leaves, and before it is acknowledged";
    c.socket.l2.coherence = L2Coherence::flushes;
    EXPECT_LT(flush_cycles(c), near);
}

TEST(AKernelsEnd, WaitsForRecallsThatHaveNotLeft) {
    EXPECT_EQ(run_apart([] { return json(seen_behind_many_recalls()); }), 0xab);
}

TEST(SectorsOfALine, AreNotKeptIfTheirHomeDidNotListOneOfThem) {
    EXPECT_EQ(run_apart([] { return json(seen_of_a_line_partly_listed()); }), 0xab);
}

/// Half 0 asks for a line over a slow switch, half 1 writes it when it has answered, and the recall comes first.
TEST(ARecallMeetsALineOnItsWay, AndLaterReadersGetTheNewBytes) {
    SystemConfig c = two_halves();
    c.placement.policy = PlacementKind::first_touch;
    c.switch_.latency_cycles = 2000;
    c.dispatch.launch_cycles = 0;
    Words words;
    SystemOptions options;
    options.hooks = &words;
    const Workload workload = hand_workload(
        {hand_launch("place", 2, 1, on(1, {one_lane(store(kOldWord), kZero), one_lane(store(kNewWord), kZero)})),
         hand_launch("early_reader", 2, 1, on(0, {one_lane(load(kOldWord, 2), 0)})),
         hand_launch("writer", 2, 1, on(1, after(2500, one_lane(store(kNewWord), kWrite))), 1),
         hand_launch("late_reader", 2, 1, on(0, {one_lane(load(kNewWord, 2), kRead)}), 1)});
    System system(c, workload, options);
    system.run();
    EXPECT_EQ(words.seen, 0xab);
    EXPECT_EQ(stat(system.stats().values(), "socket1.l2.coherence.recalls"), 1U);
}

TEST(HalvesOfTheFile, AreCoherentByADirectory) {
    const SystemConfig system = load_system("uba-sm-side", {});
    const L2Config& l2 = system.socket_at(0).l2;
    EXPECT_EQ(l2.coherence, L2Coherence::directory);
    EXPECT_EQ(l2.sets() * l2.ways, 768U);
    EXPECT_EQ(l2.lines_in_directory(), 1536U);
}

} // namespace
} // namespace numavp::test

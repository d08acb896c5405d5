/// With translation every value is right too: TLBs, walks, faults, and pages that move while kernels run.
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "models/mmu/socket_mmu.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/moving_driver.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// Runs the program and says what is wrong about the values; the statistics are in `values`.
std::string wrong_values(const SystemConfig& config, RandomProgram& program, SystemOptions options, json& values) {
    options.hooks = &program;
    System system(config, program.workload(), options);
    if (options.faults != nullptr) static_cast<MovingDriver*>(options.faults)->attach(system);
    system.run();
    values = system.stats().values();
    return program.wrong_in(system);
}

std::uint64_t sum(const json& values, unsigned sockets, const std::string& name) {
    std::uint64_t all = 0;
    for (unsigned s = 0; s < sockets; ++s) all += stat(values, "socket" + std::to_string(s) + ".mmu." + name);
    return all;
}

SystemConfig translating(Rng& rng, unsigned page_kib) {
    SystemConfig c = small_system(1 + static_cast<unsigned>(rng.below(4)));
    c.socket.l2.organisation = static_cast<L2Organisation>(rng.below(4));
    c.socket.l2.write_policy = static_cast<WritePolicy>(rng.below(2));
    c.socket.l2.entries = 4 + static_cast<unsigned>(rng.below(12));
    c.socket.l2.reserved_home_entries = 1;
    c.socket.l2.merges = 1 + static_cast<unsigned>(rng.below(8));
    c.socket.sm.l1.miss_entries = 1 + static_cast<unsigned>(rng.below(16));
    c.placement.policy = rng.below(2) ? PlacementKind::first_touch : PlacementKind::round_robin;
    c.placement.page_kib = page_kib;
    c.translation.mode = TranslationMode::full;
    c.translation.l1_entries = 1 + static_cast<unsigned>(rng.below(8));
    c.translation.l2_ways = 1 + static_cast<unsigned>(rng.below(4));
    c.translation.l2_entries = c.translation.l2_ways * (1 + static_cast<unsigned>(rng.below(4)));
    c.translation.waiting = 1 + static_cast<unsigned>(rng.below(8));
    c.translation.walkers = 1 + static_cast<unsigned>(rng.below(6));
    if (rng.below(3) == 0) set_all_depths(c, 1);
    c.translation.shared = rng.below(2) == 0;
    c.translation.shared_at = static_cast<unsigned>(rng.below(c.sockets));
    c.translation.shared_cycles = 1 + static_cast<unsigned>(rng.below(100));
    return c;
}

RandomProgramShape many_pages() {
    RandomProgramShape shape;
    shape.kernels = 4;
    shape.blocks = 8;
    shape.warps = 4;
    shape.phases = 3;
    shape.accesses = 20;
    shape.lines = 1024; // 32 pages of 4 KiB
    return shape;
}

class Translation : public ::testing::TestWithParam<unsigned> {};

TEST_P(Translation, GivesTheValuesOfASequentialExecution) {
    for (std::uint64_t seed = 0; seed < of_seeds(8); ++seed) {
        const json wrong = run_apart([&] {
            Rng rng(seed, GetParam());
            const SystemConfig config = translating(rng, GetParam());
            RandomProgram program(seed, many_pages());
            WalkCheck walks;
            SystemOptions options;
            options.walks = &walks;
            json values;
            const std::string text = wrong_values(config, program, options, values);
            if (!text.empty()) return json(text);
            if (sum(values, config.sockets, "walks") == 0) return json("no walk");
            // What the walks carried is what the table said, but for words that were written meanwhile.
            const std::uint64_t reads = sum(values, config.sockets, "walk_reads");
            if (walks.same + walks.older != reads) return json("walks were not compared");
            if (walks.older > sum(values, config.sockets, "faults") * 5) return json("walks carried old words");
            return json("");
        });
        EXPECT_EQ(wrong, "") << "seed " << seed;
    }
}
INSTANTIATE_TEST_SUITE_P(PageKiB, Translation, ::testing::Values(4U, 64U, 2048U));

class MovingPages : public ::testing::TestWithParam<std::tuple<unsigned, TranslationMode>> {};

TEST_P(MovingPages, KeepTheirBytesUnderLoad) {
    const auto [page_kib, mode] = GetParam();
    const std::uint64_t systems = of_seeds(10);
    std::uint64_t moved = 0, waited = 0, refused = 0;
    for (std::uint64_t seed = 0; seed < systems; ++seed) {
        const json result = run_apart([&, page_kib = page_kib, mode = mode] {
            Rng rng(seed, 40 + page_kib);
            SystemConfig config = translating(rng, page_kib);
            config.translation.mode = mode;
            if (mode != TranslationMode::full) config.translation.shared = false;
            RandomProgramShape shape = many_pages();
            if (seed % 2) { // lines stay in large L1s, which no fence empties
                config.socket.sm.l1.size_kib = 32;
                shape.phases = 1;
                shape.accesses = 100;
            }
            RandomProgram program(seed, shape);
            MovingDriver driver(seed, {});
            SystemOptions options;
            options.faults = &driver;
            json values;
            const std::string text = wrong_values(config, program, options, values);
            return json{
                {"wrong", text}, {"moves", driver.moves}, {"waited", driver.waited}, {"refused", driver.refused}};
        });
        EXPECT_EQ(result.at("wrong"), "") << "seed " << seed;
        moved += result.at("moves").get<std::uint64_t>();
        waited += result.at("waited").get<std::uint64_t>();
        refused += result.at("refused").get<std::uint64_t>();
    }
    RecordProperty("moved", std::to_string(moved));
    EXPECT_GT(moved, 50 * systems);
    EXPECT_GT(waited, 10 * systems) << "accesses met pages on their way";
    EXPECT_GE(refused, page_kib == 4 ? systems : systems / 3) << "the unit was full at times";
}
INSTANTIATE_TEST_SUITE_P(All, MovingPages,
                         ::testing::Values(std::tuple(4U, TranslationMode::full),
                                           std::tuple(64U, TranslationMode::full),
                                           std::tuple(4U, TranslationMode::ideal)),
                         [](const auto& param) {
                             return std::string(kTranslationModes.name(std::get<1>(param.param))) + "_" +
                                    std::to_string(std::get<0>(param.param)) + "_KiB";
                         });

/// Warp 0's load of a word waits behind one for an unknown page; warp 1 writes the word after a barrier or fence.
class Overtaking : public ::testing::TestWithParam<Op> {};

TEST_P(Overtaking, EndsAtABarrier) {
    constexpr std::uint64_t kCold = kHandBase + 0x100000;
    SystemConfig config = small_system(1);
    config.placement.page_kib = 4;
    config.translation.mode = TranslationMode::full;
    Inst barrier;
    barrier.op = Op::barrier;
    const auto code = [&](std::uint64_t, unsigned warp) {
        const Inst warm = one_lane(load(kOldWord, 1), 0);
        if (warp == 1) return WarpCode{warm, barrier, one_lane(store(kNewWord), kWrite)};
        WarpCode first{warm, one_lane(load(kCold, 3, 1), 0), one_lane(load(kNewWord, 2), kRead)};
        if (GetParam() == Op::fence) first.push_back(fence());
        first.push_back(barrier);
        return first;
    };
    const Workload workload = hand_workload(
        {hand_launch("old", 1, 1, on(0, {one_lane(store(kNewWord), kZero)})), hand_launch("both", 1, 2, code)});
    Words words;
    SystemOptions options;
    options.hooks = &words;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(words.seen, 0x11);
    EXPECT_GE(stat(system.stats().values(), "socket0.mmu.behind"), 1U);
}
INSTANTIATE_TEST_SUITE_P(Kinds, Overtaking, ::testing::Values(Op::barrier, Op::fence),
                         [](const auto& param) { return param.param == Op::fence ? "fence" : "barrier"; });

/// Forgets a page as soon as one of its dirty lines is on its way home, and looks at its memory when it is told.
class Forgetting final : public FaultSink {
  public:
    static constexpr std::uint64_t kPage = kHandBase / 4096;
    void attach(System& system) {
        system_ = &system;
        clocked_ = std::make_unique<Clocked>(*this, system.clock());
    }
    PhysicalAddress frame() const { return std::uint64_t{1} << system_->page_table().region().socket_shift; }
    bool fault(const PageFault&) override { return true; }
    void invalidated(SocketId socket, std::uint64_t) override {
        if (socket == SocketId(0)) {
            ended = system_->clock().now();
            clocked_->wake();
        } else {
            system_->memory().read(frame() + 64, &seen, 1);
        }
    }
    void access_note(SocketId, std::uint64_t) override {}
    Cycle asked = 0, ended = 0;
    unsigned char seen = 0;

  private:
    struct Clocked final : Arbiter {
        Clocked(Forgetting& owner, ClockDomain& domain) : Arbiter(domain, {kSystemRank, kRankControl, 7}), sink(owner) {
            wake_at_start();
        }
        void arbitrate() override { sink.look(*this); }
        Forgetting& sink;
    };
    void look(Arbiter& clocked) {
        if (ended != 0)
            return system_->fault_client(1).invalidate({kPage, frame(), true}); // the home, after all others
        if (stat(system_->stats().values(), "socket0.l2.written_remote") == 0)
            return clocked.wake_at(system_->clock().now() + 10);
        asked = system_->clock().now();
        system_->page_table().write_leaf(kPage, {TableWord::kMoving});
        system_->fault_client(0).invalidate({kPage, frame(), true});
    }
    System* system_ = nullptr;
    std::unique_ptr<Clocked> clocked_;
};

TEST(Invalidation, WaitsForLinesThatAreOnTheirWayHome) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = L2Organisation::coherent;
    config.placement.page_kib = 4;
    config.switch_.latency_cycles = 2000;
    config.translation.mode = TranslationMode::ideal;
    WarpCode code{one_lane(store(kNewWord), kWrite)};
    const WarpCode rest = idle(6000); // until the store is in the L2, not home
    code.insert(code.end(), rest.begin(), rest.end());
    for (unsigned i = 0; i < 512; ++i) { // local lines, one after the other, put it out
        code.push_back(load(kHandBase + 4096 + i * kLineBytes, 1, 1));
        code.back().cookie = 0;
    }
    const Workload workload = hand_workload({hand_launch("write", 2, 1, on(0, code))});
    Words words;
    Forgetting sink;
    SystemOptions options;
    options.hooks = &words;
    options.faults = &sink;
    System system(config, workload, options);
    sink.attach(system);
    ASSERT_TRUE(system.page_table().map(Forgetting::kPage, sink.frame()));
    for (unsigned i = 1; i <= 16; ++i) ASSERT_TRUE(system.page_table().map(Forgetting::kPage + i, i * 4096));
    system.run();
    EXPECT_EQ(sink.seen, 0xab);
    EXPECT_GT(sink.ended - sink.asked, 3000U) << "there and back";
}

class DepthOneTranslation : public ::testing::TestWithParam<L2Organisation> {};

TEST_P(DepthOneTranslation, DoesNotBlockWhileAllSocketsWalkEachOthersTables) {
    SystemConfig c = small_system(4);
    c.socket.l2.organisation = GetParam();
    c.placement.policy = PlacementKind::round_robin;
    c.placement.page_kib = 4;
    c.socket.l2.entries = 2;
    c.socket.l2.reserved_home_entries = 1;
    c.socket.l2.merges = 1;
    c.socket.sm.l1.miss_entries = 1;
    c.socket.sm.l1.merges = 1;
    c.translation.mode = TranslationMode::full;
    c.translation.l1_entries = c.translation.waiting = c.translation.walkers = c.translation.l2_ports = 1;
    c.translation.l2_entries = c.translation.l2_ways = 1;
    set_all_depths(c, 1);
    RandomProgram program(7, many_pages());
    json values;
    EXPECT_EQ(wrong_values(c, program, {}, values), "");
    EXPECT_GT(sum(values, 4, "full"), 0U);
}
INSTANTIATE_TEST_SUITE_P(All, DepthOneTranslation,
                         ::testing::Values(L2Organisation::memory_side, L2Organisation::coherent,
                                           L2Organisation::numa_aware),
                         [](const auto& param) { return std::string(kL2Organisations.name(param.param)); });

TEST(Translation, GivesTheSameBytesInWhateverOrderModulesAreBuilt) {
    const auto statistics = [](std::uint64_t order) {
        return run_apart([order] {
            Rng rng(3, 4);
            SystemConfig config = translating(rng, 4);
            config.sockets = 4;
            RandomProgram program(3, many_pages());
            MovingDriver driver(3, {});
            SystemOptions options;
            options.faults = &driver;
            options.order_seed = order;
            json values;
            wrong_values(config, program, options, values);
            return values;
        });
    };
    const json first = statistics(0);
    EXPECT_EQ(first, statistics(0));
    EXPECT_EQ(first, statistics(5));
}

} // namespace
} // namespace numavp::test

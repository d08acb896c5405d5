/// Pages that the driver copies to the sockets that read them: reads become local, stores end it, and every value is
/// right.
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "models/mmu/socket_mmu.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

SystemConfig replicating(unsigned sockets, DriverExecution execution) {
    SystemConfig c = small_system(sockets);
    c.translation.mode = TranslationMode::full;
    c.placement.page_kib = 4;
    c.driver.execution = execution;
    c.driver.register_cycles = 5;
    c.driver.faults.message_cycles = 10;
    c.driver.fill = PageFill::zeros;
    c.driver.replication_threshold = 8;
    c.host.link_latency_cycles = 20;
    return c;
}

constexpr std::uint64_t kPage = 4096;

/// Socket `socket` reads the first lines of a page, or stores to it; then the driver has time.
Launch touch(unsigned socket, std::uint64_t page, unsigned lines, bool stores = false) {
    WarpCode code;
    for (unsigned i = 0; i < lines; ++i) {
        const std::uint64_t at = kHandBase + page * kPage + i * kLineBytes;
        code.push_back(stores ? store(at) : load_past_l1(at, 2, 2));
    }
    const WarpCode rest = idle(60000);
    code.insert(code.end(), rest.begin(), rest.end());
    return hand_launch("touch", 3, 1, on(socket, code));
}

class PageReplication : public ::testing::TestWithParam<DriverExecution> {};

json run_touches(const SystemConfig& config, const std::vector<Launch>& touches) {
    return run_apart([&] {
        System system(config, hand_workload(touches));
        system.run();
        json found = system.stats().values();
        found["digest"] = system.driver()->record.page_table_digest;
        found["homes"] = system.driver()->record.homes_digest;
        return found;
    });
}

std::uint64_t loads(const json& values, unsigned socket, const char* where) {
    return stat(values, "socket" + std::to_string(socket) + ".load_latency." + where + ".loads");
}

TEST_P(PageReplication, MakesRemoteReadsLocalUntilAStore) {
    NUMAVP_NEEDS(GetParam() != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = replicating(3, GetParam());
    c.socket.l2.organisation = L2Organisation::memory_side;
    std::vector<Launch> touches = {touch(0, 0, 1), touch(1, 0, 8), touch(1, 0, 32), touch(2, 0, 8), touch(2, 0, 32)};
    json values = run_touches(c, touches);
    EXPECT_EQ(loads(values, 1, "remote"), 8U);
    EXPECT_EQ(loads(values, 1, "local"), 32U);
    EXPECT_EQ(loads(values, 2, "remote"), 8U);
    EXPECT_EQ(loads(values, 2, "local"), 32U);
    EXPECT_EQ(stat(values, "host.faults.replicas"), 2U);
    EXPECT_EQ(stat(values, "host.faults.invalidations"), 1U) << "the second holds up its reader alone";
    EXPECT_EQ(stat(values, "host.faults.collapses"), 0U);
    EXPECT_EQ(stat(values, "host.faults.done"), 1U);
    EXPECT_EQ(stat(values, "socket0.memory.allocated_bytes"), kPage);
    EXPECT_EQ(stat(values, "socket1.memory.allocated_bytes"), 0U);

    touches.push_back(touch(2, 0, 1, true));
    touches.push_back(touch(1, 0, 8));
    values = run_touches(c, touches);
    EXPECT_EQ(loads(values, 1, "remote"), 16U);
    EXPECT_EQ(loads(values, 1, "local"), 32U);
    EXPECT_EQ(stat(values, "host.faults.collapses"), 1U);
    EXPECT_EQ(stat(values, "host.faults.replicas_dropped"), 2U);
    EXPECT_EQ(stat(values, "host.faults.done"), 2U);
    EXPECT_EQ(stat(values, "socket2.mmu.read_only"), 1U);

    touches.push_back(touch(1, 0, 8)); // the second note after a collapse
    touches.push_back(touch(1, 0, 32));
    EXPECT_EQ(loads(run_touches(c, touches), 1, "local"), 64U);
}

TEST_P(PageReplication, MakesRoomForPagesAndTakesNone) {
    NUMAVP_NEEDS(GetParam() != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = replicating(3, GetParam());
    c.socket.l2.organisation = L2Organisation::memory_side;
    c.driver.pages = 2;
    std::vector<Launch> touches = {touch(0, 0, 1), touch(0, 1, 1), touch(1, 0, 8), touch(1, 1, 8)};
    touches.push_back(touch(1, 2, 1));  // has its home here, in the frame of the older replica
    touches.push_back(touch(1, 0, 8));  // and there is no frame for another
    touches.push_back(touch(1, 1, 32)); // the younger one is still there
    json values = run_touches(c, touches);
    EXPECT_EQ(loads(values, 1, "remote"), 24U);
    EXPECT_EQ(loads(values, 1, "local"), 1 + 32U);
    EXPECT_EQ(stat(values, "host.faults.replicas"), 2U);
    EXPECT_EQ(stat(values, "host.faults.replicas_dropped"), 1U);
    touches.push_back(touch(1, 3, 1));
    touches.push_back(touch(1, 1, 1));
    touches.push_back(touch(0, 0, 1, true)); // nobody reads a copy any more: no fault
    values = run_touches(c, touches);
    EXPECT_EQ(loads(values, 1, "remote"), 25U);
    EXPECT_EQ(stat(values, "host.faults.replicas_dropped"), 2U);
    EXPECT_EQ(stat(values, "host.copy_engine.copies"), 2U) << "nothing went to the host";
    EXPECT_EQ(stat(values, "host.faults.done"), 4U);
}
INSTANTIATE_TEST_SUITE_P(All, PageReplication, ::testing::Values(DriverExecution::native, DriverExecution::riscv));

/// Faults and notes come one after the other, so that their order is that of the program.
TEST(PageReplicationTables, AreTheSameNativelyAndOnRiscv) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    std::vector<Launch> touches;
    Rng rng(4, 1);
    for (unsigned i = 0; i < 120; ++i) { // one draw after the other: compilers order arguments as they like
        const auto socket = static_cast<unsigned>(rng.below(3));
        const std::uint64_t page = rng.below(10);
        touches.push_back(touch(socket, page, 9, rng.below(5) == 0));
    }
    SystemConfig c = replicating(3, DriverExecution::native);
    c.driver.pages = 6;
    const json native = run_touches(c, touches);
    c.driver.execution = DriverExecution::riscv;
    const json riscv = run_touches(c, touches);
    EXPECT_EQ(native["digest"], riscv["digest"]);
    EXPECT_EQ(native["homes"], riscv["homes"]);
    for (const char* count : {"replicas", "replicas_dropped", "collapses", "done"})
        EXPECT_EQ(native["host"]["faults"][count], riscv["host"]["faults"][count]) << count;
    EXPECT_GT(stat(native, "host.faults.replicas"), 8U);
    EXPECT_GT(stat(native, "host.faults.collapses"), 3U);
    EXPECT_GT(stat(native, "host.faults.replicas_dropped"), stat(native, "host.faults.collapses"));
}

RandomProgramShape replicated_shape() {
    RandomProgramShape s;
    s.kernels = 12;
    s.lines = 1024; // 32 pages of 4 KiB
    s.blocks = 16;
    s.accesses = 12;
    return s;
}

/// What a random program on the system got wrong, and how its pages were copied.
json run_random(const SystemConfig& config, std::uint64_t seed) {
    return run_apart([&] {
        RandomProgram program(seed, replicated_shape());
        SystemOptions options;
        options.hooks = &program;
        WalkCheck walks;
        options.walks = &walks;
        System system(config, program.workload(), options);
        system.run();
        json found = system.stats().values().at("host").at("faults");
        found["wrong"] = program.wrong_in(system);
        found["same_words"] = walks.same;
        return found;
    });
}

void expect_right(const json& found, const std::string& what) {
    EXPECT_EQ(found["wrong"], "") << what;
    EXPECT_GT(found["replicas"], 15) << what;
    EXPECT_GT(found["collapses"], 5) << what;
}

class ReplicatedValues : public ::testing::TestWithParam<std::tuple<DriverExecution, L2Organisation, const char*>> {};

TEST_P(ReplicatedValues, AreThoseOfASequentialExecution) {
    const auto& [execution, organisation, variant] = GetParam();
    NUMAVP_NEEDS(execution != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = replicating(3, execution);
    c.socket.l2.organisation = organisation;
    c.driver.replication_threshold = 2;
    c.driver.policy = "page_interleave";
    const std::string kind = variant;
    if (kind == "least_depths") {
        set_all_depths(c, 1);
        c.driver.faults.queue_entries = 1;
        c.translation.waiting = c.translation.walkers = 1;
    }
    if (kind == "few_frames") c.driver.pages = 12;
    if (kind == "small_tlbs") c.translation.l1_entries = c.translation.l2_entries = c.translation.l2_ways = 2;
    if (kind == "shared_walkers") c.translation.shared = true;
    if (kind == "ideal_translation") c.translation.mode = TranslationMode::ideal;
    for (std::uint64_t seed = 0; seed < of_seeds(4); ++seed) {
        const json found = run_random(c, seed);
        expect_right(found, kind + ", seed " + std::to_string(seed));
        if (kind != "ideal_translation") {
            EXPECT_GT(found["same_words"], 100);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, ReplicatedValues,
                         ::testing::Combine(::testing::Values(DriverExecution::native, DriverExecution::riscv),
                                            ::testing::Values(L2Organisation::memory_side, L2Organisation::numa_aware),
                                            ::testing::Values("default_depths", "least_depths", "few_frames",
                                                              "small_tlbs", "shared_walkers", "ideal_translation")),
                         [](const auto& row) {
                             return std::string(kDriverExecutions.name(std::get<0>(row.param))) + "_" +
                                    std::string(kL2Organisations.name(std::get<1>(row.param))) + "_" +
                                    std::get<2>(row.param);
                         });

} // namespace
} // namespace numavp::test

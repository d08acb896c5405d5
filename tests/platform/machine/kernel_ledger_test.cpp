/// Statistics by kernel: rows tile the run, each kernel has its own, and all sum to the totals.
/// tests/validation/same_bytes holds the sums on every system of configs/systems.
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "platform/machine/kernel_ledger.h"
#include "platform/machine/system.h"
#include "sw/work/count.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/kernel_sums.h"

namespace numavp::test {
namespace {

using Json = nlohmann::ordered_json;

/// The rows of a run by their names.
struct Rows {
    explicit Rows(Json k) : kernels(std::move(k)) {}
    explicit Rows(const System& system) : Rows(system.kernels()) {}
    std::size_t find(const std::string& name) const {
        const Json& names = kernels.at("rows").at("name");
        const auto found = std::find(names.begin(), names.end(), name);
        EXPECT_NE(found, names.end()) << "no row " << name << " in " << names;
        return static_cast<std::size_t>(found - names.begin());
    }
    std::uint64_t counter(const std::string& name, const std::string& path) const {
        return kernels.at("counters").at(path).at(find(name)).get<std::uint64_t>();
    }
    Json said(const std::string& name, const std::string& column) const {
        return kernels.at("rows").at(column).at(find(name));
    }
    std::uint64_t cycle(const std::string& name, const std::string& column) const {
        return said(name, column).get<std::uint64_t>();
    }
    Json kernels;
};

/// Each warp of each block loads or stores lines of its own.
Launch launch_of(const char* name, Op op, unsigned blocks, unsigned lines, std::uint64_t stream = 0) {
    return hand_launch(
        name, blocks, 2,
        [op, lines](std::uint64_t block, unsigned warp) {
            WarpCode code;
            for (unsigned i = 0; i < lines; ++i) {
                const std::uint64_t line = (block * 2 + warp) * lines + i;
                code.push_back(memory_inst(op, kHandBase + line * kLineBytes, op == Op::load ? 2 : kNoReg));
            }
            return code;
        },
        stream);
}

TEST(KernelLedger, EachKernelHasItsOwn) {
    const Workload workload =
        hand_workload({launch_of("reader", Op::load, 8, 5), launch_of("writer", Op::store, 3, 7)});
    SystemConfig config = small_system(2);
    config.placement.policy = PlacementKind::line_interleave; // so that there is something to flush
    config.socket.l2.organisation = L2Organisation::numa_aware;
    System system(config, workload);
    system.run();
    EXPECT_EQ(wrong_sums(system), "");
    const Rows rows(system);
    for (const std::size_t i : {0U, 1U}) {
        Kernel& kernel = *workload.launches[i].kernel;
        const std::string& name = kernel.shape().name;
        EXPECT_EQ(rows.counter(name, "system.warp_instructions"), count_kernel(kernel).warp_instructions);
        EXPECT_EQ(rows.counter(name, "system.blocks"), kernel.shape().blocks);
        EXPECT_EQ(rows.said(name, "launch"), i + 1);
        EXPECT_EQ(rows.said(name, "streams"), "0");
        EXPECT_EQ(rows.cycle(name, "cycles"), rows.cycle(name, "ended") - rows.cycle(name, "started"));
    }
    const auto both = [&](const char* name, const std::string& path) {
        return rows.counter(name, "socket0." + path) + rows.counter(name, "socket1." + path);
    };
    EXPECT_EQ(both("reader", "l1.load_lines"), 8U * 2 * 5);
    EXPECT_EQ(both("reader", "l1.store_lines"), 0U);
    EXPECT_EQ(both("writer", "l1.load_lines"), 0U);
    EXPECT_EQ(both("writer", "l1.store_lines"), 3U * 2 * 7);
    // What the writer left in the caches goes home behind it.
    EXPECT_EQ(both("writer", "l2.written_remote"), 0U);
    EXPECT_GT(both("outside kernels", "l2.written_remote"), 0U);
    EXPECT_EQ(both("outside kernels", "sm.warp_instructions"), 0U);
    // Percentiles are the kernel's, and nobody's where nothing was loaded.
    const Json& p50 = rows.kernels.at("values").at("socket0.load_latency.local.p50_ps");
    EXPECT_TRUE(p50.at(rows.find("reader")).is_number());
    EXPECT_TRUE(p50.at(rows.find("writer")).is_null());
    EXPECT_TRUE(p50.at(rows.find("outside kernels")).is_null());
}

/// Time in which both ran, or one flushed beside the other, has a row that names both.
TEST(KernelLedger, KernelsSideBySideShareARow) {
    SystemConfig config = small_system(2);
    config.dispatch.launch_cycles = 0;
    const Workload workload =
        hand_workload({launch_of("long", Op::load, 40, 20), launch_of("short", Op::store, 2, 4, 7),
                       launch_of("after", Op::load, 2, 4, 7)});
    System system(config, workload);
    system.run();
    EXPECT_EQ(wrong_sums(system), "");
    const Rows rows(system);
    ASSERT_LT(rows.cycle("after", "flushed"), rows.cycle("long", "ended")) << "or this test shows nothing";
    const std::uint64_t alone = rows.cycle("long", "cycles"), with = rows.cycle("1 long + 2 short", "cycles");
    EXPECT_EQ(rows.said("1 long + 2 short", "of"), "1+2");
    EXPECT_EQ(rows.said("1 long + 2 short", "streams"), "0+7");
    EXPECT_EQ(rows.said("1 long + 2 short", "launches"), 2);
    EXPECT_EQ(with, rows.cycle("short", "flushed") - rows.cycle("short", "started"));
    EXPECT_EQ(rows.cycle("short", "cycles"), 0U);
    EXPECT_EQ(rows.counter("short", "system.warp_instructions"), 0U);
    EXPECT_EQ(alone + with + rows.cycle("1 long + 3 after", "cycles"),
              rows.cycle("long", "ended") - rows.cycle("long", "started"));
    EXPECT_EQ(rows.counter("1 long + 2 short", "socket0.l1.store_lines") +
                  rows.counter("1 long + 2 short", "socket1.l1.store_lines"),
              2U * 2 * 4);
}

/// A machine of one counter.
struct OneCounter {
    OneCounter() { stats.counter("events", events, "events", ""); }
    /// The launch runs for `cycles`, in which `count` events happen, and flushes for one.
    void run(KernelLedger& ledger, const std::string& name, std::uint64_t count, std::uint64_t stream = 0) {
        LaunchRecord record{++number, name, stream, now, ++now, 0, 0};
        ledger.started(record, now);
        events += count;
        record.ended = now += 10;
        ledger.drained(record, now);
        record.flushed = ++now;
        ledger.flushed(record, now);
    }
    StatGroup stats;
    std::uint64_t events = 0, number = 0;
    Cycle now = 0;
};

TEST(KernelLedger, LaterLaunchesAreFoldedByNameAndStream) {
    OneCounter machine;
    KernelLedger ledger(machine.stats, 16); // 8 for launches, 4 for names
    for (unsigned i = 0; i < 8; ++i) machine.run(ledger, "early", 1);
    for (unsigned i = 0; i < 100; ++i) machine.run(ledger, i % 2 == 0 ? "even" : "odd", 10);
    machine.run(ledger, "odd", 1000, 1);
    machine.run(ledger, "new", 7);
    machine.run(ledger, "newer", 8);
    const Rows rows(ledger.json(machine.now));
    EXPECT_EQ(rows.kernels.at("rows").at("name").dump(),
              R"(["early","early","early","early","early","early","early","early","even","odd","odd",)"
              R"("further kernels","outside kernels"])");
    EXPECT_EQ(rows.counter("even", "events"), 500U);
    EXPECT_EQ(rows.said("even", "launches"), 50);
    EXPECT_EQ(rows.said("even", "launch"), Json());
    EXPECT_EQ(rows.said("even", "cycles"), 500);
    EXPECT_EQ(rows.kernels.at("counters").at("events").at(10), 1000) << "the other stream";
    EXPECT_EQ(rows.counter("further kernels", "events"), 15U);
    std::uint64_t sum = 0;
    for (const Json& value : rows.kernels.at("rows").at("cycles")) sum += value.get<std::uint64_t>();
    EXPECT_EQ(sum, machine.now);
}

TEST(KernelLedger, RowsOfKernelsSideBySideAreBounded) {
    OneCounter machine;
    KernelLedger ledger(machine.stats, 8); // 2 for kernels side by side
    LaunchRecord longest{1000, "longest", 0, 0, 0, 0, 0};
    ledger.started(longest, 0);
    for (unsigned i = 0; i < 5; ++i) machine.run(ledger, "short", 1, 1);
    const Rows rows(ledger.json(machine.now)); // one still runs
    EXPECT_EQ(rows.counter("1 short + 1000 longest", "events"), 1U);
    EXPECT_EQ(rows.counter("further kernels side by side", "events"), 4U);
    EXPECT_EQ(rows.said("longest", "ended"), Json());
    EXPECT_EQ(rows.counter("longest", "events") + rows.counter("outside kernels", "events"), 0U);
}

} // namespace
} // namespace numavp::test

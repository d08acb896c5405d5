/// Several cores of the host in a machine: values of arrays that they share, and which stream has which core.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "models/cpu/interval_core.h"
#include "sw/workloads/workload_file.h"
#include "tests/models/cpu/shared_bench.h"
#include "tests/platform/machine/host_systems.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

/// The host's bytes as a flat memory has them; kernels only read.
class HostBytes final : public DataHooks {
  public:
    void produce(std::uint64_t cookie, std::uint64_t line, ByteMask mask, unsigned char* data) override {
        if (cookie > IntervalCore::kCookie - kMostHostCores) flat.produce(cookie, line, mask, data);
    }
    void consume(std::uint64_t cookie, std::uint64_t line, ByteMask mask, const unsigned char* data) override {
        if (cookie > IntervalCore::kCookie - kMostHostCores) flat.consume(cookie, line, mask, data);
    }
    FlatBytes flat;
};

nlohmann::json phase_entry(const char* way, const char* order, unsigned element, unsigned stream) {
    const nlohmann::json access = {{"array", "a"}, {"way", way}, {"order", order}, {"element_bytes", element}};
    return {{"host", {{"accesses", {access}}, {"items", 400}, {"instructions", 9}}}, {"stream", stream}};
}

/// Four streams of the host write and read the same array, while kernels of a fifth end and drop what is clean.
Workload sharing_streams() {
    nlohmann::json launches = nlohmann::json::array();
    for (unsigned turn = 0; turn < 3; ++turn) {
        for (unsigned stream = 0; stream < 4; ++stream) {
            launches.push_back(phase_entry("update", turn == 1 ? "sequential" : "random", 20 + 16 * stream, stream));
            launches.push_back(phase_entry("read", "random", 44, stream));
            launches.push_back(phase_entry("write", "random", 12, stream));
        }
        launches.push_back(read_kernel(1U << 15));
        launches.back()["stream"] = 4;
    }
    const nlohmann::json file = {{"name", "shares"}, {"kernels", launches}};
    return read_workload(file, Place("file"), {});
}

/// What is wrong, or the statistics of the core.
nlohmann::json shared_run(const std::string& system_name, unsigned cores, std::optional<std::uint64_t> shuffle) {
    const SystemConfig config =
        small_with_core(system_name, {"host_core.l1_kib=2", "host_core.l1_ways=2", "host_core.l2_kib=8",
                                      "host_core.l2_ways=4", "host_core.cores=" + std::to_string(cores)});
    const Workload workload = sharing_streams();
    HostBytes hooks;
    SystemOptions options;
    options.hooks = &hooks;
    options.shuffle_seed = shuffle;
    System system(config, workload, options);
    system.run();
    if (!hooks.flat.wrong.empty()) return hooks.flat.wrong;
    if (hooks.flat.compared < 30'000) return "too little was compared";
    for (const auto& [address, value] : hooks.flat.flat) {
        unsigned char there = 0;
        system.debug_read(address, &there, 1);
        if (there != value) return "memory is wrong at " + std::to_string(address);
    }
    return system.stats().values().at("host_core");
}

TEST(HostCores, ShareAnArrayAndKeepItsValues) {
    for (const unsigned cores : {1U, 2U, 6U}) {
        const nlohmann::json core = run_apart([=] { return shared_run("umn-cpu", cores, std::nullopt); });
        ASSERT_TRUE(core.is_object()) << cores << " cores: " << core;
        EXPECT_EQ(core.at("phases"), 36);
        EXPECT_EQ(core.contains("transfers"), cores > 1);
        if (cores == 1) continue;
        EXPECT_GT(core.at("transfers"), 100);
        EXPECT_GT(core.at("invalidations"), 100);
        EXPECT_GT(core.at("upgrades"), 0);
    }
}

TEST(HostCores, DoNotDependOnTheOrderOfDeliveries) {
    const nlohmann::json expected = run_apart([] { return shared_run("umn-cpu", 3, std::nullopt); });
    EXPECT_TRUE(expected.is_object()) << expected;
    EXPECT_EQ(expected, run_apart([] { return shared_run("umn-cpu", 3, 1); }));
}

/// Kernels give all bytes of an array the next value, and so do no phases; those of one core are compared with it.
class Versions final : public DataHooks {
  public:
    void produce(std::uint64_t, std::uint64_t, ByteMask, unsigned char* data) override {
        if (std::exchange(read_, false)) ++value_;
        std::fill_n(data, kLineBytes, value_);
    }
    void consume(std::uint64_t cookie, std::uint64_t, ByteMask mask, const unsigned char* data) override {
        if (cookie != IntervalCore::kCookie - 1) return;
        read_ = true;
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) ++(data[i] == value_ ? right : wrong);
    }
    std::uint64_t right = 0, wrong = 0;

  private:
    unsigned char value_ = 0;
    bool read_ = true;
};

/// A phase of another stream has lines on their way when a kernel that writes them ends.
TEST(HostCores, DoNotKeepWhatWasOnItsWayWhenAKernelWroteIt) {
    nlohmann::json launches = nlohmann::json::array();
    launches.push_back({{"host",
                         {{"name", "beside"},
                          {"accesses", {{{"array", "a"}, {"way", "read"}, {"order", "random"}, {"element_bytes", 4}}}},
                          {"items", 20000},
                          {"instructions", 9}}}});
    for (unsigned turn = 0; turn < 4; ++turn) {
        launches.push_back(read_kernel(1U << 14));
        launches.back()["parameters"]["accesses"][0]["kind"] = "store";
        launches.back()["stream"] = 1;
        launches.push_back(phase_entry("read", "sequential", 128, 1));
    }
    const nlohmann::json file = {{"name", "written"}, {"kernels", launches}};
    const Workload workload = read_workload(file, Place("file"), {});
    Versions hooks;
    SystemOptions options;
    options.hooks = &hooks;
    System system(load_system("umn-cpu", {"socket.sms=4", "cpu.sms=0", "cube.sms=0", "host_core.cores=2",
                                          "cpu.link.latency_cycles=300"}),
                  workload, options);
    system.run();
    EXPECT_EQ(hooks.wrong, 0U);
    EXPECT_EQ(hooks.right, 4 * 400 * 128U);
}

/// Streams that only compute run side by side.
TEST(HostCores, RunStreamsSideBySide) {
    const auto cycles = [](unsigned cores, unsigned streams) {
        return run_apart([=]() -> nlohmann::json {
                   nlohmann::json launches = nlohmann::json::array();
                   for (unsigned phase = 0; phase < 2; ++phase)
                       for (unsigned stream = 0; stream < streams; ++stream)
                           launches.push_back({{"host", {{"name", "computes"}, {"items", 4}, {"instructions", 400000}}},
                                               {"stream", stream}});
                   launches.push_back(read_kernel(1U << 15));
                   launches.back()["stream"] = streams;
                   const nlohmann::json file = {{"name", "beside"}, {"kernels", launches}};
                   const Workload workload = read_workload(file, Place("file"), {});
                   System system(load_system("umn-cpu",
                                             {"socket.sms=1", "cpu.sms=0", "host_core.cores=" + std::to_string(cores)}),
                                 workload);
                   system.run();
                   return system.stats().values().at("host_core").at("busy_ps");
               })
            .get<double>();
    };
    const double one = cycles(1, 1);
    EXPECT_NEAR(cycles(1, 4), 4 * one, 0.01 * 4 * one);
    EXPECT_NEAR(cycles(4, 4), one, 0.01 * one);
    EXPECT_NEAR(cycles(2, 4), 2 * one, 0.01 * 2 * one);
    EXPECT_NEAR(cycles(8, 3), one, 0.01 * one);
}

/// The second phase of a stream goes to the core of its first, though the core before that one is free.
TEST(HostCores, KeepTheirStreams) {
    const auto computes = [](const char* name, unsigned instructions, unsigned stream) -> nlohmann::json {
        return {{"host", {{"name", name}, {"items", 4}, {"instructions", instructions}}}, {"stream", stream}};
    };
    nlohmann::json launches = {computes("short", 1000, 0), computes("long", 20000, 1), computes("again", 1000, 1),
                               read_kernel(1U << 15)};
    launches.back()["stream"] = 2;
    const nlohmann::json file = {{"name", "keeps"}, {"kernels", launches}};
    const Workload workload = read_workload(file, Place("file"), {});
    System system(load_system("umn-cpu", {"socket.sms=1", "cpu.sms=0", "host_core.cores=2"}), workload);
    system.run();
    std::string order;
    for (const TimelineEvent& event : system.timeline())
        if (event.what == "host")
            order += event.name + " " + std::to_string(std::get<std::uint64_t>(event.args.back().second)) + ", ";
    EXPECT_EQ(order, "short 0, long 1, again 1, ");
}

} // namespace
} // namespace numavp::test

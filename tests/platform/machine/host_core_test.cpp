/// The host's core in the seven organisations: its values, its time, and what it does beside kernels and copies.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "models/cpu/interval_core.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/models/cpu/core_bench.h"
#include "tests/platform/machine/host_systems.h"
#include "tests/platform/machine/random_program.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

constexpr const char* kWithCore[] = {"pcie-cpu", "pcie-zc-cpu", "cmn-cpu", "cmn-zc-cpu",
                                     "gmn-cpu",  "gmn-zc-cpu",  "umn-cpu"};

Launch host_launch(const HostPhase& phase, std::uint64_t stream = 0) {
    Launch launch;
    launch.what = Launch::What::host;
    launch.stream = stream;
    launch.host = std::make_shared<HostPhase>(phase);
    return launch;
}

Launch host_copy_of(Launch::What what, std::uint64_t address, std::uint64_t bytes) {
    Launch copy;
    copy.what = what;
    copy.address = address;
    copy.bytes = bytes;
    return copy;
}

/// The host writes the complement of each byte that it has read; kernels do what their program says.
class Complements final : public DataHooks {
  public:
    explicit Complements(DataHooks& kernels) : kernels_(kernels) {}
    void produce(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask, unsigned char* line) override {
        if (cookie != IntervalCore::kCookie) return kernels_.produce(cookie, virtual_line, mask, line);
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) line[i] = static_cast<unsigned char>(~read_.at(virtual_line + i));
    }
    void consume(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask, const unsigned char* line) override {
        if (cookie != IntervalCore::kCookie) return kernels_.consume(cookie, virtual_line, mask, line);
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) read_[virtual_line + i] = line[i];
    }

  private:
    DataHooks& kernels_;
    std::map<std::uint64_t, unsigned char> read_;
};

class HostOrganisations : public ::testing::TestWithParam<const char*> {};

/// Between kernels the host turns all bits over, and, when they have been on the devices, back again: in elements that
/// cross lines, by a core whose caches hold half of them.
TEST_P(HostOrganisations, ValuesGoThroughTheHostsCore) {
    const SystemConfig config = small_with_core(
        GetParam(), {"host_core.l1_kib=2", "host_core.l1_ways=2", "host_core.l2_kib=8", "host_core.l2_ways=4"});
    RandomProgramShape shape;
    shape.kernels = 3;
    shape.blocks = 12;
    shape.accesses = 12;
    shape.lines = 128;
    RandomProgram program(7, shape);
    const std::uint64_t begin = RandomProgram::kBase + 36, bytes = (program.bytes() - 36) / 52 * 52;
    HostPhase turn;
    turn.name = "turn over";
    turn.accesses = {access_of(bytes, 52, HostWay::update, HostOrder::sequential, begin)};
    turn.items = turn.accesses.front().steps();
    turn.instructions = 30;
    Workload workload = program.workload();
    workload.launches.clear();
    for (const Launch& kernel : program.workload().launches) {
        workload.launches.push_back(kernel);
        workload.launches.push_back(host_copy_of(Launch::What::copy_to_host, begin, bytes));
        workload.launches.push_back(host_launch(turn));
        workload.launches.push_back(host_copy_of(Launch::What::copy_to_device, begin, bytes));
        workload.launches.push_back(host_copy_of(Launch::What::copy_to_host, begin, bytes));
        workload.launches.push_back(host_launch(turn));
        workload.launches.push_back(host_copy_of(Launch::What::copy_to_device, begin, bytes));
    }
    Complements hooks(program);
    SystemOptions options;
    options.hooks = &hooks;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    const auto core = system.stats().values().at("host_core");
    EXPECT_EQ(core.at("phases"), 6);
    EXPECT_EQ(core.at("instructions"), 6 * turn.all_instructions());
    EXPECT_GE(core.at("written").get<std::uint64_t>(), 6 * bytes / kLineBytes);
}

/// The host turns all bits over before a copy from array to array, and back behind it: where it works on the arrays
/// themselves, its caches keep nothing of the one that was written.
TEST_P(HostOrganisations, SeesWhatWasCopiedBetweenArrays) {
    const SystemConfig config = small_with_core(GetParam(), {});
    RandomProgramShape shape;
    shape.kernels = 3;
    shape.copies = true;
    RandomProgram program(13, shape);
    HostPhase turn;
    turn.name = "turn over";
    turn.accesses = {access_of(program.bytes(), 64, HostWay::update, HostOrder::sequential, RandomProgram::kBase)};
    turn.items = turn.accesses.front().steps();
    turn.instructions = 30;
    Workload workload = program.workload();
    workload.launches.clear();
    for (const Launch& launch : program.workload().launches) {
        if (!launch.kernel) workload.launches.push_back(host_launch(turn));
        workload.launches.push_back(launch);
        if (!launch.kernel) workload.launches.push_back(host_launch(turn));
    }
    Complements complements(program);
    SystemOptions options;
    options.hooks = &complements;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
}

INSTANTIATE_TEST_SUITE_P(, HostOrganisations, ::testing::ValuesIn(kWithCore), [](const auto& name) {
    std::string text = name.param;
    for (char& c : text)
        if (c == '-') c = '_';
    return text;
});

/// One block beside an array of 64 MiB.
nlohmann::json small_kernel() {
    return {{"pattern", "grid_loop"},
            {"parameters", {{"grid_x", 1}, {"block_x", 32}, {"accesses", {{{"array", "a"}, {"elements", 1U << 24}}}}}},
            {"arrays", {{"a", "a"}}}};
}

constexpr unsigned kReads = 4096;

/// What a read of random lines takes, in ns.
double read_ns_here(const std::string& system_name, const std::string& dependence, unsigned registers) {
    const nlohmann::json host = {{"name", "read"},
                                 {"accesses", {{{"array", "a"}, {"element_bytes", 128}, {"order", "random"}}}},
                                 {"items", kReads},
                                 {"instructions", 2},
                                 {"dependence", dependence}};
    const nlohmann::json file = {{"name", "reads"}, {"kernels", {small_kernel(), {{"host", host}}}}};
    const Workload workload = read_workload(file, Place("file"), {});
    System system(load_system(system_name,
                              {"socket.sms=1", "cpu.sms=0", "host_core.miss_registers=" + std::to_string(registers)}),
                  workload);
    system.run();
    for (const TimelineEvent& event : system.timeline())
        if (event.what == "host")
            return static_cast<double>(event.end - event.cycle) * 1e6 / static_cast<double>(system.config().clock_khz) /
                   kReads;
    return 0;
}

double read_ns(const std::string& system_name, const std::string& dependence, unsigned registers) {
    return run_apart([&] { return nlohmann::json(read_ns_here(system_name, dependence, registers)); }).get<double>();
}

/// Little's law in the machine: a chase shows the latency, and so many misses at a time are so many times as fast.
TEST(HostCoreTime, MissesAtATimeDivideTheLatency) {
    const double chase = read_ns("umn-cpu", "chase", 8);
    EXPECT_GT(chase, 60) << "channels, routers and DRAM";
    EXPECT_LT(chase, 200);
    for (const unsigned registers : {1U, 4U, 8U}) {
        const double each = read_ns("umn-cpu", "none", registers);
        EXPECT_NEAR(each, chase / registers, 0.1 * chase / registers) << registers;
    }
}

/// Behind a PCIe switch the core's own memory is as near as in the network of its cubes, and nearer than all cubes.
TEST(HostCoreTime, OwnMemoryIsNear) {
    const double pcie = read_ns("pcie-cpu", "chase", 8), cmn = read_ns("cmn-cpu", "chase", 8);
    EXPECT_NEAR(pcie, cmn, 0.02 * cmn);
    EXPECT_LT(pcie, read_ns("umn-cpu", "chase", 8));
}

/// A kernel waits for the host's work of its own stream alone, and a phase that only computes is no deadlock.
TEST(HostCoreTime, RunsBesideKernelsOfOtherStreams) {
    nlohmann::json first = read_kernel(1U << 20), waits = first;
    first["parameters"]["kernel"] = "first";
    first["parameters"]["work"] = 1000;
    waits["parameters"]["kernel"] = "waits";
    waits["stream"] = 1;
    const nlohmann::json host = {{"name", "computes"}, {"items", 4}, {"instructions", 20000000}};
    const nlohmann::json file = {{"name", "beside"}, {"kernels", {first, {{"host", host}, {"stream", 1}}, waits}}};
    const Workload workload = read_workload(file, Place("file"), {});
    System system(load_system("pcie-cpu", {"socket.sms=1", "cpu.sms=0"}), workload);
    system.run();
    Cycle worked = 0, first_ended = 0, waits_began = 0;
    for (const TimelineEvent& event : system.timeline()) {
        if (event.what == "host") worked = event.end;
        if (event.what == "kernel" && event.name == "first") first_ended = event.end;
        if (event.what == "kernel" && event.name == "waits") waits_began = event.cycle;
    }
    const double ns = 4 * 20e6 / 4 / 4; // four a cycle of a quarter of a nanosecond
    EXPECT_NEAR(static_cast<double>(worked) / 1.4, ns, 0.001 * ns);
    EXPECT_GT(first_ended, 0U);
    EXPECT_LT(first_ended, worked) << "the kernel did not wait";
    EXPECT_GT(waits_began, worked);
}

/// What arrives at an edge in whatever order: the same statistics, where a socket has one terminal.
TEST(HostCoreTime, DoesNotDependOnTheOrderOfDeliveries) {
    const nlohmann::json host = {
        {"name", "works"}, {"accesses", {{{"array", "a"}, {"way", "update"}}, {{"array", "a"}, {"order", "random"}}}},
        {"items", 4000},   {"instructions", 6},
        {"flops", 2},      {"dependence", "sum"}};
    const auto statistics = [&](std::optional<std::uint64_t> seed) {
        return run_apart([&]() -> nlohmann::json {
            const nlohmann::json file = {
                {"name", "w"},
                {"kernels",
                 {{{"host", host}}, read_kernel(1U << 18), {{"host", host}, {"stream", 1}}, {{"host", host}}}}};
            const Workload workload = read_workload(file, Place("file"), {});
            SystemOptions options;
            options.shuffle_seed = seed;
            options.order_seed = seed.value_or(0);
            System system(load_system("umn-cpu", {"gpu.sms=2", "parts[0].terminals=1", "parts[1].terminals=1",
                                                  "parts[2].terminals=1", "parts[3].terminals=1"}),
                          workload, options);
            system.run();
            return system.stats().values();
        });
    };
    const nlohmann::json expected = statistics(std::nullopt);
    EXPECT_EQ(expected.at("host_core").at("phases"), 3);
    for (const std::uint64_t seed : {1U, 2U}) EXPECT_EQ(expected, statistics(seed)) << "shuffled by " << seed;
}

/// On a system without a core the host's work takes no time, and nothing else changes.
TEST(HostCoreTime, IsNoneWithoutACore) {
    const nlohmann::json copy = {{"copy", "to_device"}, {"array", "a"}};
    const nlohmann::json host = {
        {"host", {{"accesses", {{{"array", "a"}, {"way", "update"}}}}, {"instructions", 100}, {"flops", 10}}}};
    const auto cycles = [](const nlohmann::json& kernels) -> Cycle {
        return run_apart([&]() -> nlohmann::json {
                   const nlohmann::json file = {{"name", "w"}, {"kernels", kernels}};
                   const Workload workload = read_workload(file, Place("file"), {});
                   System system(load_system("pcie", {"socket.sms=1"}), workload);
                   system.run();
                   if (system.stats().values().contains("host_core")) return 0;
                   return system.cycles();
               })
            .get<Cycle>();
    };
    const nlohmann::json kernel = read_kernel(1U << 18);
    const Cycle without = cycles({copy, kernel});
    EXPECT_GT(without, 0U);
    EXPECT_EQ(without, cycles({host, copy, host, kernel, host}));
}

} // namespace
} // namespace numavp::test

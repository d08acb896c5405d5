/// Copies of the three machines against closed forms of their files' numbers, and against the platform's copy engines.
#include <algorithm>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "communication/characterize/benchmark.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/communication/characterize/machines.h"

namespace numavp::test {
namespace {

constexpr double kNear = 0.03;

/// Of a link of `raw` GB/s: `payload` bytes of data in packets with `more` bytes.
constexpr double rate(double raw, double payload, double more) { return raw * payload / (payload + more); }

struct Copy {
    const char* machine;
    TransferEnd from, to;
    double call_us, gbytes_per_s;
};

/// t = call + n / rate, of links alone.
TEST(Copies, OfPinnedMemoryAreACallAndTheSlowestLink) {
    const Copy copies[] = {{"s822lc", cpu(0), gpu(0), 11.3, rate(40, 128, 32)},
                           {"s822lc", gpu(1), cpu(0), 10.9, rate(40, 128, 23)},
                           {"s822lc", cpu(0), gpu(2), 11.3, rate(38.4, 128, 39)},
                           {"s822lc", gpu(3), cpu(0), 10.9, rate(38.4, 128, 96.7)},
                           {"dgx-1", cpu(0), gpu(0), 10.9, 0.93 * rate(15.753846, 64, 20)},
                           {"dgx-1", gpu(1), cpu(0), 10.3, 0.93 * rate(15.753846, 128, 24)},
                           {"dgx-1", cpu(0), gpu(4), 11.8, 0.93 * rate(15.753846, 64, 20)},
                           {"ac922", cpu(0), gpu(0), 16.6, rate(75, 256, 16)},
                           {"ac922", gpu(2), cpu(0), 17.6, rate(64, 128, 103)}};
    for (const Copy& copy : copies) {
        const HostMachine machine = real_machine(copy.machine);
        const HostProgram program(machine);
        const double ns = copy.call_us * 1000 + 4096.0 * kMiB / copy.gbytes_per_s;
        EXPECT_NEAR(program.pinned_ns(copy.from, copy.to, 4096 * kMiB), ns, ns * kNear) << copy.machine;
    }
}

TEST(Copies, BetweenPeersTakeTheLinkBetweenThem) {
    const HostMachine minsky = real_machine("s822lc"), dgx = real_machine("dgx-1"), ac = real_machine("ac922");
    const auto level = [](const HostMachine& machine, unsigned a, unsigned b) {
        return 1024 * kMiB / HostProgram(machine).peer_ns(a, b, 1024 * kMiB);
    };
    EXPECT_NEAR(level(minsky, 0, 1), rate(40, 128, 16), 1);
    EXPECT_NEAR(level(dgx, 0, 4), rate(20, 196, 16), 0.5);
    EXPECT_NEAR(level(ac, 2, 3), rate(75, 256, 16), 2);
    EXPECT_NEAR(level(ac, 0, 2), rate(64, 128, 103), 1);
    EXPECT_TRUE(minsky.peers(0, 1));
    EXPECT_FALSE(minsky.peers(0, 2));
    EXPECT_TRUE(dgx.peers(0, 4));
    EXPECT_FALSE(dgx.peers(0, 5));
    EXPECT_TRUE(ac.peers(0, 2));
}

/// The GPUs of a DGX-1 by socket: figures 4.3c and 4.3f of the thesis take GPU 2 for a remote one.
TEST(Copies, GpusAreAtHomeWhereTheirSwitchIs) {
    const HostMachine dgx = real_machine("dgx-1");
    for (unsigned g = 0; g < 8; ++g) EXPECT_EQ(dgx.home(g), g / 4);
    EXPECT_EQ(real_machine("ac922").cpu_name(1), "cpu8");
}

/// Two buffers of 1 MiB: one fills, the other empties. n takes what the slower does, and a chunk of the faster.
TEST(Copies, OfPageableMemoryOverlapTheirStages) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    const double dma = rate(40, 128, 32);
    const double whole = 8.9e3 + kMiB / 36.0 + 2 * kMiB / dma; // 2 MiB: filling is faster
    EXPECT_NEAR(program.pageable_ns(cpu(0), gpu(0), 2 * kMiB), whole, whole * kNear);
    const double small = 8.9e3 + 65536 / 10.0;
    EXPECT_NEAR(program.pageable_ns(cpu(0), gpu(0), 65536), small, 1);
    // Beyond 16 MiB the thread is the slower: 4 us and 1 MiB at 12.6 GB/s for each chunk.
    const double more =
        program.pageable_ns(cpu(0), gpu(0), 512 * kMiB) - program.pageable_ns(cpu(0), gpu(0), 256 * kMiB);
    EXPECT_NEAR(more, 256 * (4e3 + kMiB / 12.6), more * kNear);
}

/// The buffers lie where the thread runs: on the other socket both ways cross the bus.
TEST(Copies, BetweenGpusThroughTheHostDependOnTheThread) {
    const HostMachine machine = real_machine("s822lc");
    const HostProgram program(machine);
    const auto level = [&](unsigned a, unsigned b, unsigned thread) {
        return 1024 * kMiB / program.staged_ns(a, b, thread, 1024 * kMiB);
    };
    const auto with_reuse = [](double gbytes_per_s) { return kMiB / (kMiB / gbytes_per_s + 4e3); };
    EXPECT_NEAR(level(0, 1, 1), with_reuse(rate(38.4, 128, 96.7)), 0.5);
    EXPECT_GT(level(0, 1, 0), 1.25 * level(0, 1, 1));
    EXPECT_GT(level(0, 2, 0), 1.25 * level(0, 2, 1)) << "section 4.3.1: 25 % with the thread at the sender";
}

/// Levels of a thread's rate: bytes that caches hold, first.
TEST(Copies, OfAThreadFollowLevels) {
    CalibrationHostCopy copy;
    copy.gbytes_per_s = 10;
    copy.levels = {{1, 40, true}, {4, 20, false}};
    EXPECT_NEAR(copy.ns(0, 1024, 1024), 1024 / 40.0, 1e-9);
    EXPECT_NEAR(copy.ns(0, 4096, 4096), 1024 / 40.0 + 3072 / 20.0, 1e-9);
    EXPECT_NEAR(copy.ns(0, 5120, 5120), 1024 / 40.0 + 4096 / 20.0, 1e-9);
    EXPECT_NEAR(copy.ns(0, 8192, 8192), 1024 / 40.0 + 7168 / 10.0, 1e-9) << "the second level is not kept";
    EXPECT_NEAR(copy.ns(2048, 1024, 5120), 1024 / 20.0, 1e-9);
}

/// The platform's copy engines move lines of 128 bytes in packets of 144 over the same wires: four GPUs behind one
/// switch. Both agree to 5 % where bytes outweigh latencies.
TEST(Copies, AgreeWithTheDetailedCopyEngines) {
    constexpr std::uint64_t kBytes = 2 * kMiB;
    const nlohmann::json kernel = {
        {"pattern", "element_loop"},
        {"parameters", {{"items", kBytes / 4}, {"per_block", 4096}, {"accesses", {{{"array", "a"}}}}}},
        {"arrays", {{"a", "a"}}}};
    const nlohmann::json file = {
        {"name", "copies"},
        {"kernels", {{{"copy", "to_device"}, {"array", "a"}}, kernel, {{"copy", "to_host"}, {"array", "a"}}}}};
    const Workload workload = read_workload(file, Place("file"), {});
    const SystemConfig config = load_system("pcie", {"socket.sms=1"});
    System system(config, workload);
    system.run();
    Calibration packets;
    packets.formats = {{"", 128, 128, 128, 16, 16, 16, 1}};
    const HostMachine machine(config, packets, false);
    for (const bool to_host : {false, true}) {
        FluidNetwork network = machine.graph().network();
        for (unsigned g = 0; g < 4; ++g) {
            const unsigned a = machine.cpu_part(0), b = machine.gpu_part(g);
            const std::vector<unsigned> way = machine.graph().way(to_host ? b : a, to_host ? a : b);
            const BulkOperation operation = to_host ? BulkOperation::write : BulkOperation::read;
            network.start({kBytes / 4, machine.graph().uses(way, operation), machine.graph().latency_ns(way), {}});
        }
        const double ns = network.run();
        const double detailed =
            system.stats().values().at("copies").at(to_host ? "to_host" : "to_device").at("busy_ps").get<double>() /
            1000;
        EXPECT_NEAR(ns, detailed, detailed * 0.05) << (to_host ? "to host" : "to device");
    }
}

} // namespace
} // namespace numavp::test

/// Systems of which some sockets have RTL memory behind each channel: values, times of idle loads, and real workloads.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/digest.h"
#include "base/values/error.h"
#include "common/inputs/workload_names.h"
#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "rtl/blocks.h"
#include "sw/workloads/workload_file.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/needs.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// The first sockets' own memory model; the others keep the common one.
void give_rtl_memory(SystemConfig& config, unsigned sockets) {
    SocketConfig own = config.socket;
    own.memory.model = MemoryModel::axi4_rtl;
    config.own_sockets.all.push_back({{0, sockets - 1}, own});
}

class RtlMemory : public ::testing::TestWithParam<unsigned> {};

TEST_P(RtlMemory, OfSomeOrAllSocketsGivesRightValues) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const unsigned seed = GetParam();
    SystemConfig config = small_system(4);
    config.socket.l2.organisation = seed % 2 ? L2Organisation::numa_aware : L2Organisation::memory_side;
    config.socket.l2.write_policy = seed % 3 ? WritePolicy::write_back : WritePolicy::write_through;
    give_rtl_memory(config, seed % 2 ? 4 : 1);
    config.placement.page_kib = 4;
    RandomProgramShape shape;
    shape.blocks = 12;
    shape.accesses = 20;
    shape.lines = 2048;
    RandomProgram program(seed, shape);
    SystemOptions options;
    options.hooks = &program;
    options.order_seed = seed;
    System system(config, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
}
INSTANTIATE_TEST_SUITE_P(Seeds, RtlMemory, ::testing::Range(0U, 6U));

TEST(RtlMemoryInASystem, DoesNotDependOnTheOrderOfConstruction) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const auto statistics = [](std::uint64_t order) {
        return run_apart([order] {
            SystemConfig config = small_system(4);
            give_rtl_memory(config, 2);
            config.placement.page_kib = 4;
            RandomProgramShape shape;
            shape.blocks = 24;
            shape.accesses = 30;
            shape.lines = 8192;
            RandomProgram program(1, shape);
            SystemOptions options;
            options.hooks = &program;
            options.order_seed = order;
            System system(config, program.workload(), options);
            system.run();
            return json(system.stats().values());
        });
    };
    const json expected = statistics(0);
    for (const std::uint64_t order : {1U, 2U, 3U}) EXPECT_EQ(statistics(order), expected);
}

/// Of loads that wait for each other, on both sockets of a system of which the first may have RTL memory.
json idle_loads(MemoryModel model, std::uint64_t khz, double latency_ns) {
    return run_apart([=] {
        SystemConfig config = small_system(2);
        config.clock_khz = khz;
        config.socket.memory.latency_ns = latency_ns;
        if (model == MemoryModel::axi4_rtl) give_rtl_memory(config, 1);
        config.placement.page_kib = 4;
        const Workload workload = hand_workload({hand_launch("chain", 2, 1, [](std::uint64_t block, unsigned) {
            WarpCode code; // each block in pages of its own
            for (unsigned i = 0; i < 32; ++i) code.push_back(load(kHandBase + (block * 32 + i) * kLineBytes, 1, 1));
            return code;
        })});
        System system(config, workload);
        system.run();
        return json(system.stats().values());
    });
}

TEST(RtlMemoryInASystem, AnIdleLoadTakesFiveCyclesMore) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    for (const std::uint64_t khz : {1'000'000U, 1'250'000U})
        for (const double latency_ns : {20.0, 100.0, 400.0}) {
            SCOPED_TRACE(std::to_string(khz) + " kHz, " + std::to_string(latency_ns) + " ns");
            const json own = idle_loads(MemoryModel::channel, khz, latency_ns);
            const json rtl = idle_loads(MemoryModel::axi4_rtl, khz, latency_ns);
            const std::uint64_t cycle_ps = 1'000'000'000 / khz;
            const auto total = [](const json& values, const char* socket) {
                return stat(values, std::string(socket) + ".load_latency.local.total_ps");
            };
            EXPECT_EQ(stat(rtl, "socket0.load_latency.local.loads"), 32U);
            EXPECT_EQ(total(rtl, "socket0"), total(own, "socket0") + 32 * 5 * cycle_ps);
            EXPECT_EQ(total(rtl, "socket1"), total(own, "socket1")) << "it has no RTL memory";
        }
}

/// Stores write, and atomics add, what follows from the address: the end does not depend on who comes first.
struct AddressHooks final : DataHooks {
    static unsigned char byte_of(std::uint64_t address) {
        return static_cast<unsigned char>((address * 0x9e3779b97f4a7c15ULL) >> 56 | 1U);
    }
    void produce(std::uint64_t, std::uint64_t line, ByteMask mask, unsigned char* bytes) override {
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) bytes[i] = byte_of(line + i);
        ++stores;
    }
    void consume(std::uint64_t, std::uint64_t line, ByteMask mask, const unsigned char* bytes) override {
        for (unsigned i = 0; i < kLineBytes; ++i) {
            if (!mask.test(i)) continue;
            if (bytes[i] != 0 && bytes[i] != byte_of(line + i)) ++wrong;
            if (bytes[i] != 0) ++seen;
        }
    }
    std::uint64_t stores = 0;
    std::uint64_t seen = 0; ///< bytes that were stored before
    std::uint64_t wrong = 0;
};

/// What a workload leaves in the memory of numa-aware-4, with settings that differ there.
json contents_after(const std::string& name, const std::vector<std::string>& assignments) {
    return run_apart([&] {
        const SystemConfig config = load_system("numa-aware-4", assignments);
        WorkloadOptions workload_options;
        workload_options.scale = 0.02;
        const Workload workload = load_workload(name, workload_folders(name), workload_options);
        AddressHooks hooks;
        SystemOptions options;
        options.hooks = &hooks;
        System system(config, workload, options);
        system.run();
        EXPECT_EQ(hooks.wrong, 0U);
        EXPECT_GT(hooks.seen, 0U);
        Digest digest;
        std::uint64_t written = 0;
        for (const Range& range : workload.ranges)
            for (std::uint64_t at = range.base; at < range.base + range.bytes; at += kLineBytes) {
                std::array<unsigned char, kLineBytes> bytes{};
                system.debug_read(at, bytes.data(), bytes.size());
                for (const unsigned char byte : bytes) {
                    digest.add(byte);
                    written += byte != 0;
                }
            }
        return json{{"digest", digest.value()},
                    {"written", written},
                    {"stores", hooks.stores},
                    {"instructions", system.progress().warp_instructions}};
    });
}

TEST(RtlMemoryInASystem, RealWorkloadsLeaveTheSameBytes) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    for (const char* const name : {"spmv-powerlaw", "stencil-3d"}) {
        SCOPED_TRACE(name);
        const json own = contents_after(name, {});
        EXPECT_EQ(contents_after(name, {"socket[0].memory.model=axi4_rtl"}), own) << "RTL in one socket of four";
        EXPECT_GT(own.at("written").get<std::uint64_t>(), 0U);
    }
}

TEST(RtlMemoryInASystem, NeedsASliceAChannel) {
    SystemConfig config = small_system(1);
    config.socket.memory.model = MemoryModel::axi4_rtl;
    config.socket.l2.slices = 4;
    try {
        config.validate(Place("system.json"));
        FAIL() << "it was accepted";
    } catch (const ConfigError& error) {
        const std::string expected = rtl::missing().empty() ? "one slice a channel is allowed" : "install verilator";
        EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}

} // namespace
} // namespace numavp::test

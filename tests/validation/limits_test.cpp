/// What cannot go on ends with a sentence: the watchdog names who waits for whom, limits are a user's fault.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <class Error, class Action> std::string message_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

/// A memory that takes requests and never answers.
struct SilentMemory final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    explicit SilentMemory(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
        socket.bind(*this);
    }
    tlm::tlm_target_socket<> socket;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        payload.acquire();
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

TEST(Watchdog, NamesWhoWaitsForWhomIfAMemoryNeverAnswers) {
    SystemConfig c = small_system(2);
    c.checks.stuck_cycles = 5000;
    c.placement.page_kib = 4;
    SilentMemory silent("silent");
    SystemOptions options;
    options.foreign_memory = [&](unsigned socket, unsigned channel) {
        return socket == 1 && channel == 0 ? &silent.socket : nullptr;
    };
    // Block 1 runs on socket 1 and touches a page; block 0 reads one line of it that lies in the silent channel.
    const Workload workload = hand_workload({hand_launch("waiting", 2, 1, [](std::uint64_t block, unsigned) {
        WarpCode code;
        if (block == 1)
            for (unsigned i = 0; i < 8; ++i) code.push_back(load(kHandBase + i * kLineBytes));
        return code;
    })});
    System system(c, workload, options);
    const std::string text = message_of<ModelError>([&] { system.run(); });
    EXPECT_THAT(text,
                AllOf(HasSubstr("the simulation is stuck"), HasSubstr("nothing has happened for"),
                      HasSubstr("the dispatcher waits for 0 blocks and"), HasSubstr("socket1.sm0 waits for"),
                      HasSubstr("socket1.l2.slice0 waits for"), HasSubstr("reading line"), HasSubstr("of its memory")));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("socket0.sm")));
}

/// Machines on which one access takes longer than `checks.stuck_cycles`, each for the latency of another module.
struct SlowModule {
    const char* name;
    void (*slow_down)(SystemConfig&);
};
class SlowMachine : public ::testing::TestWithParam<SlowModule> {};

TEST_P(SlowMachine, IsNotTakenForStuck) {
    SystemConfig c = small_system(2);
    c.checks.stuck_cycles = 1'000;
    GetParam().slow_down(c);
    const Workload workload = hand_workload({hand_launch("slow", 2, 1, [](std::uint64_t block, unsigned) {
        return WarpCode{load(kHandBase + block * kLineBytes), load(kHandBase + (1 - block) * kLineBytes)};
    })});
    System system(c, workload);
    system.run();
    EXPECT_GT(system.cycles(), 90'000U) << "or this test shows nothing";
}
INSTANTIATE_TEST_SUITE_P(
    All, SlowMachine,
    ::testing::Values(SlowModule{"sm", [](SystemConfig& c) { c.socket.sm.first_block_cycles = 100'000; }},
                      SlowModule{"noc", [](SystemConfig& c) { c.socket.noc.latency_cycles = 100'000; }},
                      SlowModule{"l2", [](SystemConfig& c) { c.socket.l2.hit_cycles = 100'000; }},
                      SlowModule{"memory", [](SystemConfig& c) { c.socket.memory.latency_ns = 100'000; }},
                      SlowModule{"bandwidth", [](SystemConfig& c) { c.socket.memory.bandwidth_gbps = 0.002; }},
                      SlowModule{"link", [](SystemConfig& c) { c.link.latency_cycles = 100'000; }},
                      SlowModule{"switch", [](SystemConfig& c) { c.switch_.latency_cycles = 100'000; }},
                      SlowModule{"launch", [](SystemConfig& c) { c.dispatch.launch_cycles = 100'000; }},
                      SlowModule{"network",
                                 [](SystemConfig& c) {
                                     c.network.topology = FabricKind::ring;
                                     c.network.noc_khz = 1'000; // a channel may have a thousand of its cycles
                                     c.network.channel_ns = 100'000;
                                 }}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(Limits, MoreMemoryTouchedThanThereIsIsAUsersFault) {
    SystemConfig c = small_system(2); // of 1 GiB each
    c.checks.protocol = false;        // the end of the run cuts answers off, which checkers would miss
    c.placement.page_kib = 2048;
    const Workload workload = hand_workload({hand_launch("greedy", 2, 1, [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (std::uint64_t page = 0; page < 513; ++page) code.push_back(load(kHandBase + ((page * 2 + block) << 21)));
        return code;
    })});
    System system(c, workload);
    EXPECT_THAT(message_of<ConfigError>([&] { system.run(); }),
                AllOf(HasSubstr("workload by-hand: kernel greedy"), HasSubstr("has no place"),
                      HasSubstr("1024 pages of 2097152 B")));
}

TEST(Limits, ThePagesThatFitExactlyRun) {
    SystemConfig c = small_system(2);
    c.placement.page_kib = 2048;
    const Workload workload = hand_workload({hand_launch("full", 2, 1, [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (std::uint64_t page = 0; page < 512; ++page) code.push_back(load(kHandBase + ((page * 2 + block) << 21)));
        return code;
    })});
    System system(c, workload);
    system.run();
    EXPECT_EQ(system.progress().kernels_done, 1U);
}

TEST(Limits, AnAddressThatIsTooWideIsAUsersFault) {
    const SystemConfig c = small_system(1); // 49 bits
    const Workload workload =
        hand_workload({hand_launch("wide", 1, 1, [](std::uint64_t, unsigned) { return WarpCode{load(1ULL << 49)}; })});
    System system(c, workload);
    EXPECT_THAT(message_of<ConfigError>([&] { system.run(); }), HasSubstr("beyond the system's 49-bit addresses"));
}

TEST(Limits, DeclaredMemoryIsCheckedBeforeAnythingIsBuilt) {
    Workload workload;
    workload.name = "declared";
    workload.ranges = {{"a", kHandBase, std::uint64_t{3} << 30}};
    EXPECT_THAT(message_of<ConfigError>([&] { System(small_system(2), workload); }),
                AllOf(HasSubstr("it declares 3072 MiB"), HasSubstr("the sockets have 2048 MiB")));
    workload.ranges = {{"b", 1ULL << 49, 128}};
    EXPECT_THAT(message_of<ConfigError>([&] { System(small_system(2), workload); }), HasSubstr("49 address bits"));
    workload.ranges = {{"c", (1ULL << 49) - 128, 129}};
    EXPECT_THAT(message_of<ConfigError>([&] { System(small_system(2), workload); }), HasSubstr("49 address bits"));
}

TEST(Limits, DeclaredMemoryMayEndWhereAddressesEnd) {
    Workload workload;
    workload.name = "declared";
    workload.ranges = {{"last", (1ULL << 49) - 128, 128}};
    System system(small_system(2), workload);
    system.run();
}

struct Unfit {
    const char* name;
    std::uint32_t threads, registers, shared_bytes;
    const char* why;
};
class UnfitKernels : public ::testing::TestWithParam<Unfit> {};

TEST_P(UnfitKernels, AreRefusedBeforeAnythingIsBuilt) {
    KernelShape shape;
    shape.name = "large";
    shape.threads = GetParam().threads;
    shape.registers = GetParam().registers;
    shape.shared_bytes = GetParam().shared_bytes;
    Launch launch;
    launch.kernel = std::make_shared<HandKernel>(shape, [](std::uint64_t, unsigned) { return WarpCode{}; });
    const Workload workload = hand_workload({launch});
    SystemConfig c = small_system(1);
    c.socket.sm.warps = 32;
    EXPECT_THAT(message_of<ConfigError>([&] { System(c, workload); }),
                AllOf(HasSubstr("kernel large cannot run"), HasSubstr(GetParam().why)));
}
INSTANTIATE_TEST_SUITE_P(All, UnfitKernels,
                         ::testing::Values(Unfit{"warps", 2048, 16, 0, "needs 64 warps, an SM has 32"},
                                           Unfit{"registers", 1024, 65, 0, "registers, an SM has 65536"},
                                           Unfit{"shared_memory", 32, 16, 65537, "shared memory, an SM has 65536"}),
                         [](const auto& param) { return std::string(param.param.name); });

} // namespace
} // namespace numavp::test

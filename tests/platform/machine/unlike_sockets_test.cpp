/// Sockets that differ: GPUs without memory, memories without SMs, other numbers of SMs and slices.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/config/config.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

std::uint64_t count_at(const nlohmann::ordered_json& values, unsigned socket, const std::string& path) {
    return values.at(nlohmann::ordered_json::json_pointer("/socket" + std::to_string(socket) + path))
        .get<std::uint64_t>();
}

void set_own(SystemConfig& c, unsigned first, unsigned last, const SocketConfig& own) {
    c.own_sockets.all.push_back({{first, last}, own});
}

/// So many GPUs without memory, then memories without SMs.
SystemConfig gpus_and_memories(unsigned gpus, unsigned memories) {
    SystemConfig c = small_system(gpus + memories);
    SocketConfig gpu = c.socket, memory = c.socket;
    gpu.memory.capacity_gib = 0;
    gpu.l2.organisation = L2Organisation::coherent;
    memory.sms = 0;
    set_own(c, 0, gpus - 1, gpu);
    set_own(c, gpus, gpus + memories - 1, memory);
    c.placement.page_kib = 4;
    c.validate(Place("small"));
    return c;
}

struct Shape {
    const char* name;
    SystemConfig (*make)();
};

SystemConfig with_own(unsigned sockets, unsigned socket, void (*change)(SocketConfig&)) {
    SystemConfig c = small_system(sockets);
    c.socket.l2.organisation = L2Organisation::numa_aware;
    c.placement.page_kib = 4;
    SocketConfig own = c.socket;
    change(own);
    set_own(c, socket, socket, own);
    c.validate(Place("small"));
    return c;
}

class UnlikeSockets : public ::testing::TestWithParam<Shape> {};

TEST_P(UnlikeSockets, KeepEveryValue) {
    const SystemConfig config = GetParam().make();
    RandomProgramShape shape;
    shape.accesses = 12;
    RandomProgram program(5, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
}

/// What results.json has under `configuration` describes the same machine.
TEST_P(UnlikeSockets, AreWrittenAndReadAgain) {
    const SystemConfig config = GetParam().make();
    const json written(dump_config(config));
    const auto again = read_config<SystemConfig>(written, Place("again"));
    EXPECT_TRUE(json(dump_config(again)) == written);
    for (unsigned s = 0; s < config.sockets; ++s)
        EXPECT_TRUE(dump_config(again.socket_at(s)) == dump_config(config.socket_at(s))) << "socket " << s;
}

INSTANTIATE_TEST_SUITE_P(
    All, UnlikeSockets,
    ::testing::Values(
        Shape{"gpus_and_memories", [] { return gpus_and_memories(2, 4); }},
        Shape{"gpus_that_keep_no_lines_of_others",
              [] {
                  SystemConfig c = gpus_and_memories(2, 4);
                  c.own_sockets.all[0].config.l2.organisation = L2Organisation::memory_side;
                  return c;
              }},
        Shape{"gpus_with_slices_for_no_channels",
              [] {
                  SystemConfig c = gpus_and_memories(2, 4);
                  SocketConfig& gpu = c.own_sockets.all[0].config;
                  gpu.l2.slices = 3; // and 2 channels, which are not there
                  gpu.l2.size_kib = 24;
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"gpus_and_memories_on_a_ring",
              [] {
                  SystemConfig c = gpus_and_memories(3, 5);
                  c.network.topology = FabricKind::ring;
                  return c;
              }},
        Shape{"lines_round_all_memories",
              [] {
                  SystemConfig c = gpus_and_memories(1, 3);
                  c.placement.policy = PlacementKind::line_interleave;
                  return c;
              }},
        Shape{"memories_without_a_cache",
              [] {
                  SystemConfig c = gpus_and_memories(2, 4);
                  c.own_sockets.all[1].config.l2.size_kib = 0;
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"one_of_a_slower_and_one_of_a_faster_core",
              [] {
                  SystemConfig c = with_own(3, 1, [](SocketConfig& own) { own.clocks_khz = {700000, 700000, 700000}; });
                  SocketConfig fast = c.socket;
                  fast.clocks_khz.sm = 1855000;
                  set_own(c, 2, 2, fast);
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"one_with_a_cut_link",
              [] { return with_own(3, 1, [](SocketConfig& own) { own.own_link.cut = LinkCutKind::flits; }); }},
        Shape{"a_memory_with_a_cut_link_on_a_ring",
              [] {
                  SystemConfig c = gpus_and_memories(3, 5);
                  c.network.topology = FabricKind::ring;
                  c.own_sockets.all[1].config.own_link.cut = LinkCutKind::flits;
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"all_without_a_cache",
              [] {
                  SystemConfig c = small_system(2);
                  c.socket.l2.size_kib = 0;
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"memories_of_two_sockets",
              [] {
                  SystemConfig c = gpus_and_memories(2, 4);
                  c.placement.sockets_per_memory = 2;
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"one_memory_of_all_sockets",
              [] {
                  SystemConfig c = small_system(4);
                  c.socket.l2.organisation = L2Organisation::numa_aware;
                  c.placement.sockets_per_memory = 4;
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"parts_of_three_clocks",
              [] {
                  SystemConfig c = gpus_and_memories(2, 4);
                  c.clock_khz = 1400000;
                  c.own_sockets.all[0].config.clocks_khz = {1250000, 700000};
                  return c;
              }},
        Shape{"three_clocks_at_least_depth",
              [] {
                  SystemConfig c = small_system(3);
                  c.clock_khz = 1400000;
                  c.socket.clocks_khz = {1250000, 700000};
                  c.socket.l2.organisation = L2Organisation::numa_aware;
                  c.socket.crossing.depth = 1;
                  c.translation.mode = TranslationMode::full;
                  set_all_depths(c, 1);
                  c.validate(Place("small"));
                  return c;
              }},
        Shape{"a_slow_core",
              [] {
                  return with_own(3, 1, [](SocketConfig& s) {
                      s.clocks_khz = {2000000, 3000000};
                      s.crossing = {3, 2};
                  });
              }},
        Shape{"fewer_memories_than_gpus", [] { return gpus_and_memories(5, 2); }},
        Shape{"other_slices",
              [] {
                  return with_own(3, 1, [](SocketConfig& s) {
                      s.l2.slices = s.memory.channels = 3;
                      s.l2.size_kib = 24;
                  });
              }},
        Shape{"more_sms", [] { return with_own(2, 0, [](SocketConfig& s) { s.sms = 5; }); }},
        Shape{"one_without_memory", [] { return with_own(3, 2, [](SocketConfig& s) { s.memory.capacity_gib = 0; }); }}),
    [](const auto& param) { return std::string(param.param.name); });

nlohmann::ordered_json run(const SystemConfig& config, unsigned blocks, const CodeOf& code) {
    const Workload workload = hand_workload({hand_launch("hand", blocks, 1, code)});
    System system(config, workload);
    system.run();
    return system.stats().values();
}

/// The pages of a memory lie in all sockets to which it belongs.
TEST(Memories, OfSeveralSocketsCountTheirPagesOnce) {
    SystemConfig c = gpus_and_memories(2, 4);
    c.placement.sockets_per_memory = 2;
    c.placement.policy = PlacementKind::page_interleave;
    const auto values = run(c, 3, [](std::uint64_t block, unsigned) {
        return WarpCode{store(kHandBase + 4096 * block)}; // pages 0 and 2 in the first memory, page 1 in the second
    });
    const std::uint64_t first = kHandBase / 4096 % 2; // memory of the first page
    for (unsigned socket = 2; socket < 6; ++socket)
        EXPECT_EQ(count_at(values, socket, "/memory/allocated_bytes"), (socket - 2) / 2 == first ? 4096U : 2048U)
            << socket;
}

/// Three GPUs have the first six of eight memories near them, two each; what is left over is near nobody.
TEST(Memories, ThatDoNotDivideAreNearInEqualSharesSideBySide) {
    SystemConfig c = gpus_and_memories(3, 8);
    c.placement.policy = PlacementKind::first_touch;
    const auto values = run(c, 3, [](std::uint64_t block, unsigned) {
        WarpCode code; // each GPU its own four pages
        for (std::uint64_t page = 0; page < 4; ++page) code.push_back(store(kHandBase + 4096 * (4 * block + page)));
        return code;
    });
    for (unsigned memory = 0; memory < 8; ++memory)
        EXPECT_EQ(count_at(values, 3 + memory, "/memory/allocated_bytes"), memory < 6 ? 2U * 4096 : 0U) << memory;
}

/// A GPU reads from a memory of its own kind as from another GPU's.
TEST(Memories, AreAsFarAsAnotherSocket) {
    SystemConfig alike = small_system(2);
    alike.socket.l2.organisation = L2Organisation::coherent;
    alike.placement.page_kib = 4;
    alike.placement.policy = PlacementKind::page_interleave;
    const auto one_load = [](std::uint64_t page) {
        return [page](std::uint64_t block, unsigned) {
            return block == 0 ? WarpCode{load(kHandBase + page * 4096)} : WarpCode{};
        };
    };
    const bool odd = kHandBase / 4096 % 2 != 0;
    const auto latency = [](const SystemConfig& config, const CodeOf& code) {
        const nlohmann::json values = run_apart([&] { return nlohmann::json(run(config, 2, code)); });
        EXPECT_EQ(count_at(values, 0, "/load_latency/remote/loads"), 1U);
        return count_at(values, 0, "/load_latency/remote/min_ps");
    };
    const std::uint64_t remote = latency(alike, one_load(odd ? 0 : 1)); // of the page that lies in socket 1
    EXPECT_GT(remote, 0U);
    EXPECT_EQ(latency(gpus_and_memories(1, 1), one_load(0)), remote);
}

TEST(Memories, TakeThePagesOfTheirShareAndNoBlocks) {
    const SystemConfig config = gpus_and_memories(2, 4);
    const auto values = run(config, 8, [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (unsigned page = 0; page < 4; ++page) code.push_back(store(kHandBase + (block * 4 + page) * 4096));
        return code;
    });
    for (unsigned s = 0; s < 2; ++s) {
        EXPECT_EQ(count_at(values, s, "/sm/blocks"), 4U) << "socket " << s;
        EXPECT_FALSE(values.at("socket" + std::to_string(s)).at("memory").contains("allocated_bytes"));
    }
    for (unsigned s = 2; s < 6; ++s)
        EXPECT_EQ(count_at(values, s, "/memory/allocated_bytes"), 8 * 4096U) << "socket " << s;
}

TEST(Instances, TheNarrowestRangeDescribesAPart) {
    const auto config = read_config<SystemConfig>(
        parse_json(R"({"sockets": 4, "socket": {"sms": 8}, "socket[0..2]": {"sms": 16, "sm": {"warps": 32}},
                       "socket[1]": {"sms": 3}})",
                   "s.json"),
        Place("s.json"));
    const std::vector<unsigned> sms = {config.socket_at(0).sms, config.socket_at(1).sms, config.socket_at(2).sms,
                                       config.socket_at(3).sms};
    EXPECT_EQ(sms, (std::vector<unsigned>{16, 3, 16, 8}));
    EXPECT_EQ(config.socket_at(1).sm.warps, 32U) << "what it leaves out is as in the range around it";
    EXPECT_EQ(config.socket_at(3).sm.warps, 64U);
}

} // namespace
} // namespace numavp::test

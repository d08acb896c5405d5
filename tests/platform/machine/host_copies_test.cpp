/// Copies between host and devices, and between arrays: their values, their time, and what else runs meanwhile.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "models/copy/host_copies.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

constexpr const char* kOrganisations[] = {"pcie", "pcie-zc", "cmn", "cmn-zc", "gmn", "gmn-zc", "umn"};

/// With few SMs, and everything checked.
SystemConfig small(const std::string& name) {
    SystemConfig c = load_system(name, {"socket.sms=2", "dispatch.launch_cycles=50"});
    c.checks.protocol = true;
    c.checks.functional = true;
    return c;
}

Launch copy_of(Launch::What what, std::uint64_t address, std::uint64_t bytes, std::uint64_t stream = 0) {
    Launch copy;
    copy.what = what;
    copy.address = address;
    copy.bytes = bytes;
    copy.stream = stream;
    return copy;
}

nlohmann::ordered_json copies_of(const System& system) { return system.stats().values().at("copies"); }

class Organisations : public ::testing::TestWithParam<const char*> {};

/// All memory goes to the host and back between the kernels: an odd number of bytes, from the middle of a line.
TEST_P(Organisations, ValuesGoRoundTheHost) {
    const SystemConfig config = small(GetParam());
    RandomProgramShape shape;
    shape.kernels = 3;
    shape.blocks = 12;
    shape.accesses = 12;
    shape.lines = 200;
    RandomProgram program(7, shape);
    const std::uint64_t begin = RandomProgram::kBase + 36, bytes = program.bytes() - 36 - 5;
    Workload workload = program.workload();
    workload.launches.clear();
    for (const Launch& kernel : program.workload().launches) {
        workload.launches.push_back(kernel);
        workload.launches.push_back(copy_of(Launch::What::copy_to_host, begin, bytes));
        workload.launches.push_back(copy_of(Launch::What::copy_to_device, begin, bytes));
    }
    SystemOptions options;
    options.hooks = &program;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    const bool copied = config.copies.mode == CopyMode::engines;
    EXPECT_EQ(system.stats().values().contains("copies"), copied);
    if (!copied) return;
    EXPECT_EQ(copies_of(system).at("to_host").at("bytes"), 3 * bytes);
    EXPECT_EQ(copies_of(system).at("to_device").at("copies"), 3);
    std::vector<unsigned char> buffer(bytes);
    system.debug_read(host_buffer(begin, config.placement.address_bits), buffer.data(), bytes);
    const auto first = program.expected_memory().begin() + 36;
    EXPECT_EQ(buffer, std::vector<unsigned char>(first, first + static_cast<std::ptrdiff_t>(bytes)));
}

/// Parts of an array of GPU 0 go to one of GPU 1, or back, behind each kernel; the memory without time does the same.
TEST_P(Organisations, ValuesGoFromGpuToGpu) {
    SystemConfig config = small(GetParam());
    RandomProgramShape shape;
    shape.kernels = 6;
    shape.blocks = 12;
    shape.accesses = 12;
    shape.copies = true;
    RandomProgram program(9, shape);
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    EXPECT_EQ(copies_of(system).at("peer").at("copies"), 6);
    EXPECT_EQ(copies_of(system).at("to_host").at("copies"), 0);
    EXPECT_GT(copies_of(system).at("peer").at("busy_ps"), 0);
}

/// What is copied to devices is what was on the host, not what kernels have made of it since.
TEST(HostCopies, BringBackWhatWasOnTheHost) {
    const SystemConfig config = small("pcie");
    RandomProgramShape shape;
    shape.kernels = 2;
    shape.lines = 64;
    RandomProgram program(11, shape);
    Workload workload = program.workload();
    workload.launches.push_back(copy_of(Launch::What::copy_to_device, RandomProgram::kBase, program.bytes()));
    SystemOptions options;
    options.hooks = &program;
    System system(config, workload, options);
    system.run();
    std::vector<unsigned char> memory(program.bytes(), 1);
    system.debug_read(RandomProgram::kBase, memory.data(), memory.size());
    EXPECT_EQ(memory, std::vector<unsigned char>(program.bytes(), 0)) << "host buffers begin as zeros";
}

/// Copies to the host end while kernels of another stream run: no value is lost.
TEST(HostCopies, EndBesideKernelsOfOtherStreams) {
    const SystemConfig config = small("gmn");
    RandomProgramShape shape;
    shape.streams = 2;
    shape.kernels = 12;
    shape.lines = 24;
    RandomProgram program(5, shape);
    Workload workload = program.workload();
    std::vector<Launch> launches;
    for (const Launch& kernel : workload.launches) {
        launches.push_back(kernel);
        launches.push_back(copy_of(Launch::What::copy_to_host, RandomProgram::kBase + 1024, 64, kernel.stream));
    }
    workload.launches = launches;
    SystemOptions options;
    options.hooks = &program;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(program.wrong_loads(), "");
    EXPECT_EQ(copies_of(system).at("to_host").at("copies"), 12);
}

/// A kernel of another stream keeps a line in its socket's L2 while a copy writes it at home: the kernel behind the
/// copy reads the new bytes there.
TEST(HostCopies, LeaveNoOlderBytesInCaches) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = L2Organisation::coherent;
    config.dispatch.launch_cycles = 0;
    config.placement.memories = "socket[0]";
    config.copies.mode = CopyMode::engines;
    config.copies.host = "socket[1]";
    constexpr std::uint64_t kBefore = 1U << 20; // the word's line is the last of a long copy
    const auto whole = [](Launch::What what) { return copy_of(what, kHandBase - kBefore, kBefore + kLineBytes); };
    WarpCode keeps;
    for (unsigned i = 0; i < 100; ++i) {
        const WarpCode again = after(1000, one_lane(load_past_l1(kOldWord, 2), 0));
        keeps.insert(keeps.end(), again.begin(), again.end());
    }
    const Workload workload = hand_workload(
        {hand_launch("place", 2, 1, on(0, {one_lane(store(kOldWord), kZero), one_lane(store(kNewWord), kWrite)})),
         whole(Launch::What::copy_to_host), hand_launch("overwrite", 2, 1, on(0, {one_lane(store(kNewWord), kZero)})),
         whole(Launch::What::copy_to_device), hand_launch("reader", 2, 1, on(1, {one_lane(load(kNewWord, 2), kRead)})),
         hand_launch("keeper", 2, 1, on(1, keeps), 1)});
    Words words;
    SystemOptions options;
    options.hooks = &words;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(words.seen, 0xab) << "what was written before the copy to the host";
    Cycle read = 0, kept = 0;
    for (const TimelineEvent& event : system.timeline()) {
        if (event.what == "kernel" && event.name == "reader") read = event.end;
        if (event.what == "kernel" && event.name == "keeper") kept = event.end;
    }
    EXPECT_LT(read, kept) << "or this test shows nothing";
}

struct Rate {
    const char* organisation;
    double gbytes_per_s; ///< of the slowest channels, of data
    double reached;      ///< of it, at least
};
class CopyRates : public ::testing::TestWithParam<Rate> {};

/// One PCIe channel of 15.75 GB/s of data is filled; of 16 channels of 20 GB/s between GPUs and the CPU's cubes, of
/// whose flits 8 in 9 are data, three quarters.
TEST_P(CopyRates, AreThoseOfTheSlowestPart) {
    SystemConfig config = load_system(GetParam().organisation, {"socket.sms=1"});
    constexpr std::uint64_t kBytes = kFastBuild ? 4U << 20 : 1U << 20;
    const nlohmann::json kernel = {
        {"pattern", "element_loop"},
        {"parameters", {{"items", kBytes / 4}, {"per_block", 1024}, {"accesses", {{{"array", "a"}}}}}},
        {"arrays", {{"a", "a"}}}};
    const nlohmann::json file = {
        {"name", "copies"},
        {"kernels", {{{"copy", "to_device"}, {"array", "a"}}, kernel, {{"copy", "to_host"}, {"array", "a"}}}}};
    const Workload workload = read_workload(file, Place("file"), {});
    System system(config, workload);
    system.run();
    const double ns = static_cast<double>(kBytes) / GetParam().gbytes_per_s;
    constexpr double kLatency = 2500; // there and back, of the first and last lines
    for (const char* way : {"to_device", "to_host"}) {
        const double took = copies_of(system).at(way).at("busy_ps").get<double>() / 1000.0;
        EXPECT_GE(took, ns) << way;
        EXPECT_LE(took, ns / GetParam().reached + kLatency) << way;
    }
    EXPECT_EQ(copies_of(system).at("to_device").at("bytes"), kBytes);
}
INSTANTIATE_TEST_SUITE_P(, CopyRates,
                         ::testing::Values(Rate{"pcie", 15.75, 0.97}, Rate{"gmn", 15.75, 0.97},
                                           Rate{"cmn", 4 * 20 * 8.0 / 9.0, 0.9}),
                         [](const auto& rate) { return std::string(rate.param.organisation); });

struct PeerRate {
    const char* organisation;
    unsigned to; ///< GPU
    double gbytes_per_s, reached;
};
class PeerCopies : public ::testing::TestWithParam<PeerRate> {};

/// From an array of GPU 0. The four cubes of the other array's GPU take it, in equal parts. Between GPUs one PCIe
/// channel is filled, or one of 20 GB/s into the CPU's network in CMN, or four of them between the clusters of the two
/// in a sliced butterfly; of their flits 8 in 9 are data. Within a GPU there are eight to its cubes.
TEST_P(PeerCopies, FillWhatLiesBetween) {
    constexpr std::uint64_t kBytes = kFastBuild ? 2U << 20 : 1U << 19;
    constexpr double kLatency = 2500;
    const nlohmann::json kernel = {
        {"pattern", "element_loop"},
        {"parameters",
         {{"items", kBytes / 4}, {"per_block", 1024}, {"accesses", {{{"array", "a"}}, {{"array", "b"}}}}}},
        {"arrays", {{"a", "a"}, {"b", "b"}}}};
    const nlohmann::json file = {{"name", "peers"},
                                 {"on_gpu", {{"a", 0}, {"b", GetParam().to}}},
                                 {"kernels", {{{"copy", "peer"}, {"array", "a"}, {"to", "b"}}, kernel}}};
    System system(load_system(GetParam().organisation, {"socket.sms=1"}), read_workload(file, Place("file"), {}));
    system.run();
    const auto statistics = system.stats().values();
    EXPECT_EQ(copies_of(system).at("peer").at("bytes"), kBytes);
    const double took = copies_of(system).at("peer").at("busy_ps").get<double>() / 1000.0;
    const double ns = static_cast<double>(kBytes) / GetParam().gbytes_per_s;
    EXPECT_GE(took, ns);
    EXPECT_LE(took, ns / GetParam().reached + kLatency);
    for (unsigned cube = 0; cube < 16; ++cube) {
        const auto& memory = statistics.at("socket" + std::to_string(4 + cube)).at("memory");
        EXPECT_EQ(memory.at("write_bytes"), cube / 4 == GetParam().to ? kBytes / 4 : 0) << "cube " << cube;
    }
}
constexpr double kFourChannels = 4 * 20 * 8.0 / 9.0;
INSTANTIATE_TEST_SUITE_P(, PeerCopies,
                         ::testing::Values(PeerRate{"pcie", 1, 15.75, 0.97}, PeerRate{"gmn", 1, kFourChannels, 0.9},
                                           PeerRate{"umn", 3, kFourChannels, 0.9},
                                           PeerRate{"cmn", 1, kFourChannels / 4, 0.9},
                                           PeerRate{"pcie", 0, 2 * kFourChannels, 0.5}),
                         [](const auto& rate) {
                             return std::string(rate.param.organisation) + "_" + std::to_string(rate.param.to);
                         });

TEST(HostCopies, BetweenArraysTakeNoTimeWhereAllAreFree) {
    const nlohmann::json triad = {{"pattern", "stream_triad"}, {"arrays", {{"a", "a"}, {"b", "b"}}}};
    const nlohmann::json copy = {{"copy", "peer"}, {"array", "a"}, {"to", "b"}, {"share", 0.5}};
    const nlohmann::json file = {{"name", "w"}, {"kernels", nlohmann::json::array({copy, triad})}};
    WorkloadOptions options;
    options.scale = 0.001;
    System system(load_system("numa-4", {"socket.sms=1", "dispatch.launch_cycles=0"}),
                  read_workload(file, Place("file"), options));
    system.run();
    EXPECT_FALSE(system.stats().values().contains("copies"));
    unsigned kernels = 0;
    for (const TimelineEvent& event : system.timeline()) {
        EXPECT_NE(event.what, "copies");
        if (event.what != "kernel") continue;
        ++kernels;
        EXPECT_LE(event.cycle, 1U);
    }
    EXPECT_EQ(kernels, 1U);
}

/// A copy to the devices and one to the host, of different streams, fill both directions of PCIe at once; with one
/// engine a socket they take turns.
TEST(HostCopies, GoBothWaysAtOnceByTwoEngines) {
    constexpr std::uint64_t kBytes = kFastBuild ? 2U << 20 : 1U << 19;
    const nlohmann::json kernel = {
        {"pattern", "element_loop"},
        {"parameters",
         {{"items", kBytes / 4}, {"per_block", 1024}, {"accesses", {{{"array", "a"}}, {{"array", "b"}}}}}},
        {"arrays", {{"a", "a"}, {"b", "b"}}}};
    const nlohmann::json file = {{"name", "both"},
                                 {"kernels",
                                  {{{"copy", "to_device"}, {"array", "a"}, {"stream", 0}},
                                   {{"copy", "to_host"}, {"array", "b"}, {"stream", 1}},
                                   kernel}}};
    const auto busy_ns = [&](const std::string& engines) {
        return run_apart([&]() -> nlohmann::json {
                   System system(load_system("pcie", {"socket.sms=1", "copies.engines=" + engines}),
                                 read_workload(file, Place("file"), {}));
                   system.run();
                   EXPECT_EQ(copies_of(system).at("to_device").at("bytes"), kBytes);
                   EXPECT_EQ(copies_of(system).at("to_host").at("bytes"), kBytes);
                   return copies_of(system).at("busy_ps").get<double>() / 1000.0;
               })
            .get<double>();
    };
    constexpr double kOneWayNs = static_cast<double>(kBytes) / 15.75, kLatency = 2500;
    const double both = busy_ns("2"), in_turn = busy_ns("1");
    EXPECT_GE(both, kOneWayNs);
    EXPECT_LE(both, kOneWayNs / 0.9 + kLatency);
    constexpr double kInFlight = 4 * 256 * kLineBytes; // of four sockets: the second copy begins while these end
    EXPECT_GE(in_turn, 2 * kOneWayNs - kInFlight / 15.75 - kLatency);
}

/// Two copies end at one edge; which kernel is launched first does not depend on which line came first.
TEST(HostCopies, ThatEndTogetherAreFollowedInOrder) {
    const auto cycles = [](std::optional<std::uint64_t> shuffle) {
        return run_apart([=]() -> nlohmann::json {
            const auto kernel = [](const char* read, const char* written, unsigned stream) -> nlohmann::json {
                return {{"pattern", "element_loop"},
                        {"stream", stream},
                        {"parameters",
                         {{"items", 16384},
                          {"per_block", 256},
                          {"work", 16},
                          {"accesses", {{{"array", "a"}}, {{"array", "b"}, {"kind", "store"}}}}}},
                        {"arrays", {{"a", read}, {"b", written}}}};
            };
            const nlohmann::json file = {{"name", "together"},
                                         {"on_gpu", {{"a", 0}, {"b", 0}, {"c", 1}, {"d", 1}}},
                                         {"kernels",
                                          {{{"copy", "peer"}, {"array", "a"}, {"to", "b"}, {"stream", 0}},
                                           {{"copy", "peer"}, {"array", "c"}, {"to", "d"}, {"stream", 1}},
                                           kernel("a", "b", 0),
                                           kernel("c", "d", 1)}}};
            SystemConfig config =
                load_system("numa-4", {"sockets=2", "socket.sms=2", "socket.l2.slices=1", "socket.memory.channels=1",
                                       "dispatch.launch_cycles=50", "copies.mode=none", "placement.page_kib=4"});
            SystemOptions options;
            options.shuffle_seed = shuffle;
            const Workload workload = read_workload(file, Place("file"), {});
            System system(config, workload, options);
            system.run();
            return system.stats().values();
        });
    };
    const nlohmann::json expected = cycles(std::nullopt);
    for (const std::uint64_t seed : {1U, 2U, 3U}) EXPECT_EQ(cycles(seed), expected) << seed;
}

/// A kernel waits for the copies of its own stream alone: one of another runs meanwhile.
TEST(HostCopies, RunBesideKernelsOfOtherStreams) {
    const nlohmann::json loop = {
        {"pattern", "element_loop"},
        {"parameters", {{"items", 262144}, {"work", 400}, {"per_block", 256}, {"accesses", {{{"array", "a"}}}}}},
        {"arrays", {{"a", "a"}}}};
    nlohmann::json first = loop, waits = loop;
    first["parameters"]["kernel"] = "first";
    waits["parameters"]["kernel"] = "waits";
    waits["stream"] = 1;
    const nlohmann::json file = {{"name", "beside"},
                                 {"kernels", {first, {{"copy", "to_device"}, {"array", "a"}, {"stream", 1}}, waits}}};
    const Workload workload = read_workload(file, Place("file"), {});
    System system(load_system("pcie", {"socket.sms=1"}), workload);
    system.run();
    Cycle copied = 0, first_ended = 0, waits_began = 0;
    for (const TimelineEvent& event : system.timeline()) {
        if (event.what == "copies") copied = event.end;
        if (event.what == "kernel" && event.name == "first") first_ended = event.end;
        if (event.what == "kernel" && event.name == "waits") waits_began = event.cycle;
    }
    EXPECT_GT(copied, 0U);
    EXPECT_GT(waits_began, copied);
    EXPECT_GT(first_ended, copied) << "the copy took no longer than the kernel beside it";
}

INSTANTIATE_TEST_SUITE_P(, Organisations, ::testing::ValuesIn(kOrganisations), [](const auto& name) {
    std::string text = name.param;
    for (char& c : text)
        if (c == '-') c = '_';
    return text;
});

} // namespace
} // namespace numavp::test

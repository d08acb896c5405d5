/// `numavp run --waves`: what waveforms say is what results and timeline say; both formats say the same; whole or not
/// there.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

#include "rtl/blocks.h"
#include "rtl/fst_file.h"
#include "tests/base/waves/fst.h"
#include "tests/base/waves/vcd.h"
#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr unsigned kSockets = 4;
constexpr std::uint64_t kWaveCyclePs = 1000; // the system's clock is 1 GHz

class WavesOfARun : public Cli {
  protected:
    /// Short samples, so that a small problem sees many decisions; policies in RTL where there is RTL.
    void run(const Args& more) const {
        Args all = {"run",
                    "numa-aware-4",
                    "spmv-powerlaw",
                    "--scale",
                    "0.05",
                    "--seed",
                    "7",
                    "--quiet",
                    "--set",
                    "link.sample_cycles=500",
                    "--set",
                    "socket.partition.sample_cycles=500"};
        if (rtl::missing().empty())
            for (const char* word :
                 {"--set", "link.balancer=dynamic_rtl", "--set", "socket.partition.controller=numa_aware_rtl"})
                all.emplace_back(word);
        all.insert(all.end(), more.begin(), more.end());
        const Ended ended = numavp(all);
        ASSERT_EQ(ended.status, 0) << ended.err;
    }
    Vcd vcd(const std::string& name) const {
        Vcd read = read_vcd(dir_.path(name));
        EXPECT_THAT(read.faults, IsEmpty());
        return read;
    }
    /// Cycle and two numbers of each event of a kind in a socket's timeline; 0 for one that it does not have.
    using Event = std::tuple<std::uint64_t, unsigned, unsigned>;
    std::vector<Event> timeline(unsigned socket, const std::string& kind, const char* first, const char* second) const {
        std::vector<Event> events;
        const auto json = json_of("out/timeline.json");
        for (const auto& event : json.at("traceEvents")) {
            if (event.value("cat", "") != kind || event.at("pid") != socket + 2) continue;
            const auto& args = event.at("args");
            events.emplace_back(args.at("cycle").get<std::uint64_t>(), args.at(first).get<unsigned>(),
                                args.value(second, 0U));
        }
        return events;
    }
    /// The same from waveforms: when any of `watched` changes after the start, and what the first two are then.
    static std::vector<Event> changes(const Vcd& vcd, const std::vector<std::string>& watched) {
        std::set<std::uint64_t> times;
        for (const std::string& name : watched)
            for (const auto& change : vcd.signals.at(name))
                if (change.first > 0) times.insert(change.first);
        std::vector<Event> events;
        for (const std::uint64_t ps : times)
            events.emplace_back(ps / kWaveCyclePs, vcd.number_at(watched[0], ps), vcd.number_at(watched[1], ps));
        return events;
    }
};

std::string socket(unsigned s) { return "socket" + std::to_string(s); }

TEST_F(WavesOfARun, ChangeNothingElse) {
    run({"--out", "without"});
    run({"--out", "with", "--waves", "w.vcd", "--waves-interval", "7"});
    EXPECT_EQ(text_of("with/results.json"), text_of("without/results.json"));
    EXPECT_EQ(text_of("with/timeline.json"), text_of("without/timeline.json"));
    EXPECT_THAT(names_in(""), ElementsAre("w.gtkw", "w.vcd", "with", "without"));
}

TEST_F(WavesOfARun, TurnLanesWhenTheTimelineDoes) {
    run({"--out", "out", "--waves", "w.vcd"});
    const Vcd waves = vcd("w.vcd");
    std::size_t turned = 0;
    for (unsigned s = 0; s < kSockets; ++s) {
        const std::string link = socket(s) + ".link.";
        const std::vector<Event> expected = timeline(s, "lanes", "out", "in");
        EXPECT_EQ(changes(waves, {link + "lanes_out[7:0]", link + "lanes_in[7:0]", link + "turning[7:0]"}), expected);
        EXPECT_EQ(
            waves.number_at(link + "lane_turns[31:0]", waves.end),
            json_of("out/results.json").at("statistics").at(socket(s)).at("link").at("lane_turns").get<unsigned>());
        turned += expected.size();
    }
    EXPECT_GT(turned, 50U);
}

TEST_F(WavesOfARun, TurnLanesAtTheEdgeWhereTheRtlDecides) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    run({"--out", "out", "--waves", "w.vcd"});
    const Vcd waves = vcd("w.vcd");
    unsigned decided = 0;
    for (unsigned s = 0; s < kSockets; ++s) {
        const std::string link = socket(s) + ".link.", block = link + "lane_balancer.";
        for (const auto& [cycle, out, in] : timeline(s, "lanes", "out", "in")) {
            const std::uint64_t ps = cycle * kWaveCyclePs;
            if (waves.number_at(link + "turning[7:0]", ps) == 0) continue; // a turn ends
            EXPECT_EQ(waves.number_at(block + "clk", ps - 1), 0U) << cycle;
            EXPECT_EQ(waves.number_at(block + "clk", ps), 1U) << cycle;
            if (waves.number_at(block + "launch", ps - 1) == 1) continue; // back to symmetry
            ++decided;
            const bool gives = out < waves.number_at(link + "lanes_out[7:0]", ps - 1);
            EXPECT_EQ(waves.number_at(block + "decision[1:0]", ps), gives ? 2U : 1U) << cycle;
            EXPECT_EQ(waves.number_at(block + "sample", ps - 1), 1U) << cycle;
        }
    }
    EXPECT_GT(decided, 20U);
}

TEST_F(WavesOfARun, MoveWaysWhenTheTimelineDoes) {
    run({"--out", "out", "--waves", "w.vcd"});
    const Vcd waves = vcd("w.vcd");
    std::size_t moved = 0;
    for (unsigned s = 0; s < kSockets; ++s) {
        const std::string ways = socket(s) + ".ways.";
        const std::vector<Event> expected = timeline(s, "ways", "l2_local", "l1_local");
        EXPECT_EQ(changes(waves, {ways + "l2_local[7:0]", ways + "l1_local[7:0]"}), expected);
        EXPECT_EQ(waves.number_at(ways + "changes[31:0]", waves.end), expected.size());
        moved += expected.size();
        if (!rtl::missing().empty()) continue;
        for (const auto& [cycle, l2, l1] : expected) // a launch halves at once, in RTL at its next edge
            EXPECT_EQ(waves.number_at(ways + "way_partition.local_ways[15:0]", (cycle + 1) * kWaveCyclePs),
                      l2 | l1 << 8U)
                << cycle;
    }
    EXPECT_GT(moved, 10U);
}

TEST_F(WavesOfARun, ShowKernelsAndQueues) {
    run({"--out", "out", "--waves", "w.vcd"});
    const Vcd waves = vcd("w.vcd");
    const auto& kernels = waves.signals.at("system.kernels[7:0]");
    EXPECT_GT(kernels.size(), 2U);
    EXPECT_EQ(waves.number_at("system.kernels[7:0]", waves.end), 0U);
    for (const char* queue : {"socket0.link.held_out[15:0]", "socket1.noc.held_requests[15:0]",
                              "socket0.l2.slice0.entries_in_use[15:0]", "socket1.noc.held_responses[15:0]",
                              "switch.held_responses[15:0]", "socket0.link.use_in[6:0]", "socket0.memory.use[6:0]"})
        EXPECT_GT(waves.signals.at(queue).size(), 3U) << queue; // x, and more than one value
}

TEST_F(WavesOfARun, ShowRoutersAndChannelsOfANetwork) {
    run({"--out", "out", "--waves", "w.vcd", "--set", "network.topology=ring", "--set", "network.parallel_channels=2"});
    const Vcd waves = vcd("w.vcd");
    for (const char* signal :
         {"network.packets_inside[15:0]", "network.router_3.held_flits[15:0]", "network.router_0.to_router_1.use[6:0]",
          "network.router_1.to_router_0.use[6:0]", "network.router_1.to_router_0_beside_1.use[6:0]"})
        EXPECT_GT(waves.signals.at(signal).size(), 3U) << signal;
}

TEST_F(WavesOfARun, ShowAMachineThatReplicates) {
    const Ended ended = numavp({"run", "nuba", "nuba-an", "--scale", "0.001", "--quiet", "--waves", "w.vcd"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_GT(vcd("w.vcd").signals.at("system.kernels[7:0]").size(), 2U);
}

/// Names stay apart where parts are called cube1 and cube, and lanes that face a channel's way are shown.
TEST_F(WavesOfARun, ShowLanesOfChannelsOfPartsWithLikeNames) {
    dir_.write("s.json", R"({"extends": "numa-aware-4-packets", "parts": [{"name": "cube", "count": 3},
        {"name": "cube1", "count": 1}, {"name": "hub", "count": 1, "kind": "router"}],
        "network": {"wires": [{"from": "cube", "to": "hub", "link": "lanes"}, {"from": "cube1", "to": "hub", "link": "lanes"}]}})");
    const Ended ended = numavp({"run", "s.json", "spmv-powerlaw", "--scale", "0.02", "--quiet", "--out", "out",
                                "--waves", "w.vcd", "--set", "socket.sms=4"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    const Vcd waves = vcd("w.vcd");
    EXPECT_EQ(waves.number_at("network.cube_1.to_hub_0.lanes[7:0]", 0), 8U);
    EXPECT_EQ(waves.signals.count("network.cube1_0.to_hub_0.lanes[7:0]"), 1U);
}

TEST_F(WavesOfARun, SayTheSameInBothFormats) {
    NUMAVP_NEEDS(kHasFst, rtl::fst_missing());
    run({"--out", "one", "--waves", "w.vcd"});
    run({"--out", "two", "--waves", "sub/w.fst"});
    ASSERT_TRUE(vcd_of_fst(dir_.path("sub/w.fst"), dir_.path("again.vcd")));
    EXPECT_EQ(vcd("again.vcd").signals, vcd("w.vcd").signals);
    EXPECT_EQ(vcd("again.vcd").end, vcd("w.vcd").end);
    EXPECT_THAT(names_in("sub"), ElementsAre("w.fst", "w.gtkw"));
    const std::string first = text_of("sub/w.fst");
    run({"--out", "two", "--waves", "sub/w.fst"});
    EXPECT_TRUE(text_of("sub/w.fst") == first) << "the same run gives other bytes";
}

TEST_F(WavesOfARun, AreListedForGtkwaveByNamesThatThereAre) {
    run({"--out", "out", "--waves", "w.vcd"});
    const Vcd waves = vcd("w.vcd");
    std::istringstream save(text_of("w.gtkw"));
    std::set<std::string> listed;
    for (std::string line; std::getline(save, line);) {
        if (line.empty() || std::string("@[*-").find(line[0]) != std::string::npos) continue;
        EXPECT_EQ(waves.signals.count(line), 1U) << line;
        EXPECT_TRUE(listed.insert(line).second) << line;
    }
    EXPECT_GT(listed.size(), 100U);
    EXPECT_EQ(listed.count("socket1.link.lanes_out[7:0]"), 1U);
    EXPECT_EQ(listed.count("socket0.link.lane_balancer.decision[1:0]"), rtl::missing().empty() ? 1U : 0U);
}

TEST_F(WavesOfARun, KeepToTheirWindow) {
    run({"--out", "out", "--waves", "all.vcd"});
    run({"--out", "out", "--waves", "some.vcd", "--waves-from", "2.5", "--waves-to", "4"});
    const Vcd all = vcd("all.vcd"), some = vcd("some.vcd");
    EXPECT_EQ(some.begin, 2'500'000U);
    EXPECT_EQ(some.end, 4'000'000U);
    for (const auto& [name, changes] : all.signals)
        for (const std::uint64_t ps : {2'500'000U, 3'000'000U, 4'000'000U})
            EXPECT_EQ(some.at(name, ps), all.at(name, ps)) << name;
}

TEST_F(WavesOfARun, AreRefusedWithASentence) {
    expect_fault({"run", "numa-4", "compute", "--waves", "w.txt"},
                 "--waves: 'w.txt' does not say the format; a name that ends in .fst or .vcd");
    expect_fault({"run", "numa-4", "compute", "--waves", "none/../none"}, "does not say the format");
    expect_fault({"run", "numa-4", "compute", "--waves", "w.vcd", "--waves-from", "soon"},
                 "--waves-from: 'soon' is not a number of micro");
    expect_fault({"run", "numa-4", "compute", "--waves", "w.vcd", "--waves-from", "3", "--waves-to", "2"},
                 "--waves-to: it is before");
    expect_fault({"run", "numa-4", "compute", "--waves", "w.vcd", "--waves-interval", "0"},
                 "--waves-interval: '0' is not a whole number");
    expect_fault({"run", "--waves-from", "3"}, "--waves-from requires --waves");
    expect_fault({"run", "numa-4", "compute", "--waves", "/proc/none/w.vcd"}, "--waves: it can't be made");
    if (!kHasFst) expect_fault({"run", "numa-4", "compute", "--waves", "w.fst"}, "a name that ends in .vcd is allowed");
    std::filesystem::create_directory(dir_.path("folder.vcd"));
    expect_fault({"run", "numa-4", "compute", "--waves", "folder.vcd"},
                 "--waves: this is a folder; a file is expected");
}

TEST_F(WavesOfARun, LeaveNothingOnAFullDisk) {
    for (const char* name : {"w.vcd", "w.fst"}) {
        if (!kHasFst && std::string(name) == "w.fst") continue;
        const Ended ended = numavp_in_files_of(16, small_run_words({"--waves", name}));
        EXPECT_EQ(ended.status, 2) << name << ended.out;
        EXPECT_THAT(ended.err, AllOf(HasSubstr("--waves: "), HasSubstr(std::string(name) + " can't be written whole")));
        EXPECT_THAT(names_in(""), IsEmpty()) << name;
    }
}

TEST_F(WavesOfARun, AreNotThereWhenInterruptedOrKilled) {
    const Args endless = {"run", "numa-aware-4", "spmv-powerlaw",          "--quiet", "--out",
                          "out", "--scale",      kFastBuild ? "4" : "0.5", "--waves", "w.vcd"};
    const auto stopped = [&](int signal) {
        Process run(program(endless), environment(), dir_.path(""));
        for (int i = 0; i < 400 && names_in("").empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        run.send(signal);
        return run.wait(60.0);
    };
    EXPECT_EQ(stopped(SIGINT).status, 130);
    std::filesystem::remove(dir_.path("out.unfinished.json")); // there if a kernel had ended
    EXPECT_THAT(names_in(""), IsEmpty());
    EXPECT_EQ(stopped(SIGKILL).signal, SIGKILL);
    EXPECT_THAT(names_in(""), SizeIs(1)); // hidden, and gone with the next run to the same place
    run({"--out", "out", "--waves", "w.vcd"});
    EXPECT_THAT(names_in(""), ElementsAre("out", "w.gtkw", "w.vcd"));
}

} // namespace
} // namespace numavp::test

/// What a run is too small to show, by hand-made results on either side of each bound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/summary/caveats.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A run in which nothing is too small: two sockets of 10 SMs, two kernels of 40,000 cycles with 200 blocks, 20,000
/// cycles outside.
struct Made {
    Made() {
        config.sockets = 2;
        config.socket.sms = 10;
        config.socket.partition.controller = WayPartitionKind::fixed;
        config.link.balancer = LaneBalancerKind::fixed;
        results =
            ordered_json::parse(R"({"cycles": 100000, "statistics": {"system": {"pages": 400, "pages_shared": 100}},
            "kernels": {"rows": {"kind": ["kernel", "folded", "outside"], "launches": [1, 2, 0],
                                 "cycles": [40000, 40000, 20000]},
                        "counters": {"system.blocks": [200, 400, 0]}}})");
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const Caveat& caveat : caveats_of(config, results)) all.emplace_back(caveat.rule->name);
        return all;
    }
    std::string words() const { return caveats_text(caveats_of(config, results)); }
    SystemConfig config;
    ordered_json results;
};

TEST(Caveats, ARunThatIsLargeEnoughHasNone) {
    const Made made;
    EXPECT_THAT(made.names(), ElementsAre());
    EXPECT_EQ(made.words(), "");
}

TEST(Caveats, TimeOutsideKernels) {
    Made made;
    made.results["kernels"]["rows"]["cycles"] = {30000, 42000, 28000};
    EXPECT_THAT(made.names(), ElementsAre("outside_kernels"));
    EXPECT_EQ(made.words(), "too small for a conclusion: 28 % of the time is outside kernels");
}

/// Weighted by the kernels' time: 35 blocks in a launch for half of it, 120 for the other.
TEST(Caveats, BlocksForAnSm) {
    Made made;
    made.results["kernels"]["counters"]["system.blocks"] = {35, 240, 0};
    EXPECT_THAT(made.words(), HasSubstr("3.88 blocks of a kernel fall on an SM"));
    made.results["kernels"]["counters"]["system.blocks"] = {40, 240, 0};
    EXPECT_THAT(made.names(), ElementsAre());
    made.config.socket.sms = 11; // more SMs, fewer blocks for each
    EXPECT_THAT(made.names(), ElementsAre("blocks_an_sm"));
}

TEST(Caveats, PagesThatSeveralTouchWhereThereAreFew) {
    Made made;
    made.results["statistics"]["system"]["pages_shared"] = 101;
    EXPECT_THAT(made.words(), HasSubstr("25 % of the 400 pages of 64 KiB are touched by several sockets"));
    made.results["statistics"]["system"] = {{"pages", 512},
                                            {"pages_shared", 500}}; // 256 for each: the program's sharing
    EXPECT_THAT(made.names(), ElementsAre());
    made.results["statistics"]["system"] = {{"pages", 400}, {"pages_shared", 400}};
    EXPECT_THAT(made.names(), ElementsAre("pages_shared"));
    made.config.sockets = 1;
    EXPECT_THAT(made.names(), ElementsAre());
    made.config.sockets = 2;
    made.results["statistics"]["system"].erase("pages_shared"); // a driver places pages
    EXPECT_THAT(made.names(), ElementsAre());
}

TEST(Caveats, KernelsShorterThanTwoSamplesOfWhatAdapts) {
    Made made;
    made.config.link.balancer = LaneBalancerKind::dynamic;
    made.config.link.sample_cycles = 10000; // launches take 40,000 and 20,000 cycles
    EXPECT_THAT(made.names(), ElementsAre());
    made.config.link.sample_cycles = 10001; // half of the time, and no more
    EXPECT_THAT(made.names(), ElementsAre());
    made.config.link.sample_cycles = 20001;
    EXPECT_THAT(made.words(),
                HasSubstr("100 % of the kernels' time is in kernels shorter than two samples of the lanes' "
                          "balancer (20,001 cycles each)"));
    made.config.socket.partition.controller = WayPartitionKind::numa_aware;
    made.config.socket.partition.sample_cycles = 20001;
    made.config.socket.l2.organisation = L2Organisation::memory_side; // has no ways to move
    EXPECT_THAT(made.names(), ElementsAre("lane_samples"));
    made.config.socket.l2.organisation = L2Organisation::numa_aware;
    made.config.replication.policy = ReplicationPolicy::model;
    made.config.replication.epoch_cycles = 20001;
    EXPECT_THAT(made.names(), ElementsAre("lane_samples", "way_samples", "replication_samples"));
    made.config.replication.policy = ReplicationPolicy::full; // decides nothing
    made.config.sockets = 1;                                  // has no lanes
    made.config.socket.sms = 20;
    EXPECT_THAT(made.names(), ElementsAre("way_samples"));
}

TEST(Caveats, ResultsWithoutWhatARuleReadsHaveNone) {
    Made made;
    made.results = ordered_json::object();
    EXPECT_THAT(made.names(), ElementsAre());
}

TEST(Caveats, AreWrittenWithTheirBounds) {
    Made made;
    made.results["kernels"]["rows"]["cycles"] = {30000, 42000, 28000};
    EXPECT_EQ(json_of(caveats_of(made.config, made.results)), ordered_json::parse(R"([{"name": "outside_kernels",
        "value": 0.28, "unit": "", "bound": 0.2, "words": "28 % of the time is outside kernels"}])"));
}

} // namespace
} // namespace numavp::test

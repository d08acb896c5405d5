/// RTL blocks with their assertions at work, whole and broken on purpose; the evaluator with every input there is.
#include <vector>

#include <gtest/gtest.h>

#include "models/cache/replication_model.h"
#include "tests/rtl/checked/lockstep.h"

namespace numavp {
namespace {

constexpr bool kSees = true;
constexpr bool kBlind = false;

/// A fault of an RTL block (tests/mutation/rtl.json) and who notices it here. tests/rtl/prove.sh says the same of the
/// proofs; docs/trust/RTL_CHECKS.md has the table.
struct Fault {
    unsigned number;
    const char* what;
    bool comparison;
    bool assertion;
};

void expect_noticed(const std::vector<Fault>& faults, Noticed (*lockstep)(unsigned, unsigned), unsigned steps) {
    const Noticed whole = lockstep(0, steps);
    ASSERT_FALSE(whole.by_comparison);
    ASSERT_FALSE(whole.by_assertion);
    for (const Fault& fault : faults) {
        const Noticed noticed = lockstep(fault.number, steps);
        EXPECT_EQ(noticed.by_comparison, fault.comparison) << fault.number << ": " << fault.what;
        EXPECT_EQ(noticed.by_assertion, fault.assertion) << fault.number << ": " << fault.what;
    }
}

TEST(RtlFaults, OfTheLaneBalancer) {
    expect_noticed(
        {
            {1, "a slot too few is counted out", kSees, kBlind},
            {2, "load in is that out", kSees, kBlind},
            {3, "one direction alone takes the last lane", kSees, kSees},
            {4, "both full: out gives at one lane more", kSees, kBlind},
            {5, "both full: in gives late", kSees, kBlind},
            {6, "out may give down to no lane", kSees, kSees},
            {7, "a turning lane is no obstacle", kSees, kSees},
            {8, "out is asked before in: equivalent", kBlind, kBlind},
            {9, "the decisions are swapped", kSees, kSees},
            {10, "a decision stays without a sample", kSees, kSees},
            {11, "an odd lane faces in at a launch", kSees, kSees},
            {12, "the saturation in is 99 %, whatever is set", kSees, kBlind},
            {13, "without capacity out is full", kSees, kBlind},
        },
        lanes_in_lockstep, 50'000);
}

TEST(RtlFaults, OfTheWayPartition) {
    expect_noticed(
        {
            {1, "responses count 128 B without their header", kSees, kBlind},
            {2, "memory is held against the link's capacity", kSees, kBlind},
            {3, "both full: nothing moves", kSees, kBlind},
            {4, "link and memory are mixed up", kSees, kBlind},
            {5, "the last local way may go", kSees, kSees},
            {6, "the last remote way may go", kSees, kSees},
            {7, "an odd way wanders between equal halves", kSees, kBlind},
            {8, "two remote ways more are equal", kSees, kBlind},
            {9, "the second cache stays", kSees, kBlind},
            {10, "an odd way is remote at a launch", kSees, kSees},
            {11, "ways move without a sample", kSees, kSees},
            {12, "a launch does not silence the verdict", kSees, kSees},
        },
        ways_in_lockstep, 50'000);
}

TEST(RtlFaults, OfTheReplicationModel) {
    expect_noticed(
        {
            {1, "none: remote is bound by memory, not the network", kSees, kBlind},
            {2, "none: local is weighted as remote", kSees, kBlind},
            {3, "full: remote memory is bound by the network alone", kSees, kBlind},
            {4, "full: misses are bound by memory alone", kSees, kBlind},
            {5, "a quotient bit is missing", kSees, kSees},
            {6, "a multiplication takes 4 cycles", kSees, kSees},
            {7, "a start while busy begins afresh", kSees, kSees},
            {8, "memory is as fast as the network", kSees, kBlind},
            {9, "the miss rate is the hit rate", kSees, kBlind},
            {10, "0 of 0 is all", kSees, kSees},
            {11, "products are rounded", kSees, kBlind},
            {12, "a sum loses its highest bit", kSees, kBlind},
            {13, "the minimum is the maximum", kSees, kBlind},
            {14, "equal replicates", kSees, kBlind},
            {15, "the lower bandwidth wins", kSees, kBlind},
            {16, "the comparison is made twice: equivalent", kBlind, kBlind},
        },
        model_in_lockstep, 2'000);
}

std::vector<ReplicationProfile> all_profiles(std::uint64_t most) {
    std::vector<ReplicationProfile> all;
    ReplicationProfile p;
    for (p.lookups = 0; p.lookups <= most; ++p.lookups)
        for (p.hits = 0; p.hits <= p.lookups; ++p.hits)
            for (p.misses = 0; p.misses <= p.lookups; ++p.misses)
                for (p.requests = 0; p.requests <= most; ++p.requests)
                    for (p.local_requests = 0; p.local_requests <= p.requests; ++p.local_requests)
                        for (p.remote_requests = 0; p.remote_requests <= p.requests; ++p.remote_requests)
                            all.push_back(p);
    return all;
}

/// Both ALUs see every profile and every bandwidth; the comparison sees these pairs.
TEST(RtlReplicationModel, IsItsTwinForEveryInputOfNarrowWidths) {
    constexpr ReplicationWidths widths{2, 3, 3};
    const ReplicationModel twin(widths);
    const std::vector<ReplicationProfile> profiles = all_profiles(3);
    ASSERT_EQ(profiles.size(), 900U);
    Bench bench(0);
    Vrtl_bench& pins = bench.pins;
    for (std::size_t i = 0; i < profiles.size(); ++i) {
        const ReplicationProfile& none = profiles[i];
        const ReplicationProfile& full = profiles[profiles.size() - 1 - i];
        pins.lookups = none.lookups | full.lookups << 24U;
        pins.hits = none.hits | full.hits << 24U;
        pins.misses = none.misses | full.misses << 24U;
        pins.requests = none.requests | full.requests << 24U;
        pins.local_requests = none.local_requests | full.local_requests << 24U;
        pins.remote_requests = none.remote_requests | full.remote_requests << 24U;
        for (unsigned bandwidths = 0; bandwidths < 512; ++bandwidths) {
            const ReplicationBandwidths raw{bandwidths & 7U, bandwidths >> 3U & 7U, bandwidths >> 6U};
            pins.llc = static_cast<IData>(raw.llc);
            pins.memory = static_cast<IData>(raw.memory);
            pins.noc = static_cast<IData>(raw.noc);
            pins.start = 1;
            bench.edge(pins.narrow_clk);
            pins.start = 0;
            for (unsigned cycle = 0; cycle < replication_cycles(widths); ++cycle) bench.edge(pins.narrow_clk);
            const ReplicationEstimate expected = twin.evaluate(none, full, raw);
            ASSERT_TRUE(pins.narrow_done);
            ASSERT_EQ(pins.narrow_none, expected.bandwidth_none) << i << ", " << bandwidths;
            ASSERT_EQ(pins.narrow_full, expected.bandwidth_full) << i << ", " << bandwidths;
            bench.edge(pins.narrow_clk);
            ASSERT_EQ(pins.narrow_replicate, expected.replicate) << i << ", " << bandwidths;
        }
    }
    EXPECT_FALSE(bench.assertion_broken());
}

} // namespace
} // namespace numavp

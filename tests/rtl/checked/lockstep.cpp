#include "tests/rtl/checked/lockstep.h"

#include "tests/rtl/random_samples.h"

namespace numavp {

namespace {
constexpr unsigned kPercent = 97; // not the default: a block that does not look at the pin is noticed

bool both(const Noticed& noticed) { return noticed.by_comparison && noticed.by_assertion; }

QData joined(std::uint64_t none, std::uint64_t full) { return none | full << 24U; }

void put(Vrtl_bench& pins, const ReplicationProfile& none, const ReplicationProfile& full,
         const ReplicationBandwidths& raw) {
    pins.lookups = joined(none.lookups, full.lookups);
    pins.hits = joined(none.hits, full.hits);
    pins.misses = joined(none.misses, full.misses);
    pins.requests = joined(none.requests, full.requests);
    pins.local_requests = joined(none.local_requests, full.local_requests);
    pins.remote_requests = joined(none.remote_requests, full.remote_requests);
    pins.llc = static_cast<IData>(raw.llc);
    pins.memory = static_cast<IData>(raw.memory);
    pins.noc = static_cast<IData>(raw.noc);
}

/// An evaluation from start to decision, with other starts and inputs on the pins meanwhile.
bool evaluates_alike(Bench& bench, Rng& random, const ReplicationModel& twin) {
    Vrtl_bench& pins = bench.pins;
    const ReplicationProfile none = random_profile(random);
    const ReplicationProfile full = random.below(2) ? random_profile(random) : none;
    const ReplicationBandwidths raw = random_bandwidths(random);
    const ReplicationEstimate expected = twin.evaluate(none, full, raw);
    put(pins, none, full, raw);
    pins.start = 1;
    bench.edge(pins.model_clk);
    put(pins, full, none, random_bandwidths(random));
    bool same = pins.model_busy && !pins.model_done;
    for (unsigned cycle = 1; cycle <= replication_cycles(); ++cycle) {
        pins.start = random.below(64) == 0;
        bench.edge(pins.model_clk);
        same = same && pins.model_done == (cycle == replication_cycles());
    }
    same = same && pins.model_none == expected.bandwidth_none && pins.model_full == expected.bandwidth_full;
    pins.start = random.below(2) == 0; // still ignored
    bench.edge(pins.model_clk);
    same = same && pins.model_decided && pins.model_replicate == expected.replicate && !pins.model_busy;
    pins.start = 0;
    for (std::uint64_t idle = random.below(3); idle > 0; --idle) {
        bench.edge(pins.model_clk);
        same = same && !pins.model_decided && !pins.model_busy && pins.model_replicate == expected.replicate;
    }
    return same;
}
} // namespace

Noticed lanes_in_lockstep(unsigned mutant, unsigned steps) {
    Bench bench(mutant, kPercent);
    Vrtl_bench& pins = bench.pins;
    DynamicLaneBalancer twin({kPercent});
    Rng random(21);
    Noticed noticed;
    for (unsigned i = 0; i < steps && !both(noticed); ++i) {
        const LaneSample s = random_lane_sample(random, kPercent);
        pins.busy_out = s.busy_out;
        pins.available_out = s.available_out;
        pins.busy_in = s.busy_in;
        pins.available_in = s.available_in;
        pins.lanes_out = static_cast<CData>(s.lanes_out);
        pins.lanes_in = static_cast<CData>(s.lanes_in);
        pins.turning = static_cast<CData>(s.turning);
        pins.sample = random.below(4) != 0;
        pins.launch = !pins.sample && random.below(2) != 0;
        bench.edge(pins.lanes_clk);
        const LaneDecision expected = pins.sample ? twin.sample(s) : LaneDecision::none;
        bool same = pins.lane_decision == static_cast<unsigned>(expected);
        if (pins.launch)
            same = same && twin.launch({s.lanes_out, s.lanes_in}) == LaneSplit{pins.launch_out, pins.launch_in};
        noticed.by_comparison |= !same;
        noticed.by_assertion |= bench.assertion_broken();
    }
    return noticed;
}

Noticed ways_in_lockstep(unsigned mutant, unsigned steps) {
    Bench bench(mutant, kPercent, 5U << 8U | 16U);
    Vrtl_bench& pins = bench.pins;
    NumaAwareWayPartition twin({kPercent, {{16, 1}, {5, 1}}});
    Rng random(22);
    Noticed noticed;
    for (unsigned i = 0; i < steps && !both(noticed); ++i) {
        const PartitionSample s = random_partition_sample(random, kPercent);
        pins.local_bytes = s.local_bytes;
        pins.local_capacity_bytes = s.local_capacity_bytes;
        pins.outgoing_reads = s.outgoing_reads;
        pins.response_bytes = static_cast<SData>(s.response_bytes);
        pins.ingress_capacity_bytes = s.ingress_capacity_bytes;
        pins.sample = random.below(4) != 0;
        pins.launch = random.below(64) == 0; // with a sample it wins
        bench.edge(pins.ways_clk);
        WayDecision expected = WayDecision::none;
        if (pins.launch)
            twin.launch();
        else if (pins.sample)
            expected = twin.sample(s);
        const bool same = pins.way_decision == static_cast<unsigned>(expected) &&
                          pins.local_ways == (twin.local_ways(1) << 8U | twin.local_ways(0));
        noticed.by_comparison |= !same;
        noticed.by_assertion |= bench.assertion_broken();
    }
    return noticed;
}

Noticed model_in_lockstep(unsigned mutant, unsigned steps) {
    Bench bench(mutant);
    const ReplicationModel twin;
    Rng random(23);
    Noticed noticed;
    for (unsigned i = 0; i < steps && !both(noticed); ++i) {
        noticed.by_comparison |= !evaluates_alike(bench, random, twin);
        noticed.by_assertion |= bench.assertion_broken();
    }
    return noticed;
}

} // namespace numavp

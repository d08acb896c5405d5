/// The replication model, fed by sampled sets, against a replay of the same accesses with and without replicas.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/cache/replication_sampler.h"

namespace numavp::test {
namespace {

constexpr unsigned kReplayed = 8, kReplayedSlices = 2, kSliceSets = 48, kSliceWays = 16, kSampledSets = 8;

/// Cycles that a line takes at each resource of NUBA's Table 1, at 1.4 GHz: 144 B at 32 B a cycle of a slice, nine
/// flits of 16 B at a port, of which each slice has one, 128 B of a channel of 22.5 GB/s.
constexpr double kSliceCycles = 4.5, kPortCycles = 9.0, kMemoryCycles = 128 / (22.5 / 1.4);

struct Access {
    unsigned partition, home, slice;
    std::uint64_t line;
    bool read_only;
};

/// What a kernel does in an epoch.
struct Mix {
    double shared;               ///< part of the accesses that go to lines that all partitions read
    std::uint64_t shared_lines;  ///< of these
    std::uint64_t private_lines; ///< of each partition
    double local;                ///< part of a partition's private lines that lie with it
};

Mix draw_mix(Rng& rng) {
    const auto between = [&](double low, double high) {
        return low * std::pow(high / low, static_cast<double>(rng.below(1U << 20)) / (1U << 20));
    };
    return {static_cast<double>(rng.below(101)) / 100, static_cast<std::uint64_t>(between(64, 40000)),
            static_cast<std::uint64_t>(between(64, 20000)), static_cast<double>(50 + rng.below(51)) / 100};
}

/// The number of a line tells where it is: `slice + kReplayedSlices * (home + kReplayed * ...)`, scattered.
std::uint64_t scattered(std::uint64_t n) {
    n *= 0x9E3779B97F4A7C15ULL;
    return n >> 24;
}
Access draw_access(const Mix& mix, unsigned partition, Rng& rng) {
    Access a{};
    a.partition = partition;
    a.read_only = static_cast<double>(rng.below(1U << 20)) < mix.shared * (1U << 20);
    const std::uint64_t number = a.read_only ? rng.below(static_cast<std::uint32_t>(mix.shared_lines))
                                             : (std::uint64_t{partition} + 1) * (1U << 20) +
                                                   rng.below(static_cast<std::uint32_t>(mix.private_lines));
    const std::uint64_t where = scattered(number);
    a.slice = static_cast<unsigned>(where % kReplayedSlices);
    a.home = static_cast<unsigned>(where / kReplayedSlices % kReplayed);
    const bool here = static_cast<double>(where / (kReplayedSlices * kReplayed) % 100) < mix.local * 100;
    if (!a.read_only && here) a.home = partition;
    a.line = scattered(number + (1U << 30)) % (1U << 30) * kLineBytes;
    return a;
}

/// What happened in an epoch, in all partitions.
struct Outcome {
    double cycles = 0; ///< of the busiest resource
    std::uint64_t requests = 0, remote_requests = 0;
    std::uint64_t lookups = 0, hits = 0; ///< where a request was looked up first
    std::uint64_t bypassing = 0;         ///< remote, and looked up at their home alone

    /// As the model takes it. `all_missed`: requests that bypass the own slices count as misses there.
    ReplicationProfile profile(bool all_missed) const {
        const std::uint64_t looked = all_missed ? requests : lookups;
        return {looked, hits, looked - hits, requests, requests - remote_requests, remote_requests};
    }
};

/// All slices of a machine that replicates all or nothing, and what has loaded each resource.
class Replay {
  public:
    explicit Replay(bool replicates)
        : replicates_(replicates),
          slices_(std::size_t{kReplayed} * kReplayedSlices, TagArray(kSliceSets, kSliceWays, false)) {}
    /// True if the access went to its home.
    bool take(const Access& a) {
        const bool remote = a.home != a.partition;
        const bool here = !remote || (replicates_ && a.read_only);
        ++counted_.requests;
        counted_.remote_requests += remote ? 1U : 0U;
        counted_.bypassing += here ? 0U : 1U;
        if (here) {
            const bool hit = first_look_up(a.partition, a);
            if (hit || !remote) return !remote;
        }
        out_[a.home * kReplayedSlices + a.slice] += kPortCycles;
        in_[a.partition * kReplayedSlices + a.slice] += kPortCycles;
        if (here || replicates_)
            look_up(a.home, a);
        else
            first_look_up(a.home, a);
        return true;
    }
    /// Since the last call.
    Outcome outcome() {
        for (auto* load : {&slice_, &memory_, &in_, &out_}) {
            counted_.cycles = std::max(counted_.cycles, *std::max_element(load->begin(), load->end()));
            std::fill(load->begin(), load->end(), 0.0);
        }
        return std::exchange(counted_, {});
    }
    TagArray& slice(unsigned partition, unsigned slice) { return slices_[partition * kReplayedSlices + slice]; }

  private:
    bool first_look_up(unsigned partition, const Access& a) {
        const bool hit = look_up(partition, a);
        ++counted_.lookups;
        counted_.hits += hit ? 1U : 0U;
        return hit;
    }
    bool look_up(unsigned partition, const Access& a) {
        TagArray& tags = slice(partition, a.slice);
        slice_[partition * kReplayedSlices + a.slice] += kSliceCycles;
        const int frame = tags.find(a.line);
        if (frame >= 0) {
            tags.touch(static_cast<unsigned>(frame));
            return true;
        }
        const auto victim = static_cast<unsigned>(tags.victim(a.line, {}));
        tags.install(victim, a.line, false, SectorSet::all());
        tags.touch(victim);
        if (a.home == partition) memory_[partition] += kMemoryCycles;
        return false;
    }
    bool replicates_;
    std::vector<TagArray> slices_;
    std::vector<double> memory_ = std::vector<double>(kReplayed),
                        slice_ = std::vector<double>(std::size_t{kReplayed} * kReplayedSlices), in_ = slice_,
                        out_ = slice_; ///< and ports of the slices, to them and from them
    Outcome counted_;
};

/// What reaches the sampled slice, whatever is replicated: requests of its own SMs, and of others to lines at home
/// here.
void sample(ReplicationSampler& sampler, const Access& a, Cycle edge) {
    const bool own = a.partition == 0;
    if (a.slice != 0 || (!own && a.home != 0) || !sampler.samples(a.line)) return;
    sampler.note(edge, a.partition, {a.line, own, a.home != 0, a.read_only});
}

/// Choices against what the replay says, in epochs in which that differs by 5 % or more.
struct Score {
    unsigned compared = 0, right = 0, needless = 0; ///< needless: replicates where it should not
    double chosen = 0;                              ///< cycles
    void add(bool choice, const Outcome& none, const Outcome& full) {
        ++compared;
        right += choice == (full.cycles < none.cycles) ? 1U : 0U;
        needless += choice && full.cycles >= none.cycles ? 1U : 0U;
        chosen += choice ? full.cycles : none.cycles;
    }
    void operator+=(const Score& o) {
        compared += o.compared;
        right += o.right;
        needless += o.needless;
        chosen += o.chosen;
    }
    double percent() const { return 100.0 * right / compared; }
};
constexpr ReplicationBandwidths kRaw{89600, 22500, 44800}; // MB/s of a partition (Table 1)
bool by_bandwidths(const ReplicationSampler::Profiles& p) {
    return ReplicationModel().evaluate(p.none, p.full, kRaw).replicate;
}
bool by_busiest(const ReplicationSampler::Profiles& p) {
    return busiest_resource(p.none.requests, p.loads_none, p.loads_full, kRaw).replicate;
}

/// A machine that does from epoch to epoch what an estimate says, and whose sampler sees only what comes to its slice
/// then.
struct Chooser {
    Chooser(const TagArray& shape, unsigned sets, bool (*by)(const ReplicationSampler::Profiles&))
        : sampler(shape, sets, true), chooses(by) {}
    void see(const Access& a, Cycle edge, bool comes_past_replicas) {
        if (a.partition == 0 || !replicates || comes_past_replicas) sample(sampler, a, edge);
    }
    void decide() { sampler.set_replicates(replicates = chooses(sampler.take())); }

    ReplicationSampler sampler;
    bool (*chooses)(const ReplicationSampler::Profiles&);
    bool replicates = false;
    Score score{};
};

struct Scores {
    Score sampled, all_sets, exact, exact_missed;
    Score bandwidths, busiest, busiest_of_16, busiest_of_all; ///< of choosers
    double best = 0, worst = 0;
    unsigned as_all_sets = 0;                 ///< the sampled sets say the same as all
    unsigned exact_differs = 0, as_exact = 0; ///< by the formula with true inputs; the sampled sets say the same
};

bool differ(double none, double full) { return std::abs(full / none - 1) >= 0.05; }

Scores replay_kernels() {
    constexpr unsigned kKernels = 150, kEpochs = 3, kAccesses = 3000; // of a partition and epoch
    const auto replicates = [](const ReplicationProfile& none, const ReplicationProfile& full) {
        return by_bandwidths({none, full, {}, {}});
    };
    Scores scores;
    Rng rng(7, 3);
    for (unsigned k = 0; k < kKernels; ++k) {
        const Mix mix = draw_mix(rng);
        Replay none(false), full(true);
        const TagArray shape(kSliceSets, kSliceWays, false);
        ReplicationSampler some(shape, kSampledSets), all(shape, kSliceSets);
        Chooser choosers[] = {{shape, kSampledSets, by_bandwidths},
                              {shape, kSampledSets, by_busiest},
                              {shape, 2 * kSampledSets, by_busiest},
                              {shape, kSliceSets, by_busiest}};
        Cycle edge = 0;
        for (unsigned e = 0; e < kEpochs; ++e) {
            for (unsigned i = 0; i < kAccesses; ++i) {
                ++edge;
                for (unsigned p = 0; p < kReplayed; ++p) {
                    const Access a = draw_access(mix, p, rng);
                    none.take(a);
                    const bool home = full.take(a);
                    for (Chooser& chooser : choosers) chooser.see(a, edge, home);
                    sample(some, a, edge);
                    sample(all, a, edge);
                }
            }
            const ReplicationSampler::Profiles few = some.take(), every = all.take();
            for (Chooser& chooser : choosers) chooser.decide();
            const Outcome without = none.outcome(), with = full.outcome();
            if (e == 0) continue; // caches fill
            const bool choice = replicates(few.none, few.full), of_all = replicates(every.none, every.full);
            const ReplicationEstimate exact =
                ReplicationModel().evaluate(without.profile(false), with.profile(false), kRaw);
            if (differ(static_cast<double>(exact.bandwidth_none), static_cast<double>(exact.bandwidth_full))) {
                ++scores.exact_differs;
                scores.as_exact += choice == exact.replicate ? 1U : 0U;
            }
            if (!differ(without.cycles, with.cycles)) continue;
            scores.as_all_sets += choice == of_all ? 1U : 0U;
            scores.sampled.add(choice, without, with);
            for (Chooser& chooser : choosers) chooser.score.add(chooser.replicates, without, with);
            scores.all_sets.add(of_all, without, with);
            scores.exact.add(replicates(without.profile(false), with.profile(false)), without, with);
            scores.exact_missed.add(replicates(without.profile(false), with.profile(true)), without, with);
            scores.best += std::min(with.cycles, without.cycles);
            scores.worst += std::max(with.cycles, without.cycles);
        }
        Score* const of[] = {&scores.bandwidths, &scores.busiest, &scores.busiest_of_16, &scores.busiest_of_all};
        for (std::size_t c = 0; c < 4; ++c) *of[c] += choosers[c].score;
    }
    return scores;
}

// The paper's formula adds bandwidths of parts where here the busiest resource decides: of the epochs in which the two
// differ by 5 % or more it is right in three of four, and in the others it replicates without need, which costs little.
// Nor is it right in 95 % where it is told the hit rates and shares that either case really has, also if the remote
// requests that no slice may replicate count as misses, which the paper leaves open: the formula is the cause.
TEST(ReplicationModelAgainstReplay, IsWrongOnOneSideWhateverItsInputsAndLosesLittle) {
    const Scores s = replay_kernels();
    EXPECT_GT(s.sampled.compared, 150U);
    EXPECT_GE(s.sampled.percent(), 73) << s.sampled.right << " of " << s.sampled.compared;
    EXPECT_LE(s.sampled.compared - s.sampled.right - s.sampled.needless, 2U) << "it should have replicated";
    EXPECT_LT(s.sampled.chosen, 1.04 * s.best);
    EXPECT_GT(s.worst, 1.25 * s.best); // or there was nothing to choose
    EXPECT_GE(s.as_all_sets * 100, s.sampled.compared * 95) << s.as_all_sets << " of " << s.sampled.compared;
    EXPECT_GT(s.exact_differs, 250U);
    EXPECT_GE(s.as_exact * 100, s.exact_differs * 90) << s.as_exact << " of " << s.exact_differs;
    EXPECT_GT(s.exact.percent(), s.all_sets.percent());
    EXPECT_GT(s.exact_missed.percent(), s.exact.percent());
    EXPECT_LT(s.exact_missed.percent(), 90);
    RecordProperty("bandwidths", std::to_string(s.bandwidths.percent()));
    RecordProperty("exact", std::to_string(s.exact.percent()));
    RecordProperty("exact_missed", std::to_string(s.exact_missed.percent()));
}

// The busiest resource names the better choice in 95 % of the epochs with sixteen sets or more, and nearly so with
// eight, also where the sampler no longer sees the requests that replicas answer. The paper's formula gains nothing by
// more sets.
TEST(ReplicationModelAgainstReplay, IsRightByTheBusiestResource) {
    const Scores s = replay_kernels();
    EXPECT_GT(s.busiest.percent(), s.bandwidths.percent() + 10);
    EXPECT_GE(s.busiest.percent(), 92) << s.busiest.right << " of " << s.busiest.compared;
    EXPECT_GE(s.busiest_of_16.percent(), 95) << s.busiest_of_16.right << " of " << s.busiest_of_16.compared;
    EXPECT_GE(s.busiest_of_all.percent(), 95);
    EXPECT_LT(s.busiest.chosen, 1.015 * s.best);
    EXPECT_LT(s.busiest_of_16.chosen, 1.005 * s.best);
    for (const auto& [name, score] : {std::pair{"busiest", s.busiest}, {"busiest_of_16", s.busiest_of_16}})
        RecordProperty(name, fmt::format("{:.1f} %, {:.4f}", score.percent(), score.chosen / s.best));
}

} // namespace
} // namespace numavp::test

/// The replication model, fed by sampled sets, against a replay of the same accesses with and without replicas.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/rng.h"
#include "models/cache/replication_sampler.h"

namespace numavp::test {
namespace {

constexpr unsigned kReplayed = 8, kReplayedSlices = 2, kSliceSets = 48, kSliceWays = 16, kSampledSets = 8;

/// Cycles that a line takes at each resource of NUBA's Table 1, at 1.4 GHz: 144 B at 32 B a cycle of a slice, nine
/// flits of 16 B at a port, 128 B of a channel of 22.5 GB/s.
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

/// All slices of a machine that replicates all or nothing, and what has loaded each resource.
class Replay {
  public:
    explicit Replay(bool replicates)
        : replicates_(replicates),
          slices_(std::size_t{kReplayed} * kReplayedSlices, TagArray(kSliceSets, kSliceWays, false)) {}
    void take(const Access& a) {
        if (a.home == a.partition || (replicates_ && a.read_only)) {
            if (look_up(a.partition, a) || a.home == a.partition) return;
        }
        out_[a.home] += kPortCycles;
        in_[a.partition] += kPortCycles;
        look_up(a.home, a);
    }
    /// Cycles of the busiest resource, and start again.
    double cycles() {
        double most = 0;
        for (auto* load : {&slice_, &memory_, &in_, &out_}) {
            most = std::max(most, *std::max_element(load->begin(), load->end()));
            std::fill(load->begin(), load->end(), 0.0);
        }
        return most;
    }
    TagArray& slice(unsigned partition, unsigned slice) { return slices_[partition * kReplayedSlices + slice]; }

  private:
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
    std::vector<double> slice_ = std::vector<double>(std::size_t{kReplayed} * kReplayedSlices),
                        memory_ = std::vector<double>(kReplayed), in_ = memory_, out_ = memory_;
};

/// What reaches the sampled slice, whatever is replicated: requests of its own SMs, and of others to lines at home
/// here.
void sample(ReplicationSampler& sampler, const Access& a, Cycle edge) {
    const bool own = a.partition == 0;
    if (a.slice != 0 || (!own && a.home != 0) || !sampler.samples(a.line)) return;
    sampler.note(edge, a.partition, {a.line, own, a.home != 0, a.read_only});
}

// The paper's formula weighs bandwidths of parts where here the busiest resource decides: of the epochs in which the
// two differ by 5 % or more it is right in seven of eight, and where it is wrong they differ little. Sampling is no
// cause.
TEST(ReplicationModelAgainstReplay, IsSeldomWrongAndThenLosesLittle) {
    constexpr unsigned kKernels = 150, kEpochs = 3, kAccesses = 3000; // of a partition and epoch
    const ReplicationBandwidths raw{89600, 22500, 44800};             // MB/s of a partition (Table 1)
    unsigned compared = 0, right = 0, as_all_sets = 0;
    double best = 0, chosen = 0, worst = 0;
    Rng rng(7, 3);
    for (unsigned k = 0; k < kKernels; ++k) {
        const Mix mix = draw_mix(rng);
        Replay none(false), full(true);
        const TagArray shape(kSliceSets, kSliceWays, false);
        ReplicationSampler some(shape, kSampledSets), all(shape, kSliceSets);
        Cycle edge = 0;
        for (unsigned e = 0; e < kEpochs; ++e) {
            for (unsigned i = 0; i < kAccesses; ++i) {
                ++edge;
                for (unsigned p = 0; p < kReplayed; ++p) {
                    const Access a = draw_access(mix, p, rng);
                    none.take(a);
                    full.take(a);
                    sample(some, a, edge);
                    sample(all, a, edge);
                }
            }
            const auto replicates = [&raw](const ReplicationSampler::Profiles& counted) {
                return ReplicationModel().evaluate(counted.none, counted.full, raw).replicate;
            };
            const bool choice = replicates(some.take()), of_all = replicates(all.take());
            const double without = none.cycles(), with = full.cycles();
            if (e == 0 || std::abs(with / without - 1) < 0.05) continue; // caches fill in the first
            ++compared;
            right += choice == (with < without) ? 1U : 0U;
            as_all_sets += choice == of_all ? 1U : 0U;
            best += std::min(with, without);
            worst += std::max(with, without);
            chosen += choice ? with : without;
        }
    }
    EXPECT_GT(compared, kKernels);
    EXPECT_GE(right * 100, compared * 85) << right << " of " << compared;
    EXPECT_GE(as_all_sets * 100, compared * 96) << as_all_sets << " of " << compared;
    EXPECT_LT(chosen, 1.03 * best);
    EXPECT_GT(worst, 1.3 * best); // or there was nothing to choose
}

} // namespace
} // namespace numavp::test

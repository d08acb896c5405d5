/// Collectives of several ranks, as kernels that read and write the memory of their peers.
///
/// Rank r is the r-th of equal ranges of a kernel's blocks (digits `c`, `r`), so that with `dispatch.split contiguous`
/// on a machine of as many sockets each rank is a GPU; its arrays carry its number and lie where `on_gpu` or the first
/// touch puts them. A step in which ranks need what others have made is a launch, whose end is the barrier between
/// them; only the algorithm in_switch has flags in memory as well, on which its kernel waits.
///
/// `bytes` counts as in nccl-tests: of all_reduce and all_to_all the array of a rank, of all_gather what each has in
/// the end, of reduce_scatter what each has in the beginning. Bus bandwidth is bytes over time, times 2 (n - 1) / n for
/// all_reduce and (n - 1) / n for the others.
#pragma once

#include <string>
#include <vector>

#include "sw/loops/move_loop.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class CollectiveAlgorithm : std::uint8_t { ring, one_shot, two_shot, tree, in_switch };
inline constexpr NameTable<CollectiveAlgorithm> kCollectiveAlgorithms{
    "collective algorithm",
    {{CollectiveAlgorithm::ring, "ring",
      "Parts go around a ring of ranks, a step a launch; of all_to_all, a part to the next rank but i in step i."},
     {CollectiveAlgorithm::one_shot, "one_shot", "Each rank reads all that it needs from its peers, in one launch."},
     {CollectiveAlgorithm::two_shot, "two_shot",
      "all_reduce: each rank adds up its part of all peers' arrays, then reads the other sums, in two launches."},
     {CollectiveAlgorithm::tree, "tree",
      "all_reduce: sums go up a binary tree of ranks and come down again, a level a launch."},
     {CollectiveAlgorithm::in_switch, "in_switch",
      "all_reduce, in place: each rank reads its part of all arrays as a sum that the switch forms, and writes it to "
      "all, in one launch; on_gpu gives each rank's arrays to its GPU."}}};

inline constexpr NameTable<SumElement> kSumElements{"element of a sum",
                                                    {{SumElement::fp32, "fp32", "4 bytes"},
                                                     {SumElement::fp16, "fp16", "2 bytes"},
                                                     {SumElement::bf16, "bf16", "2 bytes"}}};

enum class RankBarrier : std::uint8_t { launch, flags };
inline constexpr NameTable<RankBarrier> kRankBarriers{
    "barrier of ranks",
    {{RankBarrier::launch, "launch", "Ranks begin and end with their launch, and no rank waits within it."},
     {RankBarrier::flags, "flags",
      "in_switch: blocks of one number wait for each other's flags before the first access and after the last."}}};

enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all };
inline constexpr NameTable<Collective> kCollectives{"collective",
                                                    {{Collective::all_reduce, "all_reduce", "sum, to all"},
                                                     {Collective::all_gather, "all_gather", "all parts, to all"},
                                                     {Collective::reduce_scatter, "reduce_scatter", "parts of the sum"},
                                                     {Collective::all_to_all, "all_to_all", "a part to each"}}};

struct CollectiveParameters {
    std::uint64_t bytes = 1U << 20;
    std::uint32_t ranks = 8;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
    RankBarrier barrier = RankBarrier::launch;
    SumElement element = SumElement::fp16;
    std::uint32_t blocks = 32, threads = 512, registers = 96, in_flight = 8, iterations = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, CollectiveParameters& c) {
    v.integer("bytes", c.bytes, 32, 1ULL << 40, "bytes",
              "size of a rank's array (scaled), a multiple of 16 bytes for each rank");
    v.integer("ranks", c.ranks, 2, MoveLoop::kMostSources, "ranks", "number of ranks: of GPUs, or of dies");
    v.choice("algorithm", c.algorithm, kCollectiveAlgorithms, "algorithm; not each collective has all");
    v.choice("barrier", c.barrier, kRankBarriers, "barrier of the ranks: at launches, or flags too (in_switch)");
    v.choice("element", c.element, kSumElements, "elements that the switch adds up (in_switch)");
    v.integer("blocks", c.blocks, 1, 4096, "blocks", "blocks of a rank: channels");
    v.integer("threads", c.threads, 32, 1024, "threads", "threads of a block, a multiple of 32");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread");
    v.integer("in_flight", c.in_flight, 1, MoveLoop::kMostInFlight, "loads",
              "loads of 16 bytes of a thread that do not wait for each other; at least one of each source");
    v.integer("iterations", c.iterations, 1, 1U << 20, "times", "number of repetitions");
}

/// Steps of a collective: in each the moves of every rank, all of which may be done side by side.
std::vector<std::vector<std::vector<Move>>> collective_steps(Collective kind, const CollectiveParameters& p,
                                                             const ArrayBases& at);
/// Arrays of a collective, by roles `in_0`, `out_0`, ...; of all_reduce by a ring, a tree or a switch in place,
/// `buffer_0`, ..., for a switch with the multicast array `buffers`, and `flag_0`, ..., with `flags`.
std::vector<ArrayNeed> collective_arrays(Collective kind, const CollectiveParameters& p);
/// The launches of one repetition.
std::vector<std::shared_ptr<Kernel>> collective_kernels(Collective kind, const CollectiveParameters& p,
                                                        const ArrayBases& at);
/// Refuses an algorithm that the collective does not have.
void check_algorithm(Collective kind, const CollectiveParameters& p, const Place& place);

template <Collective kKind> struct ParametersOf : CollectiveParameters {
    void validate(const Place& place) const {
        CollectiveParameters::validate(place);
        check_algorithm(kKind, *this, place);
    }
};
template <class V, Collective kKind> void describe(V& v, ParametersOf<kKind>& c) {
    describe(v, static_cast<CollectiveParameters&>(c));
}

template <Collective kKind> class CollectivePattern final : public Pattern {
  public:
    using Parameters = ParametersOf<kKind>;
    CollectivePattern(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
        p_.bytes = context.scaled(p_.bytes, Tile::kPiece * p_.ranks);
    }
    std::vector<ArrayNeed> arrays() const override { return collective_arrays(kKind, p_); }
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override {
        const std::vector<std::shared_ptr<Kernel>> once = collective_kernels(kKind, p_, at);
        std::vector<std::shared_ptr<Kernel>> launches;
        for (std::uint32_t i = 0; i < p_.iterations; ++i) launches.insert(launches.end(), once.begin(), once.end());
        return launches;
    }

  private:
    CollectiveParameters p_;
};

using AllReduce = CollectivePattern<Collective::all_reduce>;
using AllGather = CollectivePattern<Collective::all_gather>;
using ReduceScatter = CollectivePattern<Collective::reduce_scatter>;
using AllToAll = CollectivePattern<Collective::all_to_all>;

} // namespace numavp

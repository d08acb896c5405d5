#include "sw/patterns/transformer/pattern_collective.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {
namespace {

using Steps = std::vector<std::vector<std::vector<Move>>>; ///< by step and rank

/// Addresses of parts of the ranks' arrays: part i of an array is its i-th of `ranks` equal ones.
class Parts {
  public:
    Parts(const CollectiveParameters& p, const ArrayBases& at) : n_(p.ranks), part_(p.bytes / p.ranks), at_(at) {}
    unsigned ranks() const { return n_; }
    std::uint64_t bytes() const { return part_; }
    std::uint64_t whole(const char* role, unsigned rank) const { return at_.at(fmt::format("{}_{}", role, rank)); }
    std::uint64_t of(const char* role, unsigned rank, unsigned part) const {
        return whole(role, rank) + part % n_ * part_;
    }
    unsigned next(unsigned rank) const { return (rank + 1) % n_; }
    std::vector<Move>& add_step(Steps& steps, unsigned rank) const {
        if (rank == 0) steps.emplace_back(n_);
        return steps.back()[rank];
    }

  private:
    unsigned n_;
    std::uint64_t part_;
    const ArrayBases& at_;
};

/// Rank r sends part r - s in step s, with what came for it in the step before; after n - 1 steps its part r + 1 has
/// come from all others.
void ring_of_sums(const Parts& parts, const char* own, Steps& steps) {
    const unsigned n = parts.ranks();
    for (unsigned s = 0; s + 1 < n; ++s)
        for (unsigned r = 0; r < n; ++r) {
            Move move{{parts.of(own, r, r + n - s)}, {parts.of("scratch", parts.next(r), r + n - s)}, parts.bytes()};
            if (s != 0) move.sources.push_back(parts.of("scratch", r, r + n - s));
            parts.add_step(steps, r).push_back(std::move(move));
        }
}

/// Rank r sends part r + first - s of its array in step s, to the same place of the next rank's.
void ring_of_copies(const Parts& parts, const char* role, unsigned first, Steps& steps) {
    const unsigned n = parts.ranks();
    for (unsigned s = 0; s + 1 < n; ++s)
        for (unsigned r = 0; r < n; ++r) {
            const unsigned part = r + first + n - s;
            parts.add_step(steps, r).push_back(
                {{parts.of(role, r, part)}, {parts.of(role, parts.next(r), part)}, parts.bytes()});
        }
}

Steps ring_all_reduce(const Parts& parts) {
    Steps steps;
    ring_of_sums(parts, "buffer", steps);
    const std::size_t sums = steps.size();
    ring_of_copies(parts, "buffer", 1, steps);
    for (unsigned r = 0; r < parts.ranks(); ++r) { // what came last is added while it is sent
        Move& move = steps[sums][r].front();
        move.sources.push_back(parts.of("scratch", r, r + 1));
        move.targets.push_back(parts.of("buffer", r, r + 1));
    }
    return steps;
}

/// Sums go to the parent, each child's over an array of its own, then results come back, one level of the tree a step.
Steps tree_all_reduce(const Parts& parts) {
    const unsigned n = parts.ranks();
    const std::uint64_t bytes = parts.bytes() * n;
    unsigned levels = 0;
    while ((1U << (levels + 1)) <= n) ++levels; // rank r is on level floor(log2(r + 1))
    const auto first = [](unsigned level) { return (1U << level) - 1; };
    Steps steps;
    for (unsigned level = levels; level-- != 0;) {
        steps.emplace_back(n);
        for (unsigned r = first(level); r < std::min(n, first(level + 1)); ++r) {
            Move move{{parts.whole("buffer", r)}, {parts.whole("buffer", r)}, bytes};
            for (unsigned child = 2 * r + 1; child <= 2 * r + 2 && child < n; ++child)
                move.sources.push_back(parts.whole("buffer", child));
            if (move.sources.size() > 1) steps.back()[r].push_back(std::move(move));
        }
    }
    for (unsigned level = 1; level <= levels; ++level) {
        steps.emplace_back(n);
        for (unsigned r = first(level); r < std::min(n, first(level + 1)); ++r)
            steps.back()[r].push_back({{parts.whole("buffer", (r - 1) / 2)}, {parts.whole("buffer", r)}, bytes});
    }
    return steps;
}

/// All ranks' arrays from `role`, the own one first: peers are read in an order that differs by rank.
std::vector<std::uint64_t> from_all(const Parts& parts, const char* role, unsigned rank, unsigned part) {
    std::vector<std::uint64_t> all;
    for (unsigned i = 0; i < parts.ranks(); ++i) all.push_back(parts.of(role, (rank + i) % parts.ranks(), part));
    return all;
}

Steps direct_steps(Collective kind, const Parts& parts, bool in_two) {
    const unsigned n = parts.ranks();
    Steps steps;
    for (unsigned r = 0; r < n; ++r) {
        std::vector<Move>& moves = parts.add_step(steps, r);
        switch (kind) {
        case Collective::all_reduce:
            if (in_two)
                moves.push_back({from_all(parts, "in", r, r), {parts.of("out", r, r)}, parts.bytes()});
            else
                moves.push_back({from_all(parts, "in", r, 0), {parts.whole("out", r)}, parts.bytes() * n});
            break;
        case Collective::reduce_scatter:
            moves.push_back({from_all(parts, "in", r, r), {parts.whole("out", r)}, parts.bytes()});
            break;
        case Collective::all_gather:
            for (unsigned i = 0; i < n; ++i)
                moves.push_back({{parts.whole("in", (r + i) % n)}, {parts.of("out", r, r + i)}, parts.bytes()});
            break;
        case Collective::all_to_all:
            for (unsigned i = 0; i < n; ++i)
                moves.push_back({{parts.of("in", (r + i) % n, r)}, {parts.of("out", r, r + i)}, parts.bytes()});
            break;
        }
    }
    if (!in_two) return steps;
    for (unsigned r = 0; r < n; ++r) {
        std::vector<Move>& moves = parts.add_step(steps, r);
        for (unsigned i = 1; i < n; ++i)
            moves.push_back({{parts.of("out", (r + i) % n, r + i)}, {parts.of("out", r, r + i)}, parts.bytes()});
    }
    return steps;
}

Steps ring_steps(Collective kind, const Parts& parts) {
    const unsigned n = parts.ranks();
    Steps steps;
    switch (kind) {
    case Collective::all_reduce: return ring_all_reduce(parts);
    case Collective::all_gather:
        ring_of_copies(parts, "out", 0, steps);
        for (unsigned r = 0; r < n; ++r) { // the own part comes from the input, and stays
            Move& move = steps.front()[r].front();
            move.sources = {parts.whole("in", r)};
            move.targets.push_back(parts.of("out", r, r));
        }
        break;
    case Collective::reduce_scatter:
        // One part on: rank r ends with part r + 1 of its peers' sums, which are shifted so that it is part r.
        for (unsigned s = 0; s + 1 < n; ++s)
            for (unsigned r = 0; r < n; ++r) {
                const unsigned part = r + 2 * n - s - 1;
                Move move{{parts.of("in", r, part)}, {parts.of("scratch", parts.next(r), part)}, parts.bytes()};
                if (s != 0) move.sources.push_back(parts.of("scratch", r, part));
                parts.add_step(steps, r).push_back(std::move(move));
            }
        for (unsigned r = 0; r < n; ++r)
            parts.add_step(steps, r).push_back(
                {{parts.of("in", r, r), parts.of("scratch", r, r)}, {parts.whole("out", r)}, parts.bytes()});
        break;
    case Collective::all_to_all:
        for (unsigned s = 0; s < n; ++s)
            for (unsigned r = 0; r < n; ++r)
                parts.add_step(steps, r).push_back(
                    {{parts.of("in", r, r + s)}, {parts.of("out", (r + s) % n, r)}, parts.bytes()});
        break;
    }
    return steps;
}

bool is_in_place(Collective kind, CollectiveAlgorithm algorithm) {
    return kind == Collective::all_reduce &&
           (algorithm == CollectiveAlgorithm::ring || algorithm == CollectiveAlgorithm::tree ||
            algorithm == CollectiveAlgorithm::in_switch);
}

/// Rank r reads the sum of part r of all ranks' arrays and writes it to all.
Steps in_switch_steps(const Parts& parts, const ArrayBases& at) {
    Steps steps;
    for (unsigned r = 0; r < parts.ranks(); ++r) {
        const std::uint64_t part = at.at("buffers") + r * parts.bytes();
        parts.add_step(steps, r).push_back({{part}, {part}, parts.bytes()});
    }
    return steps;
}

/// An array of each rank, and the multicast array that stands for all.
void need_of_each(std::vector<ArrayNeed>& needs, const CollectiveParameters& p, const char* role, const char* all,
                  std::uint64_t bytes, SumElement element) {
    ArrayNeed common{all, bytes, {}, element};
    for (unsigned r = 0; r < p.ranks; ++r) {
        common.members.push_back(fmt::format("{}_{}", role, r));
        needs.push_back({common.members.back(), bytes});
    }
    needs.push_back(std::move(common));
}

} // namespace

void CollectiveParameters::validate(const Place& place) const {
    if (threads % kWarpLanes != 0)
        throw ConfigError(place.at("threads"),
                          fmt::format("{} threads are not whole warps; multiples of 32 are allowed", threads));
    if (bytes % (Tile::kPiece * ranks) != 0)
        throw ConfigError(place.at("bytes"), fmt::format("{} is no multiple of {}: 16 bytes for each of {} ranks",
                                                         bytes, Tile::kPiece * ranks, ranks));
}

void check_algorithm(Collective kind, const CollectiveParameters& p, const Place& place) {
    if (p.barrier == RankBarrier::flags && p.algorithm != CollectiveAlgorithm::in_switch)
        throw ConfigError(place.at("barrier"),
                          fmt::format("flags are of the algorithm in_switch, and this is {}; launch is allowed",
                                      kCollectiveAlgorithms.name(p.algorithm)));
    const bool of_all = p.algorithm == CollectiveAlgorithm::ring || p.algorithm == CollectiveAlgorithm::one_shot;
    if (of_all || kind == Collective::all_reduce) return;
    throw ConfigError(place.at("algorithm"),
                      fmt::format("{} is an algorithm of all_reduce; {} has ring and one_shot",
                                  kCollectiveAlgorithms.name(p.algorithm), kCollectives.name(kind)));
}

std::vector<ArrayNeed> collective_arrays(Collective kind, const CollectiveParameters& p) {
    const std::uint64_t part = p.bytes / p.ranks;
    const bool ring = p.algorithm == CollectiveAlgorithm::ring;
    const bool in_place = is_in_place(kind, p.algorithm);
    std::vector<ArrayNeed> needs;
    if (p.algorithm == CollectiveAlgorithm::in_switch) {
        need_of_each(needs, p, "buffer", "buffers", p.bytes, p.element);
        if (p.barrier == RankBarrier::flags)
            need_of_each(needs, p, "flag", "flags", MeetingFlags::bytes_of(p.blocks), SumElement::fp32);
        return needs;
    }
    for (unsigned r = 0; r < p.ranks; ++r) {
        if (in_place) {
            needs.push_back({fmt::format("buffer_{}", r), p.bytes});
        } else {
            needs.push_back({fmt::format("in_{}", r), kind == Collective::all_gather ? part : p.bytes});
            needs.push_back({fmt::format("out_{}", r), kind == Collective::reduce_scatter ? part : p.bytes});
        }
        const bool sums = kind == Collective::all_reduce || kind == Collective::reduce_scatter;
        if (ring && sums) needs.push_back({fmt::format("scratch_{}", r), p.bytes});
    }
    return needs;
}

Steps collective_steps(Collective kind, const CollectiveParameters& p, const ArrayBases& at) {
    const Parts parts(p, at);
    switch (p.algorithm) {
    case CollectiveAlgorithm::ring: return ring_steps(kind, parts);
    case CollectiveAlgorithm::one_shot: return direct_steps(kind, parts, false);
    case CollectiveAlgorithm::two_shot: return direct_steps(kind, parts, true);
    case CollectiveAlgorithm::tree: return tree_all_reduce(parts);
    case CollectiveAlgorithm::in_switch: return in_switch_steps(parts, at);
    }
    return {};
}

std::vector<std::shared_ptr<Kernel>> collective_kernels(Collective kind, const CollectiveParameters& p,
                                                        const ArrayBases& at) {
    std::vector<std::shared_ptr<Kernel>> kernels;
    for (std::vector<std::vector<Move>>& moves : collective_steps(kind, p, at)) {
        MoveLoop loop;
        loop.ranks = std::move(moves);
        loop.blocks_each = p.blocks;
        loop.warps = p.threads / kWarpLanes;
        loop.in_flight = p.in_flight;
        loop.past_l1 = p.algorithm == CollectiveAlgorithm::in_switch;
        if (p.barrier == RankBarrier::flags) {
            loop.meeting.all = at.at("flags");
            for (unsigned r = 0; r < p.ranks; ++r) loop.meeting.own.push_back(at.at(fmt::format("flag_{}", r)));
        }
        KernelShape shape;
        shape.name = fmt::format("{}_{}", kCollectives.name(kind), kCollectiveAlgorithms.name(p.algorithm));
        shape.registers = p.registers;
        kernels.push_back(make_move_loop(std::move(shape), std::move(loop)));
    }
    return kernels;
}

} // namespace numavp

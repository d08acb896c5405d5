/// Results of the collectives' steps: their moves, done on sets of contributions in place of numbers.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sw/patterns/transformer/pattern_collective.h"

namespace numavp {
namespace {

/// Times that the element with some index of a rank's input was added.
using Contributions = std::map<std::pair<unsigned, unsigned>, unsigned>;

constexpr std::uint64_t kElement = 16;  ///< bytes: what a lane moves
constexpr unsigned kEach = 2;           ///< elements of a part
constexpr std::uint64_t kApart = 65536; ///< bytes between arrays

/// Memory of all ranks; what was never written is missing.
class SymbolicRanks {
  public:
    SymbolicRanks(Collective kind, const CollectiveParameters& p) {
        for (const ArrayNeed& need : collective_arrays(kind, p)) {
            at_[need.role] = kApart * (at_.size() + 1);
            bytes_[need.role] = need.bytes;
            for (const std::string& member : need.members) members_[at_[need.role]].push_back(at_.at(member));
        }
        for (unsigned rank = 0; rank < p.ranks; ++rank)
            for (const char* const role : {"in", "buffer"}) {
                const std::string name = fmt::format("{}_{}", role, rank);
                if (at_.count(name) == 0) continue;
                for (unsigned i = 0; i < elements(name); ++i) memory_[at_[name] + i * kElement] = {{{rank, i}, 1}};
            }
    }
    const ArrayBases& bases() const { return at_; }
    unsigned elements(const std::string& array) const { return static_cast<unsigned>(bytes_.at(array) / kElement); }
    const Contributions& element(const std::string& array, unsigned i) { return memory_[at_.at(array) + i * kElement]; }

    /// All moves of a step side by side: each reads what was there before, and no move reads or writes what another
    /// writes.
    void step(const std::vector<std::vector<Move>>& ranks) {
        std::map<std::uint64_t, Contributions> written;
        std::vector<std::set<std::uint64_t>> read, wrote;
        for (const std::vector<Move>& moves : ranks)
            for (const Move& move : moves) {
                read.emplace_back();
                wrote.emplace_back();
                for (std::uint64_t byte = 0; byte < move.bytes; byte += kElement) {
                    Contributions sum;
                    for (const std::uint64_t source : places(move.sources)) {
                        ASSERT_EQ(memory_.count(source + byte), 1U) << "a move reads what nobody has written";
                        for (const auto& [element, times] : memory_[source + byte]) sum[element] += times;
                        read.back().insert(source + byte);
                    }
                    for (const std::uint64_t target : places(move.targets)) {
                        written[target + byte] = sum;
                        wrote.back().insert(target + byte);
                    }
                }
            }
        for (std::size_t a = 0; a < wrote.size(); ++a)
            for (std::size_t b = 0; b < wrote.size(); ++b)
                for (const std::uint64_t at : wrote[a]) {
                    if (a == b) continue;
                    ASSERT_EQ(read[b].count(at), 0U) << "move " << b << " reads what move " << a << " writes";
                    ASSERT_EQ(wrote[b].count(at), 0U) << "move " << b << " writes what move " << a << " writes";
                }
        for (auto& [at, value] : written) memory_[at] = std::move(value);
    }

  private:
    /// Of what lies in a multicast array, the places in its members.
    std::vector<std::uint64_t> places(const std::vector<std::uint64_t>& addresses) const {
        std::vector<std::uint64_t> all;
        for (const std::uint64_t address : addresses) {
            const auto found = members_.find(address / kApart * kApart);
            if (found == members_.end())
                all.push_back(address);
            else
                for (const std::uint64_t member : found->second) all.push_back(member + address % kApart);
        }
        return all;
    }

    ArrayBases at_;
    std::map<std::uint64_t, std::vector<std::uint64_t>> members_; ///< of multicast arrays, by address
    std::map<std::string, std::uint64_t> bytes_;
    std::map<std::uint64_t, Contributions> memory_;
};

/// What a rank has at element i in the end, by the collective's definition in MPI.
Contributions expected(Collective kind, unsigned ranks, unsigned rank, unsigned i) {
    const unsigned part = i / kEach, within = i % kEach;
    Contributions all;
    switch (kind) {
    case Collective::all_reduce:
        for (unsigned from = 0; from < ranks; ++from) all[{from, i}] = 1;
        return all;
    case Collective::reduce_scatter:
        for (unsigned from = 0; from < ranks; ++from) all[{from, rank * kEach + i}] = 1;
        return all;
    case Collective::all_gather: return {{{part, within}, 1}};
    case Collective::all_to_all: return {{{part, rank * kEach + within}, 1}};
    }
    return all;
}

bool has_algorithm(Collective kind, const CollectiveParameters& p) {
    try {
        check_algorithm(kind, p, Place("case"));
    } catch (const ConfigError&) {
        return false;
    }
    return true;
}

TEST(CollectiveSteps, GiveEachRankTheContributionsOfItsResultOnce) {
    unsigned cases = 0;
    for (const NameEntry<Collective>& kind : kCollectives)
        for (const NameEntry<CollectiveAlgorithm>& algorithm : kCollectiveAlgorithms)
            for (unsigned ranks = 2; ranks <= 9; ++ranks) {
                CollectiveParameters p;
                p.ranks = ranks;
                p.bytes = kElement * kEach * ranks;
                p.algorithm = algorithm.value;
                if (!has_algorithm(kind.value, p)) continue;
                ++cases;
                SCOPED_TRACE(fmt::format("{}, {}, {} ranks", kind.name, algorithm.name, ranks));
                SymbolicRanks memory(kind.value, p);
                for (const auto& moves : collective_steps(kind.value, p, memory.bases())) {
                    memory.step(moves);
                    if (HasFatalFailure()) return;
                }
                for (unsigned rank = 0; rank < ranks; ++rank) {
                    const std::string buffer = fmt::format("buffer_{}", rank);
                    const std::string result = memory.bases().count(buffer) != 0 ? buffer : fmt::format("out_{}", rank);
                    for (unsigned i = 0; i < memory.elements(result); ++i)
                        ASSERT_EQ(memory.element(result, i), expected(kind.value, ranks, rank, i))
                            << result << ", element " << i;
                }
            }
    EXPECT_EQ(cases, 8U * (5 + 3 * 2)) << "all_reduce has five algorithms, the others two";
}

} // namespace
} // namespace numavp

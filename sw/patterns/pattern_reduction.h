/// Blocks read separate parts of an array, then all write one memory range at the end of the kernel.
///
/// The pattern of section 4 of the NUMA-aware paper ("CTAs writing to the same memory range at the end of a kernel,
/// i.e. parallel reductions, data gathering"): under first touch the range lives on one socket, whose ingress carries
/// the writes of all others. Each block keeps a table of partial results in shared memory (privatised histograms,
/// partial sums). At its end it stores the table to separate lines of the range (`store`), or adds it to one table for
/// all blocks (`reduce`).
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class Combine : std::uint8_t { store, reduce };
inline constexpr NameTable<Combine> kCombineNames{
    "way to combine",
    {{Combine::store, "store", "each block stores its table to whole lines of its own in the range"},
     {Combine::reduce, "reduce", "each block adds its table to the one table by RED instructions"}}};

enum class ResultHome : std::uint8_t { first_block, writers };
inline constexpr NameTable<ResultHome> kResultHomeNames{
    "home of the results",
    {{ResultHome::first_block, "first_block", "a kernel of one block clears the range first: it lives on one socket"},
     {ResultHome::writers, "writers", "nobody touches the range before the blocks write it"}}};

struct ReductionParameters : BlockParameters {
    std::uint64_t blocks = 1024;
    std::uint64_t read_bytes = 65536;
    std::uint64_t result_bytes = 16384;
    Combine combine = Combine::store;
    ResultHome home = ResultHome::first_block;
    std::uint32_t iterations = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, ReductionParameters& c) {
    v.integer("blocks", c.blocks, 1, 1ULL << 24, "blocks", "thread blocks (scaled)");
    v.integer("read_bytes", c.read_bytes, 512, 1ULL << 26, "B",
              "bytes that a block reads for itself, a multiple of 512");
    v.integer("result_bytes", c.result_bytes, 128, 1ULL << 20, "B",
              "table of partial results of a block, in shared memory; a multiple of 128");
    v.choice("combine", c.combine, kCombineNames, "combination of the tables of the blocks");
    v.choice("home", c.home, kResultHomeNames, "first to touch the range of results");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "passes over the same data and range");
    describe_block(v, c);
}

class Reduction final : public Pattern {
  public:
    using Parameters = ReductionParameters;
    Reduction(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t range_bytes() const;
    Parameters p_;
};

} // namespace numavp

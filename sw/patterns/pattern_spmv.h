/// y = A * x, with A in compressed sparse rows: the structure is a generated graph, values are doubles.
///
/// Two usual kernels. `rows`: a thread for each row (Bell and Garland 2009, "scalar"), good for meshes. `nonzeros`:
/// each warp gets an equal part of the nonzeros, finds its first row by binary search in the row offsets, sums by
/// segments and adds its partial sums of split rows by RED (after Merrill and Garland 2016), good for skewed rows.
/// Iterations swap x and y, as a power iteration does.
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class SpmvMapping : std::uint8_t { rows, nonzeros };
inline constexpr NameTable<SpmvMapping> kSpmvMappingNames{
    "work distribution",
    {{SpmvMapping::rows, "rows", "a thread for each row"},
     {SpmvMapping::nonzeros, "nonzeros", "an equal part of the nonzeros for each warp"}}};

struct SpmvParameters : BlockParameters {
    GraphParameters graph;
    SpmvMapping mapping = SpmvMapping::nonzeros;
    std::uint32_t nonzeros_per_warp = 256;
    std::uint32_t iterations = 3;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, SpmvParameters& c) {
    v.object("graph", c.graph, "structure of the matrix; a diagonal is added (scaled)");
    v.choice("mapping", c.mapping, kSpmvMappingNames, "distribution of the work over threads");
    v.integer("nonzeros_per_warp", c.nonzeros_per_warp, 32, 65536, "nonzeros",
              "nonzeros of a warp, with the mapping `nonzeros`; a multiple of 32");
    v.integer("iterations", c.iterations, 1, 1U << 20, "products", "products, x and y swapped in between");
    describe_block(v, c);
}

class Spmv final : public Pattern {
  public:
    using Parameters = SpmvParameters;
    Spmv(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    std::shared_ptr<const Graph> graph_;
};

} // namespace numavp

/// Access-pattern programs: real algorithms on real data structures, as streams of warp instructions.
///
/// A pattern is made from strictly read parameters. It lists the arrays that it needs, is told their addresses, and
/// returns its kernels in the order in which the host launches them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config.h"
#include "sw/loops/graph.h"
#include "sw/work/workload.h"

namespace numavp {

// Sizes of the elements in arrays of patterns.
inline constexpr std::uint64_t kWordBytes = 4; ///< an index, an offset, a distance
inline constexpr std::uint64_t kFloatBytes = 4;
inline constexpr std::uint64_t kDoubleBytes = 8;
inline constexpr std::uint64_t kVectorBytes = 16;                            ///< a thread's widest load
inline constexpr std::uint64_t kWarpVectorBytes = kVectorBytes * kWarpLanes; ///< such a load of a warp

/// Input of a pattern besides its parameters.
struct PatternContext {
    std::uint64_t seed = 1;       ///< of this entry of the workload; all randomness derives from it
    std::uint64_t data_seed = 1;  ///< of the whole workload: entries with equal graph parameters share the graph
    double scale = 1.0;           ///< factor on the problem size
    double share = 1.0;           ///< part of a block's work that is done, of patterns that can leave out some
    GraphCache* graphs = nullptr; ///< never null when a pattern is made by the workload reader

    /// n * scale, rounded to a multiple of `granule`, and at least one granule.
    std::uint64_t scaled(std::uint64_t n, std::uint64_t granule = 1) const;
};

/// Parameters of the graph at the context's scale, which multiplies the vertices, or a mesh's slowest dimension.
GraphParameters scaled_graph(const GraphParameters& graph, const PatternContext& context);

/// Resources of a block on an SM, for every pattern; a base of the parameter structs.
struct BlockParameters {
    std::uint32_t threads = 256;
    std::uint32_t registers = 32;

    unsigned warps() const { return threads / kWarpLanes; }
    KernelShape shape(std::string name, std::uint64_t blocks, std::uint64_t accesses,
                      std::uint32_t shared_bytes = 0) const;
    /// ConfigError unless `threads` is a multiple of a warp.
    void validate(const Place& place) const;
};
template <class V> void describe_block(V& v, BlockParameters& c) {
    v.integer("threads", c.threads, 32, 1024, "threads", "threads of a block, a multiple of 32");
    v.integer("registers", c.registers, 1, 255, "registers", "registers of a thread: limits the blocks on an SM");
}

/// A sample for those kernels of a pattern whose names begin with `kernels`.
struct KernelSample {
    std::string kernels;
    double sample = 1;
};
template <class V> void describe(V& v, KernelSample& c) {
    v.text("kernels", c.kernels, "beginning of the names of the kernels that have this sample");
    v.real("sample", c.sample, 1, 1U << 20, "", "a block of them does one of so many parts of its work");
}

/// Parameters of a pattern of several kernels that can be sampled.
struct SampleParameters : BlockParameters {
    double sample = 1;
    std::vector<KernelSample> samples;
};
template <class V> void describe_sample(V& v, SampleParameters& c) {
    v.real("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.list("samples", c.samples,
           "kernels with a sample that differs from the common one, so that short kernels stay whole");
    describe_block(v, c);
}
/// Part of their work that blocks of the kernel do, if blocks of a kernel without a sample do `share` of it.
double share_of(const SampleParameters& parameters, double share, std::string_view kernel);

/// An array that a pattern uses, named by its role in the algorithm.
struct ArrayNeed {
    std::string role;
    std::uint64_t bytes = 0;
    /// Of a multicast array, which has no memory of its own: roles of the arrays, of as many bytes, that it stands for.
    std::vector<std::string> members{};
    SumElement element = SumElement::fp32; ///< of a multicast array: what reads of it add up
};

/// Virtual base address of each role's array. Every array begins on a 2 MB boundary.
using ArrayBases = std::map<std::string, std::uint64_t>;

/// Contract (tests/sw/kernels/pattern_contract_test.cpp holds every pattern of the table to it):
///  - `kernels` depends on the parameters, the context and the bases only;
///  - a block of a kernel yields the same streams however often and in whatever order blocks are opened;
///  - every address lies within an array of `arrays()`;
///  - every stream ends with `Op::exit`, and a later instruction uses the result of each load;
///  - `KernelShape::accesses` is the number of global memory instructions of all its warps.
class Pattern {
  public:
    virtual ~Pattern() = default;
    /// Arrays with their sizes; roles are unique.
    virtual std::vector<ArrayNeed> arrays() const = 0;
    /// Launches in order; a kernel may occur several times.
    virtual std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const = 0;
};

} // namespace numavp

/// Steps on an adaptively refined mesh of equal blocks of cells: exchange of ghost cells, then a stencil.
///
/// A box of coarse mesh blocks; those that the surface of a sphere cuts are refined into 8. Blocks lie in memory in the
/// order in which they were made, as in MiniAMR (Vaughan and Barrett 2015): the coarse ones by position, a refined
/// one's first child in its place, the other seven behind all others. So neighbours in space may be far away in memory,
/// more so near the surface. A block holds all its variables with a ghost layer. One thread block a mesh block.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct AdaptiveMeshParameters : SampleParameters {
    std::uint64_t nx = 8;
    std::uint64_t ny = 8;
    std::uint64_t nz = 8;
    double radius = 0.8;
    std::uint32_t edge = 6;
    std::uint32_t variables = 9;
    std::uint32_t steps = 3;
    std::uint32_t work = 8;
};
template <class V> void describe(V& v, AdaptiveMeshParameters& c) {
    v.integer("nx", c.nx, 1, 1024, "blocks", "coarse mesh blocks in x");
    v.integer("ny", c.ny, 1, 1024, "blocks", "coarse mesh blocks in y");
    v.integer("nz", c.nz, 1, 1024, "blocks", "coarse mesh blocks in z (scaled)");
    v.real("radius", c.radius, 0.0, 2.0, "",
           "radius of the sphere whose surface is refined, as a part of half the box");
    v.integer("edge", c.edge, 2, 64, "cells", "cells of a mesh block in each direction, without ghosts");
    v.integer("variables", c.variables, 1, 256, "variables", "variables of a cell");
    v.integer("steps", c.steps, 1, 1U << 20, "steps", "time steps: an exchange and a stencil each");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic for each cell");
    describe_sample(v, c);
}

/// Mesh blocks in the order of their places in memory.
struct AdaptiveBlocks {
    static constexpr unsigned kFaces = 6;
    std::vector<std::uint32_t> neighbours; ///< kFaces for each: -x, +x, -y, +y, -z, +z; itself at the end of the mesh
    std::uint64_t blocks() const { return neighbours.size() / kFaces; }
};
AdaptiveBlocks refine_blocks(std::uint64_t nx, std::uint64_t ny, std::uint64_t nz, double radius);

class AdaptiveMesh final : public Pattern {
  public:
    using Parameters = AdaptiveMeshParameters;
    AdaptiveMesh(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
    std::shared_ptr<const AdaptiveBlocks> mesh_;
};

} // namespace numavp

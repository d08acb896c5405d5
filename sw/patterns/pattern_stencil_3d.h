/// Jacobi iteration with the 7-point stencil in a volume.
///
/// A thread owns a column of `tile_z` cells and marches along z with three planes in registers (Micikevicius,
/// "3D finite difference computation on GPUs using CUDA", 2009); the four neighbours in its plane are loads
/// that the L1 catches. Padded by a line at the ends of a row, a row at the sides, a plane below and above.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct Stencil3dParameters : BlockParameters {
    std::uint64_t nx = 256;
    std::uint64_t ny = 256;
    std::uint64_t nz = 128;
    std::uint32_t tile_x = 32;
    std::uint32_t tile_z = 16;
    std::uint32_t iterations = 3;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, Stencil3dParameters& c) {
    v.integer("nx", c.nx, 32, 1ULL << 14, "cells", "cells in x, a multiple of 32");
    v.integer("ny", c.ny, 1, 1ULL << 14, "cells", "cells in y of the grid");
    v.integer("nz", c.nz, 1, 1ULL << 14, "cells", "planes (scaled)");
    v.integer("tile_x", c.tile_x, 32, 1024, "cells", "width of a block in x, a multiple of 32 that divides `threads`");
    v.integer("tile_z", c.tile_z, 1, 1024, "cells", "planes that a block marches through");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of Jacobi steps");
    describe_block(v, c);
}

class Stencil3d final : public Pattern {
  public:
    using Parameters = Stencil3dParameters;
    Stencil3d(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t pitch() const;
    std::uint64_t plane() const;
    Parameters p_;
};

} // namespace numavp

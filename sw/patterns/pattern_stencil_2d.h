/// Jacobi iteration with the 5-point stencil on a plane: out = c0 * centre + c1 * (west + east + north + south).
///
/// Blocks own rectangles; neighbours share the halo. Rows are padded by a line at each end, as a pitched
/// allocation does, and the plane by a row above and below. Odd iterations go back from `out` to `in`.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct Stencil2dParameters : BlockParameters {
    std::uint64_t nx = 4096;
    std::uint64_t ny = 2048;
    std::uint32_t tile_x = 64;
    std::uint32_t tile_y = 32;
    std::uint32_t iterations = 3;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, Stencil2dParameters& c) {
    v.integer("nx", c.nx, 32, 1ULL << 20, "cells", "cells in x, a multiple of 32");
    v.integer("ny", c.ny, 1, 1ULL << 20, "cells", "rows of the grid (scaled)");
    v.integer("tile_x", c.tile_x, 32, 1024, "cells", "width of a block's rectangle, a multiple of 32");
    v.integer("tile_y", c.tile_y, 1, 1024, "cells", "height of a block's rectangle");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of Jacobi steps");
    describe_block(v, c);
}

class Stencil2d final : public Pattern {
  public:
    using Parameters = Stencil2dParameters;
    Stencil2d(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t pitch() const;
    Parameters p_;
};

} // namespace numavp

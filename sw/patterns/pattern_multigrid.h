/// V-cycles of multigrid on a box of cells: smoothing, residual, restriction, prolongation, a kernel for each.
///
/// Geometric (fields of coefficients, neighbours by position: HPGMG) or algebraic (a matrix row of values and columns
/// for each cell, neighbours through the columns: AMG). Each level has an eighth of the cells; large levels stream
/// through memory, small ones launch fewer blocks than there are SMs. Jacobi smoothing, ping-pong between two arrays.
/// Coarse operators keep the number of points; a real algebraic hierarchy grows denser.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct MultigridParameters : SampleParameters {
    std::uint64_t nx = 64;
    std::uint64_t ny = 64;
    std::uint64_t nz = 64;
    std::uint32_t levels = 4;
    std::uint32_t points = 7;
    bool matrix = false;
    std::uint32_t coefficients = 5;
    std::uint32_t pre = 1;
    std::uint32_t post = 1;
    bool residual = true;
    std::uint32_t cycles = 3;
    std::uint64_t per_block = 256;
    std::uint32_t work = 16;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, MultigridParameters& c) {
    v.integer("nx", c.nx, 2, 1ULL << 14, "cells", "cells in x of the finest level");
    v.integer("ny", c.ny, 2, 1ULL << 14, "cells", "cells in y of the finest level");
    v.integer("nz", c.nz, 2, 1ULL << 14, "cells", "cells in z (scaled)");
    v.integer("levels", c.levels, 1, 16, "levels", "levels, at most; a level with an edge below 2 cells is left out");
    v.integer("points", c.points, 7, 27, "points", "points of the stencil: 7 or 27");
    v.boolean("matrix", c.matrix, "a row of values and columns for each cell: algebraic");
    v.integer("coefficients", c.coefficients, 0, 64, "fields",
              "fields of a cell besides the matrix: coefficients, diagonal, vectors of the method around");
    v.integer("pre", c.pre, 1, 64, "sweeps", "smoothing before restriction");
    v.integer("post", c.post, 0, 64, "sweeps", "smoothing after prolongation");
    v.boolean("residual", c.residual,
              "whether a separate kernel writes the residual; else the restriction takes it from x");
    v.integer("cycles", c.cycles, 1, 1U << 16, "cycles", "number of V-cycles");
    v.integer("per_block", c.per_block, 32, 1ULL << 24, "cells", "cells of a block, a multiple of 32");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic for each cell");
    describe_sample(v, c);
}

class Multigrid final : public Pattern {
  public:
    using Parameters = MultigridParameters;
    Multigrid(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

    struct Level {
        std::uint64_t nx, ny, nz;
        std::uint64_t offset;   ///< of its first element in each field's array, levels one behind the other
        std::uint64_t elements; ///< cells in whole groups
        std::uint64_t cells() const { return nx * ny * nz; }
    };

  private:
    std::uint64_t elements() const { return levels_.back().offset + levels_.back().elements; }
    std::uint32_t fields() const { return (p_.matrix ? p_.points : 0) + p_.coefficients; }
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
    std::vector<Level> levels_;
};

} // namespace numavp

/// Discrete ordinates: sweeps through a box of cells from each of its 8 corners, a kernel for each diagonal plane.
///
/// A plane's cells need the fluxes that leave the plane before it (Koch, Baker and Alcouffe 1992); a thread block is a
/// cell, its threads go through angles and energy groups. Each cell reads its angular flux of the last time step, the
/// fluxes on three faces and its source, writes its new angular flux and the faces, and adds to its scalar flux. As in
/// SNAP (Los Alamos), angular fluxes are by far the largest arrays and are used once a sweep.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct TransportSweepParameters : BlockParameters {
    std::uint64_t nx = 8;
    std::uint64_t ny = 8;
    std::uint64_t nz = 8;
    std::uint64_t angles = 32;
    std::uint32_t octants = 8;
    std::uint32_t swept = 0;
    std::uint32_t sweeps = 3;
    std::uint32_t sample = 1;
    std::uint32_t work = 24;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, TransportSweepParameters& c) {
    v.integer("nx", c.nx, 1, 1024, "cells", "cells in x of the mesh");
    v.integer("ny", c.ny, 1, 1024, "cells", "cells in y of the mesh");
    v.integer("nz", c.nz, 1, 1024, "cells", "cells in z (scaled)");
    v.integer("angles", c.angles, 32, 1U << 20, "", "angles of an octant times energy groups, a multiple of 32");
    v.integer("octants", c.octants, 1, 8, "octants", "corners from which is swept");
    v.integer("swept", c.swept, 0, 8, "octants",
              "octants that a sweep goes through, evenly spread; 0: all. Arrays hold all octants");
    v.integer("sweeps", c.sweeps, 1, 1U << 16, "sweeps", "sweeps through all octants: inner iterations");
    v.integer("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic for each cell and angle");
    describe_block(v, c);
}

class TransportSweep final : public Pattern {
  public:
    using Parameters = TransportSweepParameters;
    TransportSweep(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
};

} // namespace numavp

/// Monte Carlo transport of particles: flights from cell to cell, look-ups of cross sections, tallies.
///
/// A thread follows a particle for `segments` flights. For each it reads its cell, looks up cross sections (a random
/// entry of an index, since energies are random, then the data to which it points), and adds to its cell's tally. At
/// the end it writes the particle back. Without cells it is only the look-up kernel (RSBench); without tables it is a
/// transport with the cross sections of its cell (MCB). A particle's cells are near its number, since particles are
/// sorted by domain between passes.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct ParticleTransportParameters : BlockParameters {
    std::uint64_t particles = 65536;
    std::uint64_t per_block = 256;
    std::uint32_t record = 0;
    std::uint64_t cells = 0;
    std::uint32_t cell_fields = 4;
    std::uint64_t drift = 64;
    std::uint64_t index = 0;
    std::uint64_t data = 0;
    std::uint32_t entry = 8;
    std::uint32_t segments = 4;
    std::uint32_t passes = 3;
    std::uint32_t sample = 1;
    std::uint32_t work = 64;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, ParticleTransportParameters& c) {
    v.integer("particles", c.particles, 1, 1ULL << 36, "particles", "particles or look-ups (scaled)");
    v.integer("per_block", c.per_block, 32, 1ULL << 24, "particles", "particles of a block, a multiple of 32");
    v.integer("record", c.record, 0, 64, "doubles", "state of a particle in memory; 0: in registers");
    v.integer("cells", c.cells, 0, 1ULL << 36, "cells", "cells of the mesh (scaled)");
    v.integer("cell_fields", c.cell_fields, 1, 64, "doubles", "fields of a cell that a flight reads");
    v.integer("drift", c.drift, 1, 1ULL << 32, "cells", "distance in cells that a particle gets from its first cell");
    v.integer("index", c.index, 0, 1ULL << 32, "entries", "index of the tables, 16 bytes each (not scaled)");
    v.integer("data", c.data, 0, 1ULL << 32, "entries", "entries of the tables (not scaled)");
    v.integer("entry", c.entry, 1, 64, "doubles", "bytes of an entry of the tables");
    v.integer("segments", c.segments, 1, 4096, "flights",
              "segments of a particle in a pass: look-ups of different nuclides");
    v.integer("passes", c.passes, 1, 1U << 20, "launches", "number of launches of the kernel");
    v.integer("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a particle");
    describe_block(v, c);
}

class ParticleTransport final : public Pattern {
  public:
    using Parameters = ParticleTransportParameters;
    ParticleTransport(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t seed_, data_seed_;
};

} // namespace numavp

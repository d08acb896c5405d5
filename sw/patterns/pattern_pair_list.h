/// Molecular dynamics by pairs of patches, as NAMD does it: a thread block for each pair, lists of atom pairs within.
///
/// Space is cut into patches as wide as the cutoff; a patch's atoms lie side by side. A block reads the atoms of one
/// patch and, through its pair list, those of one of the 27 patches around, and adds to the forces on the first patch
/// only: each pair is computed from both sides. Then each patch's atoms are moved (Stone et al. 2007; Phillips, Stone
/// and Schulten 2008). Lists stay valid for several steps.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct PairListParameters : SampleParameters {
    std::uint64_t nx = 6;
    std::uint64_t ny = 6;
    std::uint64_t nz = 4;
    std::uint64_t atoms = 640;
    std::uint32_t list = 8;
    std::uint32_t steps = 3;
    std::uint32_t work = 64;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, PairListParameters& c) {
    v.integer("nx", c.nx, 1, 1024, "patches", "patches of atoms in x");
    v.integer("ny", c.ny, 1, 1024, "patches", "patches of atoms in y");
    v.integer("nz", c.nz, 1, 1024, "patches", "patches in z (scaled)");
    v.integer("atoms", c.atoms, 32, 1U << 20, "atoms", "atoms of a patch, a multiple of 32");
    v.integer("list", c.list, 1, 4096, "words", "words of the pair list for each atom and pair of patches");
    v.integer("steps", c.steps, 1, 1U << 20, "steps", "time steps of the simulation");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of an atom with the atoms of the other patch");
    describe_sample(v, c);
}

class PairList final : public Pattern {
  public:
    using Parameters = PairListParameters;
    PairList(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
};

} // namespace numavp

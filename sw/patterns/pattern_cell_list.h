/// Short-range molecular dynamics in link cells, as CoMD does it: forces, then positions.
///
/// Space is cut into cells with room for 32 atoms each; atoms of a cell lie side by side. Forces come from the atoms of
/// the 27 cells around: by scanning these cells (`list` 0), or through a list of neighbours for each atom. A thread, a
/// warp or a block (cell by cell) works on an atom. Potentials of the embedded-atom kind do so twice, with the density
/// in between. Then velocities and positions are updated, and atoms that left their cell are moved to another.
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class AtomWorker : std::uint8_t { thread, warp };
inline constexpr NameTable<AtomWorker> kAtomWorkerNames{
    "who works on an atom",
    {{AtomWorker::thread, "thread", "a thread goes through an atom's neighbours"},
     {AtomWorker::warp, "warp", "the threads of a warp share an atom's neighbours"}}};

struct CellListParameters : SampleParameters {
    std::uint64_t nx = 8;
    std::uint64_t ny = 8;
    std::uint64_t nz = 8;
    AtomWorker worker = AtomWorker::thread;
    std::uint32_t list = 0;
    std::uint32_t fields = 8;
    std::uint32_t pair_passes = 2;
    std::uint32_t steps = 3;
    std::uint64_t atoms_per_block = 128;
    std::uint32_t work = 64;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, CellListParameters& c) {
    v.integer("nx", c.nx, 3, 4096, "cells", "link cells in x");
    v.integer("ny", c.ny, 3, 4096, "cells", "link cells in y");
    v.integer("nz", c.nz, 3, 4096, "cells", "link cells in z (scaled)");
    v.choice("worker", c.worker, kAtomWorkerNames, "threads that work on an atom");
    v.integer("list", c.list, 0, 4096, "neighbours",
              "neighbours in each atom's list, a multiple of 32 for a warp; 0: cells are scanned");
    v.integer("fields", c.fields, 0, 64, "doubles", "fields of an atom besides position, momentum and force");
    v.integer("pair_passes", c.pair_passes, 1, 8, "passes", "kernels over all pairs in a step: 2 for embedded atoms");
    v.integer("steps", c.steps, 1, 1U << 20, "steps", "time steps of the simulation");
    v.integer("atoms_per_block", c.atoms_per_block, 1, 1U << 20, "atoms",
              "atoms of a thread block; a multiple of 32 for threads");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic for an atom's neighbours together");
    describe_sample(v, c);
}

class CellList final : public Pattern {
  public:
    using Parameters = CellListParameters;
    CellList(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t cells() const { return p_.nx * p_.ny * p_.nz; }
    Parameters p_;
    double share_;
    std::uint64_t seed_, data_seed_;
};

} // namespace numavp

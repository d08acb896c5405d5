/// Numbering of the cells of a mesh: along x, y and z, or shuffled within windows of that order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sw/loops/item_loop.h"

namespace numavp {

/// Numbers of `cells` cells, in memory order of a mesh. Within each window of `window` consecutive cells the numbers
/// are shuffled: 1 keeps the order of a structured mesh, a few hundred is the result of renumbering by bins (Corrigan
/// et al. 2011), with `cells` the numbers do not depend on the place at all. Immutable.
class Numbering {
  public:
    Numbering(std::uint64_t cells, std::uint64_t window, std::uint64_t seed);
    std::uint64_t cells() const { return cells_; }
    /// Number of the cell that is `shift` places behind the cell with this number; beyond the ends of the mesh that of
    /// its first or last cell.
    std::uint64_t neighbour(std::uint64_t number, std::int64_t shift) const;

  private:
    std::uint64_t cells_;
    std::vector<std::uint32_t> number_of_; ///< place -> number; empty if they are equal
    std::vector<std::uint32_t> place_of_;  ///< number -> place
};

/// Slot s is field s % fields of the neighbour at shifts[s / fields]. With `spread` each neighbour has separate fields,
/// as corners of elements have.
class NeighbourMap final : public IndexMap {
  public:
    NeighbourMap(std::shared_ptr<const Numbering> numbering, std::vector<std::int64_t> shifts, std::uint32_t fields,
                 bool spread, std::uint64_t pitch)
        : numbering_(std::move(numbering)), shifts_(std::move(shifts)), fields_(fields), spread_(spread),
          pitch_(pitch) {}
    std::uint64_t element(std::uint64_t item, std::uint32_t slot) const override {
        const std::uint64_t field = spread_ ? slot : slot % fields_;
        return field * pitch_ + numbering_->neighbour(item, shifts_[slot / fields_]);
    }

  private:
    std::shared_ptr<const Numbering> numbering_;
    std::vector<std::int64_t> shifts_;
    std::uint32_t fields_;
    bool spread_;
    std::uint64_t pitch_; ///< elements from field to field
};

/// Maps each run of `run` consecutive items to consecutive elements at a random place. With `cluster` all slots of an
/// item lie within that many elements of each other.
class RandomMap final : public IndexMap {
  public:
    RandomMap(std::uint64_t elements, std::uint64_t run, std::uint64_t cluster, std::uint64_t seed,
              std::uint32_t skew = 0)
        : elements_(elements), run_(run), cluster_(cluster), seed_(seed), skew_(skew) {}
    std::uint64_t element(std::uint64_t item, std::uint32_t slot) const override;

  private:
    std::uint64_t elements_, run_, cluster_, seed_;
    std::uint32_t skew_; ///< times that a place is drawn again, below the one drawn before
};

} // namespace numavp

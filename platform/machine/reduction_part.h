/// A reduction unit as a part of a machine: an end of the network.
#pragma once

#include "models/reduction/reduction_unit.h"
#include "platform/machine/machine_part.h"

namespace numavp {

class ReductionPart final : public MachinePart {
  public:
    ReductionPart(unsigned number, const PartResources& resources);

    void connect() override;
    void list(PartList& shown) override;
    const ReductionUnit* reduction() const override { return &unit_; }

  private:
    const PartResources& r_;
    unsigned number_, index_; ///< among the ends, and among the reduction units
    ReductionUnit unit_;
};

} // namespace numavp

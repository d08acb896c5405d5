#include "platform/machine/reduction_part.h"

#include <fmt/format.h>

#include "common/system/reduction_units.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

ReductionPart::ReductionPart(unsigned number, const PartResources& r)
    : r_(r), number_(number), index_(number - first_reduction_unit(r.config)),
      unit_(fmt::format("reduction{}", index_).c_str(), r.config.reduction,
            ReductionUnit::Resources{r.domain, r.pool, r.map, r.pages, r.multicast, SocketId(number),
                                     Rank{static_cast<std::uint16_t>(number), kRankLink, 0}}) {}

void ReductionPart::connect() {
    r_.bind_core(unit_.members(), r_.parts.fabric->ingress(number_), fmt::format("wire_up_reduction{}", index_));
    r_.bind_core(r_.parts.fabric->egress(number_), unit_.requests(), fmt::format("wire_down_reduction{}", index_));
}

void ReductionPart::list(PartList& shown) {
    shown.add({"reduction", index_}, fmt::format("reduction{}", index_), unit_);
}

} // namespace numavp

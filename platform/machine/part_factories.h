/// Factory of each part kind, and the list of the parts that a machine has.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/system/part_kind.h"
#include "platform/machine/machine_part.h"

namespace numavp {

struct PartSpec {
    PartKind kind;
    unsigned number; ///< as WiredParts gives it; of switch and network 0
};
/// All parts of a machine in the order in which they are built: the host before the packages that it serves, then what
/// joins them. An odd `order_seed` turns the packages' order round; results do not change.
std::vector<PartSpec> parts_to_build(const SystemConfig& config, std::uint64_t order_seed);
/// The part; null where a kind has no module of its own, as routers, which the network makes.
std::unique_ptr<MachinePart> make_part(const PartSpec& part, const PartResources& resources);

} // namespace numavp

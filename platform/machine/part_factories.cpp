#include "platform/machine/part_factories.h"

#include "base/values/error.h"
#include "common/system/derived.h"
#include "platform/machine/fabric_parts.h"
#include "platform/machine/host_part.h"
#include "platform/machine/package_part.h"
#include "platform/machine/reduction_part.h"

namespace numavp {

namespace {
using PartFactory = std::unique_ptr<MachinePart> (*)(unsigned number, const PartResources& resources);

template <class Part> std::unique_ptr<MachinePart> make_as(unsigned number, const PartResources& resources) {
    return std::make_unique<Part>(number, resources);
}
std::unique_ptr<MachinePart> make_none(unsigned, const PartResources&) { return nullptr; }

/// A kind is a row. What a package has follows from its configuration, whatever its kind.
constexpr struct {
    PartKind kind;
    PartFactory make;
} kPartFactories[] = {
    {PartKind::socket, make_as<PackagePart>},  {PartKind::gpu, make_as<PackagePart>},
    {PartKind::cube, make_as<PackagePart>},    {PartKind::cpu, make_as<PackagePart>},
    {PartKind::cpu_router, make_none},         {PartKind::router, make_none},
    {PartKind::host, make_as<HostPart>},       {PartKind::single_switch, make_as<SwitchPart>},
    {PartKind::network, make_as<NetworkPart>}, {PartKind::reduction, make_as<ReductionPart>},
};
constexpr bool has_factory(PartKind kind) {
    for (const auto& row : kPartFactories)
        if (row.kind == kind) return true;
    return false;
}
constexpr bool each_kind_has_a_factory() {
    for (const PartKindFacts& facts : kPartKindFacts)
        if (!has_factory(facts.kind)) return false;
    return true;
}
static_assert(each_kind_has_a_factory());
} // namespace

std::vector<PartSpec> parts_to_build(const SystemConfig& c, std::uint64_t order_seed) {
    std::vector<PartSpec> list;
    const WiredParts parts(c);
    if (has_driver(c) || has_host_memory(c)) list.push_back({PartKind::host, host_number(c).value});
    for (unsigned k = 0; k < c.sockets; ++k) {
        const unsigned s = order_seed % 2 ? c.sockets - 1 - k : k;
        list.push_back({parts.kind_of(s), s});
    }
    for (unsigned n = c.sockets; n < parts.ends(); ++n)
        if (parts.kind_of(n) == PartKind::reduction) list.push_back({PartKind::reduction, n});
    for (unsigned n = parts.ends(); n < parts.count(); ++n) list.push_back({parts.kind_of(n), n});
    if (parts.ends() > 1) list.push_back({has_network(c) ? PartKind::network : PartKind::single_switch, 0});
    return list;
}

std::unique_ptr<MachinePart> make_part(const PartSpec& part, const PartResources& resources) {
    for (const auto& row : kPartFactories)
        if (row.kind == part.kind) return row.make(part.number, resources);
    throw ModelError("a kind of part has no factory");
}

} // namespace numavp

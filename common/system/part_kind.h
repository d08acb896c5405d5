/// Kinds of parts of a machine, and what follows from a kind. Nothing follows from a part's name.
#pragma once

#include <stdexcept>

#include "base/values/name_table.h"

namespace numavp {

enum class PartKind : unsigned char {
    socket,
    gpu,
    cube,
    cpu,
    cpu_router,
    router,
    host,
    reduction,
    // Not in a file's list: network.topology says which of the two there is.
    single_switch,
    network
};
inline constexpr NameTable<PartKind> kPartKinds{
    "kind of part",
    {{PartKind::socket, "socket", "A package with SMs, memory or both, a link and a router in a network of wires."},
     {PartKind::gpu, "gpu", "A package with SMs."},
     {PartKind::cube, "cube", "A package with a memory and without SMs."},
     {PartKind::cpu, "cpu",
      "A package of a CPU: its memory, or its core; copies of characterize and predict begin here."},
     {PartKind::cpu_router, "cpu_router", "A CPU that is a router alone; characterize and predict take it for a CPU."},
     {PartKind::router, "router", "A router alone, in a network of wires."},
     {PartKind::host, "host",
      "The host of the driver, as the section host says; without such a part it is called host."},
     {PartKind::reduction, "reduction",
      "A unit in a switch that adds up what reads of multicast arrays name, and replicates what writes name."}}};

/// Whether parts of a kind have something.
enum class PartHas : unsigned char { maybe, always, never };

/// What follows from a kind: a new one is an enumerator, its row of kPartKinds, its row here, and one of
/// kPartFactories (platform/machine/part_factories.h).
struct PartKindFacts {
    PartKind kind;
    bool package; ///< numbered among the sockets, with settings under its name
    PartHas sms, memory;
    bool cpu; ///< whose threads call copies, for characterize and predict
};
inline constexpr PartKindFacts kPartKindFacts[] = {
    {PartKind::socket, true, PartHas::maybe, PartHas::maybe, false},
    {PartKind::gpu, true, PartHas::always, PartHas::maybe, false},
    {PartKind::cube, true, PartHas::never, PartHas::always, false},
    {PartKind::cpu, true, PartHas::maybe, PartHas::maybe, true}, // imported without GPUs, SMs stand for its cores
    {PartKind::cpu_router, false, PartHas::never, PartHas::never, true},
    {PartKind::router, false, PartHas::never, PartHas::never, false},
    {PartKind::host, false, PartHas::never, PartHas::always, false},
    {PartKind::reduction, false, PartHas::never, PartHas::never, false},
    {PartKind::single_switch, false, PartHas::never, PartHas::never, false},
    {PartKind::network, false, PartHas::never, PartHas::never, false},
};

constexpr const PartKindFacts& facts_of(PartKind kind) {
    for (const PartKindFacts& facts : kPartKindFacts)
        if (facts.kind == kind) return facts;
    throw std::logic_error("a kind of part has no facts");
}
constexpr bool is_package(PartKind kind) { return facts_of(kind).package; }
/// True for parts of which only the router is modelled.
constexpr bool is_router_alone(PartKind kind) { return kind == PartKind::router || kind == PartKind::cpu_router; }

} // namespace numavp

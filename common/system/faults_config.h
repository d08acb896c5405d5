/// Faults at given times: the section `faults` of a system's file.
#pragma once

#include <string>
#include <vector>

#include "base/config/config.h"

namespace numavp {

enum class FaultKind : unsigned char { lane, link, router };
inline constexpr NameTable<FaultKind> kFaultKinds{
    "kind of fault",
    {{FaultKind::lane, "lane", "A lane is taken out of use; the others go on after retrain_us."},
     {FaultKind::link, "link", "All channels between two parts, both ways, take no more packets."},
     {FaultKind::router, "router", "All channels of a router take no more packets."}}};

enum class FaultSide : unsigned char { out, in };
inline constexpr NameTable<FaultSide> kFaultSides{
    "side", {{FaultSide::out, "out", "From the part."}, {FaultSide::in, "in", "To the part."}}};

struct FaultEvent {
    FaultKind kind = FaultKind::lane;
    double at_us = 0.0;
    std::string part, to;
    FaultSide side = FaultSide::out;
    unsigned lanes = 1;
};

struct FaultsConfig {
    std::vector<FaultEvent> events;
    double retrain_us = 1.0;

    bool given() const { return !events.empty(); }
};

template <class V> void describe(V& v, FaultEvent& c) {
    v.choice("kind", c.kind, kFaultKinds, "Kind of the fault.");
    v.real("at_us", c.at_us, 0.0, 1e9, "us", "Time of the fault, from the start of the run.");
    v.parts("part", c.part, "Part at the fault, such as \"gpu[1]\".");
    v.parts(
        "to", c.to,
        "Part at the other end of a link, or of a channel whose lanes are retired; empty: the part's own link to the "
        "switch or network.");
    v.choice("side", c.side, kFaultSides, "Direction whose lanes are retired, seen from the part.");
    v.integer("lanes", c.lanes, 1, 63, "lanes", "Number of lanes retired; one lane of a direction stays.");
}
template <class V> void describe(V& v, FaultsConfig& c) {
    v.list("events", c.events, "Faults at given times.");
    v.real("retrain_us", c.retrain_us, 0.0, 1e6, "us",
           "Time for which a direction carries nothing while it goes over to fewer lanes, at faults of the list. A "
           "choice: "
           "a link's recovery takes microseconds.");
}

} // namespace numavp

/// Kinds of cut of a socket's link: none, or pins over which its packets travel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/values/name_table.h"
#include "rtl/cxs_pins.h"

namespace numavp {

enum class LinkCutKind : std::uint8_t { none, flits, flits_rtl };

inline constexpr NameTable<LinkCutKind> kLinkCuts{
    "cut of a link",
    {{LinkCutKind::none, "none", "Packets go from link to switch as records."},
     {LinkCutKind::flits, "flits", "Packets travel between link and switch as credited flits over pins."},
     {LinkCutKind::flits_rtl, "flits_rtl", "Flits over pins pass an RTL relay each way (rtl/flit_relay.sv)."}}};

/// Bound on the cycles of a line's flits through a cut if nothing else is under way.
constexpr unsigned idle_cut_cycles(LinkCutKind kind) { return kind == LinkCutKind::none ? 0 : 10; }

/// The four ways through a cut. Each has separate wires, so that none can hold up another.
enum LinkCutWay : std::size_t { kRequestsOut, kResponsesIn, kRequestsIn, kResponsesOut, kLinkCutWays };

/// Relay on the wires of each way; null: none.
using LinkCutRelays = std::array<rtl::CxsRelay*, kLinkCutWays>;

} // namespace numavp

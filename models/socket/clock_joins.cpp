#include "models/socket/clock_joins.h"

#include "tlm-links/protocol/ranks.h"

namespace numavp {

void ClockJoins::join(const BindPorts& bind, Sends from, Takes to, const std::string& wire, Part part) {
    if (&from.clock == &to.clock) return bind(from.port, to.port, wire, from.clock);
    ClockCrossing& crossing = cross(from.clock, to.clock, wire, part);
    bind(from.port, crossing.above(), wire, from.clock);
    bind(crossing.below(), to.port, wire + "_crossed", to.clock);
}

tlm::tlm_target_socket<>& ClockJoins::entrance(const BindPorts& bind, ClockDomain& above, Takes to,
                                               const std::string& wire) {
    if (&above == &to.clock) return to.port;
    ClockCrossing& crossing = cross(above, to.clock, wire, Part::noc);
    bind(crossing.below(), to.port, wire + "_crossed", to.clock);
    return crossing.above();
}

/// Ranks by the order of a socket's wires, which is the same whatever was built first.
ClockCrossing& ClockJoins::cross(ClockDomain& above, ClockDomain& below, const std::string& wire, Part part) {
    const Rank rank{socket_.value, kRankCrossing, 2 * static_cast<std::uint32_t>(crossings_.size())};
    crossings_.push_back(std::make_unique<ClockCrossing>(("cross_" + wire).c_str(), config_,
                                                         ClockCrossing::Resources{above, below, rank, part}));
    return *crossings_.back();
}

void ClockJoins::list_parts(PartList& parts, const PartOwner& owner) {
    for (auto& crossing : crossings_) parts.add(owner, owner.path_of(crossing->basename()), *crossing);
}

} // namespace numavp

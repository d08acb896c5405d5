/// Connects ports of a socket, with a ClockCrossing between ports of different clocks.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/part_list.h"
#include "tlm-links/edge/clock_crossing.h"

namespace numavp {

/// Binds two ports of one clock (a checker may sit between).
using BindPorts = std::function<void(tlm::tlm_initiator_socket<>&, tlm::tlm_target_socket<>&, const std::string& name,
                                     const ClockDomain&)>;

class ClockJoins {
  public:
    /// A port and its clock.
    struct Sends {
        tlm::tlm_initiator_socket<>& port;
        ClockDomain& clock;
    };
    struct Takes {
        tlm::tlm_target_socket<>& port;
        ClockDomain& clock;
    };
    ClockJoins(const CrossingConfig& config, SocketId socket) : config_(config), socket_(socket) {}

    /// Connects two ports. A crossing, if the clocks differ, counts records' time in the latency part `part`.
    void join(const BindPorts& bind, Sends from, Takes to, const std::string& wire, Part part = Part::noc);
    /// Port to which a module of the clock `above` binds to reach `to`: `to` itself if it has that clock.
    tlm::tlm_target_socket<>& entrance(const BindPorts& bind, ClockDomain& above, Takes to, const std::string& wire);
    void list_parts(PartList& parts, const PartOwner& owner);

  private:
    ClockCrossing& cross(ClockDomain& above, ClockDomain& below, const std::string& wire, Part part);

    CrossingConfig config_;
    SocketId socket_;
    std::vector<std::unique_ptr<ClockCrossing>> crossings_;
};

} // namespace numavp

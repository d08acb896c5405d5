/// The energy of a machine as a part of it: energy of its events and of its time, by component.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/clockwork.h"
#include "models/energy/energy_config.h"
#include "models/reduction/reduction_unit.h"
#include "models/socket/gpu_socket.h"
#include "tlm-links/packet/network_fabric.h"

namespace numavp {

/// Computes energies from the counts of other parts, which must outlive it. Energies only grow, so that each part of a
/// run has a share of them.
class SystemEnergy final : public ModelPart {
  public:
    struct Machine {
        const std::vector<GpuSocket*>& sockets;
        const NetworkFabric* network;     ///< null: there is none
        std::function<double()> links_pj; ///< of links, switch and channels between packages
        std::function<double()> seconds;  ///< until now, or of the whole run when it has ended
        std::uint64_t core_khz;           ///< the system's `clock_khz`
        bool sectored;
        std::vector<const ReductionUnit*> reductions{}; ///< of its switches
    };
    SystemEnergy(const EnergyConfig& config, Machine machine) : c_(config), m_(std::move(machine)) {}
    void add_statistics(StatGroup& machine) const override;

  private:
    /// Energies in pJ of crossbars, and of the wires at them.
    struct Noc {
        double routers = 0, wires = 0, standing = 0;
        double sum() const { return routers + wires + standing; }
    };
    /// One way of a socket's crossbar.
    struct Way {
        double flits;             ///< through the crossbar
        double routers;           ///< that they pass in all
        double inputs, outputs;   ///< ports
        unsigned bytes_per_cycle; ///< of a port
        double clock_hz;
    };
    double constant_pj() const;
    double sm_static_pj() const;
    double sm_pj() const;
    double l1_pj() const;
    double l2_pj() const;
    bool has_side_caches() const;
    double side_caches_pj() const;
    double memory_pj() const;
    double reductions_pj() const;
    Noc noc() const;
    template <class See> void each_way(const See& see) const;
    void add_crossbars(const Way& way, Noc& sum) const;
    void add_network(Noc& sum) const;
    double point_to_point_pj() const;
    double total_pj() const;

    EnergyConfig c_;
    Machine m_;
};

} // namespace numavp

/// The energy of a machine, as a part of it: what its events and its time cost, by component.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "models/base/clockwork.h"
#include "models/base/model_part.h"
#include "models/energy/energy_config.h"
#include "models/socket/gpu_socket.h"
#include "tlm-links/packet/network_fabric.h"

namespace numavp {

/// Reads the counts of the other parts, which outlive it, and counts nothing itself. Energies grow with time, so that
/// each part of a run has its share of them.
class SystemEnergy final : public ModelPart {
  public:
    struct Machine {
        const std::vector<std::unique_ptr<GpuSocket>>& sockets;
        const NetworkFabric* network;     ///< null: there is none
        std::function<double()> links_pj; ///< of links, switch and channels between packages
        std::function<double()> seconds;  ///< until now, or of the whole run when it has ended
        double clock_hz;
        bool sectored;
    };
    SystemEnergy(const EnergyConfig& config, Machine machine) : c_(config), m_(std::move(machine)) {}
    void add_statistics(StatGroup& machine) const override;

  private:
    /// Of crossbars, and of the wires at them; pJ.
    struct Noc {
        double routers = 0, wires = 0, standing = 0;
        double sum() const { return routers + wires + standing; }
    };
    double constant_pj() const;
    double sm_static_pj() const;
    double sm_pj() const;
    double l1_pj() const;
    double l2_pj() const;
    double memory_pj() const;
    Noc noc() const;
    template <class See> void each_way(const See& see) const;
    void add_crossbars(const Fabric& fabric, double lanes, unsigned bytes_per_cycle, Noc& sum) const;
    void add_network(Noc& sum) const;
    double point_to_point_pj() const;
    double total_pj() const;

    EnergyConfig c_;
    Machine m_;
};

} // namespace numavp

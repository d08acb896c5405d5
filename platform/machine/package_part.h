/// A package as a part of a machine: its modules, the cut at its link, and the foreign modules at its ports.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/stats/model_part.h"
#include "platform/machine/machine_part.h"
#include "rtl/cxs_pins.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/edge/edge_target_adapter.h"
#include "tlm-links/flits/link_cut.h"

namespace numavp {

class PackagePart final : public MachinePart {
  public:
    PackagePart(unsigned number, const PartResources& resources);
    ~PackagePart() override;

    void connect() override;
    bool package() const override { return true; }
    void list(PartList& shown) override;
    void launch() override { socket_->launch(); }
    void rest() override { socket_->rest(); }
    void change(const SystemConfig& now) override { socket_->change(configuration(now)); }
    const Link* link() const override { return socket_->link.get(); }
    bool foreign() const override { return !memory_edges_.empty(); }

    GpuSocket& socket() { return *socket_; }
    /// Port of a foreign initiator, which is asked for.
    tlm::tlm_target_socket<>& drive(unsigned port);
    /// SystemC wants every port bound: those that nobody asked for get an initiator that never calls.
    void close_core_ports();
    /// The adapter of a slice's foreign memory; null if the memory is ours.
    EdgeTargetAdapter* memory_edge(unsigned slice) const;

  private:
    struct CorePort {
        std::unique_ptr<EdgeInitiatorAdapter> edge;
        bool driven;
    };
    /// Initiator of a core port to which no foreign initiator is connected; never called.
    struct Nobody final : tlm::tlm_bw_transport_if<> {
        tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
            return tlm::TLM_COMPLETED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    };
    /// Statistics of the pages placed in its memory, by a placement or a driver.
    struct Allocated final : ModelPart {
        explicit Allocated(const PackagePart& owner) : package(owner) {}
        void add_statistics(StatGroup& owner) const override;
        void add_series(SeriesGroup& owner) const override;
        std::uint64_t bytes() const;
        const PackagePart& package;
        unsigned memory = 0; ///< among those that sockets have
    };

    GpuSocketConfig configuration(const SystemConfig& config) const;
    void build_socket();
    tlm::tlm_target_socket<>* foreign_channel(unsigned channel);
    void watch();
    void build_core_ports();
    void build_cut();

    const PartResources& r_;
    unsigned number_;
    std::string name_;
    std::map<unsigned, std::unique_ptr<EdgeTargetAdapter>> memory_edges_; ///< by channel
    std::unique_ptr<GpuSocket> socket_;
    std::vector<std::unique_ptr<rtl::CxsRelay>> relays_; ///< of a configured cut
    std::unique_ptr<LinkCut> cut_;                       ///< null: the link is whole
    Nobody nobody_;
    std::vector<CorePort> core_ports_;
    Allocated allocated_{*this};
};

} // namespace numavp

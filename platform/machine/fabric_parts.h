/// What joins the links of a machine, as a part of it: one switch, or a network of routers.
#pragma once

#include <memory>
#include <vector>

#include "platform/machine/machine_part.h"
#include "rtl/cxs_pins.h"
#include "tlm-links/crossbar/crossbar.h"
#include "tlm-links/flits/link_cut_kind.h"
#include "tlm-links/packet/network_fabric.h"

namespace numavp {

class SwitchPart final : public FabricPart {
  public:
    SwitchPart(unsigned number, const PartResources& resources);

    void list(PartList& shown) override;
    tlm::tlm_target_socket<>& ingress(unsigned end) override { return crossbar_.ingress(end); }
    tlm::tlm_initiator_socket<>& egress(unsigned end) override { return crossbar_.egress(end); }
    std::uint64_t bytes_towards(unsigned end) const override {
        return crossbar_.requests(end).bytes + crossbar_.responses(end).bytes;
    }

  private:
    const PartResources& r_;
    Crossbar crossbar_;
};

/// All routers of a machine, with their channels and the interfaces of the ends.
class NetworkPart final : public FabricPart {
  public:
    NetworkPart(unsigned number, const PartResources& resources);

    void connect() override;
    void list(PartList& shown) override;
    void launch() override { fabric_->launch(); }
    void rest() override { fabric_->rest(); }
    tlm::tlm_target_socket<>& ingress(unsigned end) override { return fabric_->ingress(end); }
    tlm::tlm_initiator_socket<>& egress(unsigned end) override { return fabric_->egress(end); }
    std::uint64_t bytes_towards(unsigned end) const override { return fabric_->bytes_towards(end); }
    const NetworkFabric* network() const override { return fabric_.get(); }

  private:
    NetworkFabricConfig configuration() const;
    void observe();
    std::unique_ptr<PacketRelay> make_cut(LinkCutKind kind);

    const PartResources& r_;
    std::vector<std::unique_ptr<rtl::CxsRelay>> relays_; ///< of cut channels
    std::unique_ptr<NetworkFabric> fabric_;
};

} // namespace numavp

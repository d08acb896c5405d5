/// A TLM-2.0 target in front of the driver core's bus: lets a foreign driver, in RTL or software, take the
/// place of our core and access the same registers and memories.
///
/// The bus takes aligned accesses of 8 bytes: other sizes are answered TLM_BURST_ERROR_RESPONSE, byte enables
/// TLM_BYTE_ENABLE_ERROR_RESPONSE, and bus errors TLM_ADDRESS_ERROR_RESPONSE. Debug reads have no side
/// effects.
#pragma once

#include "models/fault_server/driver_bus.h"
#include "tlm-links/edge/serial_target.h"

namespace numavp {

class BusPort final : public SerialTarget, private Arbiter, private BusMaster, private Handler {
  public:
    /// The port must be the only master of `bus`.
    BusPort(sc_core::sc_module_name name, ClockDomain& domain, DriverBus& bus);
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

  private:
    void wake_after(std::uint64_t ps) override;
    void deliver(Node&) override { wake(); }
    void arbitrate() override;
    void bus_done(const BusReply& reply) override;

    DriverBus& bus_;
    Node start_;
    bool starting_ = false;
};

} // namespace numavp

/// The bus of the driver's core: its devices, and a window to every memory of the platform.
///
/// One access at a time. A register answers after a fixed time; an access to memory is a timed transaction, to the
/// host's memory or over the host's link. An access that is unmapped, misaligned, not of 8 bytes, or not allowed by the
/// register map is answered by a bus error. Not modelled: posted writes, bursts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "models/fault_server/device_map.h"
#include "models/mmu/table_memory.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

/// Master of the bus: receives the reply to its access, in a delivery.
class BusMaster {
  public:
    virtual void bus_done(const BusReply& reply) = 0;

  protected:
    ~BusMaster() = default;
};

class DriverBus final : private RequesterIf, private Handler {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        SocketId host; ///< its number, beyond those of the sockets
        RadixTable& tables;
        DeviceMap& devices;
        std::uint64_t socket_bytes, host_bytes; ///< of each socket's memory, and of the host's
    };
    /// Without a link the bus reaches no memory but the host's.
    DriverBus(unsigned register_cycles, bool has_link, const Resources& resources);

    tlm::tlm_initiator_socket<>& memory_port() { return memory_.socket; }
    tlm::tlm_initiator_socket<>& link_port() { return link_->socket; }
    /// Begins an access now, in an arbitration pass or a delivery; the master must have no other one open.
    void start(const BusRequest& request, BusMaster& master);
    /// Performs a read without time and side effects, for a debugger; a bus error where that is not possible.
    BusReply peek(std::uint64_t address) const;
    /// Reads memory in no time through all caches, for `peek`. Set by the platform in functional runs, else empty.
    std::function<void(std::uint64_t physical, unsigned char* out, std::size_t bytes)> debug_read;

  private:
    bool response(unsigned port, Txn& txn) override;
    void deliver(Node&) override { answer(reply_); }
    bool reaches(std::uint64_t physical) const;
    bool access_memory(const BusRequest& request);
    void answer(const BusReply& reply);

    ClockDomain& domain_;
    TxnPool& pool_;
    const AddressMap& map_;
    SocketId host_;
    RadixTable& tables_;
    DeviceMap& devices_;
    unsigned register_cycles_;
    std::uint64_t socket_bytes_, host_bytes_;
    InitiatorPort memory_;
    std::unique_ptr<InitiatorPort> link_;
    BusMaster* master_ = nullptr;
    BusRequest request_;
    BusReply reply_;
    Node answer_;
};

} // namespace numavp

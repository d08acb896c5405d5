/// Interface between a package and a network: turns base-protocol records into packets and back.
///
/// A request at `up()` goes as a packet of class 0 to the terminal that the route gives and leaves that interface by
/// `down()`; the response goes back as a packet of class 1 to the requesting terminal. A record of B bytes is a packet
/// of ceil(B / flit) flits. Packets to one terminal for the same line stay in order within their class, by a key made
/// from the line. Arrived packets stay in the buffers of their virtual channels until the package takes them, so a
/// package that does not read stops the network, one class at a time. A package may have several terminals:
/// TerminalChoice gives those of a line's packets; responses go to the terminal that sent the request.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "tlm-links/crossbar/crossbar.h"
#include "tlm-links/packet/adaptive_entry.h"
#include "tlm-links/packet/packet_port.h"
#include "tlm-links/packet/terminal_choice.h"
#include "tlm-links/protocol/access_trail.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

struct NetworkInterfaceConfig {
    unsigned endpoint = 0; ///< which it is in the network; its terminals are numbered side by side
    unsigned first_terminal = 0, terminals = 1;
    unsigned all_terminals = 1; ///< of the network
    unsigned flit_bytes = 16;
    unsigned inject_flits = 64;     ///< room of a message class in the network's queue at each terminal
    unsigned queue_depth = 16;      ///< records that wait for room in the network, requests and responses each
    unsigned wire_depth = 64;       ///< records between here and the package
    unsigned records_per_cycle = 1; ///< of a message class that it moves each way
    bool by_origin = false;         ///< what comes is counted for each terminal from which it comes
    /// By which terminal requests enter, if that is not drawn by their line; null: it is. It stays with its maker.
    AdaptiveEntry* entry = nullptr;
};

class NetworkInterface final : public sc_core::sc_module,
                               private RequesterIf,
                               private ResponderIf,
                               private PacketOwner {
  public:
    static constexpr unsigned kClasses = 2; ///< requests, responses

    struct Resources {
        ClockDomain& domain;
        const RouteIf& route; ///< from the package's record to the endpoint that it goes to
        const TerminalChoice& choice;
        Rank rank;
    };
    NetworkInterface(sc_core::sc_module_name name, const NetworkInterfaceConfig& config, const Resources& resources);
    ~NetworkInterface() override;

    tlm::tlm_target_socket<>& up() { return up_.socket; }
    tlm::tlm_initiator_socket<>& down() { return down_.socket; }
    PacketInitiatorSocket& network(unsigned terminal) { return terminals_[terminal].port->socket; }

    /// The order key of the packets of a line with this hash; never 0, which means no key.
    static std::uint32_t order_key(std::uint64_t hash);
    /// Packets and bytes that have arrived for the package.
    const OutputCounts& requests() const { return arrived_[kRequest].counts; }
    const OutputCounts& responses() const { return arrived_[kResponse].counts; }
    /// Flits that have gone through the interface's terminals, both ways.
    std::uint64_t terminal_flits() const { return terminal_flits_; }
    /// Bytes of requests, and of responses, that came from a terminal; only if `by_origin` is set.
    std::uint64_t requests_from(unsigned terminal) const { return bytes_from_[kRequest][terminal]; }
    std::uint64_t responses_from(unsigned terminal) const { return bytes_from_[kResponse][terminal]; }
    /// Number of records inside, of both directions.
    unsigned held() const;
    const Txn* sample_held() const;

  private:
    enum : unsigned { kRequest, kResponse };
    /// From the package into the network.
    struct Outward final : Arbiter {
        Outward(NetworkInterface& owner, ClockDomain& domain, Rank rank) : Arbiter(domain, rank), interface(owner) {}
        void arbitrate() override;
        NetworkInterface& interface;
    };
    /// From the network into the package.
    struct Inward final : Arbiter {
        Inward(NetworkInterface& owner, ClockDomain& domain, Rank rank) : Arbiter(domain, rank), interface(owner) {}
        void arbitrate() override;
        NetworkInterface& interface;
    };
    /// Packets of a class that have arrived and wait until the package takes them.
    struct Arrived {
        std::deque<PacketPayload*> queue;
        unsigned fresh = 0; ///< the last of them, which came at this edge by any terminal
        OutputCounts counts;
        /// Sorts the fresh packets, so that the order in which terminals delivered them does not matter.
        void settle();
    };
    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void packet(unsigned port, PacketPayload& packet) override;
    void credit(unsigned port, unsigned message_class, unsigned flits) override;
    /// One of the interface's terminals of the network.
    struct Terminal {
        std::unique_ptr<PacketInitiatorPort> port;
    };
    static constexpr unsigned kNoTerminal = ~0U;
    /// By which terminal a record goes, kNoTerminal while that has no room, and to which.
    struct Way {
        unsigned own, to;
    };
    Way way_of(const Txn& txn, const TerminalChoice::Line& line, bool asks, unsigned length);
    unsigned endpoint_of(const Txn& txn);
    bool send(unsigned message_class);
    bool receive(unsigned message_class);
    void follow(const Txn& txn, const char* place, Waited what) const;
    void give_room(const PacketPayload& packet);
    unsigned flits(unsigned bytes) const { return (bytes + config_.flit_bytes - 1) / config_.flit_bytes; }
    PacketPayload& make();

    const NetworkInterfaceConfig config_;
    ClockDomain& domain_;
    const RouteIf& route_;
    const TerminalChoice& choice_;
    TargetPort up_;
    InitiatorPort down_;
    std::vector<Terminal> terminals_;
    std::array<std::vector<unsigned>, kClasses> room_; ///< flits in the network's queue at each terminal
    Outward outward_;
    Inward inward_;
    std::array<Inlet, kClasses> leaving_;
    std::array<Arrived, kClasses> arrived_;
    std::vector<std::unique_ptr<PacketPayload>> payloads_; ///< all that were made
    std::vector<PacketPayload*> spare_;
    const Txn* asked_ = nullptr; ///< the request at the head of its queue, once the route was asked where it goes
    unsigned asked_to_ = 0;      ///< endpoint
    std::uint64_t terminal_flits_ = 0;
    std::array<std::vector<std::uint64_t>, kClasses> bytes_from_; ///< by terminal; empty if not counted
};

} // namespace numavp

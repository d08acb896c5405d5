/// A memory channel: bandwidth, latency, queues; optionally with a store for data.
///
/// Requests of its ports are served round-robin, each port in order; a partial access costs the sectors it touches.
/// Not modelled: banks, row buffers, refresh, read-write turn-around (a timed channel is another module).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/time/bandwidth_server.h"
#include "models/memory/channel/memory_channel.h"
#include "tlm-links/protocol/flat_memory.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

class Channel final : public sc_core::sc_module, public MemoryChannel, private ResponderIf {
  public:
    Channel(sc_core::sc_module_name name, const ChannelConfig& config, ClockDomain& domain, Rank rank);
    tlm::tlm_target_socket<>& port(unsigned i) override { return ports_[i]->socket; }
    /// Sets the memory that reads and writes access; it must outlive the channel. Without one no data is stored.
    void set_memory(FlatMemory* memory) { memory_ = memory; }
    const ChannelCounts& counts() const override { return counts_; }
    std::uint64_t busy_bytes() const override { return arbiter_.server.busy_bytes(domain_.now()); }
    std::uint64_t capacity_bytes(Cycle cycles) const override { return arbiter_.server.capacity_bytes(cycles); }
    unsigned held() const override;
    const Txn* sample_held() const override;
    void debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override;

  private:
    struct Server final : Arbiter {
        Server(Channel& owner, ClockDomain& domain, Rank rank, std::uint64_t bytes_per_s)
            : Arbiter(domain, rank), channel(owner), server(bytes_per_s, domain.khz()) {}
        void arbitrate() override { channel.serve(); }
        /// Serves at `edge`, and says what that will touch if the first of `inlet` is next.
        void next_at(Cycle edge, const Inlet& inlet, const Wire& wire) {
            touches.expect_all({&inlet, inlet.first_touched(), static_cast<const Node*>(&inlet.front()), &wire});
            wake_at(edge);
        }
        Channel& channel;
        BandwidthServer server;
        Touches<4> touches{*this};
    };
    bool request(unsigned port, Txn& txn) override;
    void serve();
    bool serve_one(Cycle now);
    void access(Txn& txn);
    void follow(const Txn& txn, const Wire& wire) const;

    ClockDomain& domain_;
    unsigned latency_; ///< cycles
    Server arbiter_;
    std::vector<std::unique_ptr<TargetPort>> ports_;
    std::vector<Inlet> inlets_;
    unsigned turn_ = 0;
    FlatMemory* memory_ = nullptr;
    ChannelCounts counts_;
};

} // namespace numavp

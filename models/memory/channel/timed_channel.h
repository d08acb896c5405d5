/// A memory channel of a socket in timed DRAM: MemoryController behind the ports of a Channel.
///
/// A line takes as many column accesses as its 128 bytes need, a partial access those that it touches. A line's
/// accesses enter the controller together, at the DRAM clock's edge at or before the socket's; the response is sent
/// when the last one's data have ended. Addresses in the device are compacted: lines (or groups of them) of the
/// channel's slices lie side by side, without gaps for other channels. Data are exchanged when a request is accepted.
///
/// The controller's cycles are executed in batches. While no request waits outside of it, its queue alone determines
/// its commands, and these have no effect on others before their data end. So the channel is woken one edge before the
/// earliest end of data, not at each command. A request that arrives, and who reads counts, have the cycles up to the
/// present edge executed first.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "models/memory/channel/memory_channel.h"
#include "models/memory/dram/controller.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/flat_memory.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

class TimedChannel final : public sc_core::sc_module, public MemoryChannel, private ResponderIf {
  public:
    struct Resources {
        ClockDomain& domain;
        Rank rank;
        Slicing slicing; ///< of the socket
        unsigned interleave_lines = 1;
        unsigned number = 0, channels = 1; ///< of the socket
    };
    /// Ports and queue depths are those of `config`; bandwidth and latency those of the device.
    TimedChannel(sc_core::sc_module_name name, const ChannelConfig& config, const MemoryDeviceConfig& device,
                 const Resources& resources);
    tlm::tlm_target_socket<>& port(unsigned i) override { return ports_[i]->socket; }
    /// Sets the memory that reads and writes access; it must outlive the channel. Without one no data is stored.
    void set_memory(FlatMemory* memory) { memory_ = memory; }
    const ChannelCounts& counts() const override { return counts_; }
    std::uint64_t activates() const override {
        settle();
        return controller_.counts().activates;
    }
    std::uint64_t busy_bytes() const override;
    std::uint64_t capacity_bytes(Cycle cycles) const override;
    unsigned held() const override;
    const Txn* sample_held() const override;
    void debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override;
    void add_statistics(StatGroup& owner) const override;
    void set_observer(CommandObserver* observer) { controller_.set_observer(observer); }

  private:
    struct Server final : Arbiter {
        Server(TimedChannel& owner, ClockDomain& domain, Rank rank) : Arbiter(domain, rank), channel(owner) {}
        void arbitrate() override { channel.serve(); }
        TimedChannel& channel;
    };
    /// A request whose accesses are in the controller.
    struct Line {
        Txn* txn = nullptr;
        unsigned port = 0;
        unsigned left = 0; ///< accesses whose column command was not given yet
        Cycle end = 0;     ///< of the data so far, in DRAM cycles
    };
    bool request(unsigned port, Txn& txn) override;
    const void* touched_by_request(unsigned port) const override { return &inlets_[port]; }
    void serve();
    void advance(Cycle dram);
    /// Executes the cycles up to the last edge at which the channel can have acted: to be called before counts are
    /// read. Changes nothing that is not due anyway, and is const in this sense.
    void settle() const { arbiter_.channel.advance(dram_at(domain_.arbitrated())); }
    std::uint64_t columns() const;
    bool waits() const;
    void take_completions(bool write);
    bool accept_one(Cycle dram);
    bool fits(unsigned port) const;
    void accept(unsigned port, Txn& txn, Cycle dram);
    std::uint64_t address_of(unsigned port, std::uint64_t line) const;
    void access(Txn& txn);
    void follow_column(const Line& line) const;
    /// The socket's first edge at or after an edge of the DRAM clock.
    Cycle edge_of(Cycle dram) const { return (dram * domain_.khz() + dram_khz_ - 1) / dram_khz_; }
    /// The DRAM clock's last edge at or before an edge of the socket.
    Cycle dram_at(Cycle edge) const { return edge * dram_khz_ / domain_.khz(); }

    ClockDomain& domain_;
    Server arbiter_;
    MemoryController controller_;
    AddressDecoder decoder_;
    std::uint64_t dram_khz_;
    unsigned access_bytes_, burst_;
    Slicing slicing_;
    unsigned group_shift_;            ///< log2 of the consecutive lines of a slice
    std::array<Cycle, 2> data_after_; ///< its column command a read's and a write's data end, in DRAM cycles
    std::vector<std::unique_ptr<TargetPort>> ports_;
    std::vector<Inlet> inlets_;
    std::vector<unsigned> in_controller_; ///< lines of each port
    std::vector<Line> lines_;
    std::vector<std::uint32_t> free_;
    unsigned turn_ = 0;
    FlatMemory* memory_ = nullptr;
    ChannelCounts counts_;
};

} // namespace numavp

/// The copy engine: moves or fills ranges of memory over the links, one command at a time.
///
/// There is one block of registers, an engine in each socket and one on the host. The engine at the target does a copy,
/// or for copies to the host the engine at the source, so data crosses the links once. Lines move as LineMover
/// describes.
/// Not modelled: descriptors of real engines; accesses that are not whole lines (they are refused).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/model_part.h"
#include "models/copy/line_mover.h"
#include "models/fault_server/interrupt_line.h"
#include "models/fault_server/register_block.h"
#include "models/mmu/table_memory.h"

namespace numavp {

struct CopyEngineConfig {
    unsigned lines_in_flight = 64;
    std::uint64_t socket_bytes = 0; ///< of each socket's memory
    std::uint64_t host_bytes = 0;
    bool alone = false; ///< a host without sockets: there is only its own memory
};

struct CopyCounts {
    std::uint64_t copies = 0, fills = 0, refused = 0;
    std::uint64_t copied_bytes = 0, filled_bytes = 0;
    std::uint64_t busy_ps = 0;
};

class CopyEngine final : public RegisterDevice, public ModelPart, private LineMover::Client {
  public:
    struct Resources {
        ClockDomain& domain;
        Rank rank;
        TxnPool& pool;
        const AddressMap& map;
        RadixTable& tables;
        SocketId host; ///< its number, beyond those of the sockets
        InterruptLine& line;
        unsigned device;
    };
    CopyEngine(const CopyEngineConfig& config, const Resources& resources);

    /// Port to a socket's crossbar.
    tlm::tlm_initiator_socket<>& socket_port(unsigned socket) { return movers_[socket]->port(); }
    /// Port to the host's memory.
    tlm::tlm_initiator_socket<>& memory_port() { return movers_[host_.value]->port(); }

    std::uint64_t read_register(std::size_t index) override;
    void write_register(std::size_t index, std::uint64_t value) override;
    std::uint64_t peek_register(std::size_t index) const override;

    /// Called for each completed command: the time at which it was given, its bytes, the homes of source and target
    /// (equal for a fill).
    std::function<void(std::uint64_t started_ps, std::uint64_t bytes, SocketId from, SocketId to)> on_end;
    const CopyCounts& counts() const { return counts_; }
    bool busy() const { return busy_; }
    std::uint64_t progress_ps() const { return progress_ps_; } ///< when a line last got to its place
    void add_statistics(StatGroup& host) const override;
    void add_series(SeriesGroup& host) const override;
    std::string waiting_for() const override;

  private:
    void line_moved(const MoveRange& range, std::uint64_t line) override;
    void range_moved(const MoveRange& range) override;
    void command(std::uint64_t code);
    bool sound(std::uint64_t address) const;
    void raise() { line_.set(device_, done_ != done_read_ && (control_ & 1) != 0); }

    CopyEngineConfig config_;
    ClockDomain& domain_;
    const AddressMap& map_;
    RadixTable& tables_;
    SocketId host_;
    InterruptLine& line_;
    unsigned device_;
    std::vector<std::unique_ptr<LineMover>> movers_; ///< of each socket, then the host's; null where there is none
    std::uint64_t source_ = 0, target_ = 0, bytes_ = 0, control_ = 0;
    bool busy_ = false, refused_ = false, fills_ = false;
    std::uint64_t done_ = 0, done_read_ = 0;
    // The command under way, in bytes.
    std::uint64_t size_ = 0, written_ = 0;
    std::uint64_t started_ps_ = 0, progress_ps_ = 0;
    CopyCounts counts_;
};

} // namespace numavp

/// The page-fault unit: faults of all sockets, merged by page, in a queue that the driver reads through registers.
///
/// A fault takes `message_cycles` from the socket to the queue, a completion as many back. When the queue is full the
/// walker keeps its fault and is told when there is room. The unit also carries the driver's invalidations to the
/// sockets, and their access notes to the driver. It checks each completion: the page must be mapped to a whole frame
/// of a memory, which no other page has, and caches must have given up the frames where it was. The same holds for each
/// replica. Not modelled: bandwidth of these messages, which are few and small.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/messenger.h"
#include "models/fault_server/driver_config.h"
#include "models/fault_server/fault_ledger.h"
#include "models/fault_server/interrupt_line.h"
#include "models/fault_server/invalidation_rounds.h"
#include "models/fault_server/register_block.h"
#include "models/mmu/fault_port.h"
#include "models/mmu/table_memory.h"

namespace numavp {

class FaultUnit final : public FaultSink, public RegisterDevice, public ModelPart {
  public:
    struct Resources {
        ClockDomain& domain;
        InterruptLine& line;
        unsigned device;          ///< its number on the line
        const RadixTable& tables; ///< the page tables that the driver writes
    };
    FaultUnit(const FaultUnitConfig& config, const Resources& resources);
    /// Sets the sockets' MMUs; before the simulation starts.
    void set_clients(const std::vector<FaultClient*>& clients);
    /// Called for each fault that the unit takes, in order.
    std::function<void(const PageFault&)> on_fault;

    bool fault(const PageFault& fault) override;
    void invalidated(SocketId socket, std::uint64_t page) override { invalidator_.answered(socket, page); }
    void access_note(SocketId socket, std::uint64_t page) override;

    std::uint64_t read_register(std::size_t index) override;
    void write_register(std::size_t index, std::uint64_t value) override;
    std::uint64_t peek_register(std::size_t index) const override;

    FaultLedger& ledger() { return ledger_; }
    const FaultLedger& ledger() const { return ledger_; }
    /// Number of pages in a memory that the driver has completed there and not removed since.
    std::uint64_t resident(MemoryId memory) const { return resident_[memory.value]; }
    std::uint64_t queued() const { return queue_.size(); } ///< pages that the driver sees
    void add_statistics(StatGroup& host) const override;
    void add_series(SeriesGroup& host) const override;
    void add_waves(WaveSet& waves, const std::string& host) override;
    bool drained() const override { return open_.empty() && invalidator_.idle() && messenger_.idle(); }
    /// Time in ps at which the oldest waiting fault was raised; kNever if none waits.
    std::uint64_t oldest_ps() const;
    /// Time of the driver's last progress: it took a fault, completed one, or a page had left all caches.
    std::uint64_t progress_ps() const { return progress_ps_; }
    /// Returns the driver's last console line, for the error message when a completion is refused; may be empty.
    std::function<std::string()> last_words;
    std::string waiting_for() const override;
    /// The waiting faults as text, one a line, for a debugger.
    std::string text() const;

  private:
    enum class State : std::uint8_t { under_way, queued, popped };
    struct Open {
        PageFault first;
        std::uint32_t sockets = 0; ///< bit a socket that waits
        State state = State::under_way;
        FaultTimes times;
        std::uint64_t number = 0; ///< in the order of raising
    };
    struct Note {
        std::uint64_t page;
        SocketId socket;
    };
    /// Frames of a page that caches may know.
    struct Frames {
        PhysicalAddress home = 0;
        std::vector<PhysicalAddress> read; ///< by each socket, kNever: none; empty: all use `home`, also for stores
    };
    std::uint64_t now_ps() const { return domain_.clockwork().now_ps(); }
    /// Of a frame that bad_frame() has passed: no number is too wide.
    MemoryId memory_of(PhysicalAddress frame) const { return MemoryId(frame >> config_.socket_shift); }
    std::uint64_t status() const;
    std::uint64_t head_info() const;
    std::uint64_t note_info() const;
    void take_head();
    void pop();
    void done(std::uint64_t page);
    void finish(std::uint64_t page, Open open);
    void fail(std::uint64_t page);
    void invalidate(std::uint64_t page);
    std::string misplaced(std::uint64_t page);
    std::string frames_in_table(std::uint64_t page, Frames& found) const;
    std::string bad_frame(std::uint64_t page, PhysicalAddress frame) const;
    bool holds(std::uint64_t page, PhysicalAddress frame) const;
    std::string kept(const Frames& known, const Frames& found) const;
    std::string invalidation_of(std::uint64_t page, const Frames* known, Frames& given_up) const;
    void count_replicas(const Frames* known, const Frames& found);
    void leave(std::uint64_t page);
    void raise();

    FaultUnitConfig config_;
    ClockDomain& domain_;
    InterruptLine& line_;
    unsigned device_;
    const RadixTable& tables_;
    std::vector<FaultClient*> clients_;
    Messenger messenger_;
    InvalidationRounds invalidator_;
    std::map<std::uint64_t, Open> open_; ///< by page
    std::deque<std::uint64_t> queue_;    ///< pages that the driver sees
    std::uint64_t arriving_ = 0;         ///< on their way to the queue
    std::uint32_t refused_ = 0;          ///< bit a socket whose walkers wait for room
    std::deque<Note> notes_;
    std::uint64_t popped_ = 0, progress_ps_ = 0;
    std::uint64_t taken_ = 0, taken_since_ps_ = 0; ///< faults that the driver has taken; since when there is one
    std::uint64_t control_ = 0, invalidated_ = 0, invalidated_read_ = 0;
    std::unordered_map<PhysicalAddress, std::uint64_t> page_in_; ///< frame to the page that was completed there last
    std::unordered_map<std::uint64_t, Frames> frames_of_;        ///< of pages that are resident
    std::vector<std::uint64_t> resident_;                        ///< by memory
    FaultLedger ledger_;
};

} // namespace numavp

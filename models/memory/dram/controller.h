/// A timed DRAM channel: banks with row buffers, and the controller that schedules commands to them.
///
/// Reads and writes have queues of equal depth. Reads go first; writes are gathered until they fill
/// `write_high_percent` of their queue, or no read waits, and are then drained down to `write_low_percent`. At a change
/// of direction, a row that was just opened for the old direction is used once before the data pins turn. One command
/// may go each cycle, or one row and one column command where these have separate buses. A request accepted in a cycle
/// gets its first command in the next cycle at the earliest. Time is in cycles of the DRAM's clock; the state changes
/// only in tick(), and cycles before next() may be skipped.
/// Not modelled: ranks, power states, forwarding of queued writes to reads (data are exchanged in order of acceptance).
#pragma once

#include <cstdint>
#include <memory>

#include "base/values/ring.h"
#include "models/memory/dram/command.h"
#include "models/memory/dram/device.h"
#include "models/memory/dram/request_table.h"
#include "models/memory/dram/timing/command_times.h"

namespace numavp {

class MemoryScheduler;
class Refresh;
class RowPolicy;

struct MemoryCounts {
    std::uint64_t reads = 0, writes = 0; ///< column commands
    std::uint64_t activates = 0, precharges = 0, refreshes = 0;
};

/// The transfer of a column command's data ends at `cycle`.
struct MemoryCompletion {
    Cycle cycle = 0;
    Cycle accepted = 0;
    std::uint32_t tag = 0;
};

class MemoryController {
  public:
    /// Of channel, or vault, `channel` of `channels`.
    explicit MemoryController(const MemoryDeviceConfig& config, unsigned channel = 0, unsigned channels = 1);
    ~MemoryController();

    bool room(bool write) const { return table_.size(write) < depth_; }
    /// Number of requests for which the queue has room.
    unsigned free(bool write) const { return depth_ - table_.size(write); }
    /// Takes a request; there must be room. Not to be called before tick() of the same cycle.
    void accept(const DramAddress& address, bool write, std::uint32_t tag, Cycle now);
    /// The next cycle at which tick() may issue a command; kNever if it needs a new request first.
    Cycle next() const { return next_; }
    /// Issues the commands of cycle `now`, which ascends and is at most next().
    void tick(Cycle now);
    /// Reads, or writes, whose column command was issued, in the order of their cycles; the caller removes them.
    Ring<MemoryCompletion>& completions(bool write) { return completions_[write]; }
    const Ring<MemoryCompletion>& completions(bool write) const { return completions_[write]; }

    /// Number of requests that wait for their column command.
    unsigned queued() const { return table_.size(0) + table_.size(1); }
    const MemoryCounts& counts() const { return counts_; }
    void set_observer(CommandObserver* observer) { observer_ = observer; }

  private:
    using BankSet = std::uint64_t;
    struct Choice {
        MemorySlot slot = kNoSlot;
        std::uint64_t age = ~std::uint64_t{0};
        bool activate = false;
    };

    /// Of two requests that are ready, the one with the smaller value goes first.
    std::uint64_t urgency(MemorySlot slot) const { return table_[slot].age; }
    void choose_direction();
    BankSet eligible(unsigned direction) const;
    bool try_column(Cycle now, Cycle& next);
    bool try_row(Cycle now, Cycle& next);
    void column(MemorySlot slot, unsigned direction, Cycle now);
    void activate(unsigned bank, std::uint32_t row, Cycle now);
    void precharge(unsigned bank, Cycle now);
    void close(unsigned bank);
    void refresh(Cycle now);
    bool try_refresh(Cycle now, Cycle& next);
    /// Recomputes which command the bank waits for, after a change of its row.
    void update(unsigned bank) {
        update(bank, 0);
        update(bank, 1);
    }
    /// The same for a direction, after a change of its requests.
    void update(unsigned bank, unsigned direction);
    void tell(Cycle now, DramCommand command, unsigned bank, std::uint32_t row) {
        if (observer_) observer_->observe({now, command, bank, row});
    }

    unsigned depth_, high_, low_;
    bool split_;
    std::unique_ptr<MemoryScheduler> scheduler_;
    std::unique_ptr<RowPolicy> row_policy_;
    std::unique_ptr<Refresh> refresh_;
    CommandTimes times_;
    RequestTable table_;
    std::vector<std::uint32_t> rows_; ///< of open banks
    std::vector<std::array<MemorySlot, 2>> chosen_;
    BankSet open_ = 0;
    std::array<BankSet, 2> want_column_{}, want_activate_{}, want_precharge_{};
    std::array<BankSet, 2> fresh_{}; ///< opened for this direction and not used yet
    bool in_order_;
    bool draining_ = false;
    unsigned serving_ = 0;
    Cycle next_ = 0, refresh_due_;
    bool per_bank_;
    BankSet held_ = 0; ///< the bank whose own refresh is due: it gets no other command than a precharge
    std::uint64_t accepted_ = 0;
    std::array<Ring<MemoryCompletion>, 2> completions_;
    MemoryCounts counts_;
    CommandObserver* observer_ = nullptr;
};

} // namespace numavp

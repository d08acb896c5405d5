/// Scheduler of a memory controller: which request of a bank is worked for, and whether banks may overtake each other.
#pragma once

#include <cstdint>
#include <memory>

#include "models/base/name_table.h"

namespace numavp {

enum class MemorySchedulerKind : std::uint8_t { fr_fcfs, fcfs, fr_fcfs_cap };

inline constexpr NameTable<MemorySchedulerKind> kMemorySchedulers{
    "memory scheduler",
    {{MemorySchedulerKind::fr_fcfs, "fr_fcfs",
      "First ready, then oldest: row hits overtake what their bank is not ready for."},
     {MemorySchedulerKind::fcfs, "fcfs", "The oldest request alone gets commands."},
     {MemorySchedulerKind::fr_fcfs_cap, "fr_fcfs_cap",
      "As fr_fcfs, but after 16 row hits that overtook an older request of their bank that request is next."}}};

/// A request's place in the controller's table.
using MemorySlot = std::uint16_t;
inline constexpr MemorySlot kNoSlot = 0xffff;

/// The requests of one bank and one direction, as a scheduler sees them. There is at least one.
struct BankRequests {
    MemorySlot oldest = kNoSlot;
    MemorySlot oldest_hit = kNoSlot; ///< the oldest one to the open row; kNoSlot if none, or the bank is closed
    unsigned overtakes = 0;          ///< column accesses since the bank's last activate that were not the oldest's
};

/// Contract: choose() gives `oldest`, or `oldest_hit` if there is one; the same for the same arguments. Among the
/// chosen requests of all banks (of the oldest request's bank alone if in_order()), the controller issues column
/// commands before others, and else the oldest.
class MemoryScheduler {
  public:
    virtual ~MemoryScheduler() = default;
    virtual MemorySlot choose(const BankRequests& bank) const = 0;
    virtual bool in_order() const { return false; }
};

std::unique_ptr<MemoryScheduler> make_memory_scheduler(MemorySchedulerKind kind);

} // namespace numavp

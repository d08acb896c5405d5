/// The path of one followed access through the machine: rows that tile its time from its beginning to its end.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/name_table.h"
#include "base/values/types.h"

namespace numavp {

/// Reason for which a followed access waited, as far as the reporting module knows.
enum class Waited : std::uint8_t {
    nothing,
    queue,
    output,
    total,
    room,
    credit,
    sm_port,
    lanes,
    turning,
    entry,
    merges,
    victim,
    pending,
    writing,
    data_port,
    channel,
    controller,
    dram,
    translation
};
inline constexpr NameTable<Waited> kWaitedNames{
    "reason to wait",
    {{Waited::nothing, "", "It did not wait."},
     {Waited::queue, "queue", "Others before it; the place does not know more."},
     {Waited::output, "output busy", "The crossbar's output carried others."},
     {Waited::total, "switch total busy", "The total bandwidth of all outputs was used by others."},
     {Waited::room, "no room beyond", "The wire behind, or the queue at its end, was full."},
     {Waited::credit, "no credit", "The network's queue had no room for the packet's flits."},
     {Waited::sm_port, "SM port busy", "The SM's port carried others."},
     {Waited::lanes, "lanes busy", "The link's lanes of this direction carried others."},
     {Waited::turning, "lanes turning", "Lanes of the link were being turned."},
     {Waited::entry, "no miss register", "All entries of the L2 slice were in use."},
     {Waited::merges, "no room to merge", "The largest number of requests waited for the line already."},
     {Waited::victim, "victim on its way", "The line that had to go was itself being read or written."},
     {Waited::pending, "line on its way", "Merged with an earlier access to the line, whose fill it waited for."},
     {Waited::writing, "line being written", "The line was being written to its memory."},
     {Waited::data_port, "data port busy", "The L2 slice's data port carried others."},
     {Waited::channel, "channel busy", "The memory channel's bandwidth carried others."},
     {Waited::controller, "controller full", "The DRAM controller's queues had no room."},
     {Waited::dram, "bank or bus", "In the DRAM controller, until the last column command."},
     {Waited::translation, "translation", "Its instruction waited for a page: L2 TLB, walk, fault."}}};

/// A stay at one place. `place` is the full name of the port by which the access left, or will leave, the place.
struct AccessHop {
    const char* place = "";
    std::uint64_t from_ps = 0; ///< when it arrived, or its last row ended
    std::uint64_t wait_ps = 0; ///< of `time_ps`, the first part
    std::uint64_t time_ps = 0;
    Waited waited = Waited::nothing;
    std::uint64_t waited_access = 0; ///< number of the followed access that it waited for; 0: none
};

/// The hops of one access, which modules report in the order of time; each covers the time since the last report.
class AccessTrail {
  public:
    void start(std::uint64_t number, std::uint64_t from_ps) {
        number_ = number;
        from_ps_ = mark_ps_ = from_ps;
        hops_.clear();
        blamed_ = Waited::nothing;
        blamed_access_ = 0;
    }
    std::uint64_t number() const { return number_; }
    std::uint64_t from_ps() const { return from_ps_; }
    /// The end of the last hop.
    std::uint64_t mark_ps() const { return mark_ps_; }
    const std::vector<AccessHop>& hops() const { return hops_; }

    /// Notes the reason of a wait that begins now; waited() at its end then reports this reason instead of its
    /// argument.
    void blame(Waited what, std::uint64_t access = 0) {
        blamed_ = what;
        blamed_access_ = access;
    }
    Waited blamed() const { return blamed_; }
    /// Reports a wait from the last report until `until_ps`; its reason is the one of blame(), if called, else `what`.
    void waited(const char* place, std::uint64_t until_ps, Waited what);
    /// Reports service or transport from the last report until `until_ps`.
    void passed(const char* place, std::uint64_t until_ps);

  private:
    std::uint64_t number_ = 0;
    std::uint64_t from_ps_ = 0, mark_ps_ = 0;
    std::vector<AccessHop> hops_;
    Waited blamed_ = Waited::nothing;
    std::uint64_t blamed_access_ = 0;
};

/// Returns the reason that covers most of the time from `arrived_ps` to `now_ps`: `busy`, which lasted until
/// `busy_until_ps`, or `then`, which followed it.
inline Waited longer(std::uint64_t arrived_ps, std::uint64_t busy_until_ps, std::uint64_t now_ps, Waited busy,
                     Waited then) {
    const std::uint64_t first = busy_until_ps > arrived_ps ? busy_until_ps - arrived_ps : 0;
    return 2 * first >= now_ps - arrived_ps && first != 0 ? busy : then;
}

} // namespace numavp

/// A system built from its configuration, and one run of a workload on it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <tlm>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "common/system/system_config.h"
#include "models/sm/load_store.h"
#include "platform/machine/driver_record.h"
#include "platform/machine/fault_list.h"
#include "sw/work/workload.h"

namespace numavp {

/// Progress of a run.
struct Progress {
    std::uint64_t cycle = 0;
    std::uint64_t blocks_done = 0, blocks_total = 0;
    std::uint64_t kernels_done = 0, kernels_total = 0;
    std::uint64_t warp_instructions = 0;
};

/// A number or text of an event, such as {"bytes", 65536}.
using TimelineArg = std::pair<std::string, std::variant<std::uint64_t, std::string>>;

/// An event for the timeline and the marks of the time series.
struct TimelineEvent {
    Cycle cycle = 0;
    Cycle end = 0;      ///< same as cycle for an instant
    int socket = -1;    ///< -1: the whole system; the number of sockets: the host
    std::string what;   ///< "launch", "kernel", "flush", "blocks", "lanes", "ways", "faults", "copies", ...
    std::string name{}; ///< name that events counted together share; of a kernel its name
    std::vector<TimelineArg> args{}; ///< values that differ from event to event
    std::uint64_t flow = 0;          ///< shared by the two spans that an arrow connects; 0: none
    std::uint64_t launch = 0;        ///< number of the kernel's launch; 0: not a kernel
};

class FaultSink;
class FaultClient;
class FlatMemory;
class SlotSeries;
struct FollowedAccess;
class Histogram;
class InterruptTaker;
class LinkCut;
class PartList;
class RadixTable;
class Waves;
struct WalkCheck;

/// A kernel's launch at which a run may go on in several processes.
struct BranchPoint {
    std::uint64_t kernel = 1; ///< number of the launch
    /// Number of the last launch at which settings change, in any of the processes. If it is more than `kernel`, and
    /// another stream has launched a kernel with a higher number before, the run ends there with a ConfigError: its
    /// change would have come too late.
    std::uint64_t last = 1;
    /// Called there once, between edges, while the process has one thread, so that it may fork(). Returns the
    /// configuration with which this process goes on: that of the system but for its name, its description and what
    /// changes from this launch on. What it throws ends the run.
    std::function<SystemConfig()> begin;
};

/// Models and observers that can be attached to a system when it is built.
struct SystemOptions {
    DataHooks* hooks = nullptr;   ///< sees the data of a functional run
    std::uint64_t order_seed = 0; ///< permutes the order in which modules are built; results do not change
    /// Shuffles the deliveries of each edge between handlers (Clockwork::shuffle_deliveries); results do not change.
    std::optional<std::uint64_t> shuffle_seed;
    /// Threads that execute the packages, at most; results do not depend on it. Some machines have one (shards.h).
    unsigned workers = 1;
    std::optional<std::uint64_t> worker_seed; ///< draws which edges workers share, and their pauses; the same results
    unsigned core_ports = 0;                  ///< extra initiator-side ports of each socket, for foreign models
    /// Wired lanes of a socket's link, in place of the configured ones; the sum must be the same for all sockets.
    std::function<LaneSplit(unsigned socket)> lanes;
    /// A foreign memory for a channel of a socket, or null for our own; bound behind an edge adapter.
    std::function<tlm::tlm_target_socket<>*(unsigned socket, unsigned channel)> foreign_memory;
    /// Cuts a socket's link and puts these relays on its wires; they must outlive the system. No value: as configured.
    std::function<std::optional<LinkCutRelays>(unsigned socket)> cut_link;
    std::function<void(unsigned socket, const LinkCut& cut)> on_link_cut; ///< called for each cut when it is built
    /// Serves page faults, in place of a placement in no time; must outlive the system. Needs translation.
    FaultSink* faults = nullptr;
    unsigned migration_threshold = 0; ///< accesses of a socket to a remote page that make an access note; 0: none
    WalkCheck* walks = nullptr;       ///< compares the table words that walks of a functional run carry
    Waves* waves = nullptr;           ///< shows lanes, ways, queues, kernels and RTL; its owner closes it
    unsigned waves_interval = 100;    ///< cycles between samples of queues and use
    std::optional<BranchPoint> branch{};
    std::uint64_t follow_every = 0;                              ///< follows one access of the SMs in so many; 0: none
    std::function<void(const FollowedAccess& access)> on_access; ///< called for each followed access when it has ended
    /// Port of the loopback interface at which to wait for a debugger of the driver's core (0: any that is free).
    std::optional<std::uint16_t> gdb_port;
    std::function<void(const std::string& sentence)>
        invite;                                       ///< called with a sentence that says how to connect the debugger
    std::function<void(const std::string& line)> say; ///< called for each line that the driver prints
};

/// Record of the driver's work, for comparing its executions.
struct DriverResult {
    DriverRecord record;
    std::string console;
};

/// A simulated system. One per process (SystemC allows one elaboration).
class System {
  public:
    /// Builds the system. ConfigError if workload and system do not fit together.
    System(const SystemConfig& config, const Workload& workload, const SystemOptions& options = {});
    ~System();
    System(const System&) = delete;
    System& operator=(const System&) = delete;

    /// The target port by which a foreign initiator drives socket `socket`, through an edge adapter.
    tlm::tlm_target_socket<>& core_port(unsigned socket, unsigned port);

    /// Connects the driver of driver.execution foreign: `driver` takes the interrupts, and the result is the port of
    /// the bus to its registers and memories (models/fault_server/bus_port.h). Before the first run; ConfigError if the
    /// configuration has another execution.
    tlm::tlm_target_socket<>& connect_driver(InterruptTaker& driver);

    /// Runs until all kernels have ended and all parts are drained. Calls `progress` every few thousand cycles.
    /// ConfigError for an error of the workload that is found only now (too much memory). ModelError if the simulation
    /// is stuck, with what each part waits for, or if a transaction was lost.
    void run(const std::function<void(const Progress&)>& progress = {});

    /// Writes the followed accesses that have ended; run() does so at its end.
    void flush_accesses();

    /// Runs for `cycles`, independent of the kernels: for foreign initiators that have work besides the workload.
    void run_for(Cycle cycles);

    /// The same for exactly `ps`. For a caller that controls time: it may call this in steps of any length, and results
    /// are those of run(). Does not notice a run that is stuck.
    void advance(std::uint64_t ps);
    /// True if all kernels have ended and nothing is due or under way: run() would return at once.
    bool ended() const;

    const SystemConfig& config() const;
    /// Workers that execute it, and why it is one where more were asked for; else empty.
    unsigned workers() const;
    const std::string& why_one_worker() const;
    /// Statistics as a tree; `socket0`, `socket1`, ..., `switch`, `system`.
    const StatGroup& stats() const;
    const SeriesRecorder& series() const;
    /// Statistics of each kernel: the member `kernels` of results.json (platform/machine/kernel_ledger.h).
    nlohmann::ordered_json kernels() const;
    /// Use of the issue slots of the sockets' schedulers.
    const SlotSeries& slots() const;
    const std::vector<TimelineEvent>& timeline() const;
    /// All parts, whose reports may be read between edges: before a run, in its `progress` and after it.
    const PartList& parts() const;
    /// Page faults in the order in which they were raised; empty without a driver.
    const std::vector<TimedFault>& faults() const;
    /// Results of the driver; none without a driver.
    std::optional<DriverResult> driver() const;
    /// Latencies in ps of the loads, stores or atomics that left a socket's SMs, for local or remote lines.
    const Histogram& access_latency(unsigned socket, Kind kind, bool remote) const;
    Progress progress() const;
    /// Simulated cycles of the run, from 0 to the end of the last kernel.
    Cycle cycles() const;
    /// Events of the clockwork, for benchmarks.
    std::uint64_t deliveries() const;
    std::uint64_t arbitrations() const;
    /// For a foreign server of page faults: a socket's MMU, the page table, the bytes behind the channels, the clock.
    FaultClient& fault_client(unsigned socket);
    RadixTable& page_table();
    FlatMemory& memory();
    ClockDomain& clock();
    /// Newest value of a byte range through all caches; functional runs only.
    void debug_read(std::uint64_t virtual_address, unsigned char* out, std::size_t bytes);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// One kind of module in a system, for `explain`.
struct SystemPart {
    std::string path; ///< such as "socket0.l2.slice[0..31]"
    std::string what; ///< one line
    unsigned count = 1;
    unsigned sockets = 1; ///< sockets that have `count` each
};
std::vector<SystemPart> describe_parts(const SystemConfig& config);

} // namespace numavp

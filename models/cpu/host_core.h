/// The host's cores in a machine: run phases of the host, and send misses through the cores' own socket.
///
/// An interval core (interval_core.h) decides which lines it needs and when; the module reads and writes them as
/// uncached lines, which their homes serve. After its last instruction a phase writes all its dirty lines to memory,
/// and ends when they are there; a launch or copy that follows waits for that. `changed()` drops lines that kernels or
/// copies wrote from the caches, in no time. Phases of different streams run on different cores while cores are free,
/// and then wait: a phase takes the core that its stream used last if that is free, else the first free one. Cores
/// advance in the order of the times at which their next operations enter the reorder buffer, none farther beyond one
/// that waits for memory than a request through the directory takes.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "base/stats/model_part.h"
#include "models/cpu/interval_core.h"
#include "models/dispatch/host_service.h"
#include "models/mmu/address_space.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

class HostCore final : public sc_core::sc_module,
                       public HostService,
                       public ModelPart,
                       private Arbiter,
                       private RequesterIf,
                       private IntervalCore::Memory {
  public:
    struct Resources {
        ClockDomain& domain; ///< the machine's; the cores count in slots, which are finer
        TxnPool& pool;
        const AddressMap& map;
        const AddressSpace& space;
        SocketId socket;
        std::uint64_t marker; ///< address bit of the host's buffers; 0 if phases use the arrays themselves
        DataHooks* hooks;
        std::function<void(const std::string&)> fail; ///< called with a sentence if a page has no place
    };
    HostCore(sc_core::sc_module_name name, const HostCoreConfig& config, const Resources& resources);
    ~HostCore() override;

    tlm::tlm_initiator_socket<>& port() { return port_.socket; }

    bool run(const Launch& launch, std::function<void()> done) override;
    /// Call when kernels or copies have written memory that the cores can reach: all of it, or a range of the arrays.
    void changed() { caches_.forget(); }
    void changed(std::uint64_t address, std::uint64_t bytes) { caches_.forget(address | marker_, bytes); }
    struct Ended {
        const HostPhase& phase;
        Cycle since;
        unsigned core;
    };
    /// Called for each phase that has ended.
    std::function<void(const Ended& ended)> on_end;

    /// Counter that grows as long as a phase makes progress of any kind.
    std::uint64_t activity() const { return steps_; }
    void add_statistics(StatGroup& machine) const override;
    void add_series(SeriesGroup& machine) const override;
    std::string waiting_for() const override;

  private:
    struct Command {
        std::shared_ptr<const HostPhase> phase;
        std::function<void()> done;
        std::uint64_t stream = 0;
    };
    /// A core and the phase that it runs.
    struct Worker {
        std::unique_ptr<IntervalCore> core;
        Command command;       ///< has no phase if the core is free
        bool cleaning = false; ///< all instructions have ended; dirty lines are being written
        Cycle since = 0;
        std::uint64_t writes_before = 0; ///< the phase's end waits for writes of any core below this number
        bool running() const { return command.phase != nullptr; }
    };
    /// A line on its way to memory.
    struct Write {
        unsigned core = 0;
        std::uint64_t number = 0;
    };
    struct Request {
        std::uint64_t line = 0;
        bool write = false;
        ByteMask mask = ByteMask::full();
        std::vector<unsigned char> data; ///< empty unless values are modelled
    };
    void arbitrate() override;
    bool response(unsigned port, Txn& txn) override;
    void fetch(std::uint64_t line, Slot at) override;
    void write_back(unsigned core, const CoreWrite& write, Slot at) override;
    bool any_running() const;
    Worker* worker_for(const Command& command);
    void begin();
    void take_arrived();
    Slot advance(Slot until);
    void go_on();
    void go_on(Worker& worker, Slot now);
    void send();
    void end(Worker& worker);
    Slot slot_now() const;
    Cycle edge_of(Slot slot) const;

    HostCoreConfig config_;
    TxnPool& pool_;
    const AddressMap& map_;
    const AddressSpace& space_;
    SocketId socket_;
    std::uint64_t marker_;
    std::function<void(const std::string&)> fail_;
    HostCaches caches_;
    std::vector<Worker> workers_;
    InitiatorPort port_;
    std::deque<Command> commands_;                               ///< phases that wait for a core
    std::map<std::uint64_t, unsigned> last_cores_;               ///< by stream
    Cycle busy_since_ = 0;                                       ///< valid while any core has a phase
    std::map<std::pair<Slot, std::uint64_t>, Request> requests_; ///< by time and number
    std::uint64_t next_request_ = 0;
    std::map<std::uint64_t, std::deque<Write>> writes_; ///< by line, oldest first
    std::set<std::uint64_t> write_numbers_;             ///< numbers in writes_
    std::uint64_t next_write_ = 0;
    TxnQueue arrived_;
    std::uint64_t steps_ = 0, busy_ps_ = 0, bytes_ = 0;
};

} // namespace numavp

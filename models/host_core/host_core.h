/// The host's cores in a machine: run phases, and send their misses over the socket that is theirs.
///
/// An interval core (interval_core.h) says which lines it needs and when; they are read and written as uncached lines,
/// which their homes serve. Behind a phase all lines that it has written go to memory, and only then has it ended: this
/// is what a launch or copy that follows waits for. What kernels and copies wrote is dropped from the caches
/// (`changed()`), in no time. Phases of several streams run on different cores while there are some, and wait for each
/// other beyond that; a phase takes the core that its stream had last, if that is free, else the first that is. Cores
/// go on in the order of the times at which their next operations enter, none farther ahead of one that waits for
/// memory than a request through the directory takes.
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

#include "models/base/model_part.h"
#include "models/dispatch/host_service.h"
#include "models/host_core/interval_core.h"
#include "models/mmu/address_space.h"
#include "tlm-links/address_map.h"
#include "tlm-links/ports.h"

namespace numavp {

class HostCore final : public sc_core::sc_module,
                       public HostService,
                       public ModelPart,
                       private Arbiter,
                       private RequesterIf,
                       private IntervalCore::Memory {
  public:
    struct Resources {
        ClockDomain& domain; ///< the machine's; the core's own time is finer
        TxnPool& pool;
        const AddressMap& map;
        const AddressSpace& space;
        SocketId socket;
        std::uint64_t marker; ///< of addresses of the host's buffers; 0: it uses the arrays themselves
        DataHooks* hooks;
        std::function<void(const std::string&)> fail; ///< called with a sentence if a page has no place
    };
    HostCore(sc_core::sc_module_name name, const HostCoreConfig& config, const Resources& resources);
    ~HostCore() override;

    tlm::tlm_initiator_socket<>& port() { return port_.socket; }

    bool run(const Launch& launch, std::function<void()> done) override;
    /// Kernels or copies have written memory that the core can reach: all of it, or a range of the arrays.
    void changed() { caches_.forget(); }
    void changed(std::uint64_t address, std::uint64_t bytes) { caches_.forget(address | marker_, bytes); }
    struct Ended {
        const HostPhase& phase;
        Cycle since;
        unsigned core;
    };
    /// Told of each phase that has ended.
    std::function<void(const Ended& ended)> on_end;

    /// Grows while a phase goes on, whatever it does.
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
    /// A core and its phase.
    struct Worker {
        std::unique_ptr<IntervalCore> core;
        Command command;       ///< without a phase it is free
        bool cleaning = false; ///< its instructions have ended
        Cycle since = 0;
        std::uint64_t writes_before = 0; ///< of any core, for which the phase's end waits
        bool running() const { return command.phase != nullptr; }
    };
    /// Writes of a line that wait to be sent.
    struct Unsent {
        Slot last = 0; ///< time of the last of them
        unsigned writes = 0;
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
    std::deque<Command> commands_;                               ///< that wait for a core
    std::map<std::uint64_t, unsigned> last_cores_;               ///< by stream
    Cycle busy_since_ = 0;                                       ///< if any core has a phase
    std::map<std::pair<Slot, std::uint64_t>, Request> requests_; ///< by time, and the order in which they were made
    std::uint64_t next_request_ = 0;
    std::map<std::uint64_t, std::deque<Write>> writes_; ///< by line, in their order
    std::set<std::uint64_t> write_numbers_;             ///< of these
    std::uint64_t next_write_ = 0;
    std::map<std::uint64_t, Unsent> unsent_writes_; ///< by line; of several cores
    TxnQueue arrived_;
    std::uint64_t steps_ = 0, busy_ps_ = 0, bytes_ = 0;
};

} // namespace numavp

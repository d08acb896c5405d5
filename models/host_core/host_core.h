/// The host's core in a machine: runs phases one after the other, and sends its misses over the socket that it has.
///
/// An interval core (interval_core.h) says which lines it needs and when; they are read and written as uncached lines,
/// which their homes serve. Behind a phase all lines that it has written go to memory, and only then has it ended: this
/// is what a launch or copy that follows waits for. What kernels and copies wrote is dropped from its caches
/// (`changed()`), in no time. Phases of several streams wait for each other: there is one core.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
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
        std::function<void(const std::string&)> fail; ///< told why a page has no place
    };
    HostCore(sc_core::sc_module_name name, const HostCoreConfig& config, const Resources& resources);
    ~HostCore() override;

    tlm::tlm_initiator_socket<>& port() { return port_.socket; }

    bool run(const Launch& launch, std::function<void()> done) override;
    /// Kernels or copies have written memory that the core can reach: all of it, or a range of the arrays.
    void changed() { core_.forget(); }
    void changed(std::uint64_t address, std::uint64_t bytes) { core_.forget(address | marker_, bytes); }
    /// Told of each phase that has ended.
    std::function<void(const HostPhase& phase, Cycle since)> on_end;

    const HostCoreCounts& counts() const { return core_.counts(); }
    /// Grows while a phase goes on, whatever it does.
    std::uint64_t activity() const { return steps_; }
    void add_statistics(StatGroup& machine) const override;
    void add_series(SeriesGroup& machine) const override;
    std::string waiting_for() const override;

  private:
    struct Command {
        std::shared_ptr<const HostPhase> phase;
        std::function<void()> done;
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
    void write_back(const CoreWrite& write, Slot at) override;
    void begin();
    void take_arrived();
    void go_on();
    void send();
    void end();
    Slot slot_now() const;
    Cycle edge_of(Slot slot) const;

    HostCoreConfig config_;
    TxnPool& pool_;
    const AddressMap& map_;
    const AddressSpace& space_;
    SocketId socket_;
    std::uint64_t marker_;
    std::function<void(const std::string&)> fail_;
    IntervalCore core_;
    InitiatorPort port_;
    std::deque<Command> commands_; ///< the first is under way
    bool running_ = false;
    bool cleaning_ = false; ///< its instructions have ended
    Cycle since_ = 0;
    std::map<std::pair<Slot, std::uint64_t>, Request> requests_; ///< by time, and the order in which they were made
    std::uint64_t next_request_ = 0;
    TxnQueue arrived_;
    std::uint64_t steps_ = 0, busy_ps_ = 0, bytes_ = 0;
};

} // namespace numavp

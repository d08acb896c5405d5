/// AXI4 manager and memory on bare pins, with somebody in between who may change what either side drives; each read is
/// compared with a flat memory in the order of the requests.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/values/rng.h"
#include "rtl/axi4_pins.h"
#include "tlm-links/axi/axi4_manager.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

using rtl::AxiManagerPins;
using rtl::AxiSubordinatePins;

/// Changes pins on their way. Both sides at the edge before, and a place to remember something.
struct Tamper {
    AxiManagerPins before_m;
    AxiSubordinatePins before_s;
    std::uint64_t memory = 0;
    std::function<void(Tamper&, AxiManagerPins&)> manager = [](Tamper&, AxiManagerPins&) {};
    std::function<void(Tamper&, AxiSubordinatePins&)> subordinate = [](Tamper&, AxiSubordinatePins&) {};

    bool ar_waits() const { return before_m.ar.valid && !before_s.arready; }
    bool aw_waits() const { return before_m.aw.valid && !before_s.awready; }
    bool w_waits() const { return before_m.w.valid && !before_s.wready; }
    bool r_waits() const { return before_s.r.valid && !before_m.rready; }
    bool b_waits() const { return before_s.b.valid && !before_m.bready; }
};

/// Random accesses to a memory of Axi4RamBlock::kBytes.
class PinLoop {
  public:
    PinLoop(rtl::AxiSubordinate& memory, const Axi4ManagerConfig& config, std::uint64_t seed)
        : memory_(memory), manager_(config), random_(seed) {}

    static constexpr std::uint64_t kPatience = 5'000; ///< edges
    Axi4Monitor monitor{kPatience};
    Tamper tamper;
    /// Sees what the monitor sees.
    std::function<void(const AxiManagerPins&, const AxiSubordinatePins&)> observer = [](auto&, auto&) {};
    unsigned wrong = 0;
    unsigned done = 0;
    bool manager_objects = false; ///< it threw a ModelError

    /// Until `count` accesses are done, something is noticed, or `edges` have passed.
    void run(unsigned count, std::uint64_t edges);

  private:
    struct Access : Axi4Access {
        std::vector<unsigned char> expected;
    };

    void begin();
    void edge();
    void finish(Access& access);

    rtl::AxiSubordinate& memory_;
    Axi4Manager manager_;
    Rng random_;
    FlatMemory reference_;
    unsigned begun_ = 0;
    std::vector<std::unique_ptr<Access>> accesses_;
};

/// What may be wrong with either side.
struct PinFault {
    const char* what;
    const char* rule; ///< part of the breach; null: the pins keep to all rules, the values are wrong
    std::function<void(Tamper&, AxiManagerPins&)> manager;
    std::function<void(Tamper&, AxiSubordinatePins&)> subordinate;

    void put_into(PinLoop& loop) const {
        if (manager) loop.tamper.manager = manager;
        if (subordinate) loop.tamper.subordinate = subordinate;
    }
};

std::vector<PinFault> faults_of_managers();
std::vector<PinFault> faults_of_subordinates();

} // namespace numavp::test

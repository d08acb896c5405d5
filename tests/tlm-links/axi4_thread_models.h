/// Transactors of another team at AXI4 signals: threads that wait for `aclk` and drive pins whenever they like.
///
/// A thread that was busy elsewhere comes back at any time: between edges, at the very time of an edge before the clock
/// has risen, or in a delta after it. Each handshake counts at the edge at which the thread sees it, as in any
/// module sensitive to `aclk.pos()`.
#pragma once

#include <vector>

#include "base/values/rng.h"
#include "tests/tlm-links/axi4_pin_models.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

/// When a thread drives its next pin: so long after the edge that woke it, and so many deltas after that.
struct Moment {
    unsigned ps = 0;
    unsigned deltas = 0;
};

/// The moments of one transactor: the same for each pin, or drawn if there are several.
class Moments {
  public:
    Moments(std::vector<Moment> choices, std::uint64_t seed) : choices_(std::move(choices)), random_(seed) {}
    /// Called by a thread: comes back at the next moment.
    void await();

  private:
    std::vector<Moment> choices_;
    Rng random_;
};

/// Handshakes of the five channels, as one side of the pins has seen them.
struct Handshakes {
    unsigned aw = 0, w = 0, b = 0, ar = 0, r = 0;
    void observe(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    bool operator==(const Handshakes& o) const { return aw == o.aw && w == o.w && b == o.b && ar == o.ar && r == o.r; }
};

/// A memory with a thread for writes and a thread for reads.
struct ThreadMemory final : SubordinatePorts {
    SC_HAS_PROCESS(ThreadMemory);
    ThreadMemory(sc_core::sc_module_name name, std::vector<Moment> moments, std::uint64_t seed);
    FlatMemory memory;
    Handshakes seen;

  private:
    void serve_writes();
    void serve_reads();
    Moments write_moments_, read_moments_;
};

/// A master whose thread writes bursts and reads bursts back.
struct ThreadMaster final : ManagerPorts {
    SC_HAS_PROCESS(ThreadMaster);
    ThreadMaster(sc_core::sc_module_name name, std::vector<Moment> moments, unsigned count, std::uint64_t seed);
    FlatMemory reference;
    Handshakes seen;
    unsigned wrong = 0;
    unsigned done = 0; ///< bursts

  private:
    void run();
    void write(std::uint64_t address, unsigned beats);
    void read(std::uint64_t address, unsigned beats);
    unsigned count_;
    Rng random_;
    Moments moments_;
};

} // namespace numavp::test

/// The core of a bridge to AXI4: turns accesses into bursts on plain-struct pins, one cycle per call. No SystemC.
///
/// Bursts are INCR of full 64-byte beats and end at 4 KB boundaries; each has its own id while it is open, so that
/// answers may come in any order. An access waits while an older one that it overlaps is open, unless both read: AXI
/// orders nothing between ids, nor between reads and writes. Write data are sent in the order of their addresses and do
/// not wait for the address handshake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/values/ring.h"
#include "rtl/axi4_pins.h"
#include "tlm-links/axi/accesses_out.h"

namespace numavp {

/// Bytes to read or write at consecutive addresses.
struct Axi4Access {
    bool write = false;
    std::uint64_t address = 0;
    std::vector<unsigned char> bytes;   ///< at least one; read into, or written from
    std::vector<unsigned char> enabled; ///< of a write: which bytes; empty: all
    unsigned response = rtl::kAxiOkay;  ///< the worst of its bursts

    // The manager's.
    std::uint64_t issued = 0; ///< bytes that have bursts
    unsigned bursts_out = 0;
    std::size_t place = 0; ///< among those that are out

    /// Resets the object for a new access of `count` bytes; its buffers keep their memory.
    void renew(std::size_t count) {
        bytes.resize(count);
        enabled.clear();
        response = rtl::kAxiOkay;
        issued = 0;
        bursts_out = 0;
    }
};

struct Axi4ManagerConfig {
    unsigned ids = 16;        ///< bursts that may be out
    unsigned waiting = 4;     ///< accesses that wait for their turn
    unsigned finished = 2;    ///< finished accesses that are kept; then bready and rready go low
    unsigned most_beats = 64; ///< of a burst; 1 to 256
};

class Axi4Manager {
  public:
    explicit Axi4Manager(const Axi4ManagerConfig& config);

    bool can_take() const { return waiting_.size() < config_.waiting; }
    /// Takes an access, which starts at the next edge. The object must stay valid until pop_finished() returns it.
    void take(Axi4Access& access) { waiting_.push(&access); }

    /// Simulates a rising edge at which the subordinate drives `s`. ModelError if it answers without a request.
    void edge(const rtl::AxiSubordinatePins& s);
    /// Pins that the manager drives after the last edge.
    const rtl::AxiManagerPins& pins() const { return pins_; }

    /// The next access that has finished, which is then removed; null if there is none.
    Axi4Access* pop_finished() { return finished_.empty() ? nullptr : finished_.pop(); }
    bool any_finished() const { return !finished_.empty(); }
    /// True if no access waits and no burst is open: no more edges are needed.
    bool idle() const { return waiting_.empty() && out_.empty(); }

  private:
    struct Burst {
        Axi4Access* access = nullptr; ///< null: the id is free
        std::uint64_t first = 0;      ///< its first byte within the access
        std::uint64_t bytes = 0;
        unsigned beats = 0;
        unsigned beat = 0; ///< next to be sent or received
    };
    struct BeatPlace {
        std::uint64_t byte; ///< of the access, its first in this beat
        std::uint64_t lane; ///< of that byte
        std::uint64_t count;
    };

    Burst& answered(unsigned id, bool write);
    void receive(const rtl::AxiSubordinatePins& s);
    void end_burst(unsigned id, unsigned response);
    void send_data(const rtl::AxiSubordinatePins& s);
    void show(Burst& burst);
    void issue();
    /// The bytes of the access in the next beat of a burst, and their lanes.
    static BeatPlace place_of(const Burst& burst);

    Axi4ManagerConfig config_;
    rtl::AxiManagerPins pins_;
    std::vector<Burst> bursts_; ///< by id
    std::vector<unsigned> free_ids_;
    Ring<unsigned> to_send_;    ///< ids of writes whose data is due, in the order of their addresses
    Ring<Axi4Access*> waiting_; ///< the first may have bursts out already
    AccessesOut out_;           ///< with bursts
    Ring<Axi4Access*> finished_;
};

} // namespace numavp

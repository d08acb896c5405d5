/// The sending side of a line that repeats what arrives with an error: a retry buffer, go-back-N, plain C++.
///
/// Each item (a packet of a socket's link, a flit of a network's channel) has a CRC. The sender keeps an item in its
/// retry buffer until the other side acknowledges it. An item that arrives with an error is dropped, and so is
/// everything behind it, until it comes again; the receiver asks for it, and the sender repeats it with all that it has
/// sent since. That is the link-level retry of CXL (3.1, section 4.2.8) and PCIe, and the replay of NVLink
/// (docs/use/FAULTS.md has the sources). So items arrive once, and in their order.
///
/// Times are edges of the owner's clock. What the line will do is known when an item is taken, since the distance to
/// the next error is drawn ahead: `take()` returns the edge at which the item has left without an error. Between an
/// error and the request to repeat, a round trip later, the sender goes on in vain: what it takes then occupies line
/// and buffer, and is repeated. A *course* is the time from one such request to the next; all but the last one are in
/// vain. Not modelled: errors of acknowledgements and requests (which travel in headers of the other direction and take
/// no bandwidth), time-outs, errors that a CRC does not see.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/time/bandwidth_server.h"
#include "tlm-links/retry/error_distance.h"

namespace numavp {

struct RetryLineConfig {
    std::uint64_t units_per_second = 1, clock_khz = 1; ///< speed of the line; a unit is a byte, or a flit
    unsigned bits_per_unit = 8;
    Cycle round_trip_cycles = 1;    ///< from the end of an item to its acknowledgement, or the request to repeat it
    unsigned largest_units = 1;     ///< of an item; a new one is taken if the buffer has room for this
    std::uint64_t buffer_units = 1; ///< of the retry buffer: the largest item at least
};

/// Totals of a line.
struct RetryCounts {
    std::uint64_t errors = 0;         ///< items that arrived with an error and were asked for again
    std::uint64_t replayed_items = 0; ///< sent again, each time that they were
    std::uint64_t replayed_units = 0;
    std::uint64_t delay_cycles = 0; ///< by which items left later than they would have without errors ahead of them
    std::uint64_t stall_cycles = 0; ///< for which the line was idle, and the buffer full
};

class RetryLine {
  public:
    RetryLine(const RetryLineConfig& config, ErrorDistance errors);

    /// First edge at which the line takes another item, asked at `now`: it is idle then, and the buffer has room. In
    /// the past if it may be now. Items before it may have to be repeated yet.
    Cycle free_at(Cycle now) const;
    /// Takes an item at `now`, not before free_at(now). Returns the edge at which its last bit has left for the last
    /// time; that is never before those of earlier items.
    Cycle take(Cycle now, unsigned units);
    /// Cycles by which the item that was taken last leaves later than without errors ahead of it.
    Cycle last_delay() const { return last_delay_; }
    /// Edges at which the sender learned of errors of the item that was taken last.
    const std::vector<Cycle>& asked_again() const { return asked_again_; }
    /// Edge at which everything that was taken has left for the last time.
    Cycle settled_at() const { return courses_.back().line.free_at(); }
    /// Changes the speed for the items to come; what was taken keeps its times.
    void set_speed(std::uint64_t units_per_second);
    /// Units that have left by `now`, repeated ones too.
    std::uint64_t busy_units(Cycle now) const;
    const RetryCounts& counts() const { return counts_; }

  private:
    struct Course {
        Cycle begins;
        AdjustableServer line;
    };
    struct Kept {
        Cycle acknowledged_at;
        unsigned units;
    };
    void leave_courses(Cycle now, Cycle room);
    void count_stall(const Course& course, Cycle ends, Cycle room);
    void begin_course(Cycle at) { courses_.push_back({at, AdjustableServer(speed_, config_.clock_khz)}); }
    Cycle room_at() const;

    const RetryLineConfig config_;
    ErrorDistance errors_;
    std::uint64_t speed_;
    std::deque<Course> courses_;    ///< the first one is under way
    std::uint64_t ended_units_ = 0; ///< sent in courses that are over
    std::deque<Kept> kept_;         ///< the retry buffer, the oldest item first
    std::uint64_t kept_units_ = 0;
    std::vector<Cycle> asked_again_;
    Cycle last_delay_ = 0;
    RetryCounts counts_;
};

} // namespace numavp

/// A channel with bit errors: each flit has a CRC, and a wrong one is sent again with all behind it (tlm-links/retry).
/// Plain C++; times are cycles of the network.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "tlm-links/packet/router_core.h"
#include "tlm-links/retry/error_window.h"
#include "tlm-links/retry/retry_line.h"
#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

/// Errors of a kind of channel.
struct ChannelErrors {
    double bit_error_rate = 0.0; ///< 0: none
    std::uint64_t seed = 1;
    unsigned flit_bits = 256;
    unsigned buffer_flits = 0; ///< of the retry buffer; 0: what a round trip needs
    unsigned retire_errors = 0;
    Cycle retire_window = 1, retrain_cycles = 0;
    bool retires = false; ///< lanes may be retired, by errors or at a given time

    bool any() const { return bit_error_rate > 0.0; }
};

/// A flit that had errors: when it was sent first, and when it arrives.
struct FlitReplay {
    unsigned channel = 0;
    Cycle sent = 0, arrives = 0;
    unsigned errors = 0;
};

class LossyChannel {
  public:
    /// `name` chooses the stream of errors.
    LossyChannel(const ChannelErrors& errors, const NetworkChannel& channel, unsigned number, const std::string& name);

    /// A flit on its way: it arrives at the router behind the channel without an error.
    struct Flight {
        Cycle arrives;
        std::uint8_t vc;
        PacketIndex packet; ///< of a head, else kNoPacket
    };
    /// Sends a flit that has got the switch in cycle `now` and would arrive at `arrives` without errors.
    void send(Cycle now, Cycle arrives, std::uint8_t vc, PacketIndex packet);
    /// The next flit that arrives at `now`; null: none.
    const Flight* arriving(Cycle now) const {
        return flights_.empty() || flights_.front().arrives != now ? nullptr : &flights_.front();
    }
    void pop() { flights_.pop_front(); }
    /// First cycle in which the channel takes a flit, asked in cycle `now`.
    Cycle free_at(Cycle now) const { return line_.free_at(now); }
    Cycle settled_at() const { return line_.settled_at(); }
    void set_interval(std::uint32_t interval) { line_.set_speed(flits_per_s(interval)); }
    const RetryCounts& counts() const { return line_.counts(); }
    /// Of the flit that was sent last; without errors if that had none.
    const FlitReplay& last() const { return last_; }
    /// True if the errors of the flit that was sent last wear out a lane, at `at`.
    bool wears_lane(Cycle& at);
    unsigned number() const { return number_; }

  private:
    /// The line's own clock has a cycle of the network in each second, so that an interval is a speed.
    static constexpr std::uint64_t kKhz = NetworkChannel::kCycle;
    static std::uint64_t flits_per_s(std::uint32_t interval) {
        return (kKhz * 1000 * NetworkChannel::kCycle + interval - 1) / interval; // rounded up: routers keep the pace
    }

    const unsigned number_;
    RetryLine line_;
    ErrorWindow wear_;
    std::deque<Flight> flights_;
    Cycle last_arrival_ = 0;
    FlitReplay last_;
};

} // namespace numavp

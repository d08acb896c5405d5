/// An input-queued router with virtual channels, flit by flit, as plain C++.
///
/// Four stages: a head flit that arrives at cycle a is routed at a, gets a virtual channel of its output at a + 1, the
/// switch at a + 2, and has left at a + 4; body flits follow a cycle apart. Every virtual channel has a separate
/// buffer. Each input and each output moves one flit a cycle (a slow output one in its interval); flits of different
/// packets interleave on a channel. Both allocators are iSLIP with one iteration (McKeown, "The iSLIP scheduling
/// algorithm for input-queued switches", 1999): outputs grant and inputs accept round robin, and pointers move past the
/// accepted one. In a non-blocking router every grant is accepted. An output's virtual channel is free again when the
/// tail flit has got the switch. Not modelled: speculation, look-ahead, speed-up inside. ModelError for a flit without
/// a credit, or one on a virtual channel on which no packet has begun.
///
/// Requests are kept as bit masks, so that a cycle's switch costs a few operations for each output that somebody wants,
/// a packet's hop costs less than an event does, and no approximation is needed (docs/use/NETWORKS.md has the figures).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "tlm-links/packet/port_set.h"

namespace numavp {

/// Index of a packet in the table of its network.
using PacketIndex = std::uint32_t;
inline constexpr PacketIndex kNoPacket = ~PacketIndex{0};

class RouterCore {
  public:
    static constexpr unsigned kMaxPorts = PortSet::kSize;
    static constexpr unsigned kMaxVcs = 32; ///< of a port, all message classes together
    static constexpr unsigned kStages = 4;  ///< from a head's arrival to its departure
    static constexpr unsigned kUnlimited = 0xffff;
    static constexpr std::uint64_t kCycle = 1U << 16; ///< of a slow output's times

    /// Result of routing: a packet's output, and the virtual channels there that it may take, a bit each.
    struct Route {
        unsigned port = 0;
        std::uint32_t vcs = 0;
    };
    /// Interface to the owner's packet table: routes and lengths of packets.
    class Packets {
      public:
        /// Called once for each packet, in the cycle in which its head is routed.
        virtual Route route(unsigned router, PacketIndex packet) = 0;
        virtual unsigned flits(PacketIndex packet) const = 0;

      protected:
        ~Packets() = default;
    };
    /// A flit that has got the switch: it leaves, and its place in the input's buffer is free.
    struct Sent {
        std::uint8_t in_port, in_vc, out_port, out_vc;
        bool head, tail;
        PacketIndex packet;
    };

    /// Each port has `vcs` virtual channels with buffers of `buffer_flits` flits.
    RouterCore(unsigned number, unsigned ports, unsigned vcs, unsigned buffer_flits, Packets& packets);

    /// Sets another size for the virtual-channel buffers of an input. Before the first flit arrives.
    void set_buffer(unsigned port, unsigned flits);
    /// Lets each output take a flit from any input's buffers in any cycle, so that an input may send several at once: a
    /// switch with a common buffer. Before the first flit arrives.
    void make_non_blocking() { non_blocking_ = true; }
    bool non_blocking() const { return non_blocking_; }
    /// Sets the room behind an output, in flits for each virtual channel; kUnlimited: the receiver takes everything.
    void set_credits(unsigned port, unsigned flits);
    /// Makes an output take a flit each `interval` / 65536 cycles, at least a cycle; without this call, each cycle.
    void set_interval(unsigned port, std::uint32_t interval);
    /// Lets an output that takes a flit a cycle be slow all the same, so that `hold` can be called.
    void make_slow(unsigned port);
    /// Lengthens the time, in 1/65536 of a cycle, for which the flit that has just left occupies a slow output.
    void hold(unsigned port, std::int64_t time) {
        slow_[port].free_at = static_cast<std::uint64_t>(static_cast<std::int64_t>(slow_[port].free_at) + time);
    }
    /// Closes a slow output until cycle `until`.
    void hold_until(unsigned port, Cycle until) {
        if (slow_[port].free_at < until * kCycle) slow_[port].free_at = until * kCycle;
    }
    std::uint32_t interval(unsigned port) const { return slow_[port].interval; } ///< of a slow output
    /// The same of an output that is slow already, at any time: a flit that is leaving takes the interval of before.
    void change_interval(unsigned port, std::uint32_t interval) { slow_[port].interval = interval; }
    /// First cycle in which a slow output carries nothing, if nothing more leaves.
    Cycle free_at(unsigned port) const;
    /// A flit has come; `packet` is its packet if it is the head, else kNoPacket.
    void arrive(unsigned port, unsigned vc, PacketIndex packet) {
        const unsigned input = index(port, vc);
        InputVc& queue = inputs_[input];
        if (__builtin_expect(++queue.flits > buffer_flits_[port], 0))
            breach(port, vc, "a flit came for which there was no room");
        if (packet != kNoPacket) return arrive_head(input, packet);
        if (__builtin_expect(queue.to_come-- == 0, 0)) breach(port, vc, "a flit came that belongs to no packet");
        if (queue.flits == 1 && queue.state == State::active && has_credit(queue)) set_eligible(input);
    }
    /// The buffer behind an output has one more free place. True if a flit has waited for it.
    bool credit(unsigned port, unsigned vc) {
        OutputVc& output = outputs_[index(port, vc)];
        if (output.credits++ != 0 || (ports_[port].taken >> vc & 1U) == 0) return false;
        if (inputs_[output.owner].flits == 0) return false;
        set_eligible(output.owner);
        return true;
    }
    /// Allows packets to pass straight from an input to this output, bypassing buffers and allocators. Before the first
    /// flit arrives.
    void allow_pass(unsigned out);
    /// Tries to let a packet of `flits` flits pass from an input straight to an output on the same virtual channel.
    /// True: the output is closed to other packets until `end_pass`, and the packet has the places behind it. False,
    /// with no change: packets lie before it, the virtual channel or places behind the output are taken, or the output
    /// sent a flit in cycle `quiet_since` or later.
    bool begin_pass(unsigned in, unsigned vc, unsigned out, unsigned flits, Cycle quiet_since);
    void end_pass(unsigned out, unsigned vc);
    /// Executes one cycle, after its arrivals were given. Calls `leaves` with each flit that has got the switch, at
    /// most one an output, in the order of inputs (of outputs where the router is non-blocking). In router_step.h.
    template <class Leaves> void step(Cycle now, const Leaves& leaves);

    /// True if the router can do nothing before a flit or credit arrives, or a pass ends.
    bool idle() const { return wanted_outputs_.empty() && askable_.empty() && routed_.empty(); }
    /// Flits that an output has sent and whose credits are not back, summed over virtual channels.
    unsigned credits_in_use(unsigned port) const;
    /// Number of flits in all buffers.
    unsigned held() const;
    /// The resource that the first packet of an input's virtual channel waits for.
    struct Waits {
        enum class For : std::uint8_t { nothing, channel, credit } what = For::nothing;
        unsigned port = 0;                       ///< the output
        unsigned vc = 0;                         ///< for a credit: of the output
        unsigned holder_port = 0, holder_vc = 0; ///< for a channel: the input and its channel that hold one
        PacketIndex packet = kNoPacket;
    };
    Waits waits(unsigned port, unsigned vc) const;
    unsigned ports() const { return static_cast<unsigned>(ports_.size()); }

  private:
    enum class State : std::uint8_t { idle, waiting, active };
    struct InputVc {
        PacketIndex front = kNoPacket;
        std::uint32_t allowed = 0; ///< virtual channels of its output that the front packet may take
        std::uint16_t flits = 0;   ///< in the buffer
        std::uint16_t to_send = 0; ///< of the front packet
        std::uint16_t to_come = 0; ///< of the packet whose head came last
        State state = State::idle;
        bool at_head = false; ///< no flit of the front packet has left
        std::uint8_t output = 0;
        std::uint8_t output_vc = 0;
        std::uint16_t output_index = 0;       ///< of these two in the list of virtual channels
        std::uint16_t first = 0, packets = 0; ///< of the ring of packets behind the front one
    };
    struct OutputVc {
        std::uint16_t credits = 0;
        std::uint16_t owner = 0; ///< input and virtual channel that hold it, or held it last
        std::uint16_t turn = 0;  ///< input and virtual channel that is asked first
    };
    struct Port {
        PortSet requests;         ///< output: inputs that `eligible` has virtual channels of
        std::uint32_t taken = 0;  ///< output: virtual channels that packets hold
        std::uint8_t vc_turn = 0; ///< input: virtual channel that is asked first
        std::uint8_t grant_turn = 0;
        std::uint8_t accept_turn = 0;
        bool unlimited = false;
        std::uint16_t room = 0; ///< output: credits of a virtual channel when nothing is under way
    };
    /// An output that takes less than a flit a cycle; times are in 1/65536 of a cycle.
    struct SlowOutput {
        std::uint32_t interval = 0;
        std::uint64_t free_at = 0;
    };

    unsigned index(unsigned port, unsigned vc) const { return port << shift_ | vc; }
    [[noreturn]] void breach(unsigned port, unsigned vc, const char* what) const;
    void arrive_head(unsigned input, PacketIndex packet);
    void begin(unsigned input, PacketIndex packet);
    void ask_for_channel(unsigned input);
    std::uint32_t& eligible(unsigned in, unsigned out) { return eligible_[in << out_shift_ | out]; }
    /// Filed under the output of now: `begin` may give the input another one only after `clear_eligible`.
    void set_eligible(unsigned input) {
        const unsigned in = input >> shift_, out = inputs_[input].output;
        eligible(in, out) |= 1U << (input & (stride_ - 1));
        ports_[out].requests.add(in);
        wanted_outputs_.add(out);
    }
    void clear_eligible(unsigned input) {
        const unsigned in = input >> shift_, out = inputs_[input].output;
        std::uint32_t& vcs = eligible(in, out);
        vcs &= ~(1U << (input & (stride_ - 1)));
        if (vcs != 0) return;
        ports_[out].requests.remove(in);
        if (ports_[out].requests.empty()) wanted_outputs_.remove(out);
    }
    /// Of the output's virtual channel that the front packet has. An unlimited one has as many as when it was made.
    bool has_credit(const InputVc& vc) const { return outputs_[vc.output_index].credits != 0; }
    void allocate_channels();
    void allocate_channels(unsigned output);
    void grant_channels(unsigned output);
    void free_channel(unsigned output, unsigned vc) {
        ports_[output].taken &= ~(1U << vc);
        if (!waiting_[output].empty()) askable_.add(output);
    }
    unsigned channel_in_turn(unsigned input, std::uint32_t granted) const;
    void take_channel(unsigned input, unsigned vc);
    /// The first set bit at or after `turn`, else the first of all; `bits` is not 0.
    static unsigned bit_in_turn(std::uint32_t bits, unsigned turn) {
        const std::uint32_t later = bits & (~std::uint32_t{0} << turn);
        return static_cast<unsigned>(__builtin_ctz(later != 0 ? later : bits));
    }
    template <class Leaves> void leave(Cycle now, unsigned in, unsigned out, const Leaves& leaves);
    void note_time(Cycle now, unsigned output);
    void end_packet(unsigned input);
    void close_outputs(Cycle now);
    void occupy(Cycle now, unsigned output);

    unsigned number_;
    unsigned vcs_;
    unsigned shift_; ///< log2 of the places of a port in the lists of virtual channels
    unsigned stride_;
    unsigned out_shift_; ///< log2 of the places of an input in the list of eligible virtual channels
    std::vector<std::uint16_t> buffer_flits_; ///< by input
    unsigned ring_;                           ///< places for packets of a virtual channel, a power of two
    Packets& packets_;
    /// Virtual channels with a flit, an output channel and a credit, by input and output.
    std::vector<std::uint32_t> eligible_;
    PortSet wanted_outputs_; ///< with a request
    PortSet slow_outputs_;
    PortSet closed_outputs_;        ///< slow or passed ones that take no flit in this cycle
    PortSet passed_outputs_;        ///< by which a packet is passing
    std::vector<Cycle> quiet_from_; ///< by output: the cycle after its last flit; empty if none may be passed
    std::vector<SlowOutput> slow_;  ///< by port; empty if none is slow
    bool non_blocking_ = false;
    bool timed_ = false; ///< some output is slow, or may be passed
    std::vector<Port> ports_;
    std::vector<InputVc> inputs_;
    std::vector<OutputVc> outputs_;
    std::vector<std::uint16_t> accept_turns_; ///< of each input's virtual channel: output and channel asked first
    std::vector<PacketIndex> rings_;
    /// By output: input virtual channels whose packets want one of its channels.
    std::vector<std::vector<std::uint16_t>> waiting_;
    PortSet askable_;                   ///< outputs at which one of these may get a channel
    std::vector<std::uint16_t> fresh_;  ///< inputs whose front packets have got a channel in this step
    std::vector<std::uint16_t> routed_; ///< inputs whose front packets ask from the step after the next one on
    std::vector<std::uint16_t> asking_; ///< those that ask in this cycle for channels of one output
};

} // namespace numavp

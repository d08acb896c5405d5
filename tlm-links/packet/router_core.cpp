#include "tlm-links/packet/router_core.h"

#include <algorithm>
#include <string>

#include "base/values/error.h"
#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

namespace {
constexpr std::uint64_t kWholeCycle = NetworkChannel::kCycle;

unsigned log2_up(unsigned n) {
    unsigned bits = 0;
    while (1U << bits < n) ++bits;
    return bits;
}
/// The first set bit at or after `turn`, else the first of all; `bits` is not 0.
unsigned in_turn(std::uint32_t bits, unsigned turn) {
    const std::uint32_t later = bits & (~std::uint32_t{0} << turn);
    return static_cast<unsigned>(__builtin_ctz(later != 0 ? later : bits));
}
} // namespace

RouterCore::RouterCore(unsigned number, unsigned ports, unsigned vcs, unsigned buffer_flits, Packets& packets)
    : number_(number), vcs_(vcs), shift_(log2_up(vcs)), stride_(1U << shift_), out_shift_(log2_up(ports)),
      buffer_flits_(ports, static_cast<std::uint16_t>(buffer_flits)), ring_(1U << log2_up(buffer_flits + 1)),
      packets_(packets), eligible_(std::size_t{ports} << out_shift_), ports_(ports),
      inputs_(std::size_t{ports} << shift_), outputs_(std::size_t{ports} << shift_), accept_turns_(inputs_.size(), 0),
      rings_(inputs_.size() * ring_, kNoPacket) {
    for (unsigned p = 0; p < ports; ++p) set_credits(p, buffer_flits);
    waiting_.resize(ports);
    asking_.reserve(inputs_.size());
}

void RouterCore::set_buffer(unsigned port, unsigned flits) {
    buffer_flits_[port] = static_cast<std::uint16_t>(flits);
    const unsigned ring = 1U << log2_up(flits + 1);
    if (ring <= ring_) return;
    ring_ = ring;
    rings_.assign(inputs_.size() * ring_, kNoPacket);
}

void RouterCore::set_credits(unsigned port, unsigned flits) {
    ports_[port].unlimited = flits == kUnlimited;
    for (unsigned v = 0; v < stride_; ++v) outputs_[index(port, v)].credits = static_cast<std::uint16_t>(flits);
}

void RouterCore::set_interval(unsigned port, std::uint32_t interval) {
    if (interval <= kWholeCycle) return;
    make_slow(port);
    slow_[port].interval = interval;
}

void RouterCore::make_slow(unsigned port) {
    slow_.resize(ports_.size());
    slow_[port].interval = static_cast<std::uint32_t>(kWholeCycle);
    slow_outputs_ |= port_bit(port);
}

Cycle RouterCore::free_at(unsigned port) const { return (slow_[port].free_at + kWholeCycle - 1) / kWholeCycle; }

void RouterCore::allow_pass(unsigned out) {
    quiet_from_.resize(ports_.size(), 0);
    if (has_port(slow_outputs_, out) || ports_[out].unlimited)
        throw ModelError("router " + std::to_string(number_) + ": a slow output, or a terminal, can't be passed");
}

bool RouterCore::begin_pass(unsigned in, unsigned number, unsigned out, unsigned flits, Cycle quiet_since) {
    const unsigned input = index(in, number), output = index(out, number);
    const bool queued = inputs_[input].state != State::idle || inputs_[input].flits != 0;
    const bool busy = (ports_[out].taken >> number & 1U) != 0 || has_port(passed_outputs_, out);
    const bool loud = quiet_from_[out] > quiet_since;
    if (queued || busy || loud || outputs_[output].credits < flits) return false;
    ports_[out].taken |= 1U << number;
    ports_[out].in_use += flits;
    outputs_[output].credits = static_cast<std::uint16_t>(outputs_[output].credits - flits);
    outputs_[output].owner = static_cast<std::uint16_t>(input); // which holds nothing that a credit could wake
    passed_outputs_ |= port_bit(out);
    return true;
}

void RouterCore::end_pass(unsigned out, unsigned number) {
    free_channel(out, number);
    passed_outputs_ &= ~port_bit(out);
}

void RouterCore::close_outputs(Cycle now) {
    closed_outputs_ = passed_outputs_;
    for (PortSet left = slow_outputs_; left != 0; left &= left - 1) {
        const unsigned out = first_port(left);
        if (slow_[out].free_at > now * kWholeCycle) closed_outputs_ |= port_bit(out);
    }
}

/// A flit goes in the first cycle after its output is free: the rest of that cycle counts for the next flit, so that an
/// output in use carries exactly one flit per interval.
void RouterCore::occupy(Cycle now, unsigned output) {
    SlowOutput& slow = slow_[output];
    const bool in_use = slow.free_at + kWholeCycle > now * kWholeCycle;
    slow.free_at = (in_use ? slow.free_at : now * kWholeCycle) + slow.interval;
}

void RouterCore::begin(Cycle asks_at, unsigned input, PacketIndex packet) {
    InputVc& vc = inputs_[input];
    const Route route = packets_.route(number_, packet);
    vc.front = packet;
    vc.to_send = static_cast<std::uint16_t>(packets_.flits(packet));
    vc.at_head = true;
    vc.output = static_cast<std::uint8_t>(route.port);
    vc.allowed = route.vcs;
    vc.may_ask_at = static_cast<std::uint32_t>(asks_at);
    vc.state = State::waiting;
    waiting_[route.port].push_back(static_cast<std::uint16_t>(input));
    askable_ |= port_bit(route.port);
}

void RouterCore::arrive(Cycle now, unsigned port, unsigned number, PacketIndex packet) {
    const unsigned input = index(port, number);
    InputVc& vc = inputs_[input];
    ++held_;
    if (++vc.flits > buffer_flits_[port]) breach(port, number, "a flit came for which there was no room");
    if (packet != kNoPacket) {
        if (vc.to_come != 0) breach(port, number, "a packet began before the one on its virtual channel had ended");
        vc.to_come = static_cast<std::uint16_t>(packets_.flits(packet) - 1);
        if (vc.state == State::idle) return begin(now + 1, input, packet);
        rings_[std::size_t{input} * ring_ + ((vc.first + vc.packets++) & (ring_ - 1))] = packet;
        return;
    }
    if (vc.to_come-- == 0) breach(port, number, "a flit came that belongs to no packet");
    if (vc.state == State::active && vc.flits == 1 && has_credit(index(vc.output, vc.output_vc))) set_eligible(input);
}

void RouterCore::breach(unsigned port, unsigned vc, const char* what) const {
    throw ModelError("router " + std::to_string(number_) + ", input " + std::to_string(port) + ", virtual channel " +
                     std::to_string(vc) + ": " + what);
}

void RouterCore::credit(unsigned port, unsigned number) {
    --ports_[port].in_use;
    OutputVc& output = outputs_[index(port, number)];
    if (output.credits++ != 0 || (ports_[port].taken >> number & 1U) == 0) return;
    if (inputs_[output.owner].flits != 0) set_eligible(output.owner);
}

unsigned RouterCore::step(Cycle now, SentList& sent) {
    unsigned count = 0;
    if (wanted_outputs_ != 0) {
        if ((slow_outputs_ | passed_outputs_ | closed_outputs_) != 0) close_outputs(now);
        count = allocate_switch(sent);
    }
    // Before the flits leave: a channel that a tail gives up now can be asked for in the next cycle.
    const PortSet askable = askable_;
    askable_ = 0;
    for (PortSet left = askable; left != 0; left &= left - 1) allocate_channels(first_port(left), now);
    for (unsigned i = 0; i < count; ++i) leave(now, sent[i]);
    return count;
}

// --- the switch

/// An input has accepted an output: the pointers of both move past it.
void RouterCore::accept(unsigned in, unsigned vc, unsigned out, Sent& sent) {
    const auto ports = static_cast<unsigned>(ports_.size());
    Port& input = ports_[in];
    ports_[out].grant_turn = static_cast<std::uint8_t>(in + 1 < ports ? in + 1 : 0);
    input.accept_turn = static_cast<std::uint8_t>(out + 1 < ports ? out + 1 : 0);
    input.vc_turn = static_cast<std::uint8_t>(vc + 1 < vcs_ ? vc + 1 : 0);
    sent.in_port = static_cast<std::uint8_t>(in);
    sent.in_vc = static_cast<std::uint8_t>(vc);
    sent.out_port = static_cast<std::uint8_t>(out);
}

unsigned RouterCore::allocate_switch(SentList& sent) {
    const PortSet open = wanted_outputs_ & ~closed_outputs_;
    if (open != 0 && (open & (open - 1)) == 0) { // one output: what it grants is accepted
        const unsigned out = first_port(open);
        const unsigned in = port_in_turn(ports_[out].requests, ports_[out].grant_turn);
        accept(in, in_turn(eligible(in, out), ports_[in].vc_turn), out, sent[0]);
        return 1;
    }
    if (non_blocking_) { // an input's virtual channels want one output each, so that grants never meet
        unsigned count = 0;
        for (PortSet left = open; left != 0; left &= left - 1) {
            const unsigned out = first_port(left);
            const unsigned in = port_in_turn(ports_[out].requests, ports_[out].grant_turn);
            accept(in, in_turn(eligible(in, out), ports_[in].vc_turn), out, sent[count++]);
        }
        return count;
    }
    std::array<PortSet, kMaxPorts> grants; // NOLINT(cppcoreguidelines-pro-type-member-init): of granted inputs
    PortSet granted = 0;
    for (PortSet left = open; left != 0; left &= left - 1) {
        const unsigned out = first_port(left);
        const unsigned in = port_in_turn(ports_[out].requests, ports_[out].grant_turn);
        grants[in] = has_port(granted, in) ? grants[in] | port_bit(out) : port_bit(out);
        granted |= port_bit(in);
    }
    unsigned count = 0;
    for (; granted != 0; granted &= granted - 1) {
        const unsigned in = first_port(granted);
        const unsigned out = port_in_turn(grants[in], ports_[in].accept_turn);
        accept(in, in_turn(eligible(in, out), ports_[in].vc_turn), out, sent[count++]);
    }
    return count;
}

void RouterCore::leave(Cycle now, Sent& sent) {
    const unsigned input = index(sent.in_port, sent.in_vc);
    InputVc& vc = inputs_[input];
    const unsigned output = index(vc.output, vc.output_vc);
    Port& out = ports_[vc.output];
    sent.out_vc = vc.output_vc;
    sent.packet = vc.front;
    sent.head = vc.at_head;
    sent.tail = vc.to_send == 1;
    vc.at_head = false;
    if (has_port(slow_outputs_, vc.output)) occupy(now, vc.output);
    if (!quiet_from_.empty()) quiet_from_[vc.output] = now + 1;
    --held_;
    --vc.flits;
    --vc.to_send;
    if (!out.unlimited) {
        --outputs_[output].credits;
        ++out.in_use;
    }
    if (!sent.tail) {
        if (vc.flits == 0 || !has_credit(output)) clear_eligible(input);
        return;
    }
    free_channel(vc.output, vc.output_vc);
    clear_eligible(input);
    vc.state = State::idle;
    if (vc.packets == 0) {
        vc.first = 0;
        return;
    }
    const PacketIndex next = rings_[std::size_t{input} * ring_ + vc.first];
    vc.first = static_cast<std::uint16_t>((vc.first + 1U) & (ring_ - 1));
    --vc.packets;
    begin(now + 2, input, next); // routed in the next cycle
}

// --- virtual channels of outputs

void RouterCore::allocate_channels(unsigned output, Cycle now) {
    std::vector<std::uint16_t>& waiting = waiting_[output];
    const std::uint32_t taken = ports_[output].taken;
    asking_.clear();
    for (const std::uint16_t input : waiting) {
        const InputVc& vc = inputs_[input];
        if (static_cast<std::uint32_t>(now) - vc.may_ask_at > 0x7fffffffU)
            askable_ |= port_bit(output); // not yet
        else if ((vc.allowed & ~taken) != 0)
            asking_.push_back(input);
    }
    if (asking_.empty()) return;
    if (asking_.size() == 1) {
        take_channel(asking_[0], channel_in_turn(asking_[0], inputs_[asking_[0]].allowed & ~taken));
    } else {
        std::sort(asking_.begin(), asking_.end());
        grant_channels(output);
        askable_ |= port_bit(output); // for those that got none
    }
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [this](std::uint16_t input) { return inputs_[input].state == State::active; }),
                  waiting.end());
}

/// The one in turn of the channels that an input was granted: all that it asks for if it asks alone.
unsigned RouterCore::channel_in_turn(unsigned input, std::uint32_t granted) const {
    const unsigned last = accept_turns_[input];
    return in_turn(granted, last >> shift_ == inputs_[input].output ? last & (stride_ - 1) : 0);
}

void RouterCore::grant_channels(unsigned output) {
    std::array<std::uint32_t, kMaxPorts * kMaxVcs> granted; // NOLINT(cppcoreguidelines-pro-type-member-init)
    const auto count = static_cast<unsigned>(asking_.size());
    std::uint32_t wanted = 0;
    for (unsigned i = 0; i < count; ++i) {
        wanted |= inputs_[asking_[i]].allowed;
        granted[i] = 0;
    }
    wanted &= ~ports_[output].taken;
    for (; wanted != 0; wanted &= wanted - 1) { // each free channel grants the first in turn that may have it
        const auto v = static_cast<unsigned>(__builtin_ctz(wanted));
        const unsigned turn = outputs_[index(output, v)].turn;
        unsigned chosen = count;
        for (unsigned i = 0; i < count; ++i) {
            if ((inputs_[asking_[i]].allowed >> v & 1U) == 0) continue;
            if (asking_[i] >= turn) {
                chosen = i;
                break;
            }
            if (chosen == count) chosen = i;
        }
        granted[chosen] |= 1U << v;
    }
    for (unsigned i = 0; i < count; ++i) // and each input accepts the first in turn of those
        if (granted[i] != 0) take_channel(asking_[i], channel_in_turn(asking_[i], granted[i]));
}

void RouterCore::take_channel(unsigned input, unsigned number) {
    InputVc& vc = inputs_[input];
    const unsigned output = index(vc.output, number);
    vc.output_vc = static_cast<std::uint8_t>(number);
    vc.state = State::active;
    ports_[vc.output].taken |= 1U << number;
    outputs_[output].owner = static_cast<std::uint16_t>(input);
    outputs_[output].turn = static_cast<std::uint16_t>(input + 1);
    accept_turns_[input] = static_cast<std::uint16_t>(output + 1);
    if (vc.flits != 0 && has_credit(output)) set_eligible(input);
}

// --- reports

RouterCore::Waits RouterCore::waits(unsigned port, unsigned number) const {
    const InputVc& vc = inputs_[index(port, number)];
    Waits w;
    w.packet = vc.front;
    w.port = vc.output;
    if (vc.state == State::waiting) {
        w.what = Waits::For::channel;
        const unsigned held = static_cast<unsigned>(__builtin_ctz(vc.allowed));
        const unsigned holder = outputs_[index(vc.output, held)].owner;
        w.vc = held;
        w.holder_port = holder >> shift_;
        w.holder_vc = holder & (stride_ - 1);
    } else if (vc.state == State::active && vc.flits != 0 && !has_credit(index(vc.output, vc.output_vc))) {
        w.what = Waits::For::credit;
        w.vc = vc.output_vc;
    }
    return w;
}

} // namespace numavp

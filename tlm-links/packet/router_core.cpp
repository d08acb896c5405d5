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
    ports_[port].room = static_cast<std::uint16_t>(flits);
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
    slow_outputs_.add(port);
    timed_ = true;
}

Cycle RouterCore::free_at(unsigned port) const { return (slow_[port].free_at + kWholeCycle - 1) / kWholeCycle; }

void RouterCore::allow_pass(unsigned out) {
    quiet_from_.resize(ports_.size(), 0);
    timed_ = true;
    if (slow_outputs_.has(out) || ports_[out].unlimited)
        throw ModelError("router " + std::to_string(number_) + ": a slow output, or a terminal, can't be passed");
}

bool RouterCore::begin_pass(unsigned in, unsigned number, unsigned out, unsigned flits, Cycle quiet_since) {
    const unsigned input = index(in, number), output = index(out, number);
    const bool queued = inputs_[input].state != State::idle || inputs_[input].flits != 0;
    const bool busy = (ports_[out].taken >> number & 1U) != 0 || passed_outputs_.has(out);
    const bool loud = quiet_from_[out] > quiet_since;
    if (queued || busy || loud || outputs_[output].credits < flits) return false;
    ports_[out].taken |= 1U << number;
    outputs_[output].credits = static_cast<std::uint16_t>(outputs_[output].credits - flits);
    outputs_[output].owner = static_cast<std::uint16_t>(input); // which holds nothing that a credit could wake
    passed_outputs_.add(out);
    return true;
}

void RouterCore::end_pass(unsigned out, unsigned number) {
    free_channel(out, number);
    passed_outputs_.remove(out);
}

void RouterCore::close_outputs(Cycle now) {
    closed_outputs_ = passed_outputs_;
    for (PortSet left = slow_outputs_; !left.empty();) {
        const unsigned out = left.pop();
        if (slow_[out].free_at > now * kWholeCycle) closed_outputs_.add(out);
    }
}

/// A flit goes in the first cycle after its output is free: the rest of that cycle counts for the next flit, so that an
/// output in use carries exactly one flit per interval.
void RouterCore::occupy(Cycle now, unsigned output) {
    SlowOutput& slow = slow_[output];
    const bool in_use = slow.free_at + kWholeCycle > now * kWholeCycle;
    slow.free_at = (in_use ? slow.free_at : now * kWholeCycle) + slow.interval;
}

/// A flit leaves by an output of a router of which some are slow, or may be passed.
void RouterCore::note_time(Cycle now, unsigned output) {
    if (slow_outputs_.has(output)) occupy(now, output);
    if (!quiet_from_.empty()) quiet_from_[output] = now + 1;
}

void RouterCore::begin(unsigned input, PacketIndex packet) {
    InputVc& vc = inputs_[input];
    const Route route = packets_.route(number_, packet);
    vc.front = packet;
    vc.to_send = static_cast<std::uint16_t>(packets_.flits(packet));
    vc.at_head = true;
    vc.output = static_cast<std::uint8_t>(route.port);
    vc.allowed = route.vcs;
    vc.state = State::waiting;
    routed_.push_back(static_cast<std::uint16_t>(input));
}

void RouterCore::ask_for_channel(unsigned input) {
    const unsigned output = inputs_[input].output;
    waiting_[output].push_back(static_cast<std::uint16_t>(input));
    askable_.add(output);
}

void RouterCore::arrive_head(unsigned input, PacketIndex packet) {
    InputVc& vc = inputs_[input];
    if (vc.to_come != 0)
        breach(input >> shift_, input & (stride_ - 1),
               "a packet began before the one on its virtual channel had ended");
    vc.to_come = static_cast<std::uint16_t>(packets_.flits(packet) - 1);
    if (vc.state == State::idle) return begin(input, packet);
    rings_[std::size_t{input} * ring_ + ((vc.first + vc.packets++) & (ring_ - 1))] = packet;
}

void RouterCore::breach(unsigned port, unsigned vc, const char* what) const {
    throw ModelError("router " + std::to_string(number_) + ", input " + std::to_string(port) + ", virtual channel " +
                     std::to_string(vc) + ": " + what);
}

/// The front packet's tail has left.
void RouterCore::end_packet(unsigned input) {
    InputVc& vc = inputs_[input];
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
    begin(input, next); // routed in the next cycle
}

// --- virtual channels of outputs

/// Before flits leave: a channel that a tail gives up in this step can be asked for in the next one.
void RouterCore::allocate_channels() {
    PortSet askable = askable_;
    askable_ = {};
    while (!askable.empty()) allocate_channels(askable.pop());
    for (const std::uint16_t input : routed_) ask_for_channel(input);
    routed_.clear();
}

void RouterCore::allocate_channels(unsigned output) {
    std::vector<std::uint16_t>& waiting = waiting_[output];
    const std::uint32_t taken = ports_[output].taken;
    if (waiting.size() == 1) { // nearly always
        const unsigned input = waiting.front();
        const std::uint32_t free = inputs_[input].allowed & ~taken;
        if (free == 0) return;
        take_channel(input, channel_in_turn(input, free));
        waiting.clear();
        return;
    }
    asking_.clear();
    for (const std::uint16_t input : waiting)
        if ((inputs_[input].allowed & ~taken) != 0) asking_.push_back(input);
    if (asking_.empty()) return;
    if (asking_.size() == 1) {
        take_channel(asking_[0], channel_in_turn(asking_[0], inputs_[asking_[0]].allowed & ~taken));
    } else {
        std::sort(asking_.begin(), asking_.end());
        grant_channels(output);
        askable_.add(output); // for those that got none
    }
    waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                 [this](std::uint16_t input) { return inputs_[input].state == State::active; }),
                  waiting.end());
}

/// The one in turn of the channels that an input was granted: all that it asks for if it asks alone.
unsigned RouterCore::channel_in_turn(unsigned input, std::uint32_t granted) const {
    const unsigned last = accept_turns_[input];
    return bit_in_turn(granted, last >> shift_ == inputs_[input].output ? last & (stride_ - 1) : 0);
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
    vc.output_index = static_cast<std::uint16_t>(output);
    vc.state = State::active;
    ports_[vc.output].taken |= 1U << number;
    outputs_[output].owner = static_cast<std::uint16_t>(input);
    outputs_[output].turn = static_cast<std::uint16_t>(input + 1);
    accept_turns_[input] = static_cast<std::uint16_t>(output + 1);
    fresh_.push_back(static_cast<std::uint16_t>(input));
}

// --- reports

unsigned RouterCore::credits_in_use(unsigned port) const {
    unsigned sum = 0;
    for (unsigned vc = 0; vc < vcs_; ++vc) sum += ports_[port].room - outputs_[index(port, vc)].credits;
    return sum;
}

unsigned RouterCore::held() const {
    unsigned sum = 0;
    for (const InputVc& vc : inputs_) sum += vc.flits;
    return sum;
}

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
    } else if (vc.state == State::active && vc.flits != 0 && !has_credit(vc)) {
        w.what = Waits::For::credit;
        w.vc = vc.output_vc;
    }
    return w;
}

} // namespace numavp

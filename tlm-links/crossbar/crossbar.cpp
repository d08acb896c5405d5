#include "tlm-links/crossbar/crossbar.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "tlm-links/protocol/access_trail.h"
#include "tlm-links/protocol/held.h"

namespace numavp {

// --- Fabric

Fabric::Fabric(ClockDomain& domain, const Spec& spec, Upstream& upstream, SharedServer* total)
    : spec_(spec), upstream_(upstream), total_(total),
      inputs_(spec.inputs, spec.outputs, spec.queue_depth,
              spec.last_queue_depth != 0 ? spec.last_queue_depth : spec.queue_depth),
      fifos_(spec.input_fifo ? spec.inputs : 0), outputs_(spec.outputs) {
    for (unsigned i = 0; i < spec.outputs; ++i) outputs_.emplace_back(*this, domain, spec.rank.after(i), i);
}

Fabric::Output::Output(Fabric& owner, ClockDomain& domain, Rank rank, unsigned index)
    : Arbiter(domain, rank), number(static_cast<std::uint16_t>(index)),
      many(owner.spec_.inputs > 64 * std::tuple_size_v<decltype(wanting)>), fabric(owner),
      server(index + 1 == owner.spec_.outputs && owner.spec_.last_bytes_per_s ? owner.spec_.last_bytes_per_s
                                                                              : owner.spec_.bytes_per_s,
             domain.khz()),
      wide(many ? std::make_unique<std::uint64_t[]>((owner.spec_.inputs + 63) / 64) : nullptr) {}

void Fabric::connect(unsigned output, Wire& wire) {
    outputs_[output].wire = &wire;
    wire.set_feeder(outputs_[output]);
}

void Fabric::enqueue(unsigned input, unsigned output, Txn& txn) {
    Input& in = inputs_[input];
    const unsigned before = in.used++;
    if (__builtin_expect(spec_.input_fifo, 0) && before != 0) return queue_behind(input, output, txn);
    in.push(output, txn);
    outputs_[output].want(input);
}

bool Fabric::arrive(unsigned input, unsigned output, Txn& txn) {
    Input& in = inputs_[input];
    if (in.used < in.depth()) {
        enqueue(input, output, txn);
        return true;
    }
    in.stalled = &txn;
    in.stalled_output = static_cast<std::uint16_t>(output);
    return false;
}

Txn& Fabric::take(unsigned input, Output& output) {
    Input& in = inputs_[input];
    Txn& txn = in.pop(output.number);
    if (in.empty(output.number)) output.satisfied(input);
    --in.used;
    if (__builtin_expect(spec_.input_fifo, 0)) next_of_fifo(input);
    if (__builtin_expect(in.stalled != nullptr, 0)) admit(input);
    return txn;
}

/// The record that was kept aside at an input has a place now.
[[gnu::noinline]] void Fabric::admit(unsigned input) {
    Input& in = inputs_[input];
    Txn& next = *std::exchange(in.stalled, nullptr);
    enqueue(input, in.stalled_output, next);
    upstream_.admitted(input, next);
}

[[gnu::noinline]] int Fabric::Output::next_of_many() const {
    const unsigned count = (fabric.spec_.inputs + 63) / 64;
    const unsigned first = turn >> 6;
    for (unsigned i = 0; i <= count; ++i) {
        const unsigned w = first + i < count ? first + i : first + i - count;
        std::uint64_t bits = words()[w];
        if (i == 0) bits &= ~0ULL << (turn & 63);
        if (i == count) bits &= ~(~0ULL << (turn & 63));
        if (bits) return static_cast<int>(w * 64) + __builtin_ctzll(bits);
    }
    return -1;
}

// Flattened, as the arrivals are: every record comes by here twice.
[[gnu::flatten]] void Fabric::Output::arbitrate() {
    if (__builtin_expect(fabric.spec_.packet_cycles != 0, 0)) return arbitrate_packets();
    const Cycle now = domain_.now();
    for (int chosen = next_input(); chosen >= 0; chosen = next_input()) {
        const Cycle free_at = fabric.total_ ? std::max(server.free_at(), shared_until) : server.free_at();
        const auto input = static_cast<unsigned>(chosen);
        if (free_at > now || !wire->ready()) {
            if (named != input) name(input);
            if (free_at > now) wake_at(free_at);
            return; // a wire without room wakes its feeder when a place is free
        }
        turn = static_cast<std::uint16_t>(input + 1 < fabric.spec_.inputs ? input + 1 : 0);
        if (named != kNone) {
            named = kNone;
            touches.forget_all();
        }
        Txn& txn = fabric.take(input, *this);
        if (__builtin_expect(txn.followed, 0)) follow(txn);
        const unsigned bytes = fabric.spec_.responses ? txn.response_bytes : txn.request_bytes;
        ++counts.packets;
        counts.bytes += bytes;
        Cycle passed = server.take(now, bytes);
        if (fabric.total_) {
            passed = std::max(passed, fabric.total_->take(bytes));
            shared_until = fabric.total_->free_at();
        }
        wire->send(txn, passed + fabric.spec_.latency);
    }
}

/// The first record of an input is the next: in a few edges it is its turn.
inline void Fabric::Output::name(unsigned input) {
    named = static_cast<std::uint16_t>(input);
    const Input& in = fabric.inputs_[input];
    const Input::Place& next = in.front(number);
    next.txn->prefetch();
    touches.expect_all({static_cast<const Node*>(next.txn), &next, &in});
}

/// A followed record leaves: reports why it waited since it arrived. The output idles only while its wire is full.
[[gnu::cold, gnu::noinline]] void Fabric::Output::follow(const Txn& txn) const {
    const std::uint64_t now_ps = domain_.clockwork().now_ps();
    const bool packets = fabric.spec_.packet_cycles != 0;
    const Cycle own = packets ? busy_until : server.free_at();
    const Waited busy = shared_until > own ? Waited::total : Waited::output;
    const std::uint64_t until_ps = domain_.edge_ps(std::max(own, shared_until));
    const Waited then = packets && fabric.spec_.input_fifo ? Waited::queue : Waited::room; // behind others' outputs
    txn.trail->waited(wire->place(), now_ps, longer(txn.trail->mark_ps(), until_ps, now_ps, busy, then));
}

const Txn* Fabric::sample_held(unsigned& output) const {
    for (unsigned o = 0; o < spec_.outputs; ++o)
        for (unsigned i = 0; i < spec_.inputs; ++i)
            if (const Input& in = inputs_[i]; !in.empty(o)) {
                output = o;
                return in.front(o).txn;
            }
    return nullptr;
}

unsigned Fabric::held() const {
    unsigned sum = 0;
    for (unsigned i = 0; i < inputs_.size(); ++i) sum += inputs_[i].used + (inputs_[i].stalled ? 1U : 0U);
    return sum;
}

// --- Crossbar

Crossbar::Crossbar(sc_core::sc_module_name name, const CrossbarConfig& config, const CrossbarShape& shape,
                   const Resources& resources)
    : sc_module(name), counted_ports_(shape.counted_ports), domain_(resources.domain), route_(resources.route),
      total_(shape.total_bytes_per_s ? std::make_unique<SharedServer>(shape.total_bytes_per_s, resources.domain)
                                     : nullptr),
      request_(resources.domain,
               {shape.ingress, shape.egress, config.queue_depth, config.latency_cycles, shape.request_bytes_per_s,
                shape.last_bytes_per_s, false, resources.request_rank, shape.last_queue_depth, config.packet_cycles,
                config.input_fifo},
               request_side_, total_.get()),
      response_(resources.domain,
                {shape.egress, shape.ingress, config.queue_depth, config.latency_cycles, shape.response_bytes_per_s,
                 shape.last_bytes_per_s, true, resources.response_rank, shape.last_queue_depth, config.packet_cycles,
                 config.input_fifo},
                response_side_, total_.get()) {
    request_side_.owner = response_side_.owner = this;
    const WireSpec wire{config.wire_depth, shape.part};
    for (unsigned i = 0; i < shape.ingress; ++i) {
        ingress_.push_back(std::make_unique<TargetPort>(("ingress_" + std::to_string(i)).c_str(), domain_, wire,
                                                        static_cast<ResponderIf&>(*this), i));
        response_.connect(i, *ingress_.back());
    }
    for (unsigned i = 0; i < shape.egress; ++i) {
        egress_.push_back(std::make_unique<InitiatorPort>(("egress_" + std::to_string(i)).c_str(), domain_, wire,
                                                          static_cast<RequesterIf&>(*this), i));
        request_.connect(i, *egress_.back());
    }
}

[[gnu::flatten]] bool Crossbar::request(unsigned port, Txn& txn) {
    const unsigned out = route_.egress(port, txn);
    txn.push_port(port);
    return request_.arrive(port, out, txn);
}

[[gnu::flatten]] bool Crossbar::response(unsigned port, Txn& txn) {
    return response_.arrive(port, txn.pop_port(), txn);
}

// --- what it shows, under its own name

void Crossbar::add_statistics(StatGroup& owner) const {
    for (unsigned i = 0; i < counted_ports_; ++i) {
        StatGroup& port = owner.group(basename()).group("port", i);
        port.counter("request_bytes", requests(i).bytes, "B", "Requests towards this socket.");
        port.counter("response_bytes", responses(i).bytes, "B", "Responses towards this socket.");
    }
}

void Crossbar::add_waves(WaveSet& waves, const std::string& owner) {
    const std::string scope = owner.empty() ? basename() : owner + "." + basename();
    WaveGroup& queues = waves.group(kQueueWaves);
    queues.add(scope, "held_requests", kQueueWaveBits, [this] { return request_.held(); });
    queues.add(scope, "held_responses", kQueueWaveBits, [this] { return response_.held(); });
}

std::string Crossbar::holding() const {
    unsigned output = 0;
    const Txn* const request = request_.sample_held(output);
    return held_packets(held(), request ? request : response_.sample_held(output));
}

// --- freed places

void Crossbar::RequestSide::admitted(unsigned input, Txn& txn) {
    owner->ingress_[input]->end_request(txn, owner->domain_.now() + 1);
}

void Crossbar::ResponseSide::admitted(unsigned input, Txn& txn) {
    owner->egress_[input]->end_response(txn, owner->domain_.now() + 1);
}

} // namespace numavp

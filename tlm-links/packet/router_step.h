/// A router's cycle (RouterCore::step), for its callers: what leaves goes straight to where it arrives.
#pragma once

#include "tlm-links/packet/router_core.h"

namespace numavp {

/// The next flit of an input that has been given an output leaves: the pointers of both move past each other.
template <class Leaves>
[[gnu::always_inline]] inline void RouterCore::leave(Cycle now, unsigned in, unsigned out, const Leaves& leaves) {
    const auto ports = static_cast<unsigned>(ports_.size());
    Port& from = ports_[in];
    const unsigned number = bit_in_turn(eligible(in, out), from.vc_turn);
    ports_[out].grant_turn = static_cast<std::uint8_t>(in + 1 < ports ? in + 1 : 0);
    from.accept_turn = static_cast<std::uint8_t>(out + 1 < ports ? out + 1 : 0);
    from.vc_turn = static_cast<std::uint8_t>(number + 1 < vcs_ ? number + 1 : 0);
    const unsigned input = index(in, number);
    InputVc& vc = inputs_[input];
    const bool head = vc.at_head;
    vc.at_head = false;
    if (timed_) note_time(now, out);
    --vc.flits;
    const bool tail = --vc.to_send == 0;
    OutputVc& output = outputs_[vc.output_index];
    output.credits = static_cast<std::uint16_t>(output.credits - (ports_[out].unlimited ? 0U : 1U));
    leaves(Sent{static_cast<std::uint8_t>(in), static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(out),
                vc.output_vc, head, tail, vc.front});
    if (tail)
        end_packet(input);
    else if (vc.flits == 0 || output.credits == 0)
        clear_eligible(input);
}

template <class Leaves> void RouterCore::step(Cycle now, const Leaves& leaves) {
    if (!askable_.empty() || !routed_.empty()) allocate_channels();
    if (!wanted_outputs_.empty()) {
        if (timed_) close_outputs(now);
        const PortSet open = wanted_outputs_.without(closed_outputs_);
        // Outputs come in ascending order, so that an input's choice among those that grant it is known at once.
        std::array<std::uint8_t, kMaxPorts> chosen{}; // of granted inputs
        PortSet granted;
        for (PortSet left = open; !left.empty();) {
            const unsigned out = left.pop();
            const unsigned in = ports_[out].requests.in_turn(ports_[out].grant_turn);
            if (non_blocking_) { // an input's virtual channels want one output each, so that grants never meet
                leave(now, in, out, leaves);
                continue;
            }
            const unsigned turn = ports_[in].accept_turn;
            if (!granted.has(in) || (chosen[in] < turn && out >= turn)) chosen[in] = static_cast<std::uint8_t>(out);
            granted.add(in);
        }
        while (!granted.empty()) {
            const unsigned in = granted.pop();
            leave(now, in, chosen[in], leaves);
        }
    }
    // A packet that has got its channel in this step asks for the switch in the next one.
    for (const std::uint16_t input : fresh_)
        if (inputs_[input].flits != 0 && has_credit(inputs_[input])) set_eligible(input);
    fresh_.clear();
}

} // namespace numavp

/// A crossbar whose ports carry packets of a sector: time by packets instead of bytes, inputs as queues that block.
#include <algorithm>

#include "tlm-links/crossbar/crossbar.h"

namespace numavp {

/// A record comes to an input whose first record blocks it.
[[gnu::noinline]] void Fabric::queue_behind(unsigned input, unsigned output, Txn& txn) {
    fifos_[input].behind.push(txn);
    fifos_[input].leaves.push_back(static_cast<std::uint16_t>(output));
}

/// The record behind the one that has been taken, if there is one, is now the first of its input.
[[gnu::noinline]] void Fabric::next_of_fifo(unsigned input) {
    if (inputs_[input].used == 0) return;
    Fifo& fifo = fifos_[input];
    const unsigned output = fifo.leaves.front();
    fifo.leaves.pop_front();
    inputs_[input].push(output, fifo.behind.pop());
    outputs_[output].want(input);
}

/// The first input in turn that has a record for this output and is not busy with another packet; -1: none.
int Fabric::Output::next_free_input(Cycle now) const {
    const unsigned count = fabric.spec_.inputs;
    for (unsigned i = 0; i < count; ++i) {
        const unsigned input = turn + i < count ? turn + i : turn + i - count;
        const bool wants = (words()[input >> 6] >> (input & 63) & 1) != 0;
        if (wants && (!fabric.spec_.input_fifo || fabric.fifos_[input].free_at <= now)) return static_cast<int>(input);
    }
    return -1;
}

[[gnu::noinline]] void Fabric::Output::arbitrate_packets() {
    const Cycle now = domain_.now();
    if (next_input() < 0) return;
    if (busy_until > now) return wake_at(busy_until);
    const int chosen = next_free_input(now);
    if (chosen < 0) return wake(); // an input's other packet ends within a few cycles
    if (!wire->ready()) return;    // it wakes its feeder when a place is free
    const auto input = static_cast<unsigned>(chosen);
    turn = static_cast<std::uint16_t>(input + 1 < fabric.spec_.inputs ? input + 1 : 0);
    const Txn& first = *fabric.inputs_[input].front(number).txn;
    if (__builtin_expect(first.followed, 0)) follow(first);
    busy_until = now + Cycle{fabric.spec_.packet_cycles} * std::max(1U, first.sectors());
    if (fabric.spec_.input_fifo) fabric.fifos_[input].free_at = busy_until;
    Txn& txn = fabric.take(input, *this);
    const unsigned bytes = fabric.spec_.responses ? txn.response_bytes : txn.request_bytes;
    ++counts.packets;
    counts.bytes += bytes;
    Cycle passed = busy_until;
    if (fabric.total_) passed = std::max(passed, fabric.total_->take(bytes));
    wire->send(txn, passed + fabric.spec_.latency);
    if (next_input() >= 0) wake_at(busy_until);
}

} // namespace numavp

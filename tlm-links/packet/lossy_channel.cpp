#include "tlm-links/packet/lossy_channel.h"

#include <algorithm>

#include "tlm-links/packet/draw_stream.h"

namespace numavp {

namespace {
RetryLineConfig line_config(const ChannelErrors& errors, const NetworkChannel& channel, std::uint64_t flits_per_s,
                            std::uint64_t khz) {
    RetryLineConfig line;
    line.units_per_second = flits_per_s;
    line.clock_khz = khz;
    line.bits_per_unit = errors.flit_bits;
    line.round_trip_cycles = 2 * Cycle{channel.latency_cycles}; // the answer is as long on its way
    line.buffer_units = errors.buffer_flits;
    if (errors.buffer_flits == 0) // at a flit each cycle, as much as a channel ever carries, and the flit under way
        line.buffer_units = line.round_trip_cycles + channel.tail_cycles() + 2;
    return line;
}
} // namespace

LossyChannel::LossyChannel(const ChannelErrors& errors, const NetworkChannel& channel, unsigned number,
                           const std::string& name)
    : number_(number), line_(line_config(errors, channel, flits_per_s(channel.interval), kKhz),
                             ErrorDistance(errors.bit_error_rate, Rng(errors.seed).fork(draw_stream(name)))),
      wear_(errors.retire_errors, errors.retire_window) {}

void LossyChannel::send(Cycle now, Cycle arrives, std::uint8_t vc, PacketIndex packet) {
    line_.take(now, 1);
    arrives += line_.last_delay();
    if (arrives <= last_arrival_) arrives = last_arrival_ + 1; // fractions of cycles: flits keep their order
    last_arrival_ = arrives;
    flights_.push_back({arrives, vc, packet});
    last_ = {number_, now, arrives, static_cast<unsigned>(line_.asked_again().size())};
}

bool LossyChannel::wears_lane(Cycle& at) {
    bool worn = false;
    for (const Cycle asked : line_.asked_again())
        if (wear_.add(asked)) {
            worn = true;
            at = asked;
        }
    return worn;
}

} // namespace numavp

// Faults of a link: packets that are sent again, lanes that are retired.
#include <algorithm>
#include <string>

#include "base/stats/stats.h"
#include "tlm-links/link/link.h"
#include "tlm-links/packet/draw_stream.h"

namespace numavp {

namespace {
/// Share of `energy_pj_per_bit`, of a whole way over two links and the switch, for one link alone. A choice: half.
constexpr double kOneLink = 0.5;
} // namespace

void Link::set_retry(Direction& d, const char* stream) const {
    const LinkErrors& errors = config_.errors;
    RetryLineConfig line;
    line.units_per_second = config_.lane_bytes_per_s() * (d.outward ? config_.lanes_out : config_.lanes_in);
    line.clock_khz = domain_.khz();
    line.round_trip_cycles = 2 * Cycle{config_.latency_cycles}; // the answer is as long on its way
    line.largest_units = config_.largest_packet_bytes;
    line.buffer_units = errors.buffer_bytes;
    if (line.buffer_units == 0) {
        const BandwidthServer all(config_.most_bytes_per_s(), domain_.khz());
        line.buffer_units = all.capacity_bytes(line.round_trip_cycles) + 2 * std::uint64_t{line.largest_units};
    }
    const Rng draws = Rng(errors.seed).fork(draw_stream(std::string(name()) + "." + stream));
    d.line.set_retry(std::make_unique<RetryLine>(line, ErrorDistance(errors.bit_error_rate, draws)));
}

/// After a packet was sent: what its errors bring about.
void Link::note_errors(Direction& d, Cycle now, Cycle left) {
    const std::vector<Cycle>& asked = d.line.retry()->asked_again();
    if (asked.empty()) return;
    if (error_hook_)
        error_hook_(now, left + config_.latency_cycles, d.outward ? LaneWay::out : LaneWay::in, asked.size());
    for (const Cycle at : asked) {
        if (!d.wear.add(at)) continue;
        d.retirements.push_back({at, cycles_of(config_.errors.retrain_us)});
        control_.wake_at(at);
    }
}

void Link::retire_at(LaneWay way, Cycle edge, Cycle retrain_cycles) {
    Direction& d = way == LaneWay::out ? out_ : in_;
    d.retirements.push_back({edge, retrain_cycles});
    can_retire_ = true;
    control_.start();
}

/// What is under way passes on the lanes of before; then the direction rests while it goes over to fewer.
Cycle Link::retire_due() {
    const Cycle now = domain_.now();
    Cycle next = kNever;
    for (Direction* d : {&out_, &in_}) {
        const auto due = [now](const Direction::Retirement& one) { return one.at <= now; };
        for (const Direction::Retirement& one : d->retirements) {
            if (!due(one)) {
                next = std::min(next, one.at);
                continue;
            }
            if (!turner_.retire(d->outward ? LaneWay::out : LaneWay::in, now)) continue;
            d->paused_until = std::max(now, d->line.settled_at()) + one.retrain_cycles;
            d->wake_at(std::max(d->paused_until, now + 1));
        }
        d->retirements.erase(std::remove_if(d->retirements.begin(), d->retirements.end(), due), d->retirements.end());
    }
    return next;
}

std::uint64_t Link::errors() const {
    std::uint64_t sum = 0;
    for (const Direction* d : {&out_, &in_})
        if (const RetryLine* line = d->line.retry()) sum += line->counts().errors;
    return sum;
}

std::uint64_t Link::replayed_bytes() const {
    std::uint64_t sum = 0;
    for (const Direction* d : {&out_, &in_})
        if (const RetryLine* line = d->line.retry()) sum += line->counts().replayed_units;
    return sum;
}

double Link::replay_energy_pj() const {
    return static_cast<double>(replayed_bytes()) * 8.0 * config_.energy_pj_per_bit * kOneLink;
}

void Link::add_errors(StatGroup& g, const Direction& d) const {
    const RetryLine* line = d.line.retry();
    if (line == nullptr) return;
    const RetryCounts& n = line->counts();
    g.counter("errors", n.errors, "packets", "Packets that arrived with an error this way and were asked for again.");
    g.counter("replayed_packets", n.replayed_items, "packets",
              "Packets sent again this way, each time that they were.");
    g.counter("replayed_bytes", n.replayed_units, "B", "Bytes of packets sent again this way.");
    g.counter("replay_delay_cycles", n.delay_cycles, "cycles",
              "Time by which packets left later since packets were sent again this way, summed over packets.");
    g.counter("retry_stall_cycles", n.stall_cycles, "cycles",
              "Time for which this direction was idle since its retry buffer was full.");
}

} // namespace numavp

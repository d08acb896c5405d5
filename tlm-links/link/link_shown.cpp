// Reports of a link: statistics, series, waveforms, the packets that it holds.
#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"
#include "tlm-links/link/link.h"
#include "tlm-links/link/link_ratios.h"
#include "tlm-links/protocol/held.h"

namespace numavp {

namespace {
constexpr unsigned kLaneWaveBits = 8, kTurnWaveBits = 32;

void add_direction(StatGroup& g, const DirectionCounts& counts, std::function<std::uint64_t()> lane_cycles) {
    g.counter("bytes", counts.bytes, "B", "Bytes that the link carried this way.");
    g.counter("request_packets", counts.request_packets, "packets", "Packets of requests carried this way.");
    g.counter("response_packets", counts.response_packets, "packets", "Packets of responses carried this way.");
    g.sum("lane_cycles", std::move(lane_cycles), "lane-cycles", "Cycles of the lanes that faced this way, summed.");
}
} // namespace

double Link::sent_energy_pj() const { return static_cast<double>(out_.counts.bytes) * 8.0 * config_.energy_pj_per_bit; }

void Link::add_statistics(StatGroup& owner) const {
    StatGroup& g = owner.group("link");
    add_direction(g.group("out"), out_.counts, [this] { return lane_cycles_out(); });
    add_direction(g.group("in"), in_.counts, [this] { return lane_cycles_in(); });
    add_errors(g.group("out"), out_);
    add_errors(g.group("in"), in_);
    // Every byte crosses two links and the switch: the energy of the whole way is counted where it starts.
    g.sum(
        "out.energy_pj", [this] { return sent_energy_pj(); }, "pJ",
        "Energy of the packets sent, for their whole way over two links and the switch.");
    g.sum(
        "lane_turns", [this] { return lane_turns(); }, "turns", "Turns of lanes of the link.");
    if (can_retire_)
        g.sum(
            "retired_lanes", [this] { return std::uint64_t{retired_lanes()}; }, "lanes",
            "Lanes of the link that were taken out of use.");
    g.value(
        "lanes_out", [this] { return std::uint64_t{lanes().out}; }, "lanes", "Lanes that face out at the end.");
    g.value(
        "lanes_in", [this] { return std::uint64_t{lanes().in}; }, "lanes", "Lanes that face in at the end.");
    owner.all_ratios(link_ratios());
    if (!config_.errors.given()) return;
    g.sum(
        "replay_energy_pj", [this] { return replay_energy_pj(); }, "pJ",
        "Energy of packets sent again over this link, both ways; half of energy_pj_per_bit for each bit.");
    owner.ratio(share_of("link.replayed", {"link.out.replayed_bytes", "link.in.replayed_bytes"},
                         {"link.out.bytes", "link.in.bytes"}, "Bytes sent again, of the bytes of packets carried."));
}

void Link::add_series(SeriesGroup& owner) const {
    owner.increase(
        "link.out_bytes", [this] { return busy_bytes_out(); }, "B", "Bytes sent over the link.");
    owner.increase(
        "link.in_bytes", [this] { return busy_bytes_in(); }, "B", "Bytes received over the link.");
    owner.increase(
        "link.out_lane_cycles", [this] { return lane_cycles_out(); }, "lane-cycles",
        "Cycles of the lanes that faced out, summed.");
    owner.increase(
        "link.in_lane_cycles", [this] { return lane_cycles_in(); }, "lane-cycles",
        "Cycles of the lanes that faced in, summed.");
    owner.level(
        "link.lanes_out", [this] { return std::uint64_t{lanes().out}; }, "lanes", "Lanes that face out.");
    owner.level(
        "link.lanes_in", [this] { return std::uint64_t{lanes().in}; }, "lanes", "Lanes that face in.");
    if (!config_.errors.given()) return;
    owner.increase(
        "link.errors", [this] { return errors(); }, "packets",
        "Packets that arrived with an error over the link, both ways.");
    owner.increase(
        "link.replayed_bytes", [this] { return replayed_bytes(); }, "B", "Bytes sent again over the link, both ways.");
}

void Link::add_waves(WaveSet& waves, const std::string& owner) {
    const std::string scope = owner + ".link";
    WaveGroup& faces = waves.group("lanes");
    faces.add(scope, "lanes_out", kLaneWaveBits, [this] { return lanes().out; });
    faces.add(scope, "lanes_in", kLaneWaveBits, [this] { return lanes().in; });
    faces.add(scope, "turning", kLaneWaveBits, [this] { return turning(); });
    faces.add(scope, "lane_turns", kTurnWaveBits, [this] { return lane_turns(); });
    lane_waves_ = &faces;
    WaveGroup& queues = waves.group(kQueueWaves);
    queues.add(scope, "held_out", kQueueWaveBits, [this] { return held_out(); });
    queues.add(scope, "held_in", kQueueWaveBits, [this] { return held_in(); });
    // Bytes that lanes could carry in these lane-cycles.
    const auto room = [lane = config_.lane_bytes_per_s(), hertz = domain_.khz() * 1000](std::uint64_t lane_cycles) {
        return static_cast<std::uint64_t>(static_cast<unsigned __int128>(lane_cycles) * lane / hertz);
    };
    WaveGroup& use = waves.group(kUseWaves);
    use.add(
        scope, "use_out", kPercentWaveBits,
        [this, room, percent = UseInPercent()]() mutable { return percent(busy_bytes_out(), room(lane_cycles_out())); },
        WaveRadix::curve);
    use.add(
        scope, "use_in", kPercentWaveBits,
        [this, room, percent = UseInPercent()]() mutable { return percent(busy_bytes_in(), room(lane_cycles_in())); },
        WaveRadix::curve);
    turner_.balancer().watch(waves.waves(), scope, waves.clock());
}

std::string Link::holding() const { return held_packets(held(), sample_held()); }

} // namespace numavp

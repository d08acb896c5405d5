#include "platform/network/load_point.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <string>
#include <vector>

#include "base/values/error.h"
#include "tlm-links/packet/draw_stream.h"

namespace numavp {

namespace {

/// Sums over consecutive packets.
struct LoadBatch {
    std::uint64_t packets = 0, flits = 0, replies = 0;
    double latency = 0, request_latency = 0, routers = 0;
    Cycle cycles = 0;
    std::vector<std::uint64_t> channel_flits; ///< of each channel, if they are counted
    void add(const LoadBatch& o) {
        packets += o.packets;
        flits += o.flits;
        replies += o.replies;
        latency += o.latency;
        request_latency += o.request_latency;
        routers += o.routers;
        cycles += o.cycles;
        channel_flits.resize(std::max(channel_flits.size(), o.channel_flits.size()));
        for (std::size_t c = 0; c < o.channel_flits.size(); ++c) channel_flits[c] += o.channel_flits[c];
    }
    double mean() const { return latency / static_cast<double>(packets); }
};

/// At most 63 batches, of equal numbers of packets.
class LoadBatches {
  public:
    LoadBatch& open() { return open_; }
    bool full() const { return open_.packets == size_; }
    /// A packet was added to the open batch at cycle `now`; true if that has closed it.
    bool close_if_full(Cycle now) {
        if (open_.packets < size_) return false;
        open_.cycles = now - begun_;
        begun_ = now;
        closed_.push_back(open_);
        open_ = {};
        if (closed_.size() == 64) merge();
        return true;
    }
    std::size_t count() const { return closed_.size(); }
    const LoadBatch& last() const { return closed_.back(); }
    /// All of them, with the open one.
    LoadBatch all() const {
        LoadBatch sum = open_;
        for (const LoadBatch& b : closed_) sum.add(b);
        return sum;
    }
    /// All but the first quarter.
    LoadBatch settled() const {
        LoadBatch sum;
        for (std::size_t i = closed_.size() / 4; i < closed_.size(); ++i) sum.add(closed_[i]);
        return sum;
    }
    /// Half of the 95 % interval of their mean, over the mean; 1 while they are too few, or depend on each other.
    double precision() const {
        const std::size_t first = closed_.size() / 4;
        const std::size_t n = closed_.size() - first;
        if (n < 20) return 1.0;
        double mean = 0, variance = 0, covariance = 0;
        for (std::size_t i = first; i < closed_.size(); ++i) mean += closed_[i].mean() / static_cast<double>(n);
        for (std::size_t i = first; i < closed_.size(); ++i) {
            const double d = closed_[i].mean() - mean;
            variance += d * d;
            if (i > first) covariance += d * (closed_[i - 1].mean() - mean);
        }
        if (covariance > 0.3 * variance) return 1.0;
        const double error = std::sqrt(variance / static_cast<double>(n * (n - 1)));
        return 2.0 * error / mean; // Student's factor for 19 and more degrees of freedom is 2.09 to 1.96
    }

  private:
    void merge() {
        for (std::size_t i = 0; i < 32; ++i) {
            closed_[i] = closed_[2 * i];
            closed_[i].add(closed_[2 * i + 1]);
        }
        closed_.resize(32);
        size_ *= 2;
    }
    std::uint64_t size_ = 256; ///< packets
    Cycle begun_ = 0;
    LoadBatch open_;
    std::vector<LoadBatch> closed_;
};

class LoadRun {
  public:
    LoadRun(const NetworkGraph& graph, const Routing& routing, const NetworkCoreConfig& config,
            const NetworkTraffic& traffic, const LoadSpec& load, double rate)
        : traffic_(traffic), load_(load), net_(graph, routing, config), offered_rate_(rate),
          counted_(graph.channels.size()) {
        const Rng seeds = Rng(config.seed).fork(kSources);
        draws_.assign(graph.terminals.size(), seeds);
        for (const NetworkEndpoint& e : graph.endpoints)
            for (unsigned i = 0; i < e.terminals.size(); ++i)
                draws_[e.terminals[i]] = seeds.fork(draw_stream(e.name, i));
        chances_.resize(graph.terminals.size());
        for (const unsigned t : traffic.sources()) {
            chances_[t] = std::min(1.0, rate * traffic.share(t) / (load.requests ? 1 : load.packet_flits));
            next_.push({gap(t) - 1, t});
        }
    }

    LoadPoint run(double idle_cycles) {
        LoadPoint point;
        while (true) {
            cycle();
            if (closed_ == batches_.count()) continue;
            closed_ = batches_.count();
            const std::uint64_t waiting = net_.in_flight();
            if (waiting > kMostWaiting * traffic_.requester_terminals() || batches_.last().mean() > 50 * idle_cycles)
                return saturated(point);
            point.precision = batches_.precision();
            if (point.precision <= load_.precision || done_ >= load_.most_packets) break;
        }
        point.precise = point.precision <= load_.precision;
        fill(point, batches_.settled());
        return !point.precise && point.accepted_rate < 0.97 * offered_rate_ ? saturated(point) : point;
    }

  private:
    static constexpr std::uint64_t kSources = 0x736f7572; ///< stream of the sources' draws
    static constexpr std::uint64_t kMostWaiting = 100;    ///< packets a terminal
    static constexpr Cycle kThroughputCycles = 20000;
    static constexpr Cycle kPatience = 1'000'000; ///< cycles without an arrival while packets are under way
    using Due = std::pair<Cycle, unsigned>;

    /// Cycles to a terminal's next packet.
    Cycle gap(unsigned terminal) {
        if (chances_[terminal] >= 1.0) return 1;
        const double gap = std::log1p(-draws_[terminal].uniform()) / std::log1p(-chances_[terminal]);
        return 1 + static_cast<Cycle>(std::min(gap, 1e15));
    }
    void cycle() {
        if (net_.idle() && next_.top().first > net_.now()) net_.skip_to(last_arrival_ = next_.top().first);
        const Cycle now = net_.now();
        while (next_.top().first == now) {
            const unsigned source = next_.top().second;
            next_.pop();
            const unsigned target = traffic_.draw(source, draws_[source]);
            net_.offer({source, target, load_.requests ? 1 : load_.packet_flits, 0}, now);
            next_.push({now + gap(source), source});
        }
        net_.step();
        if (!net_.arrivals().empty()) last_arrival_ = now;
        if (now - last_arrival_ > kPatience && !net_.idle()) stuck();
        for (const NetworkCore::Arrival& a : net_.arrivals()) arrived(a.packet, now);
    }
    [[noreturn]] void stuck() const {
        const std::string circle = net_.circle();
        throw ModelError("the network is stuck at cycle " + std::to_string(net_.now()) + " with " +
                         std::to_string(net_.in_flight()) + " packets in it" + (circle.empty() ? "" : ": " + circle));
    }
    void arrived(PacketIndex index, Cycle now) {
        const NetworkCore::Packet packet = net_.packet(index);
        net_.release(index);
        const auto latency = static_cast<double>(now - packet.offered_at);
        LoadBatch& batch = batches_.open();
        ++done_;
        ++batch.packets;
        batch.flits += packet.flits;
        batch.latency += latency;
        batch.routers += packet.routers;
        if (packet.message_class != 0) ++batch.replies;
        if (load_.requests && packet.message_class == 0) {
            batch.request_latency += latency;
            net_.offer({packet.target, packet.source, load_.packet_flits, 1}, now);
        }
        if (batches_.full()) count_channels(batch);
        batches_.close_if_full(now + 1);
    }
    /// Adds what channels carried since the last call.
    void count_channels(LoadBatch& batch) {
        if (!load_.channel_use) return;
        batch.channel_flits.resize(counted_.size());
        for (unsigned c = 0; c < counted_.size(); ++c) {
            batch.channel_flits[c] += net_.channel_flits(c) - counted_[c];
            counted_[c] = net_.channel_flits(c);
        }
    }
    LoadPoint& fill(LoadPoint& point, const LoadBatch& b) const {
        const auto packets = static_cast<double>(b.packets), replies = static_cast<double>(b.replies);
        point.latency_cycles = b.mean();
        point.routers = b.routers / packets;
        point.accepted_rate = (load_.requests ? replies : static_cast<double>(b.flits)) /
                              static_cast<double>(b.cycles * traffic_.requester_terminals());
        if (load_.requests) {
            point.request_cycles = b.request_latency / (packets - replies);
            point.reply_cycles = (b.latency - b.request_latency) / replies;
        }
        point.packets = done_;
        point.cycles = net_.now();
        point.flit_hops = net_.flit_hops();
        for (const std::uint64_t flits : b.channel_flits)
            point.channel_use.push_back(static_cast<double>(flits) / static_cast<double>(b.cycles));
        return point;
    }
    /// What goes through while more is asked for.
    LoadPoint saturated(LoadPoint& point) {
        const Cycle begun = net_.now();
        count_channels(batches_.open());
        batches_ = {};
        while (net_.now() < begun + kThroughputCycles) cycle();
        count_channels(batches_.open());
        LoadBatch sum = batches_.all();
        sum.cycles = net_.now() - begun;
        fill(point, sum);
        point.saturated = true;
        return point;
    }

    const NetworkTraffic& traffic_;
    const LoadSpec load_;
    NetworkCore net_;
    const double offered_rate_;
    std::vector<Rng> draws_;
    std::vector<double> chances_; ///< of a packet in a cycle, of each terminal
    std::priority_queue<Due, std::vector<Due>, std::greater<>> next_;
    LoadBatches batches_;
    std::vector<std::uint64_t> counted_; ///< flits of each channel that are in a batch by now
    Cycle last_arrival_ = 0;
    std::size_t closed_ = 0;
    std::uint64_t done_ = 0;
};

} // namespace

LoadPoint measure_load(const NetworkGraph& graph, const Routing& routing, const NetworkCoreConfig& core,
                       const NetworkTraffic& traffic, const LoadSpec& load, double rate, double idle_cycles) {
    LoadRun run(graph, routing, core, traffic, load, rate);
    LoadPoint point = run.run(idle_cycles);
    point.rate = rate;
    return point;
}

} // namespace numavp

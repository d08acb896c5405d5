#include "platform/system_waves.h"

#include <algorithm>

#include <fmt/format.h>

#include "platform/build.h"
#include "platform/system_impl.h"
#include "tlm-links/wave_clock.h"

namespace numavp {

namespace {
constexpr unsigned kLaneBits = 8, kWayBits = 8, kQueueBits = 16, kPercentBits = 7, kNameLength = 32;

/// How much of what could be done in an interval was done, in percent; each call begins the next interval.
class Use {
  public:
    std::uint64_t percent(std::uint64_t done, std::uint64_t possible) {
        const std::uint64_t more = done - done_, room = possible - possible_;
        done_ = done;
        possible_ = possible;
        return room == 0 ? 0 : std::min<std::uint64_t>(more * 100 / room, 100);
    }

  private:
    std::uint64_t done_ = 0, possible_ = 0;
};
} // namespace

SystemWaves::SystemWaves(Waves& waves, ClockDomain& domain, Cycle interval_cycles)
    : Arbiter(domain, {kSystemRank, kRankControl, 2}), waves_(waves), clock_(wave_clock(domain)),
      interval_cycles_(interval_cycles), kernel_waves_(waves, clock_, "kernels"), lanes_(waves, clock_, "lanes"),
      ways_(waves, clock_, "ways"), queues_(waves, clock_, "queues"), use_(waves, clock_, "use in percent") {
    kernel_waves_.add("system", "kernels", 8, [this] { return kernels_; });
    kernel_waves_.add_text("system", "kernel", kNameLength, [this] { return kernel_; });
}

// --- what is watched

void SystemWaves::watch(const std::string& scope, const Link& link) {
    lanes_.add(scope, "lanes_out", kLaneBits, [&link] { return link.lanes().out; });
    lanes_.add(scope, "lanes_in", kLaneBits, [&link] { return link.lanes().in; });
    lanes_.add(scope, "turning", kLaneBits, [&link] { return link.turning(); });
    lanes_.add(scope, "lane_turns", 32, [&link] { return link.lane_turns(); });
    queues_.add(scope, "held_out", kQueueBits, [&link] { return link.held_out(); });
    queues_.add(scope, "held_in", kQueueBits, [&link] { return link.held_in(); });
    watch_use(scope, link);
}

void SystemWaves::watch(const std::string& scope, const GpuSocket& socket) {
    if (socket.link) watch(scope + ".link", *socket.link);
    if (socket.partitioned()) watch_ways(scope + ".ways", socket);
    watch_queues(scope, socket);
    watch_use(scope + ".memory", socket);
}

void SystemWaves::watch_rtl(const std::string& scope, GpuSocket& socket) {
    if (socket.link) socket.link->watch_balancer(waves_, scope + ".link", clock_);
    socket.watch_partition(waves_, scope + ".ways", clock_);
}

void SystemWaves::watch_ways(const std::string& scope, const GpuSocket& socket) {
    const auto split = [&](const std::string& cache, unsigned ways, auto local) {
        ways_.add(scope, cache + "_local", kWayBits, local);
        ways_.add(scope, cache + "_remote", kWayBits, [ways, local] { return ways - local(); });
    };
    split("l2", socket.config().slice.ways, [&socket] { return socket.l2_local_ways(); });
    if (socket.config().partition.l1)
        split("l1", socket.config().sm.l1.ways, [&socket] { return socket.l1_local_ways(); });
    ways_.add(scope, "changes", 32, [&socket] { return socket.way_changes(); });
}

void SystemWaves::watch_queues(const std::string& scope, const GpuSocket& socket) {
    queues_.add(scope + ".noc", "held_requests", kQueueBits, [&socket] { return socket.noc->request_fabric().held(); });
    queues_.add(scope + ".noc", "held_responses", kQueueBits,
                [&socket] { return socket.noc->response_fabric().held(); });
    for (std::size_t i = 0; i < socket.slices.size(); ++i)
        queues_.add(fmt::format("{}.l2.slice{}", scope, i), "entries_in_use", kQueueBits,
                    [&slice = *socket.slices[i]] { return slice.entries_in_use(); });
    for (std::size_t i = 0; i < socket.channels.size(); ++i)
        if (socket.channels[i])
            queues_.add(fmt::format("{}.memory.channel{}", scope, i), "held", kQueueBits,
                        [&channel = *socket.channels[i]] { return channel.held(); });
}

void SystemWaves::watch_switch(const Crossbar& fabric) {
    queues_.add("switch", "held_requests", kQueueBits, [&fabric] { return fabric.request_fabric().held(); });
    queues_.add("switch", "held_responses", kQueueBits, [&fabric] { return fabric.response_fabric().held(); });
}

void SystemWaves::watch_faults(const FaultUnit& faults) {
    queues_.add("host.faults", "queued", kQueueBits, [&faults] { return faults.queued(); });
}

void SystemWaves::watch_use(const std::string& scope, const Link& link) {
    // Bytes that lanes could carry in these lane-cycles.
    const auto room = [lane = link.config().lane_bytes_per_s, hertz = domain_.khz() * 1000](std::uint64_t lane_cycles) {
        return static_cast<std::uint64_t>(static_cast<unsigned __int128>(lane_cycles) * lane / hertz);
    };
    use_.add(
        scope, "use_out", kPercentBits,
        [&link, room, use = Use()]() mutable {
            return use.percent(link.busy_bytes_out(), room(link.lane_cycles_out()));
        },
        WaveRadix::curve);
    use_.add(
        scope, "use_in", kPercentBits,
        [&link, room, use = Use()]() mutable { return use.percent(link.busy_bytes_in(), room(link.lane_cycles_in())); },
        WaveRadix::curve);
}

void SystemWaves::watch_use(const std::string& scope, const GpuSocket& socket) {
    use_.add(
        scope, "use", kPercentBits,
        [this, &socket, use = Use()]() mutable {
            std::uint64_t possible = 0;
            for (const auto& channel : socket.channels)
                if (channel) possible += channel->capacity_bytes(domain_.now());
            return use.percent(socket.memory_bytes(), possible);
        },
        WaveRadix::curve);
}

// --- when it is looked at

void SystemWaves::kernel_launched(const std::string& name) {
    ++kernels_;
    kernel_ = name;
    kernel_waves_.sample();
    if (running_) return;
    running_ = true;
    wake_at(domain_.now() + interval_cycles_);
}

void SystemWaves::kernel_ended() {
    --kernels_;
    kernel_waves_.sample();
}

void SystemWaves::rest() {
    look();
    running_ = false;
}

void SystemWaves::arbitrate() {
    if (!running_) return;
    look();
    wake_at(domain_.now() + interval_cycles_);
}

void SystemWaves::look() {
    for (WaveGroup* group : {&kernel_waves_, &lanes_, &ways_, &queues_, &use_}) group->sample();
}

// --- of a whole system

void System::Impl::watch_waves(const SystemOptions& options) {
    waves = std::make_unique<SystemWaves>(*options.waves, domain, options.waves_interval);
    for (unsigned s = 0; s < sockets.size(); ++s) waves->watch(fmt::format("socket{}", s), *sockets[s]);
    for (unsigned s = 0; s < sockets.size(); ++s) waves->watch_rtl(fmt::format("socket{}", s), *sockets[s]);
    if (fabric) waves->watch_switch(*fabric);
    if (!host) return;
    if (host->link) waves->watch("host.link", *host->link);
    if (has_driver(config)) waves->watch_faults(host->faults());
}

} // namespace numavp

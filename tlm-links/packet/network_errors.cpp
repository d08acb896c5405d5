// Errors of a network's channels: what the fabric shows of them.
#include <algorithm>
#include <string>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "tlm-links/packet/network_fabric.h"

namespace numavp {

namespace {
std::uint64_t errors_of(const RetryCounts& n) { return n.errors; }
std::uint64_t replayed_of(const RetryCounts& n) { return n.replayed_units; }
std::uint64_t delay_of(const RetryCounts& n) { return n.delay_cycles; }
} // namespace

bool NetworkFabric::has_errors() const {
    const std::vector<ChannelErrors>& kinds = config_.network.core.errors;
    return std::any_of(kinds.begin(), kinds.end(), [](const ChannelErrors& kind) { return kind.any(); });
}

template <class Get> std::uint64_t NetworkFabric::of_lossy(const Get& get) const {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < topology_.graph.channels.size(); ++i)
        if (const LossyChannel* lossy = network_->core().lossy_channel(i)) sum += get(lossy->counts());
    return sum;
}

void NetworkFabric::add_errors(StatGroup& g) const {
    const auto retires = [](const ChannelErrors& kind) { return kind.retires; };
    const std::vector<ChannelErrors>& kinds = config_.network.core.errors;
    if (std::any_of(kinds.begin(), kinds.end(), retires))
        g.sum(
            "retired_lanes", [this] { return std::uint64_t{network_->channels().retired()}; }, "lanes",
            "Lanes of channels that were taken out of use.");
    if (!has_errors()) return;
    g.sum(
        "errors", [this] { return of_lossy(errors_of); }, "flits",
        "Flits that arrived with an error and were asked for again, of all channels.");
    g.sum(
        "replayed_flits", [this] { return of_lossy(replayed_of); }, "flits",
        "Flits sent again, each time that they were, of all channels; their energy is in energy_pj.");
    g.sum(
        "replay_delay_cycles", [this] { return of_lossy(delay_of); }, "cycles",
        "Time, in cycles of the network, by which flits arrived later since flits were sent again, summed over flits.");
}

void NetworkFabric::add_channel_errors(StatGroup& g, unsigned i) const {
    const LossyChannel* lossy = network_->core().lossy_channel(i);
    if (lossy == nullptr) return;
    const RetryCounts& n = lossy->counts();
    g.counter("errors", n.errors, "flits", "Flits that arrived with an error and were asked for again.");
    g.counter("replayed_flits", n.replayed_units, "flits", "Flits that the channel sent again, each time that it did.");
    g.counter("retry_stall_cycles", n.stall_cycles, "cycles",
              "Cycles of the network for which the channel was idle since its retry buffer was full.");
}

void NetworkFabric::add_error_series(SeriesGroup& machine) const {
    if (!has_errors()) return;
    machine.increase(
        basename() + std::string(".errors"), [this] { return of_lossy(errors_of); }, "flits",
        "Flits that arrived with an error over all channels.");
    machine.increase(
        basename() + std::string(".replayed_flits"), [this] { return of_lossy(replayed_of); }, "flits",
        "Flits sent again over all channels.");
}

} // namespace numavp

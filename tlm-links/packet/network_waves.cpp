// Signals of a network in waveforms.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/waves/wave_set.h"
#include "tlm-links/packet/network_fabric.h"

namespace numavp {

namespace {
constexpr unsigned kChannelWaveBits = 8;

/// "gpu_2" for "gpu[2]": in waveforms brackets are bits.
std::string wave_name(std::string router) {
    std::replace(router.begin(), router.end(), '[', '_');
    router.erase(std::remove(router.begin(), router.end(), ']'), router.end());
    return router;
}
} // namespace

void NetworkFabric::add_waves(WaveSet& waves, const std::string& machine) {
    const std::string scope = machine.empty() ? basename() : machine + "." + basename();
    WaveGroup& queues = waves.group(kQueueWaves);
    queues.add(scope, "packets_inside", kQueueWaveBits, [this] { return network_->core().in_flight(); });
    const NetworkGraph& graph = topology_.graph;
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        queues.add(fmt::format("{}.{}", scope, wave_name(graph.routers[r])), "held_flits", kQueueWaveBits,
                   [this, r] { return network_->core().router(r).held(); });
    std::map<std::string, unsigned> channels; // side by side
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        const std::string to = wave_name(graph.routers[graph.channels[c].to]);
        const std::string from = fmt::format("{}.{}", scope, wave_name(graph.routers[graph.channels[c].from]));
        std::string way = fmt::format("{}.to_{}", from, to);
        if (const unsigned before = channels[way]++; before != 0) way += fmt::format("_beside_{}", before);
        waves.group(kUseWaves).add(
            way, "use", kPercentWaveBits,
            [this, c, percent = UseInPercent()]() mutable {
                return percent(static_cast<std::uint64_t>(carried(c)),
                               static_cast<std::uint64_t>(possible_flits_of(c)));
            },
            WaveRadix::curve);
        if (network_->channels().turns(c))
            queues.add(way, "lanes", kChannelWaveBits, [this, c] { return network_->channels().lanes(c); });
    }
}

} // namespace numavp

// Signals of a network in waveforms.
#include <algorithm>
#include <map>

#include "models/base/wave_set.h"
#include "tlm-links/packet/network_fabric.h"

namespace numavp {

namespace {
constexpr unsigned kLaneWaveBits = 8;

/// "gpu2" for "gpu[2]": in waveforms brackets are bits.
std::string wave_name(std::string router) {
    router.erase(std::remove_if(router.begin(), router.end(), [](char c) { return c == '[' || c == ']'; }),
                 router.end());
    return router;
}
} // namespace

void NetworkFabric::add_waves(WaveSet& waves, const std::string& machine) {
    const std::string scope = machine.empty() ? basename() : machine + "." + basename();
    WaveGroup& queues = waves.group(kQueueWaves);
    queues.add(scope, "packets_inside", kQueueWaveBits, [this] { return network_->core().in_flight(); });
    const NetworkGraph& graph = topology_.graph;
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        queues.add(scope + "." + wave_name(graph.routers[r]), "held_flits", kQueueWaveBits,
                   [this, r] { return network_->core().router(r).held(); });
    std::map<std::string, unsigned> channels; // side by side
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        std::string to = wave_name(graph.routers[graph.channels[c].to]);
        const std::string from = scope + "." + wave_name(graph.routers[graph.channels[c].from]);
        if (const unsigned before = channels[from + " " + to]++; before != 0) to += "_" + std::to_string(before);
        waves.group(kUseWaves).add(
            from + ".to_" + to, "use", kPercentWaveBits,
            [this, c, percent = UseInPercent()]() mutable {
                return percent(static_cast<std::uint64_t>(carried(c)),
                               static_cast<std::uint64_t>(possible_flits_of(c)));
            },
            WaveRadix::curve);
        if (network_->channels().turns(c))
            queues.add(from + ".to_" + to, "lanes", kLaneWaveBits, [this, c] { return network_->channels().lanes(c); });
    }
}

} // namespace numavp

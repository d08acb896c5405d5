#include "bench/network_load.h"

#include "bench/traffic.h"
#include "platform/network/load_curve.h"

namespace numavp {

nlohmann::ordered_json measure_network(const std::string& network, double rate, std::uint64_t packets) {
    const NetworkSystem system = load_network(network, {});
    LoadSpec load;
    load.precision = 0; // all packets, however well the latency is known
    load.most_packets = packets;
    const LoadTest test(system, flows_of(TrafficKind::uniform, system.topology.graph, network), load, 1, 1);
    const double begun = cpu_seconds();
    const LoadPoint point = test.measure({rate}, {}).front();
    return {{"run_s", cpu_seconds() - begun},
            {"packets", point.packets},
            {"flit_hops", point.flit_hops},
            {"latency_cycles", point.latency_cycles},
            {"saturated", point.saturated}};
}

} // namespace numavp

/// A network under a constant load of packets: latency and throughput in the steady state.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/network/traffic.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

/// Packets to be sent, and the precision of the measurement.
struct LoadSpec {
    unsigned packet_flits = 9;
    bool requests = false;                  ///< requests of one flit, answered by packets of `packet_flits`
    double precision = 0.005;               ///< half of the 95 % interval of the mean latency, over the mean
    std::uint64_t most_packets = 4'000'000; ///< after which it ends whatever the precision
    bool channel_use = false;               ///< measure LoadPoint::channel_use; changes no other result
};

/// Bernoulli injection at every terminal that sends, unbounded queues there; latency from generation to the last flit's
/// arrival, in cycles of the network. The mean is that of batches of consecutive packets: batches get longer so that
/// there are 32 to 63 of them; the first quarter is left out, and the rest give the confidence interval.
struct LoadPoint {
    double rate = 0; ///< flits (requests, if there are some) a cycle and requester's terminal, as asked
    bool saturated = false;
    double latency_cycles = 0;
    double request_cycles = 0, reply_cycles = 0; ///< with requests
    double accepted_rate = 0;                    ///< in the units of `rate`
    double routers = 0;                          ///< that a packet passed
    double precision = 0;                        ///< reached
    bool precise = true;                         ///< as precise as was asked
    std::uint64_t packets = 0;
    std::uint64_t flit_hops = 0;
    Cycle cycles = 0;
    /// Flits per cycle on each channel of the graph, over the packets of the mean latency or, if saturated, over the
    /// cycles of `accepted_rate`. Empty unless LoadSpec::channel_use.
    std::vector<double> channel_use;
};

/// Measures one point. `idle_cycles` is the latency of an uncontended packet; the point is saturated when packets take
/// 50 times as long, or when 100 wait at each terminal on average.
LoadPoint measure_load(const NetworkGraph& graph, const Routing& routing, const NetworkCoreConfig& core,
                       const NetworkTraffic& traffic, const LoadSpec& load, double rate, double idle_cycles);

} // namespace numavp

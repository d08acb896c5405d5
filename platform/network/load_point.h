/// A network under a constant load of packets: latency and throughput in the steady state.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/network/traffic.h"
#include "tlm-links/packet/network_core.h"

namespace numavp {

/// What is sent.
struct LoadSpec {
    unsigned packet_flits = 9;
    bool requests = false;                  ///< requests of one flit, answered by packets of `packet_flits`
    double precision = 0.005;               ///< half of the 95 % interval of the mean latency, over the mean
    std::uint64_t most_packets = 4'000'000; ///< after which it ends whatever the precision
    bool channel_use = false;               ///< measure LoadPoint::channel_use; changes no other result
};

/// Bernoulli injection at every terminal that sends, unbounded queues there; latency from generation to the last flit's
/// arrival, in cycles of the network. The mean of batches of consecutive packets: their number is kept between 32 and
/// 63 by making them longer, the first quarter is left out, and the interval is taken from the rest.
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
    /// Flits a cycle of each channel of the graph over the same packets as the mean latency; if saturated, over the
    /// cycles of `accepted_rate`. Empty unless LoadSpec::channel_use.
    std::vector<double> channel_use;
};

/// `idle_cycles` is the latency of a packet that meets nobody; a point is saturated when packets take 50 times as long
/// or 100 a terminal wait.
LoadPoint measure_load(const NetworkGraph& graph, const Routing& routing, const NetworkCoreConfig& core,
                       const NetworkTraffic& traffic, const LoadSpec& load, double rate, double idle_cycles);

} // namespace numavp

#include "sw/patterns/pattern.h"

#include <cmath>

namespace numavp {

double share_of(const SampleParameters& parameters, double share, std::string_view kernel) {
    for (const KernelSample& own : parameters.samples)
        if (kernel.substr(0, own.kernels.size()) == own.kernels) return share / own.sample;
    return share / parameters.sample;
}

std::uint64_t PatternContext::scaled(std::uint64_t n, std::uint64_t granule) const {
    const double granules = std::round(static_cast<double>(n) * scale / static_cast<double>(granule));
    return granules < 1.0 ? granule : static_cast<std::uint64_t>(granules) * granule;
}

GraphParameters scaled_graph(const GraphParameters& graph, const PatternContext& context) {
    GraphParameters result = graph;
    if (graph.kind != GraphKind::mesh)
        result.vertices = context.scaled(graph.vertices);
    else if (graph.nz > 1)
        result.nz = context.scaled(graph.nz);
    else if (graph.ny > 1)
        result.ny = context.scaled(graph.ny);
    else
        result.nx = context.scaled(graph.nx);
    result.validate(Place("scale", "graph"));
    return result;
}

KernelShape BlockParameters::shape(std::string name, std::uint64_t blocks, std::uint64_t accesses,
                                   std::uint32_t shared_bytes) const {
    KernelShape shape;
    shape.name = std::move(name);
    shape.blocks = blocks;
    shape.threads = threads;
    shape.registers = registers;
    shape.shared_bytes = shared_bytes;
    shape.accesses = accesses;
    return shape;
}

void BlockParameters::validate(const Place& place) const {
    if (threads % kWarpLanes != 0)
        throw ConfigError(place.at("threads"),
                          std::to_string(threads) + " threads are not whole warps; multiples of 32 are allowed");
}

} // namespace numavp

#include "shape.h"

#include <deque>

namespace numavp::test {
namespace {

using Kind = TopologyKind;

/// The paper's shapes of slices; other sizes are tested with dimensions that are given.
std::vector<unsigned> usual_clusters(const TopologySpec& spec) {
    if (!spec.dimensions.empty()) return spec.dimensions;
    if (spec.topology == Kind::smesh && spec.processors == 4) return {2, 2};
    switch (spec.processors) {
    case 8: return {2, 4};
    case 16: return {4, 4};
    default: return {spec.processors};
    }
}

std::uint64_t row_channels(Kind kind, bool slice_dimension, std::uint64_t n) {
    if (slice_dimension && kind != Kind::dfbfly) return 0;
    if (wraps(kind)) return n > 2 ? n : n - 1;
    if (kind == Kind::smesh || kind == Kind::mesh || kind == Kind::line) return n - 1;
    return n * (n - 1) / 2;
}

} // namespace

bool of_cubes(Kind kind) { return has_clusters(kind); }
bool of_groups(Kind kind) { return kind == Kind::ddfly || kind == Kind::dragonfly; }
bool of_trees(Kind kind) { return kind == Kind::tree || kind == Kind::star; }
bool sliced(Kind kind) { return kind == Kind::sfbfly || kind == Kind::smesh || kind == Kind::storus; }
bool wraps(Kind kind) {
    return kind == Kind::storus || kind == Kind::cube_ring || kind == Kind::ring || kind == Kind::torus;
}
bool has_ugal(Kind kind) {
    return of_groups(kind) || kind == Kind::sfbfly || kind == Kind::dfbfly || kind == Kind::mesh ||
           kind == Kind::flattened_butterfly;
}

std::vector<unsigned> shape(const TopologySpec& spec) {
    if (!of_cubes(spec.topology)) return spec.dimensions;
    if (spec.topology == Kind::cube_ring) return {spec.processors * spec.routers_per_processor};
    if (spec.topology == Kind::ddfly) return {spec.routers_per_processor, spec.processors};
    std::vector<unsigned> sizes = usual_clusters(spec);
    sizes.insert(sizes.begin(), spec.routers_per_processor);
    return sizes;
}

unsigned coordinate(const std::vector<unsigned>& sizes, unsigned router, unsigned dimension) {
    for (unsigned d = 0; d < dimension; ++d) router /= sizes[d];
    return router % sizes[dimension];
}

std::uint64_t count_channels(const TopologySpec& spec) {
    const std::vector<unsigned> sizes = shape(spec);
    std::uint64_t routers = 1, channels = 0;
    if (of_trees(spec.topology)) {
        for (const unsigned n : sizes) channels += routers *= n;
        return channels * spec.parallel_channels;
    }
    for (const unsigned n : sizes) routers *= n;
    if (of_groups(spec.topology)) {
        const std::uint64_t r = sizes[0], g = sizes[1];
        return (g * r * (r - 1) / 2 + g * (g - 1) / 2) * spec.parallel_channels;
    }
    for (unsigned d = 0; d < sizes.size(); ++d) {
        const bool slice_dimension = d == 0 && of_cubes(spec.topology) && spec.topology != Kind::cube_ring;
        channels += routers / sizes[d] * row_channels(spec.topology, slice_dimension, sizes[d]);
    }
    return channels * spec.parallel_channels;
}

std::vector<unsigned> distances(const NetworkGraph& graph, unsigned from) {
    std::vector<unsigned> found(graph.routers.size(), kNoWay);
    const std::vector<std::vector<unsigned>> leaving = graph.leaving_by_router();
    found[from] = 0;
    for (std::deque<unsigned> queue{from}; !queue.empty(); queue.pop_front())
        for (const unsigned c : leaving[queue.front()]) {
            unsigned& there = found[graph.channels[c].to];
            if (there != kNoWay) continue;
            there = found[queue.front()] + 1;
            queue.push_back(graph.channels[c].to);
        }
    return found;
}

} // namespace numavp::test

/// Numbers of channels and of hops of the networks that papers and the reference simulator describe.
#include <gtest/gtest.h>

#include "networks.h"

namespace numavp::test {
namespace {

struct CubeFormRow {
    const char* what;
    TopologySpec spec;
    std::size_t channels; ///< both directions as one
    double routers;       ///< that a packet visits in the mean, over all processors and cubes
};

TopologySpec doubled(TopologySpec spec) {
    spec.parallel_channels = 2;
    return spec;
}

// Channels: Figure 12 and section V-B of the memory-network paper (50 % fewer at 4 GPUs, 43 % at 8).
// Routers: 1 + sum over dimensions of the mean distance; a ring of k (even) k / 4, a row of k that is fully connected
// (k - 1) / k, a line of k (k - 1/k) / 3.
const CubeFormRow kCubeRows[] = {
    {"sfbfly of 4", cubes(TopologyKind::sfbfly), 24, 1.75},
    {"sfbfly of 8", cubes(TopologyKind::sfbfly, 8), 64, 1 + 0.5 + 0.75},
    {"sfbfly of 16", cubes(TopologyKind::sfbfly, 16), 192, 2.5},
    {"sfbfly of 5", cubes(TopologyKind::sfbfly, 5), 40, 1.8},
    {"dfbfly of 4", cubes(TopologyKind::dfbfly), 48, 1.75},
    {"dfbfly of 4, random entry", cubes(TopologyKind::dfbfly, 4, EntryKind::random), 48, 2.5},
    {"dfbfly of 8", cubes(TopologyKind::dfbfly, 8), 112, 2.25},
    {"smesh of 4", cubes(TopologyKind::smesh), 16, 2.0},
    {"smesh of 4 in a line", with_dimensions(cubes(TopologyKind::smesh), {4}), 12, 2.25},
    {"smesh-2x of 4", doubled(cubes(TopologyKind::smesh)), 32, 2.0},
    {"storus of 4", cubes(TopologyKind::storus), 16, 2.0},
    {"storus-2x of 4", doubled(cubes(TopologyKind::storus)), 32, 2.0},
    {"storus of 16", cubes(TopologyKind::storus, 16), 128, 3.0},
    {"ring, nearest entry", cubes(TopologyKind::cube_ring, 4, EntryKind::nearest), 16, 3.625},
    {"ring, random entry", cubes(TopologyKind::cube_ring, 4, EntryKind::random), 16, 5.0},
    // own cluster 4 cubes of 0 hops; another: its gateway 1, its others 2
    {"ddfly of 4", cubes(TopologyKind::ddfly, 4, EntryKind::nearest), 30, 1 + 0.75 * (1 + 3 * 2) / 4},
    {"mesh 8 x 8", nodes(TopologyKind::mesh, {8, 8}), 112, 6.25},
    {"torus 8 x 8", nodes(TopologyKind::torus, {8, 8}), 128, 5.0},
    {"flatfly 64", nodes(TopologyKind::flattened_butterfly, {4, 4}, 4), 48, 2.5},
    {"ring of 16", nodes(TopologyKind::ring, {16}), 16, 5.0},
    {"line of 8", nodes(TopologyKind::line, {8}), 7, 1 + (8 - 1.0 / 8) / 3},
    {"star of 4", nodes(TopologyKind::star, {4}), 4, 1 + 0.75 * 2},
    {"one router", nodes(TopologyKind::star, {}, 8), 0, 1.0},
    // 3/4 of the leaves have another parent (4 hops), 3/16 are siblings (2)
    {"tree of 4 x 4", nodes(TopologyKind::tree, {4, 4}), 20, 1 + 0.75 * 4 + 0.1875 * 2},
    // 4 groups of 3: a source is the gateway for 1 target group of 3, a target for 1 in 3
    {"dragonfly", nodes(TopologyKind::dragonfly, {3, 4}), 18, 1 + 0.25 * 2 / 3 + 0.75 * (1 + 2.0 / 3 * 2)},
};

TEST(TopologyClosedForm, ChannelsAndMeanHops) {
    for (const CubeFormRow& row : kCubeRows) {
        const Topology topology = made(row.spec);
        EXPECT_EQ(topology.graph.channels.size(), 2 * row.channels) << row.what;
        EXPECT_NEAR(mean_routers(topology), row.routers, 1e-9) << row.what;
    }
}

} // namespace
} // namespace numavp::test

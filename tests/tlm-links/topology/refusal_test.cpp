/// What cannot be built is refused with one sentence that has its place, what is wrong, and what is allowed.
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "networks.h"

namespace numavp::test {
namespace {

using Kind = TopologyKind;

std::string spec_refusal(const TopologySpec& spec) {
    try {
        make_topology(spec, "machine.json");
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "made";
}

TopologySpec with(TopologySpec spec, unsigned TopologySpec::*member, unsigned value) {
    spec.*member = value;
    return spec;
}
TopologySpec with_adaptive_entry(TopologySpec spec) {
    spec.routing = RoutingKind::adaptive_entry;
    return spec;
}
TopologySpec with_ugal(TopologySpec spec) {
    spec.routing = RoutingKind::ugal;
    return spec;
}

struct RefusalRow {
    TopologySpec spec;
    const char* sentence;
};

TEST(TopologyRefusal, Sentences) {
    const RefusalRow rows[] = {
        {with_dimensions(cubes(Kind::sfbfly, 17), {4, 4}),
         "machine.json: $.dimensions: 4 x 4 has room for 16 clusters, and there are 17 processors; the product of the "
         "dimensions must be the number of processors"},
        {cubes(Kind::sfbfly, 17), "machine.json: $.processors: 17 clusters form no rectangle for the slices of sfbfly; "
                                  "allowed are at most 5, or a "
                                  "number that is no prime, or dimensions, such as [17]"},
        {with_dimensions(cubes(Kind::dfbfly, 4), {4, 0}),
         "machine.json: $.dimensions: a dimension is 0; each must be at least 1"},
        {with_dimensions(cubes(Kind::ddfly), {4}),
         "machine.json: $.dimensions: ddfly has no dimensions to choose; an empty list is expected"},
        {cubes(Kind::sfbfly, 0), "machine.json: $.processors: processors is 0; it must be at least 1"},
        {cubes(Kind::smesh, 4, EntryKind::random),
         "machine.json: $.entry: smesh has no channels between slices, so that packets reach a cube from its own slice "
         "alone; allowed are 'slice' and 'nearest'"},
        {with_ugal(cubes(Kind::storus)),
         "machine.json: $.routing: storus has no ugal routing; allowed are 'minimal' and 'adaptive_entry' (of GPUs in "
         "a system)"},
        {with_adaptive_entry(nodes(Kind::mesh, {4, 4})),
         "machine.json: $.routing: mesh has no adaptive_entry routing; allowed are 'minimal' and 'ugal'"},
        {with_adaptive_entry(nodes(Kind::tree, {4})),
         "machine.json: $.routing: tree has no adaptive_entry routing; allowed is 'minimal'"},
        {with(nodes(Kind::torus, {4, 4}), &TopologySpec::virtual_channels, 1),
         "machine.json: $.virtual_channels: minimal routing on torus can't be kept from deadlock with 1; at least 2 "
         "are "
         "needed"},
        {with(with_ugal(cubes(Kind::ddfly)), &TopologySpec::virtual_channels, 3),
         "machine.json: $.virtual_channels: ugal routing on ddfly can't be kept from deadlock with 3; at least 4 are "
         "needed"},
        {nodes(Kind::mesh, {}),
         "machine.json: $.dimensions: 0 dimensions are given for mesh; expected are 1 to 16: the routers in each"},
        {nodes(Kind::dragonfly, {3}),
         "machine.json: $.dimensions: 1 dimensions are given for dragonfly; expected are 2: routers of a group, then "
         "groups"},
        {nodes(Kind::mesh, {1000, 1000}),
         "machine.json: $: mesh would have 1000000 routers; at most 16384 are allowed"},
        {nodes(Kind::tree, {2, 8192}), "machine.json: $: tree would have 16387 routers; at most 16384 are allowed"},
        {with(nodes(Kind::tree, {1024}), &TopologySpec::parallel_channels, 1025),
         "machine.json: $: tree would have 1049600 channels between routers; at most 1048576 are allowed"}, // of 1024
        {with(nodes(Kind::tree, {16, 64}), &TopologySpec::parallel_channels, 1009),
         "machine.json: $: tree would have 1049360 channels between routers; at most 1048576 are allowed"}, // 16 + 1024
        {with(nodes(Kind::ring, {1024}), &TopologySpec::parallel_channels, 1025),
         "machine.json: $: ring would have 1049600 channels between routers; at most 1048576 are allowed"},
        {with(nodes(Kind::line, {1025}), &TopologySpec::parallel_channels, 1025),
         "machine.json: $: line would have 1049600 channels between routers; at most 1048576 are allowed"},
        {nodes(Kind::flattened_butterfly, {8000}), "machine.json: $: flattened_butterfly would have 31996000 channels "
                                                   "between routers; at most 1048576 are allowed"},
        {with(cubes(Kind::cube_ring, 0x80000000U), &TopologySpec::routers_per_processor, 2),
         "machine.json: $: cube_ring would have 4294967296 routers; at most 16384 are allowed"},
        {nodes(Kind::line, {4}, 0xffffffffU),
         "machine.json: $: line would have 17179869180 terminals; at most 1048576 are allowed"},
    };
    for (const RefusalRow& row : rows) EXPECT_EQ(spec_refusal(row.spec), row.sentence);
}

TEST(TopologyRefusal, NoneWhereItFits) {
    EXPECT_EQ(spec_refusal(cubes(Kind::dfbfly, 8)), "made");
    EXPECT_EQ(spec_refusal(cubes(Kind::sfbfly, 16)), "made");
    EXPECT_EQ(spec_refusal(with_dimensions(cubes(Kind::sfbfly, 7), {7})), "made");
    EXPECT_EQ(spec_refusal(cubes(Kind::smesh, 7)), "made"); // a line
    EXPECT_EQ(spec_refusal(nodes(Kind::mesh, {64, 64})), "made");
}

} // namespace
} // namespace numavp::test

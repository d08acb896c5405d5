/// Networks of routers that cannot be are refused with a sentence and its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/tlm-links/packet/small_fabric.h"

namespace numavp::test {
namespace {

struct BadFabric {
    const char* name;
    void (*spoil)(SystemConfig&);
    const char* place;
    const char* words;
};

class BadFabrics : public ::testing::TestWithParam<BadFabric> {};
void PrintTo(const BadFabric& row, std::ostream* out) { *out << row.name; }

TEST_P(BadFabrics, AreRefusedWithPlaceAndSentence) {
    SystemConfig c = fabric_system(6, FabricKind::mesh);
    GetParam().spoil(c);
    try {
        c.validate(Place("file.json"));
        FAIL() << "it was accepted";
    } catch (const ConfigError& refused) {
        EXPECT_THAT(refused.what(), ::testing::HasSubstr(GetParam().place));
        EXPECT_THAT(refused.what(), ::testing::HasSubstr(GetParam().words));
    }
}
INSTANTIATE_TEST_SUITE_P(
    All, BadFabrics,
    ::testing::Values(BadFabric{"dimensions",
                                [](SystemConfig& c) {
                                    c.network.dimensions = {2, 2};
                                },
                                "$.network.dimensions", "a network of 4 sockets; there are 6"},
                      BadFabric{"concentration", [](SystemConfig& c) { c.network.concentration = 4; },
                                "$.network.concentration", "6 sockets do not fill routers with 4 each"},
                      BadFabric{"buffer", [](SystemConfig& c) { c.network.buffer_bytes = 128; },
                                "$.network.buffer_bytes", "do not hold a packet of 136 B"},
                      BadFabric{"no_wires", [](SystemConfig& c) { c.network.topology = FabricKind::wires; },
                                "$.network.wires", "has no wires"},
                      BadFabric{"unknown_socket",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {wire(0, 1), wire(1, 6)};
                                },
                                "$.network.wires[1].to", "there is no socket[6]; socket[0] to socket[5] are allowed"},
                      BadFabric{"to_itself",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {wire(2, 2)};
                                },
                                "$.network.wires[0].to", "joins socket[2] with itself"},
                      BadFabric{"two_halves",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {wire(0, 1), wire(1, 2), wire(3, 4), wire(4, 5)};
                                },
                                "$.network.wires", "no wire leads from socket[0] to socket[3]"},
                      BadFabric{"shape_of_two_ends",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {wire(0, 1)};
                                    c.network.wires[0].shape = WireShape::ring;
                                },
                                "$.network.wires[0].shape", "two ends have no shape"},
                      BadFabric{"dimensions_of_two_ends",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {wire(0, 1)};
                                    c.network.wires[0].dimensions = {2};
                                },
                                "$.network.wires[0].dimensions", "two ends have no dimensions"},
                      BadFabric{"dimensions_of_a_shape",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {{"", "", "socket[0..5]", "", 1, WireShape::mesh, {2, 2}}};
                                },
                                "$.network.wires[0].dimensions", "they make a mesh of 4; socket[0..5] has 6 parts"},
                      BadFabric{"dimensions_of_a_line",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {{"", "", "socket[0..5]", "", 1, WireShape::line, {2, 3}}};
                                },
                                "$.network.wires[0].dimensions", "2 dimensions are given for line"},
                      BadFabric{"many_ports",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::wires;
                                    c.network.wires = {wire(0, 1, 16), wire(0, 2, 16), wire(0, 3, 16),
                                                       wire(0, 4, 16), wire(0, 5, 16), wire(0, 1, 16),
                                                       wire(0, 2, 16), wire(0, 3, 16), wire(0, 4, 16)};
                                },
                                "$.network.wires[8]", "socket[0] would have 144 ports for channels; 128 are allowed"},
                      BadFabric{"few_channels",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::ring;
                                    c.network.virtual_channels = 1;
                                },
                                "$.network.virtual_channels", "can't be kept from deadlock"},
                      BadFabric{"no_cubes", [](SystemConfig& c) { c.network.topology = FabricKind::smesh; },
                                "$.network.cubes_per_gpu", "6 sockets are no GPUs with 4 cubes each; a multiple of 5"},
                      BadFabric{"cubes_with_sms",
                                [](SystemConfig& c) {
                                    c.network.topology = FabricKind::sfbfly;
                                    c.network.cubes_per_gpu = 2;
                                },
                                "$.network.topology", "socket[2] is a memory cube of sfbfly, and it has"},
                      BadFabric{"no_way_in",
                                [](SystemConfig& c) {
                                    c = cube_system(2, 2, FabricKind::sfbfly, 1);
                                    c.network.entry = EntryKind::random;
                                },
                                "$.network.entry", "sfbfly has no channels between slices"},
                      BadFabric{"no_such_parts", [](SystemConfig& c) { c.placement.sockets_per_memory = 4; },
                                "$.placement.sockets_per_memory", "6 sockets have memory, and 4 of them a memory"},
                      BadFabric{"three_parts", [](SystemConfig& c) { c.placement.sockets_per_memory = 3; },
                                "$.placement.sockets_per_memory", "a power of two that divides their number"},
                      BadFabric{"parts_and_pages",
                                [](SystemConfig& c) {
                                    c.placement.sockets_per_memory = 2;
                                    c.translation.mode = TranslationMode::full;
                                    c.network.topology = FabricKind::single_switch;
                                    c.placement.policy = PlacementKind::first_touch;
                                },
                                "$.placement.sockets_per_memory",
                                "with translation a page lies in one socket's memory"},
                      BadFabric{"nothing_to_hold",
                                [](SystemConfig& c) {
                                    c.socket.l2.size_kib = 0;
                                    c.socket.l2.organisation = L2Organisation::coherent;
                                },
                                "$.socket.l2.organisation", "coherent says what a cache holds, and l2.size_kib is 0"},
                      BadFabric{"far_away", [](SystemConfig& c) { c.network.channel_ns = 5000.0; },
                                "$.network.channel_ns", "1000 are allowed"},
                      BadFabric{"cut_and_sectors",
                                [](SystemConfig& c) {
                                    c.network.dress.cut = LinkCutKind::flits;
                                    c.sector_bytes = 32;
                                },
                                "$.sector_bytes", "flits of a cut link carry whole lines"}),
    [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace numavp::test

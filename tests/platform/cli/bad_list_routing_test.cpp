/// Routing and overlays of systems that can't be: one sentence each.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

TEST_F(BadList, RoutingOfSystems) {
    expect_sentences({
        {{"explain", "numa-4", "--set", "network.topology=torus", "--set", "routing=ugal"},
         "--set routing: torus has no ugal routing; allowed is 'minimal'"},
        {{"explain", "gmn", "--set", "routing=ugal"},
         "--set routing: wires have no ugal routing; allowed is 'minimal'"},
        {{"explain", "gmn", "--set", "routing=adaptive_entry"},
         "--set routing: wires have no adaptive_entry routing; allowed is 'minimal'"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.topology=smesh", "--set", "routing=ugal"},
         "--set routing: smesh has no ugal routing; allowed are 'minimal' and 'adaptive_entry' (of GPUs in a "
         "system)"},
        {{"explain", "numa-aware-4", "--set", "dispatch.order.policy=hq_minor_swz"},
         "--set dispatch.order.policy: hq_minor_swz is for blocks that go round the sockets, and dispatch.split is "
         "contiguous; modulo and persistent are allowed with it"},
        {{"network", "mesh-8x8", "--set", "network.dimensions=[4,4]"},
         "--set network.dimensions: they make a network of 16 sockets; there are 64"},
        {{"network", "sfbfly-4g16h", "--set", "routing=adaptive_entry"},
         "--set routing: adaptive_entry is what GPUs do, and a network alone has traffic at each terminal; allowed are "
         "'minimal' and, where the topology has it, 'ugal'"},
        {{"network", "gmn-4-sfbfly", "--set", "routing=adaptive_entry"},
         "--set routing: adaptive_entry is what GPUs do, and a network alone has traffic at each terminal; allowed are "
         "'minimal' and, where the topology has it, 'ugal'"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.topology=ddfly", "--set", "routing=ugal", "--set",
          "network.virtual_channels=3"},
         "--set network.virtual_channels: ugal routing on ddfly can't be kept from deadlock with 3; at least 4 are "
         "needed"},
        {{"explain", "umn-3-overlay", "--set", "network.pass_through_cycles=6"},
         "--set network.pass_through_cycles: 6 cycles are not 3 fewer than the 8 of a router and a channel; at most "
         "5 are allowed"},
        {{"explain", "umn-3-overlay", "--set", "network.virtual_channels=1"},
         "--set network.virtual_channels: an overlay takes one of them, and the other packets another; 2 are expected, "
         "or more"},
    });
}

/// A chain of four sockets, with an overlay of these stops.
std::string overlaid(const std::string& stops, const std::string& settings = "") {
    return R"({"extends": "numa-4", "network": {"topology": "wires", "links": [{"name": "fast", "gbytes_per_s": 64}], )"
           R"("wires": [{"from": "socket[0..1]", "to": "socket[1..2]"}, )"
           R"({"from": "socket[2]", "to": "socket[3]", "link": "fast"}], )" +
           settings + R"("overlay": [)" + stops + "]}}";
}

TEST_F(BadList, Overlays) {
    const std::string start = R"({"parts": "socket[0]"}, )", next = R"({"parts": "socket[1]"}, )";
    expect_sentences({
        {{"explain", "m.json"},
         "m.json: $.network.overlay: a socket, a router to pass and an end are 3 stops at least; 2 are given",
         {{"m.json", overlaid(start + R"({"parts": "socket[1]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.overlay[0].parts: 'socket[0..1]' is not one socket; the first stop is the socket whose "
         "packets pass",
         {{"m.json", overlaid(R"({"parts": "socket[0..1]"}, )" + next + R"({"parts": "socket[2]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.overlay[2].parts: 2 parts are no stop of 1 chains; one for each is expected",
         {{"m.json", overlaid(start + next + R"({"parts": "socket[2..3]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.overlay[2].parts: socket[0] is a stop already; another part is expected",
         {{"m.json", overlaid(start + next + R"({"parts": "socket[0]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.overlay[2].parts: no wire joins socket[1] and socket[3], which follow each other on a "
         "chain; one is expected",
         {{"m.json", overlaid(start + next + R"({"parts": "socket[3]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.overlay[3].parts: socket[2] and socket[3] are joined by a link of its own, and packets "
         "pass "
         "between common channels; a wire without link is expected",
         {{"m.json", overlaid(start + next + R"({"parts": "socket[2]"}, {"parts": "socket[3]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.overlay[1].parts: there is no socket[7]; socket[0] to socket[3] are allowed",
         {{"m.json", overlaid(start + R"({"parts": "socket[7]"}, {"parts": "socket[2]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.topology: mesh has no place for network.overlay; the topology wires is allowed",
         {{"m.json", R"({"extends": "numa-4", "network": {"topology": "mesh", "overlay": [{"parts": "socket"}]}})"}}},
    });
}

} // namespace
} // namespace numavp::test

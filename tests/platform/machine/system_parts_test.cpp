/// Parts that a file gives names: sockets by name, routers alone, what wires join.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config_parts.h"
#include "common/system/assigned_settings.h"
#include "common/system/derived.h"
#include "platform/machine/part_factories.h"

namespace numavp::test {
namespace {

constexpr const char* kMachine = R"({
    "parts": [{"name": "gpu", "count": 3}, {"name": "hub", "count": 2, "kind": "router"}, {"name": "cpu", "count": 2}],
    "socket": {"sms": 8},
    "gpu": {"sms": 6},
    "gpu[1..2]": {"l2": {"ways": 8}},
    "gpu[2]": {"sms": 4},
    "cpu": {"sms": 0},
    "network": {"topology": "wires", "wires": [{"from": "hub[0]", "to": "gpu"}, {"from": "hub", "to": "cpu"}, {"all": "cpu"}]}
})";

SystemConfig machine(const char* text = kMachine) { return read_config<SystemConfig>(json::parse(text), Place("m")); }

TEST(SystemParts, SocketsAreNumberedInTheOrderOfTheList) {
    const SystemConfig c = machine();
    EXPECT_EQ(c.sockets, 5U);
    std::vector<unsigned> sms;
    for (unsigned s = 0; s < c.sockets; ++s) sms.push_back(c.socket_at(s).sms);
    EXPECT_THAT(sms, ::testing::ElementsAre(6, 6, 4, 0, 0));
    EXPECT_EQ(c.socket_at(2).l2.ways, 8U);
    EXPECT_EQ(c.socket_at(0).l2.ways, SocketConfig().l2.ways);
    EXPECT_EQ(c.socket_name(2), "gpu[2]");
    EXPECT_EQ(c.socket_name(3), "cpu[0]");
}

TEST(SystemParts, WhatWasReadIsWrittenUnderItsNames) {
    const ordered_json dump = dump_config(machine());
    EXPECT_EQ(dump["gpu[2]"].dump(), R"({"sms":4})");
    EXPECT_EQ(dump["cpu"].dump(), R"({"sms":0})");
    const SystemConfig again = read_config<SystemConfig>(json::parse(dump.dump()), Place("again"));
    EXPECT_EQ(dump_config(again).dump(), dump.dump());
}

TEST(SystemParts, NumbersGoOverNames) {
    const SystemConfig c = machine(R"({"parts": [{"name": "gpu", "count": 2}, {"name": "cpu", "count": 1}],
        "gpu": {"sms": 6}, "socket[0..1]": {"l2": {"ways": 8}}, "gpu[0..1]": {"sms": 5}})");
    EXPECT_EQ(c.socket_at(1).sms, 5U);
    EXPECT_EQ(c.socket_at(1).l2.ways, 8U);
    const ordered_json dump = dump_config(c);
    EXPECT_EQ(dump_config(read_config<SystemConfig>(json::parse(dump.dump()), Place("again"))).dump(), dump.dump());
}

/// What is said of the first of two assignments to kMachine; empty if it says nothing.
std::string refusal(const std::string& assignment, const std::string& later = "routing=minimal",
                    const std::string& machine = kMachine) {
    ConfigDocument document{"m", json::parse(machine), {}};
    const std::string path = set_path(document, assignment);
    set_path(document, later);
    try {
        read_assigned_system(document, {path});
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(SystemParts, AValueThatAllPartsOverrideIsRefused) {
    EXPECT_EQ(refusal("socket.sms=4"), "--set socket.sms: this changes no socket, since each has another value for it; "
                                       "cpu.sms is one to set instead");
    EXPECT_EQ(refusal("socket.l2.ways=4"), "") << "gpu[0] and the CPUs have it";
    EXPECT_EQ(refusal("gpu.l2.ways=4"), "") << "gpu[0] has it";
    EXPECT_EQ(refusal("gpu[1..2].l2.ways=4"), "") << "the narrowest with a value";
    EXPECT_EQ(refusal("gpu[1..2].sms=4"), "") << "gpu[1] has it";
    EXPECT_EQ(refusal("socket.l2={\"ways\": 4}"), "") << "objects are merged";
    EXPECT_EQ(refusal("routing=minimal"), "");
    EXPECT_EQ(refusal("socket.sms=4", "socket={\"l2\": {\"ways\": 8}}"), "") << "it is replaced";
}

TEST(SystemParts, ALinkThatAllPartsOverrideIsRefused) {
    const auto refused = [](const std::string& assignment, const std::string& parts) {
        return refusal(assignment, "routing=minimal",
                       R"({"parts": [{"name": "gpu", "count": 2}, {"name": "cpu", "count": 1}], )" + parts + "}");
    };
    const std::string both = R"("gpu": {"link": {"lanes_out": 2}}, "cpu": {"link": {"lanes_out": 4}})";
    EXPECT_EQ(refused("link.lanes_out=3", both), "--set link.lanes_out: this changes no socket, since each has another "
                                                 "value for it; cpu.link.lanes_out is one to set instead");
    EXPECT_EQ(refused("link.lanes_in=3", both), "");
    EXPECT_EQ(refused("socket.link.lanes_out=3", R"("gpu": {"link": {"lanes_out": 2}})"), "") << "the CPU has it";
    EXPECT_EQ(refused("link.lanes_out=3", R"("gpu": {"link": {"lanes_out": 2}}, "cpu": {"link": {"lanes_out": 0}})"),
              "")
        << "0 is the common one's";
    EXPECT_EQ(refused("link.lanes_out=3", R"("socket": {"link": {"lanes_out": 2}})"),
              "--set link.lanes_out: this changes no socket, since each has another value for it; "
              "socket.link.lanes_out is one to set instead");
}

/// A setting of what none of the sockets that it names has, or the system has not.
TEST(SystemParts, AValueThatNothingUsesIsRefused) {
    const auto refused = [](const std::string& assignment, const std::string& more = "") {
        const std::string text = refusal(assignment, "routing=minimal",
                                         R"({"parts": [{"name": "gpu", "count": 2}, {"name": "cube", "count": 2}],
                        "gpu": {"memory": {"capacity_gib": 0}}, "cube": {"sms": 0, "memory": {"latency_ns": 50}})" +
                                             more + "}");
        return text.substr(std::min(text.size(), text.find(": ") + 2));
    };
    EXPECT_EQ(refused("cube.memory.bandwidth_gbps=5"), "");
    EXPECT_EQ(refused("cube.memory.device.queue_depth=5"), "this changes nothing: its memory.model is not timed");
    EXPECT_EQ(refused("gpu.memory.bandwidth_gbps=5"), "this changes nothing: it has no memory");
    EXPECT_EQ(refused("cube.sm.warps=5"), "this changes nothing: it has no SMs");
    EXPECT_EQ(refused("socket.sm.warps=5"), "");
    EXPECT_EQ(refused("socket.memory.latency_ns=5"),
              "this changes no socket, since each has another value for it, or no "
              "use; cube.memory.latency_ns is one to set instead");
    EXPECT_EQ(refused("cube.memory.latency_ns=5", R"(, "socket": {"memory": {"model": "timed"}})"),
              "this changes nothing: its memory is timed, and memory.device has its speed");
    EXPECT_EQ(refused("placement.lab_percent=80"), "this changes nothing: placement.policy is not lab");
    EXPECT_EQ(refused("placement.lab_percent=80", R"(, "placement": {"policy": "lab"})"), "");
    EXPECT_EQ(refused("host_core.cores=2"),
              "this changes nothing: host_core.part names no socket, so that there is no core");
    EXPECT_EQ(refused("network.flit_bytes=16"), "this changes nothing: no network of routers joins the sockets");
    EXPECT_EQ(refused("routing=ugal"), "this changes nothing: no network of routers joins the sockets");
    EXPECT_EQ(refused("gpu.l2.directory_cycles=5"), "this changes nothing: its l2.coherence is not directory");
    EXPECT_EQ(refused("gpu.l2.static_remote_ways=5", R"(, "socket": {"l2": {"organisation": "memory_side"}})"),
              "this changes nothing: its l2.organisation is not static");
    EXPECT_EQ(refused("network.topology=ring"), "");
    EXPECT_EQ(refused("network.seed=5", R"(, "network": {"topology": "ring"})"),
              "this changes nothing: routing is minimal: nothing is drawn");
    EXPECT_EQ(refused("switch.latency_cycles=5", R"(, "network": {"topology": "ring"})"),
              "this changes nothing: a network of routers stands in the switch's place");
}

TEST(SystemParts, GroupsHaveTheirNames) {
    const SystemConfig c = machine();
    std::string names;
    for (const SocketGroup& group : socket_groups(c)) names += group.name() + " ";
    EXPECT_EQ(names, "gpu[0] gpu[1] gpu[2] cpu[0..1] ");
    SystemConfig alike = machine(R"({"parts": [{"name": "a", "count": 2}, {"name": "b", "count": 2}]})");
    EXPECT_EQ(socket_groups(alike).size(), 2U) << "described alike, but called otherwise";
    alike.parts.clear();
    EXPECT_EQ(socket_groups(alike).front().name(), "socket[0..3]");
}

TEST(SystemParts, AreFoundByName) {
    const WiredParts parts(machine());
    EXPECT_EQ(parts.count(), 7U);
    EXPECT_THAT(parts.find("gpu", "m"), ::testing::ElementsAre(0, 1, 2));
    EXPECT_THAT(parts.find("gpu[1..2]", "m"), ::testing::ElementsAre(1, 2));
    EXPECT_THAT(parts.find("hub", "m"), ::testing::ElementsAre(5, 6)) << "routers alone come after all sockets";
    EXPECT_EQ(parts.label(6), "hub[1]");
    EXPECT_THROW(parts.find("socket[0]", "m"), ConfigError) << "the parts have names of their own";
}

TEST(SystemParts, WiresJoinInPairsOrInTurn) {
    const SystemNetwork made = system_network(machine(), Place("m"));
    const NetworkGraph& graph = made.topology.graph;
    std::string wires;
    for (std::size_t i = 0; i < graph.channels.size(); i += 2)
        wires += graph.routers[graph.channels[i].from] + "-" + graph.routers[graph.channels[i].to] + " ";
    EXPECT_EQ(wires, "hub[0]-gpu[0] hub[0]-gpu[1] hub[0]-gpu[2] hub[0]-cpu[0] hub[1]-cpu[1] cpu[0]-cpu[1] ");
}

TEST(SystemParts, TheHostOfADriverCanBeWired) {
    SystemConfig c = machine(R"({"sockets": 2, "translation": {"mode": "full", "tables": "host"},
        "network": {"topology": "wires", "wires": [{"all": "socket"}, {"from": "socket", "to": "host"}]}})");
    const SystemNetwork made = system_network(c, Place("m"));
    EXPECT_EQ(made.topology.graph.routers.back(), "host");
    EXPECT_EQ(made.topology.graph.channels.size(), 6U);
}

TEST(SystemParts, TheHostIsAPartOfAnyName) {
    SystemConfig c = machine(R"({"parts": [{"name": "hub", "kind": "router"}, {"name": "b", "kind": "host"},
                                           {"name": "a", "count": 2}],
        "translation": {"mode": "full", "tables": "host"},
        "network": {"topology": "wires", "wires": [{"from": "hub", "to": "a"}, {"from": "hub", "to": "b"}]}})");
    const WiredParts parts(c);
    EXPECT_THAT(parts.find("b", "m"), ::testing::ElementsAre(host_number(c).value));
    EXPECT_THAT(parts.find("hub", "m"), ::testing::ElementsAre(3));
    EXPECT_EQ(parts.kind_of(2), PartKind::host);
    EXPECT_EQ(parts.ends(), end_count(c));
    EXPECT_THROW(parts.find("host", "m"), ConfigError);
    EXPECT_EQ(system_network(c, Place("m")).topology.graph.endpoints.back().name, "b");
    c.translation.tables = TableHome::sockets;
    EXPECT_EQ(WiredParts(c).ends(), 2U) << "no host is needed";
}

TEST(SystemParts, AreBuiltByKind) {
    const auto built = [](const char* text, std::uint64_t order_seed = 0) {
        std::string list;
        for (const PartSpec& part : parts_to_build(machine(text), order_seed)) {
            const bool named = part.kind != PartKind::network && part.kind != PartKind::single_switch;
            list += named ? std::string(kPartKinds.name(part.kind)) : has_network(machine(text)) ? "network" : "switch";
            list += " " + std::to_string(part.number) + ", ";
        }
        return list;
    };
    EXPECT_EQ(built(R"({"sockets": 1})"), "socket 0, ");
    EXPECT_EQ(built(R"({"sockets": 2})", 1), "socket 1, socket 0, switch 0, ");
    EXPECT_EQ(built(R"({"parts": [{"name": "hub", "kind": "router"}, {"name": "xeon", "kind": "cpu"},
                                  {"name": "a", "count": 2, "kind": "gpu"}],
        "translation": {"mode": "full", "tables": "host"}, "xeon": {"sms": 0},
        "network": {"topology": "wires", "wires": [{"from": "hub", "to": "a"}, {"from": "hub", "to": "xeon"},
                                                   {"from": "hub", "to": "host"}]}})"),
              "host 3, cpu 0, gpu 1, gpu 2, router 4, network 0, ");
}

TEST(SystemParts, EachKindHasItsFacts) {
    for (const auto& entry : kPartKinds) EXPECT_EQ(facts_of(entry.value).kind, entry.value);
}

} // namespace
} // namespace numavp::test

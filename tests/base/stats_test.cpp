/// Statistics: what the JSON looks like, and that it does not depend on the order of registration.
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/stats/stats.h"
#include "base/values/error.h"

namespace numavp {
namespace {

TEST(Stats, ValuesAreReadAtTheDump) {
    StatGroup root;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    StatGroup& socket = root.group("socket", 0);
    socket.counter("l2.hits", hits, "accesses", "Accesses that found their line.");
    socket.counter("l2.misses", misses, "accesses", "Accesses that did not.");
    socket.value(
        "l2.accesses", [&] { return hits + misses; }, "accesses", "All accesses.");
    socket.value(
        "l2.hit_rate", [&] { return static_cast<double>(hits) / static_cast<double>(hits + misses); }, "1",
        "Hits over accesses; null if there were none.");
    EXPECT_EQ(root.values().dump(), R"({"socket0":{"l2":{"accesses":0,"hit_rate":null,"hits":0,"misses":0}}})");
    hits = 3;
    misses = 1;
    EXPECT_EQ(root.values().dump(), R"({"socket0":{"l2":{"accesses":4,"hit_rate":0.75,"hits":3,"misses":1}}})");
    hits = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(root.values()["socket0"]["l2"]["hits"], std::numeric_limits<std::uint64_t>::max());
}

TEST(Stats, HistogramsAreSummaries) {
    StatGroup root;
    Histogram latency;
    root.histogram("latency", latency, "cycles", "Load latency.");
    EXPECT_EQ(root.values().dump(),
              R"({"latency":{"count":0,"sum":0,"mean":null,"min":null,"max":null,"p50":null,"p90":null,"p99":null}})");
    for (std::uint64_t v = 1; v <= 20; ++v) latency.add(v);
    EXPECT_EQ(root.values().dump(),
              R"({"latency":{"count":20,"sum":210,"mean":10.5,"min":1,"max":20,"p50":10,"p90":18,"p99":20}})");
}

TEST(Stats, TheOrderIsNaturalWhateverWasRegisteredFirst) {
    const std::uint64_t count = 1;
    const auto fill = [&](StatGroup& root, bool backwards) {
        for (unsigned i = 0; i < 12; ++i) {
            StatGroup& socket = root.group("socket", backwards ? 11 - i : i);
            for (const char* name : {"sent", "l10.hits", "l2.hits"}) socket.counter(name, count, "events", "");
        }
        root.counter(backwards ? "a" : "b", count, "events", "");
        root.counter(backwards ? "b" : "a", count, "events", "");
    };
    StatGroup forward;
    StatGroup backward;
    fill(forward, false);
    fill(backward, true);
    EXPECT_EQ(forward.values().dump(), backward.values().dump());
    EXPECT_EQ(forward.units().dump(), backward.units().dump());
    std::string keys;
    const auto values = forward.values();
    for (const auto& [key, value] : values.items()) keys += key + " ";
    EXPECT_EQ(keys, "a b socket0 socket1 socket2 socket3 socket4 socket5 socket6 socket7 socket8 socket9 socket10 "
                    "socket11 ");
    keys.clear();
    for (const auto& [key, value] : values["socket2"].items()) keys += key + " ";
    EXPECT_EQ(keys, "l2 l10 sent ");
}

TEST(Stats, UnitsAreSaidOnceForAllThatIsAlike) {
    StatGroup root;
    const std::uint64_t count = 1;
    for (unsigned s = 0; s < 4; ++s)
        for (unsigned c = 0; c < 2; ++c)
            root.group("socket", s).group("l2").group("bank", c).counter("hits", count, "accesses", "Found.");
    root.value(
        "cycles", [] { return std::uint64_t{5}; }, "cycles", "Simulated.");
    EXPECT_EQ(root.units().dump(), R"({"cycles":{"kind":"value","unit":"cycles","doc":"Simulated."},)"
                                   R"("socket*.l2.bank*.hits":{"kind":"counter","unit":"accesses","doc":"Found."}})");
    // The same by dotted names.
    StatGroup dotted;
    for (unsigned s = 0; s < 4; ++s)
        for (unsigned c = 0; c < 2; ++c)
            dotted.group("socket", s).group("l2.bank", c).counter("hits", count, "accesses", "Found.");
    dotted.value(
        "cycles", [] { return std::uint64_t{5}; }, "cycles", "Simulated.");
    EXPECT_EQ(dotted.units().dump(), root.units().dump());
    EXPECT_EQ(dotted.values().dump(), root.values().dump());
}

TEST(Stats, WhatContradictsItselfIsRefused) {
    const std::uint64_t count = 0;
    StatGroup root;
    root.counter("l2.hits", count, "accesses", "");
    EXPECT_THROW(root.counter("l2.hits", count, "accesses", ""), ModelError);
    EXPECT_THROW(root.group("l2").counter("hits", count, "accesses", ""), ModelError);
    EXPECT_THROW(root.counter("l2", count, "accesses", ""), ModelError);
    EXPECT_THROW(root.group("l2.hits"), ModelError);
    EXPECT_THROW(root.counter("", count, "accesses", ""), ModelError);
    EXPECT_THROW(root.counter("l2.", count, "accesses", ""), ModelError);
    EXPECT_THROW(root.group(""), ModelError);
    EXPECT_EQ(root.values().dump(), R"({"l2":{"hits":0}})");

    StatGroup other;
    other.group("socket", 0).counter("sent", count, "bytes", "");
    other.group("socket", 1).counter("sent", count, "packets", "");
    EXPECT_THROW(other.units(), ModelError);
}

} // namespace
} // namespace numavp

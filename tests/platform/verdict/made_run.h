/// Hand-made results of a machine of two sockets, each with 2 SMs of 4 schedulers, 4 slices, 1 memory channel of 100
/// GB/s and 8 lanes of 1 GB/s each way, at 1 GHz: one kernel of 10,000 cycles, in which a fifth of everything is used.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "base/config/config_file.h"
#include "common/system/system_config.h"

namespace numavp::test {

struct MadeRun {
    static constexpr std::uint64_t kCycles = 10000, kSlots = 2 * 4 * kCycles; ///< of a socket

    MadeRun() {
        config.sockets = 2;
        config.socket.sms = 2;
        config.socket.l2.slices = 4;
        config.socket.memory.channels = 1;
        config.socket.memory.bandwidth_gbps = 100.0;
        config.link.lane_gbps = 1.0;
        results = {{"cycles", kCycles}, {"time_ns", 10000.0}};
        results["kernels"]["rows"] = {{"kind", {"kernel", "outside"}}, {"name", {"k", "outside kernels"}},
                                      {"launch", {1, nullptr}},        {"launches", {1, 0}},
                                      {"launched", {0, nullptr}},      {"started", {0, nullptr}},
                                      {"ended", {kCycles, nullptr}},   {"flushed", {kCycles, nullptr}},
                                      {"cycles", {kCycles, 0}}};
        for (unsigned s = 0; s < 2; ++s) {
            for (const char* path :
                 {"l1.store_lines", "l1.atomic_lines", "l1.misses_local", "l1.misses_remote", "l2.local.hits",
                  "l2.local.misses", "l2.local.merged", "l2.remote.hits", "l2.remote.misses", "l2.remote.merged",
                  "l2.incoming.hits", "l2.incoming.misses", "l2.incoming.merged", "l2.writes", "l2.atomics",
                  "l2.forwarded_atomics", "memory.channel0.write_bytes"})
                counter(s, path, 0);
            counter(s, "l1.load_lines", 2 * kCycles / 5);
            counter(s, "sm.sectors", 4 * 2 * kCycles / 5);
            counter(s, "sm.memory_instructions", 2 * kCycles / 5);
            counter(s, "memory.channel0.read_bytes", 100 * kCycles / 5);
            for (const char* way : {"out", "in"}) {
                counter(s, fmt::format("link.{}.bytes", way), 8 * kCycles / 5);
                counter(s, fmt::format("link.{}.lane_cycles", way), 8 * kCycles);
            }
            slots(s, 0.2, "memory");
        }
    }

    void counter(unsigned socket, const std::string& path, std::uint64_t value) {
        results["kernels"]["counters"][fmt::format("socket{}.{}", socket, path)] = {value, 0};
    }
    /// Slots of a socket over ten intervals: a share issued, the others wait for `cause` (from interval `from` on, and
    /// for memory before).
    void slots(unsigned socket, double issued, const std::string& cause, std::size_t from = 0) {
        constexpr std::size_t kIntervals = 10;
        ordered_json& all = results["slots"];
        all["sockets"][socket] = {{"schedulers", 8}};
        ordered_json& series = all["series"];
        for (std::size_t i = 0; i < kIntervals; ++i) series["cycles"][i] = (i + 1) * kCycles / kIntervals;
        constexpr auto kInAll = kSlots / kIntervals;
        const auto in_all = static_cast<double>(kInAll);
        for (const char* name :
             {"issued", "unit_busy", "queue_full", "dependence", "memory", "translation", "barrier", "no_warp"}) {
            ordered_json values = ordered_json::array();
            for (std::size_t i = 0; i < kIntervals; ++i) {
                const std::string waits = i < from ? "memory" : cause;
                values.push_back(name == std::string("issued") ? issued * in_all
                                 : name == waits               ? (1.0 - issued) * in_all
                                                               : 0.0);
            }
            series["columns"][fmt::format("socket{}.slots.{}", socket, name)]["values"] = std::move(values);
        }
    }
    /// The kernel takes part of the time, the rest is outside it: launch before it, flush after it.
    void outside(std::uint64_t launch, std::uint64_t flush) {
        ordered_json& rows = results["kernels"]["rows"];
        rows["started"][0] = launch;
        rows["ended"][0] = kCycles - flush;
        rows["flushed"][0] = kCycles;
        rows["cycles"] = {kCycles - launch - flush, launch + flush};
    }

    SystemConfig config;
    ordered_json results;
};

} // namespace numavp::test

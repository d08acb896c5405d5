/// Where the difference of two runs' times comes from, by kernel and by cause.
///
/// The cycles of a kernel are divided among the causes of its issue slots, and those in which warps waited for memory
/// among the parts of its loads' latency. docs/use/RESULTS.md ("Where a difference comes from") has the rules. All
/// parts of a run are whole cycles that sum to it, so the parts of a difference sum to the difference.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "base/values/name_table.h"
#include "common/words/text.h"

namespace numavp {

struct ComparedRun;

enum class TimeCause : std::uint8_t {
    issued,
    units,
    load_store,
    dependence,
    l1,
    sm_port,
    crossbar,
    l2,
    near_memory,
    link,
    far_l2,
    far_memory,
    translation,
    barriers,
    no_warp,
    undivided,
    launches,
    flushes,
    copies,
    host,
    outside
};
inline constexpr NameTable<TimeCause> kTimeCauses{
    "cause",
    {{TimeCause::issued, "issued", "Warp instructions were issued."},
     {TimeCause::units, "units", "Waited for a busy execution unit."},
     {TimeCause::load_store, "load_store", "Waited for the load-store unit, which looked up lines."},
     {TimeCause::dependence, "dependence", "Waited for results of arithmetic."},
     {TimeCause::l1, "l1", "Waited for hits of the L1, or for shared memory."},
     {TimeCause::sm_port, "sm_port", "Waited for loads: at the SM's miss entries and port."},
     {TimeCause::crossbar, "crossbar", "Waited for loads: in the crossbar."},
     {TimeCause::l2, "l2", "Waited for loads: in the L2 of the own socket."},
     {TimeCause::near_memory, "near_memory", "Waited for loads: in the own socket's memory."},
     {TimeCause::link, "link", "Waited for loads: in queues and lanes of links, switch and network."},
     {TimeCause::far_l2, "far_l2", "Waited for loads: in the L2 of the home socket, and there for the way back."},
     {TimeCause::far_memory, "far_memory", "Waited for loads: in another socket's memory."},
     {TimeCause::translation, "translation", "Waited for a page."},
     {TimeCause::barriers, "barriers", "Waited at barriers and fences."},
     {TimeCause::no_warp, "no_warp", "Sockets had no warp while others were at work."},
     {TimeCause::undivided, "undivided", "In kernels whose slots are not known."},
     {TimeCause::launches, "launches", "Outside kernels: launches."},
     {TimeCause::flushes, "flushes", "Outside kernels: flushes."},
     {TimeCause::copies, "copies", "Outside kernels: copies."},
     {TimeCause::host, "host", "Outside kernels: the host's work."},
     {TimeCause::outside, "outside", "Outside kernels: the rest."}}};
inline constexpr std::size_t kTimeCauseCount = kTimeCauses.size();

/// Cycles of the first run's clock, by cause.
using CauseCycles = std::array<double, kTimeCauseCount>;

struct KernelAttribution {
    std::string name;              ///< of a kernel; of kernels side by side; "outside kernels"
    CauseCycles before{}, after{}; ///< of the first run, of the other
    double before_cycles() const;
    double after_cycles() const;
    double difference() const { return after_cycles() - before_cycles(); }
};

/// The difference of a run from the first.
struct Attribution {
    std::size_t run = 0;              ///< the other
    double before = 0.0, after = 0.0; ///< cycles of the first run's clock
    CauseCycles causes_before{}, causes_after{};
    std::vector<KernelAttribution> kernels; ///< the largest difference first
    double difference() const { return after - before; }
};

/// One for each run but the first. Empty if a run has no statistics by kernel.
std::vector<Attribution> attribute(const std::vector<ComparedRun>& runs);

/// Tables for a terminal: causes with their cycles in both runs, and at most `limit` kernels with their largest causes.
std::string attribution_text(const std::vector<Attribution>& attributions, std::size_t limit, const Style& style);
/// A list of {"run", "unit", "before", "after", "difference", "causes": [{"cause", "doc", "before", "after",
/// "difference"}], "kernels": [{"name", "before", "after", "difference", "causes"}]}; causes that are 0 in both runs
/// are left out.
ordered_json json_of(const std::vector<Attribution>& attributions);

} // namespace numavp

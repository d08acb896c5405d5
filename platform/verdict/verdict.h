/// What limits a run and each of its kernels, from counters of results.json alone: never from the name of a setting.
///
/// Each cycle of the run is given to one cause, or to none where the rules do not know. docs/use/RESULTS.md ("What
/// limits a run") has the rules; tests/platform/verdict and bench/verdict sweep settings through a change of the limit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/system_config.h"
#include "platform/verdict/kernel_rows.h"
#include "platform/verdict/part_use.h"

namespace numavp {

struct VerdictBounds {
    const char* name;
    double value;
    const char* meaning;
};
/// Bounds are choices. Two limits as near as `ahead` are no single one; a part that is used to `full` would be the
/// limit if its speed were a fifth less, and one whose speed is a quarter more than needed is below it.
inline constexpr double kFullUse = 0.8, kAhead = 1.1, kMostTime = 0.5, kSlackUse = 0.5;
inline constexpr std::array<VerdictBounds, 6> kVerdictBounds{{
    {"full", kFullUse, "least use of a part that limits a kernel"},
    {"ahead", kAhead, "least factor over the next cause, in use or in time"},
    {"most", kMostTime, "least share of the time for which a cause is named, and of slots that wait"},
    {"slack", kSlackUse, "use of every part below which a wait is a latency"},
    {"busy", kBusyUnits, "least share of the slots that found their unit busy for units to be a limit"},
    {"without", kMostWithout, "least share of a socket's slots without a warp for it to count as without work"},
}};

/// What the figure of a cause outside kernels is a share of.
inline constexpr const char* kOfRun = "of the run's time";

/// Time that a cause is given.
struct LimitTime {
    std::string cause;   ///< a name of kFullParts or kOtherCauses; empty: no single one is known
    std::string part;    ///< "link out of socket 0"
    double cycles = 0.0; ///< of the core clock
    double figure = 0.0; ///< a share, 0 to 1
    std::string of;      ///< what it is a share of: "of what the lanes could carry"

    /// "link out of socket 0 (88 % of what the lanes could carry)".
    std::string words() const;
    /// True of a cause outside kernels, whose figure is its share of the run's time.
    bool is_share_of_run() const { return of == kOfRun; }
};

/// Causes besides full parts: name, and what their figure is a share of.
enum class OtherCause : std::uint8_t {
    latency,
    arithmetic,
    barriers,
    translation,
    imbalance,
    warps,
    launches,
    flushes,
    copies,
    host
};
inline constexpr NameTable<OtherCause> kOtherCauses{
    "cause",
    {{OtherCause::latency, "latency", "of the slots waited for memory, and no part was used by half"},
     {OtherCause::arithmetic, "arithmetic", "of the slots waited for arithmetic, and no part was used by half"},
     {OtherCause::barriers, "barriers", "of the slots waited at barriers, and no part was used by half"},
     {OtherCause::translation, "translation", "of the slots waited for a page"},
     {OtherCause::imbalance, "imbalance", "of the kernel's time some sockets had no work for half of their slots"},
     {OtherCause::warps, "warps", "of the kernel's time no socket had warps for half of its slots"},
     {OtherCause::launches, "launches", kOfRun},
     {OtherCause::flushes, "flushes", kOfRun},
     {OtherCause::copies, "copies", kOfRun},
     {OtherCause::host, "host", kOfRun}}};

struct KernelVerdict {
    KernelPhase phase;
    std::vector<LimitTime> times;   ///< the longest first; they sum to the phase's cycles
    std::vector<PartUse> uses;      ///< the most used kind first
    std::optional<LimitTime> limit; ///< none: no single limit
};

struct Verdict {
    double cycles = 0.0;                ///< of the run
    std::vector<LimitTime> times;       ///< by cause, the longest first; they sum to `cycles`
    std::optional<LimitTime> limit;     ///< of most of the time; none: no single limit
    std::vector<KernelVerdict> kernels; ///< the longest first
};

/// No kernels, and no limit, if the results have no statistics by kernel.
Verdict verdict_of(const SystemConfig& config, const ordered_json& results);

/// The cause of most of the time, if there is one: at least kMostTime of `cycles`, and kAhead times the next.
std::optional<LimitTime> limit_of(const std::vector<LimitTime>& times, double cycles);

/// Lines of a run's summary; empty if nothing is known.
std::string verdict_text(const Verdict& verdict);
/// {"limit": {...} or null, "words": "...", "times": [...], "kernels": [...], "bounds": {...}}.
ordered_json json_of(const Verdict& verdict);

} // namespace numavp

/// What a run is too small to show: reasons for which a conclusion from it, or a comparison with it, does not carry to
/// a larger problem. docs/use/RESULTS.md has the rules.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/system_config.h"

namespace numavp {

/// A rule: a figure of a run with its bound.
struct CaveatRule {
    const char* name;   ///< such as "outside_kernels"
    double bound;       ///< of the figure: at it there is no caveat yet
    bool least;         ///< the bound is the least, else the most
    const char* unit;   ///< of the figure; "": a share
    const char* beyond; ///< a clause: what holds beyond the bound
};
/// Bounds are choices: beyond them what is small shows by less than four fifths, or moves a run by a quarter.
/// - outside_kernels: what kernels gain shows by the rest.
/// - blocks_an_sm: SMs get whole blocks; one with five where others have four works a quarter longer.
/// - pages_shared: a socket's part of an array ends within a page. Judged where a socket has fewer than 256 pages: with
///   more, what is shared is so by the program.
/// - samples: what adapts starts anew with each kernel, and has decided once at most before its second sample.
inline constexpr std::array<CaveatRule, 6> kCaveatRules{{
    {"outside_kernels", 0.2, false, "", "more than 20 % of the time is outside kernels"},
    {"blocks_an_sm", 4.0, true, "blocks", "fewer than 4 blocks of a kernel fall on an SM"},
    {"pages_shared", 0.25, false, "", "more than 25 % of few pages are touched by several sockets"},
    {"lane_samples", 0.5, false, "", "most of the kernels' time is in kernels shorter than two samples of the lanes"},
    {"way_samples", 0.5, false, "", "most of the kernels' time is in kernels shorter than two samples of the caches"},
    {"replication_samples", 0.5, false, "",
     "most of the kernels' time is in kernels shorter than two epochs of replication"},
}};

struct Caveat {
    const CaveatRule* rule = nullptr;
    double value = 0;  ///< the figure, beyond its bound
    std::string words; ///< a clause with the figure: "72 % of the time is outside kernels"
};

/// Of a results.json, in the order of the rules; empty if nothing is beyond its bound, or if what a rule reads is not
/// in it.
std::vector<Caveat> caveats_of(const SystemConfig& config, const ordered_json& results);

/// "72 %", "1.75".
std::string value_text(const CaveatRule& rule, double value);
/// One line without its end; "" if there is none.
std::string caveats_text(const std::vector<Caveat>& caveats);
/// A list of {"name", "value", "unit", "bound", "words"}.
ordered_json json_of(const std::vector<Caveat>& caveats);

} // namespace numavp

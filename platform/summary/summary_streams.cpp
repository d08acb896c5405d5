#include "platform/summary/summary_streams.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

std::string name_of_streams(const ordered_json& row) {
    const auto kind = row.at("kind").get<std::string>();
    if (kind == "outside") return "outside kernels";
    if (row.at("streams").is_null()) return kind == "stream" ? "further launches" : "further, side by side";
    return escaped(row.at("streams").get<std::string>()) + (kind == "overlap" ? " side by side" : "");
}

std::string count_of(std::optional<std::uint64_t> count) { return count ? grouped(*count) : kNoNumber; }

} // namespace

std::string streams_text(const ordered_json& streams, const Style& style) {
    const auto is_stream = [](const ordered_json& row) { return row.at("kind") == "stream"; };
    if (std::count_if(streams.begin(), streams.end(), is_stream) < 2) return "";
    TextTable table({"stream", "launches", "cycles", "warp instructions", "a cycle", "L1 hits", "L2 hits", "on the way",
                     "memory GB/s", "links GB/s", "load latency ns"},
                    {true});
    for (const ordered_json& row : streams) {
        const SummaryStatistics of(row, "");
        const std::optional<double> ipc = of.real("ipc");
        table.row({name_of_streams(row), count_of(of.count("launches")), count_of(of.count("cycles")),
                   count_of(of.count("warp_instructions")), ipc ? fmt::format("{:.2f}", *ipc) : kNoNumber,
                   percent_of(of.real("l1_hit_rate")), percent_of(of.real("l2_hit_rate")),
                   percent_of(of.real("l2_merged_share")), one_decimal(of.real("memory_gbps")),
                   one_decimal(of.real("link_gbps")), one_decimal(of.real("load_latency_ns"))});
    }
    return heading("Streams (rows sum to the run; what ran side by side is not divided)", style) + table.text(style);
}

} // namespace numavp

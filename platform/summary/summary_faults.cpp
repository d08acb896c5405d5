#include "platform/summary/summary_faults.h"

#include <fmt/format.h>

#include "common/words/text.h"
#include "platform/summary/summary_statistics.h"

namespace numavp {

std::optional<FaultSummary> summarise_faults(const ordered_json& statistics, unsigned sockets) {
    FaultSummary sum;
    bool any = false;
    const auto add = [&any](const SummaryStatistics& from, const char* path, std::uint64_t& to) {
        const std::optional<std::uint64_t> count = from.count(path);
        any = any || count.has_value();
        to += count.value_or(0);
    };
    for (unsigned s = 0; s < sockets; ++s) {
        const SummaryStatistics own(statistics, fmt::format("socket{}.link.", s));
        for (const char* way : {"out.errors", "in.errors"}) add(own, way, sum.packets);
        for (const char* way : {"out.replayed_bytes", "in.replayed_bytes"}) add(own, way, sum.replayed_bytes);
        add(own, "retired_lanes", sum.retired_lanes);
    }
    const SummaryStatistics network(statistics, "network.");
    add(network, "errors", sum.flits);
    add(network, "replayed_flits", sum.replayed_flits);
    add(network, "retired_lanes", sum.retired_lanes);
    return any ? std::optional(sum) : std::nullopt;
}

std::string fault_words(const FaultSummary& faults) {
    std::string text;
    const auto say = [&text](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
    if (faults.packets != 0)
        say(fmt::format("{} packets arrived wrong over links, {} sent again", grouped(faults.packets),
                        bytes_text(faults.replayed_bytes)));
    if (faults.flits != 0)
        say(fmt::format("{} flits arrived wrong over channels, {} sent again", grouped(faults.flits),
                        grouped(faults.replayed_flits)));
    if (faults.retired_lanes != 0)
        say(fmt::format("{} lane{} retired", faults.retired_lanes, faults.retired_lanes == 1 ? "" : "s"));
    return text.empty() ? "none" : text;
}

ordered_json json_of(const FaultSummary& faults) {
    return {{"packets", faults.packets},
            {"replayed_bytes", faults.replayed_bytes},
            {"flits", faults.flits},
            {"replayed_flits", faults.replayed_flits},
            {"retired_lanes", faults.retired_lanes}};
}

} // namespace numavp

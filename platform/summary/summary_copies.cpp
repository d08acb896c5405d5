#include "platform/summary/summary_copies.h"

#include <utility>

#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {

namespace {
CopiesOneWay one_way(const SummaryStatistics& s, const std::string& name) {
    CopiesOneWay out;
    out.copies = s.count(name + ".copies").value_or(0);
    out.bytes = s.count(name + ".bytes").value_or(0);
    out.time_ns = s.real(name + ".busy_ps").value_or(0.0) / 1e3;
    out.gbps = ratio(static_cast<double>(out.bytes), out.time_ns);
    return out;
}

ordered_json json_of(const CopiesOneWay& way) {
    return {{"copies", way.copies}, {"bytes", way.bytes}, {"time_ns", way.time_ns}, {"gbps", number(way.gbps)}};
}
} // namespace

std::optional<CopiesSummary> summarise_copies(const ordered_json& statistics, double time_ns) {
    const SummaryStatistics s(statistics, "copies.");
    if (s.group("to_device") == nullptr) return std::nullopt;
    CopiesSummary out;
    out.to_device = one_way(s, "to_device");
    out.to_host = one_way(s, "to_host");
    if (s.group("peer") != nullptr) out.peer = one_way(s, "peer");
    out.busy_ns = s.real("busy_ps").value_or(0.0) / 1e3;
    out.share = ratio(out.busy_ns, time_ns).value_or(0.0);
    return out;
}

ordered_json json_of(const CopiesSummary& c) {
    ordered_json out = {{"to_device", json_of(c.to_device)}, {"to_host", json_of(c.to_host)}};
    if (c.peer) out["peer"] = json_of(*c.peer);
    out["busy_ns"] = c.busy_ns;
    out["share"] = c.share;
    return out;
}

std::string copies_text(const CopiesSummary& c, const Style& style) {
    TextTable table({"copies", "number", "bytes", "us", "GB/s"});
    const auto row = [&table](const char* name, const CopiesOneWay& way) {
        table.row({name, grouped(way.copies), bytes_text(way.bytes), fmt::format("{:.1f}", way.time_ns / 1e3),
                   one_decimal(way.gbps)});
    };
    row("to devices", c.to_device);
    row("to the host", c.to_host);
    if (c.peer) row("between arrays", *c.peer);
    return heading((c.peer ? "Copies, " : "Copies between host and devices, ") + percent_of(c.share) + " of the time",
                   style) +
           table.text(style);
}

} // namespace numavp

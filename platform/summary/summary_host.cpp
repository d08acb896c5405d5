#include "platform/summary/summary_host.h"

#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {

std::optional<HostSummary> summarise_host(const ordered_json& statistics, double time_ns, std::uint64_t clock_khz) {
    const SummaryStatistics s(statistics, "");
    if (s.group("host_core") == nullptr) return std::nullopt;
    const auto count = [&s](const char* name) { return s.count(std::string("host_core.") + name).value_or(0); };
    HostSummary out;
    out.phases = count("phases");
    out.instructions = count("instructions");
    out.loads = count("loads");
    out.stores = count("stores");
    out.fetched = count("fetched");
    out.written = count("written");
    out.memory_bytes = count("memory_bytes");
    out.busy_ns = s.real("host_core.busy_ps").value_or(0.0) / 1e3;
    out.share = ratio(out.busy_ns, time_ns).value_or(0.0);
    out.ipc = ratio(static_cast<double>(out.instructions), out.busy_ns * static_cast<double>(clock_khz) / 1e6);
    out.gbps = ratio(static_cast<double>(out.memory_bytes), out.busy_ns);
    return out;
}

ordered_json json_of(const HostSummary& h) {
    return {{"phases", h.phases},     {"instructions", h.instructions},
            {"ipc", number(h.ipc)},   {"loads", h.loads},
            {"stores", h.stores},     {"fetched", h.fetched},
            {"written", h.written},   {"memory_bytes", h.memory_bytes},
            {"gbps", number(h.gbps)}, {"busy_ns", h.busy_ns},
            {"share", h.share}};
}

std::string host_text(const HostSummary& h, const Style& style) {
    TextTable table({"phases", "us", "instructions", "a cycle", "loads", "stores", "fetched", "written back", "GB/s"});
    table.row({grouped(h.phases), fmt::format("{:.1f}", h.busy_ns / 1e3), grouped(h.instructions),
               h.ipc ? fmt::format("{:.2f}", *h.ipc) : "-", grouped(h.loads), grouped(h.stores), grouped(h.fetched),
               grouped(h.written), one_decimal(h.gbps)});
    return heading("The host's own work, " + percent_of(h.share) + " of the time", style) + table.text(style);
}

} // namespace numavp

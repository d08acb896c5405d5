#include "platform/summary/summary_slots.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "models/sm/slot_account.h"
#include "platform/results/results.h"
#include "platform/summary/summary_statistics.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

bool waits_for_pages(const std::vector<SlotSummary>& sockets) {
    const std::string_view translation = kSlotCauses.name(SlotCause::translation);
    return std::any_of(sockets.begin(), sockets.end(), [&](const SlotSummary& s) {
        return std::any_of(s.shares.begin(), s.shares.end(),
                           [&](const auto& share) { return share.first == translation && share.second > 0.0; });
    });
}

} // namespace

std::vector<SlotSummary> summarise_slots(const ordered_json& results, std::uint64_t clock_khz) {
    std::vector<SlotSummary> out;
    const auto slots = results.find("slots");
    if (slots == results.end()) return out;
    for (const ordered_json& socket : slots->at("sockets")) {
        const SummaryStatistics s(socket, "");
        double all = 0.0;
        for (const auto& cause : kSlotCauses) all += s.real(std::string(cause.name)).value_or(0.0);
        const auto cycles = ratio(all, s.real("schedulers"));
        SlotSummary& summary = out.emplace_back();
        summary.ipc = ratio(s.real("issued"), cycles);
        summary.warps = ratio(s.real("warp_cycles"), cycles);
        if (const auto last = s.count("last_warp_cycle"); last && *last != 0)
            summary.last_warp_ns = time_ns(*last, clock_khz);
        for (const auto& cause : kSlotCauses)
            if (const auto share = ratio(s.real(std::string(cause.name)).value_or(0.0), all))
                summary.shares.emplace_back(cause.name, *share);
    }
    return out;
}

ordered_json json_of(const SlotSummary& slots) {
    ordered_json out = {
        {"ipc", number(slots.ipc)}, {"warps", number(slots.warps)}, {"last_warp_ns", number(slots.last_warp_ns)}};
    out["shares"] = ordered_json::object();
    for (const auto& [cause, share] : slots.shares) out["shares"][cause] = share;
    return out;
}

std::string slots_text(const std::vector<SlotSummary>& sockets, const PartNames& names, const Style& style) {
    const auto none = [](const SlotSummary& s) { return s.shares.empty(); };
    if (std::all_of(sockets.begin(), sockets.end(), none)) return "";
    // Without translation nothing waits for it.
    const std::string_view untold = waits_for_pages(sockets) ? "" : kSlotCauses.name(SlotCause::translation);
    std::vector<std::string> header = {names.what, "IPC", "warps", "last warp us"};
    for (const auto& cause : kSlotCauses) {
        if (cause.name == untold) continue;
        header.emplace_back(cause.name);
        for (char& c : header.back())
            if (c == '_') c = ' ';
    }
    TextTable table(header);
    for (const PartRow& row : part_rows(names)) {
        const SlotSummary& first = sockets.at(row.first);
        if (none(first)) continue; // no SMs
        const auto mean = [&](std::optional<double> SlotSummary::*value) {
            return row.mean([&](std::size_t i) { return sockets[i].*value; });
        };
        const std::optional<double> ipc = mean(&SlotSummary::ipc), last_ns = mean(&SlotSummary::last_warp_ns);
        std::vector<std::string> cells = {row.name, ipc ? fmt::format("{:.2f}", *ipc) : kNoNumber,
                                          one_decimal(mean(&SlotSummary::warps)),
                                          last_ns ? fmt::format("{:.2f}", *last_ns / 1e3) : kNoNumber};
        for (std::size_t c = 0; c < first.shares.size(); ++c)
            if (first.shares[c].first != untold)
                cells.push_back(percent_of(row.mean([&](std::size_t i) -> std::optional<double> {
                    return none(sockets[i]) ? std::nullopt : std::optional<double>(sockets[i].shares[c].second);
                })));
        table.row(std::move(cells));
    }
    return heading("Issue slots of the warp schedulers (why a slot was not used; warps are means of the run)", style) +
           table.text(style);
}

} // namespace numavp

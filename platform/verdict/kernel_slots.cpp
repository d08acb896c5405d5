#include "platform/verdict/kernel_slots.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace numavp {
namespace {

std::size_t index_of_cause(SlotCause cause) { return static_cast<std::size_t>(cause); }

std::vector<double> values_of_column(const ordered_json& list) {
    std::vector<double> out;
    for (const ordered_json& value : list) out.push_back(value.is_number() ? value.get<double>() : 0.0);
    return out;
}

/// Spans of the rows of launches, in order and without gaps between those that touch.
std::vector<std::pair<double, double>> running_spans(const KernelRows& kernels, const std::vector<std::size_t>& rows) {
    std::vector<std::pair<double, double>> spans;
    for (const std::size_t i : rows) {
        const KernelRow& row = kernels.all()[i];
        if (row.kind == KernelRowKind::kernel && row.started && row.ended)
            spans.emplace_back(static_cast<double>(*row.started), static_cast<double>(*row.ended));
    }
    std::sort(spans.begin(), spans.end());
    std::vector<std::pair<double, double>> merged;
    for (const auto& span : spans)
        if (!merged.empty() && span.first <= merged.back().second)
            merged.back().second = std::max(merged.back().second, span.second);
        else
            merged.push_back(span);
    return merged;
}

/// Adds what an interval says of sockets without warps, for `cycles` of it.
void count_without_warps(const std::vector<SlotSums>& interval, double cycles, SlotWindow& window) {
    std::size_t without = 0, with = 0;
    std::vector<bool> lacks(interval.size(), false);
    for (std::size_t s = 0; s < interval.size(); ++s) {
        const double all = all_slots(interval[s]);
        if (all <= 0.0) continue; // it has no SMs
        lacks[s] = interval[s][index_of_cause(SlotCause::no_warp)] >= kMostWithout * all;
        ++(lacks[s] ? without : with);
    }
    if (without == 0) return;
    if (with == 0) {
        window.few_warps += cycles;
        return;
    }
    window.imbalance += cycles;
    for (std::size_t s = 0; s < lacks.size(); ++s)
        if (lacks[s]) window.idle[s] += cycles;
}

/// Adds a part of an interval, divided as its slots with warps are.
void add_with_warps(const SlotSums& interval, double part, SlotSums& into) {
    const std::size_t none = index_of_cause(SlotCause::no_warp);
    const double all = all_slots(interval), busy = all - interval[none];
    if (busy <= 0.0) {
        into[none] += part * all;
        return;
    }
    for (std::size_t cause = 0; cause < kSlotCauseCount; ++cause)
        if (cause != none) into[cause] += part * interval[cause] * all / busy;
}

} // namespace

double all_slots(const SlotSums& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

double SlotWindow::share(SlotCause cause) const {
    double part = 0.0, all = 0.0;
    for (const SlotSums& socket : sockets) {
        part += socket[index_of_cause(cause)];
        all += all_slots(socket);
    }
    return all > 0.0 ? part / all : 0.0;
}

double SlotWindow::share(SlotCause cause, std::size_t socket) const {
    if (socket >= sockets.size()) return 0.0;
    const double all = all_slots(sockets[socket]);
    return all > 0.0 ? sockets[socket][index_of_cause(cause)] / all : 0.0;
}

KernelSlots::KernelSlots(const ordered_json& results) {
    const auto slots = results.find("slots");
    if (slots == results.end() || !slots->contains("series") || !slots->contains("sockets")) return;
    const ordered_json& series = slots->at("series");
    const ordered_json& columns = series.at("columns");
    std::unordered_map<std::string, const ordered_json*> known;
    for (const auto& [name, column] : columns.items()) known.emplace(name, &column.at("values"));
    std::vector<double> ends = values_of_column(series.at("cycles"));
    for (std::size_t s = 0; s < slots->at("sockets").size(); ++s) {
        auto& socket = slots_.emplace_back();
        for (const auto& cause : kSlotCauses) {
            const auto found = known.find(fmt::format("socket{}.slots.{}", s, cause.name));
            if (found == known.end() || found->second->size() != ends.size()) return;
            socket[index_of_cause(cause.value)] = values_of_column(*found->second);
        }
    }
    ends_ = std::move(ends);
}

void KernelSlots::add(double from, double to, SlotWindow& window) const {
    window.sockets.resize(slots_.size(), SlotSums{});
    window.with_warps.resize(slots_.size(), SlotSums{});
    window.idle.resize(slots_.size(), 0.0);
    std::vector<SlotSums> interval(slots_.size());
    auto at = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), from) - ends_.begin());
    for (; at < ends_.size(); ++at) {
        const double begin = at == 0 ? 0.0 : ends_[at - 1];
        const double cycles = std::min(to, ends_[at]) - std::max(from, begin);
        if (cycles <= 0.0) break;
        const double part = cycles / (ends_[at] - begin);
        for (std::size_t s = 0; s < slots_.size(); ++s) {
            for (std::size_t cause = 0; cause < kSlotCauseCount; ++cause) {
                interval[s][cause] = slots_[s][cause][at];
                window.sockets[s][cause] += part * interval[s][cause];
            }
            add_with_warps(interval[s], part, window.with_warps[s]);
        }
        count_without_warps(interval, cycles, window);
        window.cycles += cycles;
    }
}

SlotWindow KernelSlots::of(const KernelRows& kernels, const std::vector<std::size_t>& rows) const {
    SlotWindow window;
    for (const auto& [from, to] : running_spans(kernels, rows)) add(from, to, window);
    return window;
}

SlotWindow KernelSlots::rest(const KernelRows& kernels) const {
    SlotWindow window;
    std::vector<std::size_t> rows(kernels.all().size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    double from = 0.0;
    for (const auto& [start, end] : running_spans(kernels, rows)) {
        add(from, start, window);
        from = end;
    }
    if (!ends_.empty()) add(from, ends_.back(), window);
    return window;
}

} // namespace numavp

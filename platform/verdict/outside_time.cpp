#include "platform/verdict/outside_time.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace numavp {
namespace {

using Spans = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// In order; spans that touch or overlap are one.
Spans union_of(Spans spans) {
    std::sort(spans.begin(), spans.end());
    Spans out;
    for (const auto& span : spans) {
        if (span.second <= span.first) continue;
        if (!out.empty() && span.first <= out.back().second)
            out.back().second = std::max(out.back().second, span.second);
        else
            out.push_back(span);
    }
    return out;
}

std::uint64_t cycles_of(const Spans& spans) {
    std::uint64_t sum = 0;
    for (const auto& [from, to] : spans) sum += to - from;
    return sum;
}

/// Length of both together, less that of the first: what the second adds.
std::uint64_t added(const Spans& first, const Spans& second) {
    Spans both = first;
    both.insert(both.end(), second.begin(), second.end());
    return cycles_of(union_of(std::move(both))) - cycles_of(first);
}

struct LaunchSpans {
    Spans running, flushing, launching;
};

LaunchSpans launch_spans(const KernelRows& kernels, std::uint64_t cycles) {
    LaunchSpans spans;
    const auto add = [&](Spans& into, std::optional<std::uint64_t> from, std::optional<std::uint64_t> to) {
        if (from && to) into.emplace_back(std::min(*from, cycles), std::min(*to, cycles));
    };
    for (const KernelRow& row : kernels.all()) {
        if (row.kind != KernelRowKind::kernel) continue;
        add(spans.running, row.started, row.ended);
        add(spans.flushing, row.ended, row.flushed);
        add(spans.launching, row.launched, row.started);
    }
    return {union_of(std::move(spans.running)), union_of(std::move(spans.flushing)),
            union_of(std::move(spans.launching))};
}

} // namespace

OutsideTime outside_time(const SystemConfig& config, const KernelRows& kernels, std::uint64_t cycles) {
    OutsideTime out;
    std::uint64_t all = 0, launches = 0;
    std::vector<std::size_t> outside;
    for (std::size_t i = 0; i < kernels.all().size(); ++i) {
        const KernelRow& row = kernels.all()[i];
        launches += row.launches;
        if (row.kind != KernelRowKind::outside) continue;
        outside.push_back(i);
        all += row.cycles;
    }
    const LaunchSpans spans = launch_spans(kernels, cycles);
    if (cycles_of(spans.running) + all == cycles) {
        out.flushes = std::min(all, added(spans.running, spans.flushing));
        Spans before = spans.running;
        before.insert(before.end(), spans.flushing.begin(), spans.flushing.end());
        out.launches = std::min(all - out.flushes, added(union_of(std::move(before)), spans.launching));
    } else {
        out.launches = std::min(all, launches * config.dispatch.launch_cycles);
    }
    std::uint64_t left = all - out.flushes - out.launches;
    const auto take = [&](const char* path) {
        const double ps = kernels.sum(path, outside).value_or(0.0);
        const auto busy = static_cast<std::uint64_t>(std::llround(ps * static_cast<double>(config.clock_khz) * 1e-9));
        const std::uint64_t taken = std::min(left, busy);
        left -= taken;
        return taken;
    };
    out.copies = take("copies.busy_ps");
    out.host = take("host_core.busy_ps");
    out.rest = left;
    return out;
}

} // namespace numavp

#include "platform/compare/attribution.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/system/recorded_system.h"
#include "platform/compare/comparison.h"
#include "platform/verdict/kernel_rows.h"
#include "platform/verdict/kernel_slots.h"
#include "platform/verdict/outside_time.h"

namespace numavp {
namespace {

double& cycles_at(CauseCycles& cycles, TimeCause cause) { return cycles[static_cast<std::size_t>(cause)]; }
double sum_of_causes(const CauseCycles& cycles) { return std::accumulate(cycles.begin(), cycles.end(), 0.0); }

/// Whole cycles in proportion to `weights`, which sum to `cycles`: those with the largest rests are rounded up.
CauseCycles in_whole_cycles(const CauseCycles& weights, std::uint64_t cycles) {
    CauseCycles out{};
    const double all = sum_of_causes(weights);
    if (all <= 0.0) {
        cycles_at(out, TimeCause::undivided) = static_cast<double>(cycles);
        return out;
    }
    std::array<double, kTimeCauseCount> rests{};
    double given = 0.0;
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) {
        const double exact = weights[i] / all * static_cast<double>(cycles);
        out[i] = std::floor(exact);
        rests[i] = exact - out[i];
        given += out[i];
    }
    std::array<std::size_t, kTimeCauseCount> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rests[a] > rests[b]; });
    for (std::size_t i = 0; given < static_cast<double>(cycles) && i < kTimeCauseCount; ++i, given += 1.0)
        out[order[i]] += 1.0;
    return out;
}

/// Times of loads by where they were spent, in ps; all 0 if there was no load.
CauseCycles load_times(const KernelRows& rows, const std::vector<std::size_t>& of, const SystemConfig& config) {
    CauseCycles times{};
    for (unsigned s = 0; s < config.sockets; ++s) {
        const auto read = [&](const std::string& path) {
            return rows.sum(fmt::format("socket{}.{}", s, path), of).value_or(0.0);
        };
        const SocketConfig& own = config.socket_at(s);
        const double cycle_ps = 1e9 / static_cast<double>(own.sm_khz(config.clock_khz));
        cycles_at(times, TimeCause::l1) += read("l1.hits") * own.sm.l1.hit_cycles * cycle_ps;
        for (const char* home : {"local", "remote"}) {
            const auto part = [&](const char* name) {
                return read(fmt::format("load_latency.{}.parts.{}_ps", home, name));
            };
            const bool local = *home == 'l';
            cycles_at(times, TimeCause::sm_port) += part("sm");
            cycles_at(times, TimeCause::crossbar) += part("noc");
            cycles_at(times, TimeCause::link) += part("link");
            cycles_at(times, TimeCause::l2) += part("slice");
            cycles_at(times, TimeCause::far_l2) += part("home");
            cycles_at(times, local ? TimeCause::near_memory : TimeCause::far_memory) += part("memory");
        }
    }
    return times;
}

/// Share of the SMs' cycles in which their load-store units looked up a line.
double looking_up(const KernelRows& rows, const std::vector<std::size_t>& of, const SystemConfig& config,
                  std::uint64_t cycles) {
    double lines = 0.0, could = 0.0;
    for (unsigned s = 0; s < config.sockets; ++s) {
        const SocketConfig& own = config.socket_at(s);
        for (const char* path : {"l1.load_lines", "l1.store_lines", "l1.atomic_lines"})
            lines += rows.sum(fmt::format("socket{}.{}", s, path), of).value_or(0.0);
        could += static_cast<double>(own.sms) * config.scale * own.sm.l1.lines_per_cycle *
                 static_cast<double>(own.sm_khz(config.clock_khz)) / static_cast<double>(config.clock_khz);
    }
    could *= static_cast<double>(cycles);
    return could > 0.0 ? std::min(1.0, lines / could) : 0.0;
}

/// Slots of a phase by cause; waits for memory stand where loads spent their time.
CauseCycles cause_slots(const SlotWindow& window, CauseCycles loads, double looks_up) {
    CauseCycles out{};
    const auto slots = [&](SlotCause cause) {
        double sum = 0.0;
        for (const SlotSums& socket : window.with_warps) sum += socket[static_cast<std::size_t>(cause)];
        return sum;
    };
    if (sum_of_causes(loads) <= 0.0) cycles_at(loads, TimeCause::l1) = 1.0; // shared memory, or stores alone
    const double queued = slots(SlotCause::queue_full);
    const double waited = slots(SlotCause::memory) + queued * (1.0 - looks_up), spent = sum_of_causes(loads);
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) out[i] = waited * loads[i] / spent;
    cycles_at(out, TimeCause::load_store) += queued * looks_up;
    cycles_at(out, TimeCause::issued) += slots(SlotCause::issued);
    cycles_at(out, TimeCause::units) += slots(SlotCause::unit_busy);
    cycles_at(out, TimeCause::dependence) += slots(SlotCause::dependence);
    cycles_at(out, TimeCause::translation) += slots(SlotCause::translation);
    cycles_at(out, TimeCause::barriers) += slots(SlotCause::barrier);
    cycles_at(out, TimeCause::no_warp) += slots(SlotCause::no_warp);
    return out;
}

/// Slots of rows whose times are not known: what rows of launches leave, less the slots of the time outside kernels, in
/// which schedulers have no warp.
SlotWindow slots_left(const KernelSlots& slots, const KernelRows& rows) {
    SlotWindow rest = slots.rest(rows);
    double outside = 0.0;
    for (const KernelRow& row : rows.all())
        if (row.kind == KernelRowKind::outside) outside += static_cast<double>(row.cycles);
    for (SlotSums& socket : rest.with_warps) {
        double& idle = socket[static_cast<std::size_t>(SlotCause::no_warp)];
        const double a_cycle = rest.cycles > 0.0 ? all_slots(socket) / rest.cycles : 0.0;
        idle -= std::min(idle, outside * a_cycle);
    }
    return rest;
}

using NamedCycles = std::map<std::string, CauseCycles>;

void add_cycles(CauseCycles& into, const CauseCycles& more) {
    for (std::size_t i = 0; i < kTimeCauseCount; ++i) into[i] += more[i];
}

CauseCycles outside_causes(const OutsideTime& time) {
    CauseCycles out{};
    cycles_at(out, TimeCause::launches) = static_cast<double>(time.launches);
    cycles_at(out, TimeCause::flushes) = static_cast<double>(time.flushes);
    cycles_at(out, TimeCause::copies) = static_cast<double>(time.copies);
    cycles_at(out, TimeCause::host) = static_cast<double>(time.host);
    cycles_at(out, TimeCause::outside) = static_cast<double>(time.rest);
    return out;
}

/// Cycles of a run by kernel and cause; nothing if it has no statistics by kernel.
NamedCycles cycles_by_kernel(const ordered_json& results, const SystemConfig& config) {
    NamedCycles out;
    const KernelRows rows(results);
    if (rows.all().empty()) return out;
    const KernelSlots slots(results);
    const SlotWindow left = slots_left(slots, rows);
    for (const KernelPhase& phase : phases_of(rows)) {
        const bool timed = phase.kind == KernelRowKind::kernel;
        const SlotWindow window = timed ? slots.of(rows, phase.rows) : left;
        const CauseCycles weights = cause_slots(window, load_times(rows, phase.rows, config),
                                                looking_up(rows, phase.rows, config, phase.cycles));
        add_cycles(out[phase.name], in_whole_cycles(window.cycles > 0.0 ? weights : CauseCycles{}, phase.cycles));
    }
    std::uint64_t cycles = 0;
    for (const KernelRow& row : rows.all()) cycles += row.cycles;
    add_cycles(out["outside kernels"], outside_causes(outside_time(config, rows, cycles)));
    return out;
}

struct AttributedRun {
    NamedCycles kernels;
    double clock_khz = 1.0;
};

AttributedRun attributed(const ComparedRun& run) {
    const auto config =
        recorded_config(json(run.results.at("configuration")), Place{"results.json", "$.configuration", nullptr});
    return {cycles_by_kernel(run.results, config), static_cast<double>(config.clock_khz)};
}

} // namespace

double KernelAttribution::before_cycles() const { return sum_of_causes(before); }
double KernelAttribution::after_cycles() const { return sum_of_causes(after); }

std::vector<Attribution> attribute(const std::vector<ComparedRun>& runs) {
    std::vector<AttributedRun> known;
    for (const ComparedRun& run : runs) {
        known.push_back(attributed(run));
        if (known.back().kernels.empty()) return {};
    }
    std::vector<Attribution> out;
    for (std::size_t r = 1; r < runs.size(); ++r) {
        Attribution& one = out.emplace_back();
        one.run = r;
        std::map<std::string, KernelAttribution> kernels;
        for (const auto& [name, cycles] : known.front().kernels) kernels[name].before = cycles;
        for (auto [name, cycles] : known[r].kernels) {
            for (double& number : cycles) number *= known.front().clock_khz / known[r].clock_khz;
            kernels[name].after = cycles;
        }
        for (auto& [name, kernel] : kernels) {
            kernel.name = name;
            add_cycles(one.causes_before, kernel.before);
            add_cycles(one.causes_after, kernel.after);
            one.kernels.push_back(kernel);
        }
        one.before = sum_of_causes(one.causes_before);
        one.after = sum_of_causes(one.causes_after);
        std::stable_sort(one.kernels.begin(), one.kernels.end(), [](const auto& a, const auto& b) {
            return std::abs(a.difference()) > std::abs(b.difference());
        });
    }
    return out;
}

} // namespace numavp

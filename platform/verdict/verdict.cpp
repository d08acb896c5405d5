#include "platform/verdict/verdict.h"

#include <algorithm>
#include <utility>

#include "common/system/derived.h"
#include "platform/verdict/kernel_slots.h"
#include "platform/verdict/outside_time.h"

namespace numavp {
namespace {

LimitTime time_of_cause(OtherCause cause, std::string part, double cycles, double figure) {
    for (const auto& known : kOtherCauses)
        if (known.value == cause)
            return {std::string(known.name), std::move(part), cycles, figure, std::string(known.doc)};
    return {};
}

LimitTime time_of_part(const PartUse& use, double cycles) {
    for (const auto& known : kFullParts)
        if (known.value == use.kind)
            return {std::string(known.name), use.part, cycles, use.use, std::string(known.doc)};
    return {};
}

void longest_first(std::vector<LimitTime>& times) {
    times.erase(std::remove_if(times.begin(), times.end(), [](const LimitTime& t) { return t.cycles <= 0.0; }),
                times.end());
    std::stable_sort(times.begin(), times.end(),
                     [](const LimitTime& a, const LimitTime& b) { return a.cycles > b.cycles; });
}

/// A switch that carries just what the lanes of all links do is no second limit beside them.
void drop_derived_switch(const SystemConfig& config, std::vector<PartUse>& uses) {
    const auto find = [&](FullPart kind) {
        return std::find_if(uses.begin(), uses.end(), [&](const PartUse& u) { return u.kind == kind; });
    };
    const auto link = find(FullPart::link), the_switch = find(FullPart::the_switch);
    if (config.switch_.total_gbps > 0.0 || link == uses.end() || the_switch == uses.end()) return;
    if (the_switch->use < kAhead * link->use) uses.erase(the_switch);
}

/// Judges one kernel.
class KernelJudge {
  public:
    KernelJudge(const KernelVerdict& kernel, const SlotWindow& slots, const KernelRows& rows, unsigned sockets)
        : kernel_(kernel), slots_(slots), rows_(rows), sockets_(sockets),
          left_(static_cast<double>(kernel.phase.cycles)) {}

    std::vector<LimitTime> times() {
        const PartUse* const part = full_part();
        take(OtherCause::translation, "translation", slots_.share(SlotCause::translation));
        if (part == nullptr || !explains_imbalance(*part))
            take(OtherCause::imbalance, "imbalance of sockets", share_of_window(slots_.imbalance));
        if (part == nullptr) take(OtherCause::warps, "too few warps", share_of_window(slots_.few_warps));
        if (part != nullptr)
            times_.push_back(time_of_part(*part, left_));
        else if (!wait_is_known())
            times_.push_back({"", "", left_, 0.0, ""});
        longest_first(times_);
        return std::move(times_);
    }

  private:
    /// Null if none is full, or if two of them are near each other.
    const PartUse* full_part() const {
        const std::vector<PartUse>& uses = kernel_.uses;
        if (uses.empty() || uses.front().use < kFullUse) return nullptr;
        if (uses.size() > 1 && uses.front().use < kAhead * uses[1].use) return nullptr;
        return &uses.front();
    }
    /// Sockets wait for this part, and that of a socket which has no work itself.
    bool explains_imbalance(const PartUse& part) const {
        if (!part.socket) return true;
        return *part.socket < slots_.idle.size() && slots_.idle[*part.socket] >= kMostTime * slots_.imbalance;
    }
    double share_of_window(double cycles) const { return slots_.cycles > 0.0 ? cycles / slots_.cycles : 0.0; }

    void take(OtherCause cause, const char* part, double share) {
        const double cycles = std::min(left_, share * static_cast<double>(kernel_.phase.cycles));
        left_ -= cycles;
        times_.push_back(time_of_cause(cause, part, cycles, share));
    }

    /// With nothing used by half, the time is that of what most slots wait for.
    bool wait_is_known() {
        if (slots_.cycles <= 0.0 || (!kernel_.uses.empty() && kernel_.uses.front().use >= kSlackUse)) return false;
        const double memory = slots_.share(SlotCause::memory), dependence = slots_.share(SlotCause::dependence),
                     barrier = slots_.share(SlotCause::barrier);
        if (memory >= kMostTime)
            times_.push_back(time_of_cause(OtherCause::latency, latency_name(), left_, memory));
        else if (dependence >= kMostTime)
            times_.push_back(time_of_cause(OtherCause::arithmetic, "latency of arithmetic", left_, dependence));
        else if (barrier >= kMostTime)
            times_.push_back(time_of_cause(OtherCause::barriers, "barriers", left_, barrier));
        else
            return false;
        return true;
    }
    std::string latency_name() const {
        double local = 0.0, remote = 0.0;
        for (unsigned s = 0; s < sockets_; ++s) {
            const std::string before = "socket" + std::to_string(s);
            local += rows_.sum(before + ".load_latency.local.total_ps", kernel_.phase.rows).value_or(0.0);
            remote += rows_.sum(before + ".load_latency.remote.total_ps", kernel_.phase.rows).value_or(0.0);
        }
        if (remote + local <= 0.0) return "latency of the L1 and shared memory";
        return remote > local ? "latency of remote loads" : "latency of local loads";
    }

    const KernelVerdict& kernel_;
    const SlotWindow& slots_;
    const KernelRows& rows_;
    unsigned sockets_;
    double left_; ///< cycles that no cause has yet
    std::vector<LimitTime> times_;
};

/// Times of a cause together, with the part and figure of the longest.
void add_time(std::vector<LimitTime>& into, const LimitTime& one) {
    const auto known = std::find_if(into.begin(), into.end(), [&](const LimitTime& t) { return t.cause == one.cause; });
    if (known == into.end()) {
        into.push_back(one);
        return;
    }
    known->cycles += one.cycles; // the kernels come by their length
}

std::vector<LimitTime> outside_limits(const OutsideTime& outside, double cycles) {
    std::vector<LimitTime> times;
    const auto add = [&](OtherCause cause, const char* part, std::uint64_t spent) {
        const auto time = static_cast<double>(spent);
        times.push_back(time_of_cause(cause, part, time, cycles > 0.0 ? time / cycles : 0.0));
    };
    add(OtherCause::launches, "launches", outside.launches);
    add(OtherCause::flushes, "flushes", outside.flushes);
    add(OtherCause::copies, "copies", outside.copies);
    add(OtherCause::host, "the host's work", outside.host);
    times.push_back({"", "", static_cast<double>(outside.rest), 0.0, ""});
    return times;
}

} // namespace

std::optional<LimitTime> limit_of(const std::vector<LimitTime>& times, double cycles) {
    const LimitTime* first = nullptr;
    double second = 0.0;
    for (const LimitTime& time : times)
        if (first == nullptr || time.cycles > first->cycles) {
            if (first != nullptr) second = first->cycles;
            first = &time;
        } else {
            second = std::max(second, time.cycles);
        }
    if (first == nullptr || first->cause.empty()) return std::nullopt;
    if (first->cycles < kMostTime * cycles || first->cycles < kAhead * second) return std::nullopt;
    return *first;
}

Verdict verdict_of(const SystemConfig& config, const ordered_json& results) {
    Verdict out;
    const KernelRows rows(results);
    if (rows.all().empty()) return out;
    const KernelSlots slots(results);
    const PartUses uses(config, rows);
    for (const KernelRow& row : rows.all()) out.cycles += static_cast<double>(row.cycles);
    for (KernelPhase& phase : phases_of(rows)) {
        KernelVerdict& kernel = out.kernels.emplace_back();
        kernel.phase = std::move(phase);
        const SlotWindow window = slots.of(rows, kernel.phase.rows);
        kernel.uses = uses.of(kernel.phase, window);
        drop_derived_switch(config, kernel.uses);
        kernel.times = KernelJudge(kernel, window, rows, config.sockets).times();
        kernel.limit = limit_of(kernel.times, static_cast<double>(kernel.phase.cycles));
    }
    std::stable_sort(out.kernels.begin(), out.kernels.end(),
                     [](const auto& a, const auto& b) { return a.phase.cycles > b.phase.cycles; });
    for (const KernelVerdict& kernel : out.kernels)
        for (const LimitTime& time : kernel.times) add_time(out.times, time);
    const auto cycles = static_cast<std::uint64_t>(out.cycles);
    for (const LimitTime& time : outside_limits(outside_time(config, rows, cycles), out.cycles))
        if (time.cycles > 0.0) add_time(out.times, time);
    longest_first(out.times);
    out.limit = limit_of(out.times, out.cycles);
    return out;
}

} // namespace numavp

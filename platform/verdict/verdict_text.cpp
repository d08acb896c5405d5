// A verdict as lines of a summary, and as JSON.
#include <algorithm>

#include <fmt/format.h>

#include "common/words/text.h"
#include "platform/verdict/verdict.h"

namespace numavp {
namespace {

constexpr std::size_t kShownKernels = 3, kShownCauses = 2;
constexpr double kShownShare = 0.05; ///< of the run's time: less is not told

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

double part_of_time(double cycles, double all) { return all > 0.0 ? cycles / all : 0.0; }

/// Other causes with their shares of the time: "launches 12 %, imbalance of sockets 8 %".
std::string other_causes(const std::vector<LimitTime>& times, const std::optional<LimitTime>& limit, double cycles) {
    std::string text;
    std::size_t told = 0;
    for (const LimitTime& time : times) {
        const double share = part_of_time(time.cycles, cycles);
        if (time.cause.empty() || (limit && time.cause == limit->cause) || share < kShownShare || told == kShownCauses)
            continue;
        ++told;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", time.part, whole_percent(share));
    }
    return text;
}

/// "memory of socket 0 72 %, L2 of socket 0 65 %": the parts that come next.
std::string most_used(const KernelVerdict& kernel) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(kShownCauses, kernel.uses.size()); ++i)
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", kernel.uses[i].part, whole_percent(kernel.uses[i].use));
    return text;
}

std::string verdict_words(const Verdict& verdict) {
    if (!verdict.limit) {
        std::string text = "no single limit";
        if (const std::string known = other_causes(verdict.times, verdict.limit, verdict.cycles); !known.empty())
            text += "; of the time: " + known;
        if (!verdict.kernels.empty())
            if (const std::string parts = most_used(verdict.kernels.front()); !parts.empty())
                text += "; most used: " + parts;
        return text;
    }
    const LimitTime& limit = *verdict.limit;
    const std::string share = whole_percent(part_of_time(limit.cycles, verdict.cycles));
    std::string text = limit.is_share_of_run() ? fmt::format("{}, {} of the time", limit.part, share)
                                               : fmt::format("{}, for {} of the time", limit.words(), share);
    if (const std::string known = other_causes(verdict.times, verdict.limit, verdict.cycles); !known.empty())
        text += "; besides: " + known;
    return text;
}

std::string verdict_words(const KernelVerdict& kernel) {
    if (kernel.limit) return kernel.limit->words();
    const std::string parts = most_used(kernel);
    return parts.empty() ? "no single limit" : "no single limit; most used: " + parts;
}

/// The longest kernels, without those that took little of the run's time.
std::vector<const KernelVerdict*> told_kernels(const Verdict& verdict) {
    std::vector<const KernelVerdict*> told;
    for (const KernelVerdict& kernel : verdict.kernels)
        if (told.size() < kShownKernels &&
            part_of_time(static_cast<double>(kernel.phase.cycles), verdict.cycles) >= kShownShare)
            told.push_back(&kernel);
    return told;
}

bool has_limit_of_run(const KernelVerdict& kernel, const Verdict& verdict) {
    return verdict.limit && kernel.limit && kernel.limit->cause == verdict.limit->cause &&
           kernel.limit->part == verdict.limit->part;
}

ordered_json json_of(const LimitTime& time, double cycles) {
    const bool known = !time.cause.empty();
    return {{"cause", known ? ordered_json(time.cause) : ordered_json()},
            {"part", known ? ordered_json(time.part) : ordered_json()},
            {"cycles", time.cycles},
            {"share", part_of_time(time.cycles, cycles)},
            {"figure", known ? ordered_json(time.figure) : ordered_json()},
            {"of", time.of}};
}

ordered_json json_of(const std::vector<LimitTime>& times, double cycles) {
    ordered_json list = ordered_json::array();
    for (const LimitTime& time : times) list.push_back(json_of(time, cycles));
    return list;
}

ordered_json json_of(const std::optional<LimitTime>& limit, double cycles) {
    return limit ? json_of(*limit, cycles) : ordered_json();
}

ordered_json json_of(const KernelVerdict& kernel) {
    const auto cycles = static_cast<double>(kernel.phase.cycles);
    ordered_json out = {{"name", kernel.phase.name},
                        {"side_by_side", kernel.phase.kind == KernelRowKind::overlap},
                        {"launches", kernel.phase.launches},
                        {"cycles", kernel.phase.cycles},
                        {"words", verdict_words(kernel)},
                        {"limit", json_of(kernel.limit, cycles)},
                        {"times", json_of(kernel.times, cycles)},
                        {"uses", ordered_json::array()}};
    for (const PartUse& use : kernel.uses)
        out["uses"].push_back({{"kind", kFullParts.name(use.kind)}, {"part", use.part}, {"use", use.use}});
    return out;
}

} // namespace

std::string LimitTime::words() const { return fmt::format("{} ({} {})", part, whole_percent(figure), of); }

std::string verdict_text(const Verdict& verdict) {
    if (verdict.kernels.empty()) return "";
    std::string text = fmt::format("  {:<14}{}\n", verdict.limit ? "limited by" : "limits", verdict_words(verdict));
    const std::vector<const KernelVerdict*> told = told_kernels(verdict);
    const bool same = std::all_of(told.begin(), told.end(),
                                  [&](const KernelVerdict* kernel) { return has_limit_of_run(*kernel, verdict); });
    if (same || (told.size() == 1 && !verdict.limit)) return text;
    for (const KernelVerdict* kernel : told)
        text += fmt::format("    {}, {} of the time: {}\n", escaped(kernel->phase.name),
                            whole_percent(part_of_time(static_cast<double>(kernel->phase.cycles), verdict.cycles)),
                            verdict_words(*kernel));
    return text;
}

ordered_json json_of(const Verdict& verdict) {
    ordered_json out = {{"words", verdict.kernels.empty() ? "" : verdict_words(verdict)},
                        {"limit", json_of(verdict.limit, verdict.cycles)},
                        {"times", json_of(verdict.times, verdict.cycles)},
                        {"kernels", ordered_json::array()},
                        {"bounds", ordered_json::object()}};
    for (const KernelVerdict& kernel : verdict.kernels) out["kernels"].push_back(json_of(kernel));
    for (const VerdictBounds& bound : kVerdictBounds) out["bounds"][bound.name] = bound.value;
    return out;
}

} // namespace numavp

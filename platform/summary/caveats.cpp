#include "platform/summary/caveats.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "common/words/text.h"
#include "platform/summary/summary_statistics.h"

namespace numavp {
namespace {

constexpr double kFewPages = 256.0, kSamples = 2.0;

/// Rows of the member `kernels` that are of kernels, with their lengths in cycles.
struct KernelTimes {
    explicit KernelTimes(const ordered_json& results) {
        const auto found = results.find("kernels");
        if (found == results.end()) return;
        const ordered_json& rows = found->at("rows");
        const ordered_json& counters = found->at("counters");
        const auto blocks_of = counters.find("system.blocks");
        for (std::size_t i = 0; i < rows.at("kind").size(); ++i) {
            const auto kind = rows.at("kind").at(i).get<std::string>();
            const auto spent = rows.at("cycles").at(i).get<double>();
            const auto launches = rows.at("launches").at(i).get<double>();
            if (kind == "outside") outside += spent;
            if ((kind != "kernel" && kind != "folded") || launches <= 0.0 || spent <= 0.0) continue;
            time += spent;
            cycles.push_back(spent);
            each.push_back(spent / launches);
            blocks.push_back(blocks_of == counters.end() ? 0.0 : blocks_of->at(i).get<double>() / launches);
        }
    }

    /// Blocks of a launch, mean over the kernels' time.
    std::optional<double> mean_blocks() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < cycles.size(); ++i) sum += blocks[i] * cycles[i];
        return sum > 0.0 ? ratio(sum, time) : std::nullopt;
    }
    /// Share of the kernels' time in kernels that are shorter.
    std::optional<double> shorter_than(double bound) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < cycles.size(); ++i)
            if (each[i] < bound) sum += cycles[i];
        return ratio(sum, time);
    }

    std::vector<double> cycles, each, blocks; ///< of a row: in all; of a launch; blocks of a launch
    double time = 0.0, outside = 0.0;
};

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

std::optional<double> blocks_an_sm(const SystemConfig& config, const KernelTimes& kernels) {
    double sms = 0.0;
    for (unsigned s = 0; s < config.sockets; ++s) sms += config.socket_at(s).sms;
    return ratio(kernels.mean_blocks(), sms);
}

/// None where there are many pages, or one socket.
std::optional<double> shared_of_few_pages(const SystemConfig& config, const SummaryStatistics& statistics) {
    const auto pages = statistics.real("system.pages");
    if (config.sockets < 2 || !pages || *pages >= kFewPages * config.sockets) return std::nullopt;
    return ratio(statistics.real("system.pages_shared"), pages);
}

/// Of a mechanism that decides by samples.
struct Sampled {
    bool there;
    unsigned cycles;
    const char* what;
};

} // namespace

std::vector<Caveat> caveats_of(const SystemConfig& config, const ordered_json& results) {
    const KernelTimes kernels(results);
    const SummaryStatistics all(results, ""), statistics(results, "statistics.");
    const bool lanes = config.sockets > 1 && config.link.balancer != LaneBalancerKind::fixed;
    const bool ways = config.socket.l2.organisation == L2Organisation::numa_aware &&
                      config.socket.partition.controller != WayPartitionKind::fixed;
    const ReplicationPolicy replication = config.replication.policy;
    const Sampled sampled[] = {{lanes, config.link.sample_cycles, "two samples of the lanes' balancer"},
                               {ways, config.socket.partition.sample_cycles, "two samples of the caches' partition"},
                               {replication == ReplicationPolicy::model || replication == ReplicationPolicy::model_rtl,
                                config.replication.epoch_cycles, "two epochs of replication"}};

    using Figure = std::pair<std::optional<double>, std::string>;
    const auto figure = [](std::optional<double> value, const char* words, auto... more) {
        return Figure(value, value ? fmt::format(fmt::runtime(words), percent(*value), more...) : "");
    };
    const std::optional<double> blocks = blocks_an_sm(config, kernels);
    std::vector<Figure> figures = {
        figure(ratio(kernels.outside, all.real("cycles")), "{} of the time is outside kernels"),
        {blocks, fmt::format("{:.3g} blocks of a kernel fall on an SM", blocks.value_or(0.0))},
        figure(shared_of_few_pages(config, statistics),
               "{} of the {:.0f} pages of {} KiB are touched by several sockets",
               statistics.real("system.pages").value_or(0.0), config.placement.page_kib)};
    for (const Sampled& one : sampled)
        figures.push_back(figure(one.there ? kernels.shorter_than(kSamples * one.cycles) : std::nullopt,
                                 "{} of the kernels' time is in kernels shorter than {} ({} cycles each)", one.what,
                                 grouped(one.cycles)));

    std::vector<Caveat> caveats;
    for (std::size_t i = 0; i < kCaveatRules.size(); ++i) {
        const CaveatRule& rule = kCaveatRules[i];
        const auto& [value, words] = figures.at(i);
        if (value && (rule.least ? *value < rule.bound : *value > rule.bound))
            caveats.push_back({&rule, *value, words});
    }
    return caveats;
}

std::string value_text(const CaveatRule& rule, double value) {
    return *rule.unit == '\0' ? percent(value) : fmt::format("{:.3g}", value);
}

std::string caveats_text(const std::vector<Caveat>& caveats) {
    std::string text;
    for (const Caveat& caveat : caveats) {
        text += text.empty() ? "too small for a conclusion: " : "; ";
        text += caveat.words;
    }
    return text;
}

ordered_json json_of(const std::vector<Caveat>& caveats) {
    ordered_json list = ordered_json::array();
    for (const Caveat& caveat : caveats)
        list.push_back({{"name", caveat.rule->name},
                        {"value", caveat.value},
                        {"unit", caveat.rule->unit},
                        {"bound", caveat.rule->bound},
                        {"words", caveat.words}});
    return list;
}

} // namespace numavp

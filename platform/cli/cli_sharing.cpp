#include "platform/cli/cli_sharing.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/files/config_folders.h"
#include "common/inputs/named_workload.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/cli/json_output.h"
#include "platform/summary/progress.h"
#include "sw/work/page_sharing.h"

namespace numavp {
namespace {

constexpr std::uint64_t kMostInstructions = 1'000'000'000'000'000;
constexpr std::uint64_t kLeastPage = 4096, kMostPage = 2097152;

/// Names of the groups in keys of JSON, and in the table.
constexpr const char* kGroupKeys[kSharingGroups] = {"pages_by_1_sm", "pages_by_2_to_10_sms", "pages_by_11_to_25_sms",
                                                    "pages_by_26_sms_or_more"};
constexpr const char* kGroupNames[kSharingGroups] = {"1 SM", "2 to 10", "11 to 25", "26 or more"};

SharingOptions sharing_options(const CheckWords& words) {
    SharingOptions options;
    if (!words.sms.empty())
        options.sms = number_of<std::uint32_t>("--sms", words.sms, 1, kMostSharingSms, "a whole number from 1 to 4096");
    if (!words.split.empty()) options.split = kSmSplits.value(words.split, "--split");
    if (!words.page_bytes.empty()) {
        constexpr const char* kAllowed = "a power of two from 4096 to 2097152";
        options.page_bytes =
            number_of<std::uint64_t>("--page-bytes", words.page_bytes, kLeastPage, kMostPage, kAllowed);
        if ((options.page_bytes & (options.page_bytes - 1)) != 0)
            throw ConfigError("--page-bytes", fmt::format("'{}' is not {}", words.page_bytes, kAllowed));
    }
    if (!words.instructions.empty())
        options.thread_instructions = number_of<std::uint64_t>(
            "--instructions", words.instructions, 1, kMostInstructions, "a whole number from 1 to 1000000000000000");
    return options;
}

void add_counts(const std::string& prefix, const PageCounts& counts, const SharingOptions& options, ordered_json& out) {
    out[prefix + "pages"] = counts.pages;
    for (std::size_t i = 0; i < kSharingGroups; ++i) out[prefix + kGroupKeys[i]] = counts.by_sms[i];
    out[prefix + "pages_shared"] = counts.shared();
    out[prefix + "pages_written"] = counts.written;
    out[prefix + "pages_read_only_shared"] = counts.read_only_shared;
    out[prefix + "read_only_shared_bytes"] = counts.read_only_shared * options.page_bytes;
    out[prefix + "pages_read_only_shared_in_launch"] = counts.read_only_in_launch;
    out[prefix + "read_only_shared_in_launch_bytes"] = counts.read_only_in_launch * options.page_bytes;
}

std::string sharing_json(const NamedWorkload& named, const SharingOptions& options, const PageSharing& sharing) {
    ordered_json out;
    out["workload"] = named.workload.name;
    out["scale"] = named.record.scale;
    out["sms"] = options.sms;
    out["split"] = std::string(kSmSplits.name(options.split));
    out["page_bytes"] = options.page_bytes;
    out["thread_instructions_limit"] = options.thread_instructions;
    out["thread_instructions"] = sharing.thread_instructions;
    out["whole"] = sharing.whole;
    out["launches"] = sharing.launches;
    out["launches_in_all"] = sharing.launches_in_all;
    out["footprint_bytes"] = named.workload.footprint_bytes();
    add_counts("", sharing.all, options, out);
    for (const ArraySharing& array : sharing.arrays) {
        out["array." + array.name + ".bytes"] = array.bytes;
        add_counts("array." + array.name + ".", array.counts, options, out);
    }
    return json_line("sharing", out);
}

std::vector<std::string> sharing_row(const std::string& name, const PageCounts& counts, const SharingOptions& options) {
    std::vector<std::string> cells{name, grouped(counts.pages)};
    const double pages = counts.pages == 0 ? 1.0 : static_cast<double>(counts.pages);
    for (const std::uint64_t of : counts.by_sms)
        cells.push_back(fmt::format("{:.1f} %", 100.0 * static_cast<double>(of) / pages));
    cells.push_back(grouped(counts.written));
    cells.push_back(bytes_text(counts.read_only_shared * options.page_bytes));
    cells.push_back(bytes_text(counts.read_only_in_launch * options.page_bytes));
    return cells;
}

std::string sharing_text(const Workload& workload, const SharingOptions& options, const PageSharing& sharing) {
    std::string text =
        fmt::format("{}: {} SMs, split {}, pages of {}: {} of {} launches, {} thread instructions, {}\n",
                    escaped(workload.name), options.sms, kSmSplits.name(options.split), bytes_text(options.page_bytes),
                    grouped(sharing.launches), grouped(sharing.launches_in_all), grouped(sharing.thread_instructions),
                    sharing.whole ? "the whole workload" : "where the walk was cut");
    std::vector<std::string> header{"array", "pages"};
    header.insert(header.end(), std::begin(kGroupNames), std::end(kGroupNames));
    header.insert(header.end(), {"written", "read-only shared", "in a launch"});
    TextTable table(header);
    for (const ArraySharing& array : sharing.arrays) table.row(sharing_row(escaped(array.name), array.counts, options));
    table.row(sharing_row("all", sharing.all, options));
    return text + table.text(style_of(STDOUT_FILENO));
}

} // namespace

std::string sharing_command(const std::string& asked, const CheckWords& words) {
    const SharingOptions options = sharing_options(words);
    const std::string path = shipped_path(asked);
    const NamedWorkload named = load_named_workload(path, "", words.scale, "--");
    const Workload& workload = named.workload;
    ProgressLine line(ProgressLine::mode_for(stderr, words.quiet), stderr);
    const PageSharing sharing = count_page_sharing(workload, options, [&](std::uint64_t done) {
        line.update([&](double elapsed, bool bar) {
            const double share = static_cast<double>(done) / static_cast<double>(options.thread_instructions);
            return fmt::format("{}{:3.0f} %  {} of at most {} thread instructions, {}", bar ? progress_bar(share) : "",
                               share * 100.0, grouped(done), grouped(options.thread_instructions),
                               seconds_text(elapsed));
        });
    });
    line.clear();
    return words.json ? sharing_json(named, options, sharing) : sharing_text(workload, options, sharing);
}

} // namespace numavp

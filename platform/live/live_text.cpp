#include "platform/live/live_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/values/error.h"
#include "models/sm/slot_account.h"
#include "platform/summary/progress.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

constexpr std::size_t kShownWaits = 12, kKernelsInText = 5, kShownAccesses = 5;

std::optional<double> real_of(const ordered_json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}
std::string percent_in(const ordered_json& value) { return percent_of(real_of(value)); }
std::string decimal_in(const ordered_json& value) { return one_decimal(real_of(value)); }
std::string count_in(const ordered_json& value) {
    return value.is_null() ? kNoNumber : grouped(value.get<std::uint64_t>());
}
std::string shown_text(const ordered_json& value) { return escaped(value.get<std::string>()); }
std::string text_or_none(const ordered_json& value) {
    const std::string text = shown_text(value);
    return text.empty() ? std::string(kNoNumber) : text;
}
/// A duration of ns in the unit that fits.
std::string live_time_text(double ns) {
    return ns < 1e4 ? fmt::format("{:.0f} ns", ns) : fmt::format("{:.1f} us", ns / 1e3);
}

std::string progress_line(const ordered_json& state) {
    const ordered_json& p = state.at("progress");
    Progress progress;
    progress.cycle = p.at("cycle").get<std::uint64_t>();
    progress.blocks_done = p.at("blocks_done").get<std::uint64_t>();
    progress.blocks_total = p.at("blocks_total").get<std::uint64_t>();
    progress.kernels_done = p.at("kernels_done").get<std::uint64_t>();
    progress.kernels_total = p.at("kernels_total").get<std::uint64_t>();
    return progress_text(progress, p.at("elapsed_s").get<double>(), true);
}

/// The cause of the most slots in which nothing was issued, and its share: "memory 61.0 %".
std::string most_lost(const ordered_json& slots) {
    std::string cause;
    double most = 0.0;
    for (const auto& [name, share] : slots.items())
        if (name != kSlotCauses.name(SlotCause::issued) && !share.is_null() && share.get<double>() > most) {
            most = share.get<double>();
            cause = name;
        }
    std::replace(cause.begin(), cause.end(), '_', ' ');
    return cause.empty() ? kNoNumber : fmt::format("{} {:.1f} %", cause, 100.0 * most);
}

std::string sockets_text(const ordered_json& state, const Style& style) {
    TextTable table({"socket", "link out", "GB/s", "link in", "GB/s", "lanes out/in", "memory", "GB/s", "IPC", "warps",
                     "issued", "most lost slots"});
    for (const ordered_json& s : state.at("sockets"))
        table.row({shown_text(s.at("name")), percent_in(s.at("link_out_use")), decimal_in(s.at("link_out_gbps")),
                   percent_in(s.at("link_in_use")), decimal_in(s.at("link_in_gbps")),
                   s.at("lanes_out").is_null()
                       ? kNoNumber
                       : fmt::format("{}/{}", count_in(s.at("lanes_out")), count_in(s.at("lanes_in"))),
                   percent_in(s.at("memory_use")), decimal_in(s.at("memory_gbps")), decimal_in(s.at("ipc")),
                   decimal_in(s.at("warps")), percent_in(s.at("slots").at("issued")), most_lost(s.at("slots"))});
    const ordered_json& recent = state.at("recent");
    return heading(fmt::format("Sockets (cycles {} to {})", count_in(recent.at("begin")), count_in(recent.at("end"))),
                   style) +
           table.text(style);
}

std::string waits_text(const ordered_json& state, const Style& style) {
    TextTable table({"parts", "how many", "amount", "change", "of one part"}, {true, false, false, false, true});
    std::size_t shown = 0;
    for (const ordered_json& w : state.at("waits")) {
        if (shown++ == kShownWaits) break;
        table.row(
            {shown_text(w.at("parts")), fmt::format("{} of {}", count_in(w.at("count")), count_in(w.at("all"))),
             count_in(w.at("amount")), fmt::format("{:+}", w.at("change").get<std::int64_t>()),
             fmt::format("{} {} {}", shown_text(w.at("most")), shown_text(w.at("verb")), shown_text(w.at("what")))});
    }
    return table.empty() ? "" : heading("Who waits for what (change since the last look)", style) + table.text(style);
}

std::string kernels_text(const ordered_json& state, const Style& style) {
    TextTable table({"launch", "kernel", "began", "ended", "cycles"}, {false, true, false, false, false});
    for (const ordered_json& k : state.at("kernels").at("running"))
        table.row({"running", shown_text(k.at("name")), count_in(k.at("begin")), "", ""});
    std::size_t shown = 0;
    for (const ordered_json& k : state.at("kernels").at("ended")) {
        if (shown++ == kKernelsInText) break;
        const std::uint64_t begin = k.at("begin").get<std::uint64_t>(), end = k.at("end").get<std::uint64_t>();
        table.row(
            {count_in(k.at("launch")), shown_text(k.at("name")), grouped(begin), grouped(end), grouped(end - begin)});
    }
    return table.empty() ? "" : heading("Kernels (the last that ended)", style) + table.text(style);
}

/// Where the run goes on.
std::string branches_text(const ordered_json& state, const Style& style) {
    TextTable table({"branch", "status", "live at", "results"}, {true, true, true, true});
    for (const ordered_json& b : state.at("branches"))
        table.row({shown_text(b.at("name")), shown_text(b.at("status")), text_or_none(b.at("address")),
                   shown_text(b.at("results"))});
    return table.empty() ? "" : heading("Branches", style) + table.text(style);
}

/// The hop of an access that waited longest.
std::string longest_wait(const ordered_json& hops) {
    const ordered_json* longest = nullptr;
    for (const ordered_json& hop : hops)
        if (!longest || hop.at("wait_ns").get<double>() > longest->at("wait_ns").get<double>()) longest = &hop;
    if (!longest || longest->at("wait_ns").get<double>() <= 0.0) return kNoNumber;
    return fmt::format("{} at {}: {}", live_time_text(longest->at("wait_ns").get<double>()),
                       shown_text(longest->at("place")), shown_text(longest->at("waited_for")));
}

std::string accesses_text(const ordered_json& state, const Style& style) {
    TextTable table({"access", "kind", "from", "home", "address", "latency", "longest wait"},
                    {false, true, true, true, true, false, true});
    std::size_t shown = 0;
    for (const ordered_json& a : state.at("accesses").at("last")) {
        if (shown++ == kShownAccesses) break;
        table.row({count_in(a.at("access")), shown_text(a.at("kind")),
                   fmt::format("socket {} SM {}", count_in(a.at("socket")), count_in(a.at("sm"))),
                   fmt::format("socket {}", count_in(a.at("home"))), shown_text(a.at("address")),
                   live_time_text(a.at("latency_ns").get<double>()), longest_wait(a.at("hops"))});
    }
    if (table.empty()) return "";
    return heading(fmt::format("Last accesses (of one in {})", count_in(state.at("accesses").at("every"))), style) +
           table.text(style);
}

} // namespace

std::string live_text(const ordered_json& state, const Style& style) {
    try {
        std::string text =
            style.bold(fmt::format("{} on {}", shown_text(state.at("workload")), shown_text(state.at("system"))));
        if (const std::string branch = shown_text(state.at("branch")); !branch.empty())
            text += fmt::format(", branch {}", branch);
        text += fmt::format(", process {}, results go to {}\n", state.at("process").get<std::int64_t>(),
                            shown_text(state.at("results")));
        const std::string status = shown_text(state.at("status")), message = shown_text(state.at("message"));
        text += message.empty() ? fmt::format("{}: {}\n", status, progress_line(state))
                                : fmt::format("{}: {}\n", status, message);
        text += branches_text(state, style);
        return text + sockets_text(state, style) + waits_text(state, style) + kernels_text(state, style) +
               accesses_text(state, style);
    } catch (const ordered_json::exception&) {
        throw ConfigError("attach",
                          "the state of the run has another form; a run of this version of numavp is expected");
    }
}

std::string cut_to(const std::string& text, std::size_t columns, std::size_t rows) {
    std::string out;
    std::size_t column = 0, row = 0;
    bool escape = false; // a sequence of colours, which takes no column
    for (const char c : text) {
        if (rows != 0 && row == rows) break;
        if (escape || c == '\033') {
            escape = c != 'm';
            out += c;
            continue;
        }
        if (c == '\n') {
            out += c;
            column = 0;
            ++row;
            continue;
        }
        const bool begins = (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; // a character of UTF-8
        column += begins;
        if (columns == 0 || column <= columns) out += c;
    }
    return out;
}

} // namespace numavp

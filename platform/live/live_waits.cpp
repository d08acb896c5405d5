#include "platform/live/live_waits.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace numavp {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

/// "socket0.l2.slice7" as "socket0.l2.slice".
std::string kind_of_title(std::string_view title, bool over_sockets) {
    while (!title.empty() && is_digit(title.back())) title.remove_suffix(1);
    constexpr std::string_view kSocket = "socket";
    if (!over_sockets || title.substr(0, kSocket.size()) != kSocket) return std::string(title);
    std::size_t end = kSocket.size();
    while (end < title.size() && is_digit(title[end])) ++end;
    return std::string(kSocket) + "*" + std::string(title.substr(end));
}

/// A report with # in the place of each number, 0x80 too.
std::string shape_of(std::string_view report) {
    std::string shape;
    for (std::size_t i = 0; i < report.size();) {
        if (!is_digit(report[i])) {
            shape += report[i++];
            continue;
        }
        const bool hex = report.substr(i, 2) == "0x";
        i += hex ? 2 : 0;
        while (i < report.size() && (hex ? is_hex(report[i]) : is_digit(report[i]))) ++i;
        shape += '#';
    }
    return shape;
}

/// The number with which a report begins; 1 without: the part itself.
std::uint64_t amount_of(std::string_view report) {
    std::uint64_t amount = 0;
    const auto [end, fault] = std::from_chars(report.data(), report.data() + report.size(), amount);
    return fault == std::errc() ? amount : 1;
}

} // namespace

std::vector<LiveWait> LiveWaits::of(const std::vector<LivePart>& parts, unsigned sockets) {
    const bool over_sockets = sockets > kNamedSockets;
    std::map<std::string, std::size_t> all;
    std::map<std::string, LiveWait> groups;
    std::map<std::string, std::uint64_t> largest;
    for (const LivePart& part : parts) {
        const std::string kind = kind_of_title(part.title, over_sockets);
        ++all[kind];
        const auto add = [&](const char* verb, const std::string& report) {
            if (report.empty()) return;
            const std::string key = kind + "\n" + verb + "\n" + shape_of(report);
            const std::uint64_t amount = amount_of(report);
            LiveWait& group = groups[key];
            group.parts = kind;
            group.verb = verb;
            ++group.count;
            group.amount += amount;
            std::uint64_t& most = largest[key];
            if (group.what.empty() || amount > most) {
                most = amount;
                group.most = part.title;
                group.what = report;
            }
        };
        add("waits for", part.waits);
        add("holds", part.holds);
    }
    std::map<std::string, std::uint64_t> amounts;
    std::vector<LiveWait> found;
    for (auto& [key, group] : groups) {
        group.all = all[group.parts];
        if (before_) {
            const auto known = before_->find(key);
            const std::uint64_t before = known == before_->end() ? 0 : known->second;
            group.change = static_cast<std::int64_t>(group.amount) - static_cast<std::int64_t>(before);
        }
        amounts[key] = group.amount;
        found.push_back(group);
    }
    if (!parts.empty()) before_ = std::move(amounts);
    std::stable_sort(found.begin(), found.end(),
                     [](const LiveWait& a, const LiveWait& b) { return a.amount > b.amount; });
    if (found.size() > kMostGroups) found.resize(kMostGroups);
    return found;
}

} // namespace numavp

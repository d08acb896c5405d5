#include "platform/summary/summary_parts.h"

#include "common/system/derived.h"

namespace numavp {

namespace {
constexpr std::size_t kMostRows = 16, kMostOfAKind = 8;
}

PartNames part_names(const SystemConfig& config) {
    PartNames names;
    names.named = !config.parts.empty();
    if (names.named) names.what = "part";
    for (unsigned s = 0; s < config.sockets; ++s)
        names.each.push_back(names.named ? config.socket_name(s) : std::to_string(s));
    for (const SocketGroup& group : socket_groups(config))
        names.kinds.push_back({group.name(), group.range.first, group.range.count()});
    return names;
}

std::optional<double> PartRow::mean(const std::function<std::optional<double>(std::size_t)>& value) const {
    double sum = 0;
    unsigned values = 0;
    for (std::size_t i = first; i < first + count; ++i)
        if (const std::optional<double> one = value(i)) {
            sum += *one;
            ++values;
        }
    return values == 0 ? std::nullopt : std::optional<double>(sum / values);
}

std::vector<PartRow> part_rows(const PartNames& names) {
    std::vector<PartRow> rows;
    for (const PartNames::Kind& kind : names.kinds) {
        if (names.each.size() > kMostRows && kind.count > kMostOfAKind) {
            rows.push_back({kind.name + ", mean", kind.first, kind.count});
            continue;
        }
        for (std::size_t i = kind.first; i < kind.first + kind.count; ++i) rows.push_back({names.each[i], i, 1});
    }
    return rows;
}

} // namespace numavp

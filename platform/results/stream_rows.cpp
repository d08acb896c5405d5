#include "platform/results/stream_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace numavp {
namespace {

enum class StreamKind : std::uint8_t { stream, overlap, outside };

StreamKind stream_kind_of(const std::string& kind) {
    if (kind == "outside") return StreamKind::outside;
    return kind == "overlap" ? StreamKind::overlap : StreamKind::stream;
}

const char* name_of(StreamKind kind) {
    switch (kind) {
    case StreamKind::stream: return "stream";
    case StreamKind::overlap: return "overlap";
    case StreamKind::outside: return "outside";
    }
    return "";
}

/// Orders as numbers do, "2" before "10": the shorter first. What has no name comes last.
struct StreamOrder {
    StreamKind kind;
    std::string streams;
    bool operator<(const StreamOrder& other) const {
        const auto key = [](const StreamOrder& o) {
            return std::make_tuple(o.kind, o.streams.empty(), o.streams.find('+'), o.streams.size(), o.streams);
        };
        return key(*this) < key(other);
    }
};

} // namespace

bool StreamTable::several() const {
    return std::count_if(rows.begin(), rows.end(), [](const StreamRow& row) { return row.kind == "stream"; }) > 1;
}

StreamTable streams_of(const ordered_json& results) {
    const ordered_json& said = results.at("kernels").at("rows");
    const std::size_t count = said.at("cycles").size();
    std::vector<StreamOrder> of_row;
    std::map<StreamOrder, std::size_t> places;
    for (std::size_t row = 0; row < count; ++row) {
        const ordered_json& streams = said.at("streams").at(row);
        of_row.push_back({stream_kind_of(said.at("kind").at(row).get<std::string>()),
                          streams.is_string() ? streams.get<std::string>() : ""});
        places.emplace(of_row.back(), 0);
    }
    StreamTable table;
    KernelGroups groups;
    for (auto& [order, place] : places) {
        place = groups.count++;
        table.rows.push_back({name_of(order.kind), order.streams, std::nullopt, 0});
    }
    for (std::size_t row = 0; row < count; ++row) {
        const std::size_t place = places.at(of_row[row]);
        groups.of_row.push_back(place);
        StreamRow& into = table.rows[place];
        into.cycles += said.at("cycles").at(row).get<std::uint64_t>();
        if (of_row[row].kind == StreamKind::stream)
            into.launches = into.launches.value_or(0) + said.at("launches").at(row).get<std::uint64_t>();
    }
    table.figures = kernel_figures(results, groups);
    return table;
}

ordered_json json_of(const StreamTable& table) {
    ordered_json list = ordered_json::array();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const StreamRow& row = table.rows[i];
        ordered_json line = {{"kind", row.kind},
                             {"streams", row.streams.empty() ? ordered_json() : ordered_json(row.streams)},
                             {"launches", row.launches ? ordered_json(*row.launches) : ordered_json()},
                             {"cycles", row.cycles}};
        for (const KernelFigure& figure : table.figures) line[figure.name] = figure.values[i];
        list.push_back(std::move(line));
    }
    return list;
}

} // namespace numavp

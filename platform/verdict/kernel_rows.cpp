#include "platform/verdict/kernel_rows.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace numavp {
namespace {

constexpr std::array<std::string_view, 4> kRowKinds = {"kernel", "folded", "overlap", "outside"};

KernelRowKind row_kind_of(const std::string& word) {
    const auto found = std::find(kRowKinds.begin(), kRowKinds.end(), word);
    return found == kRowKinds.end() ? KernelRowKind::outside : static_cast<KernelRowKind>(found - kRowKinds.begin());
}

std::optional<std::uint64_t> count_at(const ordered_json& rows, const char* column, std::size_t row) {
    const auto found = rows.find(column);
    if (found == rows.end() || row >= found->size()) return std::nullopt;
    const ordered_json& value = found->at(row);
    if (!value.is_number_integer() || value < 0) return std::nullopt;
    return value.get<std::uint64_t>();
}

std::string name_at(const ordered_json& rows, std::size_t row) {
    const auto found = rows.find("name");
    if (found == rows.end() || row >= found->size() || !found->at(row).is_string()) return "";
    return found->at(row).get<std::string>();
}

} // namespace

KernelRows::KernelRows(const ordered_json& results) {
    const auto kernels = results.find("kernels");
    if (kernels == results.end() || !kernels->contains("rows") || !kernels->contains("counters")) return;
    const ordered_json& rows = kernels->at("rows");
    const auto kinds = rows.find("kind");
    if (kinds == rows.end()) return;
    for (std::size_t i = 0; i < kinds->size(); ++i) {
        KernelRow& row = rows_.emplace_back();
        row.kind = row_kind_of(kinds->at(i).get<std::string>());
        row.name = name_at(rows, i);
        row.launch = count_at(rows, "launch", i);
        row.launches = count_at(rows, "launches", i).value_or(0);
        row.cycles = count_at(rows, "cycles", i).value_or(0);
        row.launched = count_at(rows, "launched", i);
        row.started = count_at(rows, "started", i);
        row.ended = count_at(rows, "ended", i);
        row.flushed = count_at(rows, "flushed", i);
    }
    for (const auto& [path, column] : kernels->at("counters").items())
        if (column.size() == rows_.size()) counters_.emplace(path, &column);
}

std::optional<double> KernelRows::sum(const std::string& path, const std::vector<std::size_t>& rows) const {
    const auto found = counters_.find(path);
    if (found == counters_.end()) return std::nullopt;
    double total = 0.0;
    for (const std::size_t row : rows)
        if (const ordered_json& value = found->second->at(row); value.is_number()) total += value.get<double>();
    return total;
}

std::vector<KernelPhase> phases_of(const KernelRows& rows) {
    std::vector<KernelPhase> phases;
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < rows.all().size(); ++i) {
        const KernelRow& row = rows.all()[i];
        if (row.kind == KernelRowKind::outside || row.cycles == 0) continue;
        std::string key(kRowKinds[static_cast<std::size_t>(row.kind)]);
        key.append(" ").append(row.name);
        const auto [found, fresh] = places.emplace(std::move(key), phases.size());
        if (fresh) phases.push_back({row.name, row.kind, {}, 0, 0});
        KernelPhase& phase = phases[found->second];
        phase.rows.push_back(i);
        phase.launches += row.launches;
        phase.cycles += row.cycles;
    }
    return phases;
}

} // namespace numavp

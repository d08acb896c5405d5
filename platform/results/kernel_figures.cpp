#include "platform/results/kernel_figures.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/stats/ratio.h"
#include "base/values/error.h"
#include "platform/results/ratio_values.h"
#include "platform/results/results.h"

namespace numavp {
namespace {

using Numbers = std::vector<std::optional<double>>;

/// Columns of `kernels` as numbers by row, or by group of rows.
class KernelColumns {
  public:
    KernelColumns(const ordered_json& kernels, const KernelGroups* groups)
        : kernels_(kernels), groups_(groups), rows_(groups ? groups->count : rows_of(kernels)) {
        for (const auto& [part, members] : kernels.items()) // an object of this kind is searched from its begin
            if (members.is_object())
                for (const auto& [path, column] : members.items()) columns_[part].emplace(path, &column);
        const auto& counters = columns_["counters"];
        while (counters.count(fmt::format("socket{}.l2.fills", sockets_)) != 0) ++sockets_;
    }

    /// Of a member of `kernels`; nothing where there is no number or no such column. Those of a group are added up.
    Numbers of(const char* part, const std::string& path) const {
        Numbers out(rows_);
        const auto columns = columns_.find(part);
        if (columns == columns_.end()) return out;
        const auto found = columns->second.find(path);
        if (found == columns->second.end()) return out;
        const ordered_json* const column = found->second;
        if (column->size() != rows_of(kernels_))
            throw ConfigError(fmt::format("results.json: $.kernels.{}.{}", part, path),
                              fmt::format("it has {} numbers; one for each of the {} rows is expected", column->size(),
                                          rows_of(kernels_)));
        for (std::size_t row = 0; row < column->size(); ++row)
            if (column->at(row).is_number()) {
                std::optional<double>& value = out[groups_ ? groups_->of_row.at(row) : row];
                value = value.value_or(0.0) + column->at(row).get<double>();
            }
        return out;
    }
    bool grouped() const { return groups_ != nullptr; }
    /// Summed over sockets and paths, or with `join` in another way.
    Numbers sockets(const char* part, const std::vector<std::string>& paths,
                    const std::function<double(double, double)>& join = std::plus<>()) const {
        Numbers out(rows_);
        for (const std::string& path : paths)
            for (unsigned s = 0; s < sockets_; ++s) { // one without SMs has no L1
                const Numbers one = of(part, fmt::format("socket{}.{}", s, path));
                for (std::size_t row = 0; row < rows_; ++row)
                    if (one[row]) out[row] = out[row] ? join(*out[row], *one[row]) : *one[row];
            }
        return out;
    }

  private:
    static std::size_t rows_of(const ordered_json& kernels) { return kernels.at("rows").at("cycles").size(); }

    const ordered_json& kernels_;
    std::map<std::string, std::unordered_map<std::string, const ordered_json*>> columns_; ///< of each member, by path
    const KernelGroups* groups_;                                                          ///< null: each row by itself
    std::size_t rows_;
    unsigned sockets_ = 0; ///< each has an L2
};

Numbers scaled(Numbers values, double factor) {
    for (auto& value : values)
        if (value) *value *= factor;
    return values;
}

std::vector<std::string> both_kinds(const std::string& group, const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    for (const char* const kind : {"local", "remote"})
        for (const std::string& name : names) paths.push_back(fmt::format("{}.{}.{}", group, kind, name));
    return paths;
}

/// A ratio of each row: sums over its owners of what the row counts.
Numbers values_by_row(const OwnedRatio& owned, const KernelColumns& columns, const Numbers& cycles, const Numbers& ns) {
    const Ratio& ratio = owned.ratio;
    const auto sum_by_row = [&](const std::vector<std::string>& paths) {
        Numbers sums(cycles.size());
        for (const std::string& owner : owned.owners) {
            std::map<std::string, Numbers> of_path;
            for (const std::string& path : paths) {
                const std::string plain = path[0] == '-' ? path.substr(1) : path;
                of_path[plain] = columns.of("counters", owner.empty() ? plain : fmt::format("{}.{}", owner, plain));
            }
            for (std::size_t row = 0; row < sums.size(); ++row) {
                const auto one = sum_of(paths, [&](const std::string& path) { return of_path.at(path)[row]; });
                if (one) sums[row] = sums[row].value_or(0.0) + *one;
            }
        }
        return sums;
    };
    const Numbers part = sum_by_row(ratio.part);
    const Numbers whole = ratio.per == RatioPer::ns      ? ns
                          : ratio.per == RatioPer::cycle ? cycles
                                                         : sum_by_row(ratio.whole);
    Numbers values(part.size());
    for (std::size_t row = 0; row < part.size(); ++row) values[row] = value_of(ratio, part[row], whole[row]);
    return values;
}

/// The figures in their order.
class FigureList {
  public:
    FigureList(const ordered_json& results, const KernelGroups* groups)
        : ratios_(ratios_of(results)), columns_(results.at("kernels"), groups) {
        cycles_ = columns_.of("rows", "cycles");
        ns_ = scaled(cycles_, time_ns(1, results.at("configuration").at("clock_khz").get<std::uint64_t>()));
    }

    std::vector<KernelFigure> make() {
        const auto count = [&](const std::vector<std::string>& paths) { return columns_.sockets("counters", paths); };
        put("warp_instructions", "instructions", "Warp instructions issued by all SMs.", true,
            columns_.of("counters", "system.warp_instructions"));
        for (const char* name :
             {"ipc", "l1.hit_rate", "l2.hit_rate", "l2.merged_share", "l2.miss_rate", "remote_share"})
            put_ratio(name);
        put("memory_bytes", "B", "Bytes read and written by all memories.", true,
            count({"memory.read_bytes", "memory.write_bytes"}));
        put_ratio("memory.gbps");
        put("link_bytes", "B", "Bytes sent by all sockets.", true, count({"link.out.bytes"}));
        put_ratio("link.gbps");
        put("link_energy_pj", "pJ", "Energy of what was sent, over two links and the switch.", false,
            columns_.of("values", "system.link_energy_pj"));
        put_ratio("load_latency_ns");
        const Numbers p99 = columns_.grouped() ? Numbers(cycles_.size())
                                               : columns_.sockets("values", both_kinds("load_latency", {"p99_ps"}),
                                                                  [](double a, double b) { return std::max(a, b); });
        put("load_p99_ns", "ns", "99th percentile of the load latency in the socket where it is longest; of kernels.",
            false, scaled(p99, 1e-3));
        put("faults", "faults", "Page faults.", true, count({"mmu.faults"}));
        for (const OwnedRatio& owned : ratios_)
            if (!has(owned.ratio.figure())) put_ratio(owned.ratio.name);
        return std::move(figures_);
    }

  private:
    void put(const std::string& name, const std::string& unit, const std::string& doc, bool whole,
             const Numbers& values) {
        KernelFigure& figure = figures_.emplace_back(KernelFigure{name, unit, doc, false, {}});
        for (const std::optional<double>& value : values)
            figure.values.push_back(!value  ? ordered_json()
                                    : whole ? ordered_json(static_cast<std::uint64_t>(*value))
                                            : ordered_json(*value));
    }
    /// With `name` registered by nobody it has no values.
    void put_ratio(const std::string& name) {
        const OwnedRatio* const owned = find_ratio(ratios_, name);
        if (owned == nullptr) return put(Ratio{name, {}, {}, "", ""}.figure(), "", "", false, Numbers(cycles_.size()));
        put(owned->ratio.figure(), owned->ratio.unit, owned->ratio.doc, false,
            values_by_row(*owned, columns_, cycles_, ns_));
        figures_.back().detail = is_detail(ratios_, owned->ratio);
    }
    bool has(const std::string& name) const {
        return std::any_of(figures_.begin(), figures_.end(), [&](const KernelFigure& f) { return f.name == name; });
    }

    std::vector<OwnedRatio> ratios_;
    KernelColumns columns_;
    Numbers cycles_, ns_;
    std::vector<KernelFigure> figures_;
};

} // namespace

std::vector<KernelFigure> kernel_figures(const ordered_json& results) { return FigureList(results, nullptr).make(); }

std::vector<KernelFigure> kernel_figures(const ordered_json& results, const KernelGroups& groups) {
    return FigureList(results, &groups).make();
}

} // namespace numavp

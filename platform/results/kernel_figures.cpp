#include "platform/results/kernel_figures.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
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

Numbers quotient(const Numbers& part, const Numbers& whole, double factor = 1.0) {
    Numbers out(part.size());
    for (std::size_t row = 0; row < part.size(); ++row)
        if (part[row] && whole[row] && *whole[row] > 0.0) out[row] = *part[row] / *whole[row] * factor;
    return out;
}

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

std::vector<KernelFigure> figures_of(const KernelColumns& columns, std::uint64_t clock_khz) {
    std::vector<KernelFigure> figures;
    const auto put = [&](const char* name, const char* unit, const char* doc, bool whole, const Numbers& values) {
        KernelFigure& figure = figures.emplace_back(KernelFigure{name, unit, doc, {}});
        for (const std::optional<double>& value : values)
            figure.values.push_back(!value  ? ordered_json()
                                    : whole ? ordered_json(static_cast<std::uint64_t>(*value))
                                            : ordered_json(*value));
    };
    const auto count = [&](const std::vector<std::string>& paths) { return columns.sockets("counters", paths); };
    const Numbers cycles = columns.of("rows", "cycles");
    const Numbers ns = scaled(cycles, time_ns(1, clock_khz));
    const Numbers instructions = columns.of("counters", "system.warp_instructions");
    put("warp_instructions", "instructions", "Issued by all SMs.", true, instructions);
    put("ipc", "", "Warp instructions a cycle of the row.", false, quotient(instructions, cycles));
    put("l1_hit_rate", "", "Of load lines looked up.", false, quotient(count({"l1.hits"}), count({"l1.load_lines"})));
    const auto of_l2 = [&](const std::vector<std::string>& names) {
        std::vector<std::string> paths = both_kinds("l2", names);
        for (const std::string& name : names) paths.push_back("l2.incoming." + name);
        return count(paths);
    };
    put("l2_hit_rate", "", "Of the reads that L2s served.", false,
        quotient(of_l2({"hits"}), of_l2({"hits", "misses", "merged"})));
    put("remote_share", "", "Of the loads that missed L1, those to other sockets.", false,
        quotient(count({"l1.misses_remote"}), count({"l1.misses_local", "l1.misses_remote"})));
    const Numbers memory = count({"memory.read_bytes", "memory.write_bytes"}), link = count({"link.out.bytes"});
    put("memory_bytes", "B", "Read and written by all memories.", true, memory);
    put("memory_gbps", "GB/s", "The same in the row's time.", false, quotient(memory, ns));
    put("link_bytes", "B", "Sent by all sockets.", true, link);
    put("link_gbps", "GB/s", "The same in the row's time.", false, quotient(link, ns));
    put("link_energy_pj", "pJ", "Of what was sent, over two links and the switch.", false,
        columns.of("values", "system.link_energy_pj"));
    put("load_latency_ns", "ns", "Mean of load lines that left an SM.", false,
        quotient(count(both_kinds("load_latency", {"total_ps"})), count(both_kinds("load_latency", {"loads"})), 1e-3));
    const Numbers p99 = columns.grouped() ? Numbers(cycles.size())
                                          : columns.sockets("values", both_kinds("load_latency", {"p99_ps"}),
                                                            [](double a, double b) { return std::max(a, b); });
    put("load_p99_ns", "ns", "99 % are at most this long, in the socket where it is longest; of kernels.", false,
        scaled(p99, 1e-3));
    put("faults", "faults", "Page faults.", true, count({"mmu.faults"}));
    return figures;
}

} // namespace

std::vector<KernelFigure> kernel_figures(const ordered_json& kernels, std::uint64_t clock_khz) {
    return figures_of(KernelColumns(kernels, nullptr), clock_khz);
}

std::vector<KernelFigure> kernel_figures(const ordered_json& kernels, std::uint64_t clock_khz,
                                         const KernelGroups& groups) {
    return figures_of(KernelColumns(kernels, &groups), clock_khz);
}

} // namespace numavp

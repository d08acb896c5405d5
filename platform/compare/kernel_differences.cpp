#include "platform/compare/kernel_differences.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "platform/results/kernel_figures.h"

namespace numavp {
namespace {

using KernelKey = std::pair<std::string, std::string>; ///< kind, and what tells rows of a kind apart

std::string text_at(const ordered_json& rows, const char* column, std::size_t row) {
    const ordered_json& value = rows.at(column).at(row);
    return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

KernelKey key_of(const ordered_json& rows, std::size_t row) {
    return {text_at(rows, "kind", row),
            fmt::format("{}\n{}\n{}\n{}", text_at(rows, "launch", row), text_at(rows, "of", row),
                        text_at(rows, "streams", row), text_at(rows, "name", row))};
}

/// The rows of all runs, in the order of the first that has them.
class KernelMatcher {
  public:
    explicit KernelMatcher(std::size_t runs) : runs_(runs) {}

    void add(std::size_t run, const ordered_json& results) {
        const auto kernels = results.find("kernels");
        if (kernels == results.end()) return;
        const ordered_json& rows = kernels->at("rows");
        const std::vector<KernelFigure> figures = kernel_figures(results);
        for (std::size_t row = 0; row < rows.at("cycles").size(); ++row) {
            KernelDifference& into = place(rows, row);
            add_number(into, 0, run, {"cycles", "cycles", "Of the row."}, rows.at("cycles").at(row));
            for (std::size_t f = 0; f < figures.size(); ++f) {
                const KernelFigure& figure = figures[f];
                const bool share = figure.unit.empty();
                const std::string unit = share ? "%" : figure.unit;
                ordered_json value = figure.values[row];
                if (share && value.is_number()) value = 100.0 * value.get<double>();
                add_number(into, f + 1, run, {figure.name, unit, figure.doc}, value);
            }
        }
    }
    std::vector<KernelDifference>& all() { return all_; }

  private:
    struct Said {
        std::string name, unit, doc;
    };
    KernelDifference& place(const ordered_json& rows, std::size_t row) {
        const auto [found, fresh] = index_.emplace(key_of(rows, row), all_.size());
        if (fresh) {
            KernelDifference made;
            made.kind = text_at(rows, "kind", row);
            made.name = text_at(rows, "name", row);
            if (const ordered_json& launch = rows.at("launch").at(row); launch.is_number())
                made.launch = launch.get<std::uint64_t>();
            all_.push_back(std::move(made));
        }
        return all_[found->second];
    }
    void add_number(KernelDifference& into, std::size_t at, std::size_t run, const Said& said,
                    const ordered_json& value) const {
        if (at == into.numbers.size())
            into.numbers.push_back({said.name, said.unit, said.doc, "", std::vector<std::optional<double>>(runs_)});
        if (value.is_number()) into.numbers[at].values[run] = value.get<double>();
    }

    std::size_t runs_;
    std::map<KernelKey, std::size_t> index_;
    std::vector<KernelDifference> all_;
};

/// What differs most besides the cycles, and how much they do.
void judge(KernelDifference& kernel) {
    double most = 0.0;
    for (std::size_t i = 0; i < kernel.numbers.size(); ++i) {
        NumberDifference& number = kernel.numbers[i];
        const std::optional<double>& first = number.values.front();
        // Of a share the points: from 0 to 0.04 % is little.
        const auto size = [&](double a, double b) {
            return number.unit == "%" ? std::abs(b - a) / 100.0 : size_of_change(a, b, false);
        };
        for (const std::optional<double>& value : number.values)
            if (first && value) number.size = std::max(number.size, size(*first, *value));
        if (i == 0 || number.size <= most) continue;
        most = number.size;
        kernel.most = i;
    }
    const NumberDifference& cycles = kernel.numbers.front();
    const double first = cycles.values.front().value_or(0.0);
    for (const std::optional<double>& value : cycles.values)
        kernel.cycles_apart = std::max(kernel.cycles_apart, std::abs(value.value_or(0.0) - first));
}

} // namespace

bool KernelDifference::differs() const {
    return std::any_of(numbers.begin(), numbers.end(), [](const NumberDifference& n) { return n.differs(); });
}

std::vector<KernelDifference> kernel_differences(const std::vector<ComparedRun>& runs) {
    KernelMatcher matcher(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) matcher.add(r, runs[r].results);
    std::vector<KernelDifference> all = std::move(matcher.all());
    for (KernelDifference& kernel : all) judge(kernel);
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.cycles_apart > b.cycles_apart; });
    return all;
}

} // namespace numavp

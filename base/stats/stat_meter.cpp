#include "base/stats/stat_meter.h"

#include <algorithm>
#include <cmath>

namespace numavp {

namespace {
using Integer = std::function<std::uint64_t()>;
using Real = std::function<double()>;
} // namespace

StatMeter::StatMeter(const StatGroup& stats) {
    stats.visit([this](const std::string& path, Growth growth, const Source& source) { add(path, growth, source); });
    counts_before_.resize(counts_.size());
    reals_before_.resize(reals_.size());
    histograms_before_.resize(histograms_.size());
}

void StatMeter::add(const std::string& path, Growth growth, const Source& source) {
    if (growth == Growth::whole) return;
    const auto figure_at = [&](const std::string& name, const Histogram& values, HistogramFigure figure) {
        if (is_sum(figure)) {
            count_paths_.push_back(name);
            counts_.push_back({&source, figure});
        } else {
            value_paths_.push_back(name);
            values_.push_back({nullptr, histogram(values), figure});
        }
    };
    if (const auto* values = std::get_if<const Histogram*>(&source)) {
        for (unsigned i = 0; i < kHistogramFigures; ++i) {
            const auto figure = static_cast<HistogramFigure>(i);
            figure_at(path + "." + name_of(figure), **values, figure);
        }
    } else if (const auto* one = std::get_if<StatGroup::OneFigure>(&source)) {
        figure_at(path, *one->values, one->figure);
    } else if (growth == Growth::level) {
        value_paths_.push_back(path);
        values_.push_back({&source, 0, HistogramFigure::count});
    } else if (const auto* real = std::get_if<Real>(&source)) {
        real_paths_.push_back(path);
        reals_.push_back(real);
    } else {
        count_paths_.push_back(path);
        counts_.push_back({&source, HistogramFigure::count});
    }
}

std::size_t StatMeter::histogram(const Histogram& values) {
    const auto known = std::find(histograms_.rbegin(), histograms_.rend(), &values);
    if (known != histograms_.rend()) return static_cast<std::size_t>(histograms_.rend() - known) - 1;
    histograms_.push_back(&values);
    return histograms_.size() - 1;
}

std::uint64_t StatMeter::read(const Count& count) {
    const Source& source = *count.source;
    if (const auto* counter = std::get_if<const std::uint64_t*>(&source)) return **counter;
    if (const auto* integer = std::get_if<Integer>(&source)) return (*integer)();
    if (const auto* values = std::get_if<const Histogram*>(&source)) return figure_of(**values, count.figure);
    if (const auto* one = std::get_if<StatGroup::OneFigure>(&source)) return figure_of(*one->values, one->figure);
    std::uint64_t sum = 0;
    for (const std::uint64_t* part : std::get<StatGroup::Parts>(source)) sum += *part;
    return sum;
}

void StatMeter::take(StatShare& share) {
    share.counts.resize(counts_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        const std::uint64_t now = read(counts_[i]);
        share.counts[i] += now - counts_before_[i];
        counts_before_[i] = now;
    }
    share.reals.resize(reals_.size());
    for (std::size_t i = 0; i < reals_.size(); ++i) {
        const double now = (*reals_[i])();
        share.reals[i] += now - reals_before_[i];
        reals_before_[i] = now;
    }
    if (share.detailed) share.histograms.resize(histograms_.size());
    for (std::size_t i = 0; i < histograms_.size(); ++i) {
        const Histogram& now = *histograms_[i];
        if (now.count() == histograms_before_[i].count()) continue;
        if (share.detailed) share.histograms[i].merge(now.since(histograms_before_[i]));
        histograms_before_[i] = now;
    }
}

StatShare StatMeter::taken(const StatShare& share) const {
    StatShare now;
    now.counts = share.counts;
    now.reals = share.reals;
    now.counts.resize(counts_.size());
    now.reals.resize(reals_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) now.counts[i] += read(counts_[i]) - counts_before_[i];
    for (std::size_t i = 0; i < reals_.size(); ++i) now.reals[i] += (*reals_[i])() - reals_before_[i];
    return now;
}

std::vector<StatValue> StatMeter::values(const StatShare& share) const {
    std::vector<StatValue> out(values_.size());
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const Value& value = values_[i];
        if (value.source != nullptr) {
            const auto* real = std::get_if<Real>(value.source);
            if (real == nullptr)
                out[i] = read({value.source, value.figure});
            else if (const double now = (*real)(); std::isfinite(now))
                out[i] = now;
        } else if (value.histogram < share.histograms.size() && share.histograms[value.histogram].count() != 0) {
            const Histogram& values = share.histograms[value.histogram];
            if (value.figure == HistogramFigure::mean)
                out[i] = mean_of(values);
            else
                out[i] = figure_of(values, value.figure);
        }
    }
    return out;
}

} // namespace numavp

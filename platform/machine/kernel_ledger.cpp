#include "platform/machine/kernel_ledger.h"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/values/json_members.h"

namespace numavp {

KernelLedger::KernelLedger(const StatGroup& stats, std::size_t rows)
    : meter_(stats), limit_(std::clamp(kMostNumbers / std::max<std::size_t>(1, meter_.count_paths().size()), kLeastRows,
                                       std::max(kLeastRows, rows))) {
    add_row(Kind::outside, "outside kernels");
}

std::size_t KernelLedger::add_row(Kind kind, std::string name) {
    Row& row = rows_.emplace_back();
    row.kind = kind;
    row.record.name = std::move(name);
    row.share.detailed = kind == Kind::kernel;
    return rows_.size() - 1;
}

// --- which row

std::size_t KernelLedger::kernel_row(const LaunchRecord& record) {
    if (kernels_ < limit_ / 2) {
        ++kernels_;
        Row& row = rows_[add_row(Kind::kernel, record.name)];
        row.record = record;
        row.of = std::to_string(record.number);
        row.streams = std::to_string(record.stream);
        row.launches = 1;
        return rows_.size() - 1;
    }
    std::pair<std::string, std::uint64_t> key(record.name, record.stream);
    auto found = folded_.find(key);
    const bool last = found == folded_.end() && folded_.size() + 1 >= limit_ / 4;
    if (last) found = folded_.find(key = {}); // no kernel is without a name
    if (found == folded_.end()) {
        const std::size_t row = add_row(Kind::folded, last ? "further kernels" : record.name);
        if (!last) rows_[row].streams = std::to_string(record.stream);
        found = folded_.emplace(std::move(key), row).first;
    }
    ++rows_[found->second].launches;
    return found->second;
}

std::size_t KernelLedger::overlap_row() {
    std::string of, name;
    std::set<std::uint64_t> streams;
    for (const auto& [number, active] : active_) {
        of += (of.empty() ? "" : "+") + std::to_string(number);
        name += fmt::format("{}{} {}", name.empty() ? "" : " + ", number, active.record.name);
        streams.insert(active.record.stream);
    }
    auto found = overlaps_.find(of);
    const bool last = found == overlaps_.end() && overlaps_.size() + 1 >= limit_ / 4;
    if (last) found = overlaps_.find("");
    if (found != overlaps_.end()) return found->second;
    Row& row = rows_[add_row(Kind::overlap, last ? "further kernels side by side" : name)];
    if (!last) {
        row.of = of;
        row.streams = fmt::format("{}", fmt::join(streams, "+"));
        row.launches = active_.size();
    }
    overlaps_.emplace(last ? "" : of, rows_.size() - 1);
    return rows_.size() - 1;
}

std::size_t KernelLedger::row_of_now() {
    if (std::all_of(active_.begin(), active_.end(), [](const auto& a) { return a.second.flushing; })) return 0;
    return active_.size() == 1 ? active_.begin()->second.row : overlap_row();
}

// --- what happens

void KernelLedger::charge(Cycle now) {
    Row& row = rows_[now_];
    row.cycles += now - since_;
    meter_.take(row.share);
    since_ = now;
}

void KernelLedger::change(Cycle now) {
    const std::size_t next = row_of_now();
    if (next == now_) return;
    charge(now);
    now_ = next;
}

void KernelLedger::started(const LaunchRecord& record, Cycle now) {
    active_[record.number] = {record, kernel_row(record), false};
    change(now);
}

void KernelLedger::close(Row& row, const LaunchRecord& record) {
    row.record = record;
    row.values = meter_.values(row.share);
    row.share.histograms = {};
    row.closed = true;
}

void KernelLedger::drained(const LaunchRecord& record, Cycle now) {
    Active& active = active_.at(record.number);
    active.flushing = true;
    change(now);
    if (Row& row = rows_[active.row]; row.kind == Kind::kernel) close(row, record);
}

void KernelLedger::flushed(const LaunchRecord& record, Cycle now) {
    const auto active = active_.find(record.number);
    if (Row& row = rows_[active->second.row]; row.kind == Kind::kernel) row.record = record;
    active_.erase(active);
    change(now);
}

// --- the file

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const StatValue& value) {
    if (const auto* integer = std::get_if<std::uint64_t>(&value)) return *integer;
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return {};
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

} // namespace

/// Kernels by number, then folded ones, kernels side by side as they came, and what is outside.
/// `now` stands for the row of the time that goes on.
std::vector<const KernelLedger::Row*> KernelLedger::in_order(const Row& now) const {
    std::vector<const Row*> rows;
    for (const Row& each : rows_) {
        const Row& row = &each == &rows_[now_] ? now : each;
        const bool nothing =
            std::all_of(row.share.counts.begin(), row.share.counts.end(), [](auto n) { return n == 0; });
        if (row.kind != Kind::overlap || row.cycles != 0 || !nothing) rows.push_back(&row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row* a, const Row* b) {
        return std::tie(a->kind, a->record.number) < std::tie(b->kind, b->record.number);
    });
    return rows;
}

namespace {

/// A list with what `of` says of each row.
template <class Rows, class Of> Json column_of(const Rows& rows, Of of) {
    Json values = Json::array();
    for (const auto* row : rows) values.push_back(of(*row));
    return values;
}

} // namespace

/// What each row is.
Json KernelLedger::said_of(const std::vector<const Row*>& rows) {
    const auto column = [&rows](auto of) { return column_of(rows, of); };
    const auto cycle = [&](auto member) {
        return column([member](const Row& row) {
            const bool known = row.kind == Kind::kernel && (row.closed || row.record.*member != 0);
            return known ? Json(row.record.*member) : Json();
        });
    };
    constexpr const char* kKinds[] = {"kernel", "folded", "overlap", "outside"};
    Json said;
    said["kind"] = column([&](const Row& row) { return kKinds[static_cast<unsigned>(row.kind)]; });
    said["name"] = column([](const Row& row) { return row.record.name; });
    said["launch"] = column([](const Row& r) { return r.kind == Kind::kernel ? Json(r.record.number) : Json(); });
    said["launches"] = column([](const Row& row) { return row.launches; });
    said["of"] = column([](const Row& row) { return text_or_null(row.of); });
    said["streams"] = column([](const Row& row) { return text_or_null(row.streams); });
    said["launched"] = cycle(&LaunchRecord::launched);
    said["started"] = cycle(&LaunchRecord::started);
    said["ended"] = cycle(&LaunchRecord::ended);
    said["flushed"] = cycle(&LaunchRecord::flushed);
    said["cycles"] = column([](const Row& row) { return row.cycles; });
    return said;
}

Json KernelLedger::json(Cycle end) const {
    Row now = rows_[now_];
    now.cycles += std::max(end, since_) - since_;
    now.share = meter_.taken(now.share);
    const std::vector<const Row*> rows = in_order(now);
    Json out = {{"rows", said_of(rows)}, {"counters", Json::object()}, {"values", Json::object()}};
    const auto fill = [&rows](Json& part, const std::vector<std::string>& paths, auto of) {
        for (std::size_t i = 0; i < paths.size(); ++i)
            append_member(part, paths[i], column_of(rows, [&of, i](const Row& row) { return of(row, i); }));
    };
    fill(out["counters"], meter_.count_paths(),
         [](const Row& row, std::size_t i) { return row.share.counts.empty() ? 0 : row.share.counts[i]; });
    fill(out["values"], meter_.real_paths(),
         [](const Row& row, std::size_t i) { return row.share.reals.empty() ? 0.0 : row.share.reals[i]; });
    fill(out["values"], meter_.value_paths(),
         [](const Row& row, std::size_t i) { return row.values.empty() ? Json() : json_of(row.values[i]); });
    return out;
}

} // namespace numavp

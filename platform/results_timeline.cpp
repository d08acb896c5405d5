#include "platform/results_timeline.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "platform/results.h"

namespace numavp {
namespace {

/// Spans of one thread of a trace may not overlap: each gets the first row that is free when it begins.
class Rows {
  public:
    unsigned place(Cycle begin, Cycle end) {
        std::size_t row = 0;
        while (row < busy_until_.size() && busy_until_[row] > begin) ++row;
        if (row == busy_until_.size()) busy_until_.push_back(0);
        busy_until_[row] = end;
        return static_cast<unsigned>(row);
    }
    std::size_t size() const { return busy_until_.size(); }

  private:
    std::vector<Cycle> busy_until_;
};

class Writer {
  public:
    explicit Writer(std::uint64_t clock_khz) : clock_khz_(clock_khz) {}

    double us(Cycle cycle) const { return time_ns(cycle, clock_khz_) / 1e3; }

    void process(int pid, const std::string& name) {
        events_.push_back({{"ph", "M"}, {"pid", pid}, {"name", "process_name"}, {"args", {{"name", name}}}});
        events_.push_back({{"ph", "M"}, {"pid", pid}, {"name", "process_sort_index"}, {"args", {{"sort_index", pid}}}});
    }
    void span(const TimelineEvent& event, int pid, int tid) {
        events_.push_back({{"ph", "X"},
                           {"pid", pid},
                           {"tid", tid},
                           {"ts", us(event.cycle)},
                           {"dur", us(event.end) - us(event.cycle)},
                           {"cat", event.what},
                           {"name", event.what == "kernel" ? event.detail : event.what + " " + event.detail},
                           {"args", {{"cycle", event.cycle}, {"cycles", event.end - event.cycle}}}});
    }
    void instant(const TimelineEvent& event, int pid, int tid) {
        events_.push_back({{"ph", "i"},
                           {"pid", pid},
                           {"tid", tid},
                           {"ts", us(event.cycle)},
                           {"s", "t"},
                           {"cat", event.what},
                           {"name", event.what + ": " + event.detail},
                           {"args", {{"cycle", event.cycle}}}});
    }
    void thread(int pid, int tid, const std::string& name) {
        events_.push_back(
            {{"ph", "M"}, {"pid", pid}, {"tid", tid}, {"name", "thread_name"}, {"args", {{"name", name}}}});
    }
    void counter(int pid, const std::string& name, Cycle cycle, const std::string& unit, const ordered_json& value) {
        events_.push_back({{"ph", "C"}, {"pid", pid}, {"ts", us(cycle)}, {"name", name}, {"args", {{unit, value}}}});
    }
    ordered_json take() { return std::move(events_); }

  private:
    std::uint64_t clock_khz_;
    ordered_json events_ = ordered_json::array();
};

/// The system is process 1, socket n is n + 2.
int process_of(int socket) { return socket + 2; }

void write_events(Writer& out, const std::vector<TimelineEvent>& events) {
    std::vector<const TimelineEvent*> in_order;
    in_order.reserve(events.size());
    for (const TimelineEvent& event : events) in_order.push_back(&event);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const auto* a, const auto* b) { return a->cycle < b->cycle; });

    std::map<std::pair<int, std::string>, Rows> rows;
    std::map<std::pair<int, std::string>, int> base; ///< first thread of a kind, by process
    std::map<int, int> kinds;
    for (const TimelineEvent* event : in_order) {
        const int pid = process_of(event->socket);
        const std::pair<int, std::string> kind(pid, event->what);
        if (base.count(kind) == 0) base[kind] = 1 + 100 * kinds[pid]++;
        if (event->end <= event->cycle) {
            if (rows[kind].size() == 0) out.thread(pid, base[kind], event->what);
            rows[kind].place(event->cycle, event->cycle);
            out.instant(*event, pid, base[kind]);
            continue;
        }
        const std::size_t before = rows[kind].size();
        const int row = static_cast<int>(rows[kind].place(event->cycle, event->end));
        if (rows[kind].size() > before) out.thread(pid, base[kind] + row, event->what);
        out.span(*event, pid, base[kind] + row);
    }
}

/// A column of the time series as a counter of its socket: a level as it is, bytes as a bandwidth, other increases as
/// counts of the interval in which they came.
void write_counter(Writer& out, int pid, const std::string& name, const ordered_json& column,
                   const ordered_json& cycles) {
    const bool level = column.at("kind") == "level";
    const std::string unit = column.at("unit").get<std::string>();
    const bool bytes = !level && unit == "B";
    const ordered_json& values = column.at("values");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool same = i > 0 && i + 1 < values.size() && values[i] == values[i - 1];
        if (same && (level || values[i] == values[i + 1])) continue; // a counter keeps its value until the next one
        const Cycle end = cycles[i].get<Cycle>();
        const Cycle begin = i == 0 ? 0 : cycles[i - 1].get<Cycle>();
        const double ns = (out.us(end) - out.us(begin)) * 1e3;
        out.counter(pid, name, level ? end : begin, bytes ? "GB/s" : unit,
                    bytes ? ordered_json(values[i].get<double>() / ns) : values[i]);
    }
    if (!level && !values.empty()) out.counter(pid, name, cycles.back().get<Cycle>(), bytes ? "GB/s" : unit, 0);
}

void write_counters(Writer& out, const ordered_json& series) {
    for (const auto& [name, column] : series.at("columns").items()) {
        const std::size_t dot = name.find('.');
        if (name.compare(0, 6, "socket") != 0 || dot == std::string::npos) continue;
        const int pid = process_of(std::stoi(name.substr(6, dot - 6)));
        write_counter(out, pid, name.substr(dot + 1), column, series.at("cycles"));
    }
}

} // namespace

ordered_json timeline_json(const std::vector<TimelineEvent>& events, const ordered_json& series, unsigned sockets,
                           std::uint64_t clock_khz) {
    Writer out(clock_khz);
    out.process(process_of(-1), "system");
    for (int s = 0; s < static_cast<int>(sockets); ++s) out.process(process_of(s), "socket " + std::to_string(s));
    write_events(out, events);
    write_counters(out, series);
    return {{"displayTimeUnit", "ns"}, {"traceEvents", out.take()}};
}

} // namespace numavp

#include "platform/results/results_timeline.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "platform/results/kernel_figures.h"
#include "platform/results/results.h"

namespace numavp {
namespace {

/// Spans of one thread of a trace may not overlap: each gets the first row that is free when it begins.
class TimelineRows {
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

using ArgsOfLaunch = std::map<std::uint64_t, ordered_json>;

/// Figures of the kernels that have a row of their own: of the time in which nothing else ran.
ArgsOfLaunch args_of_kernels(const ordered_json& results) {
    ArgsOfLaunch args;
    if (results.is_null()) return args;
    const std::vector<KernelFigure> figures = kernel_figures(results);
    const ordered_json& rows = results.at("kernels").at("rows");
    for (std::size_t row = 0; row < rows.at("launch").size(); ++row) {
        if (rows.at("launch").at(row).is_null()) continue;
        ordered_json& own = args[rows.at("launch").at(row).get<std::uint64_t>()];
        own = {{"launch", rows.at("launch").at(row)},
               {"stream", rows.at("streams").at(row)},
               {"alone_cycles", rows.at("cycles").at(row)}};
        for (const KernelFigure& figure : figures) // none of a kernel that was never alone
            if (own["alone_cycles"] != 0 && !figure.detail && !figure.values[row].is_null())
                own[figure.name] = figure.values[row];
    }
    return args;
}

class Writer {
  public:
    Writer(std::uint64_t clock_khz, ArgsOfLaunch kernels) : clock_khz_(clock_khz), kernels_(std::move(kernels)) {}

    double us(Cycle cycle) const { return time_ns(cycle, clock_khz_) / 1e3; }

    void process(int pid, const std::string& name) {
        events_.push_back({{"ph", "M"}, {"pid", pid}, {"name", "process_name"}, {"args", {{"name", name}}}});
        events_.push_back({{"ph", "M"}, {"pid", pid}, {"name", "process_sort_index"}, {"args", {{"sort_index", pid}}}});
    }
    void span(const TimelineEvent& event, int pid, int tid) {
        ordered_json args = args_of(event);
        args["cycles"] = event.end - event.cycle;
        if (const auto kernel = kernels_.find(event.launch); kernel != kernels_.end()) args.update(kernel->second);
        events_.push_back({{"ph", "X"},
                           {"pid", pid},
                           {"tid", tid},
                           {"ts", us(event.cycle)},
                           {"dur", us(event.end) - us(event.cycle)},
                           {"cat", event.what},
                           {"name", event.what == "flush" ? "flush " + event.name : event.name},
                           {"args", std::move(args)}});
        if (event.flow != 0) arrow(event, pid, tid);
    }
    void instant(const TimelineEvent& event, int pid, int tid) {
        events_.push_back({{"ph", "i"},
                           {"pid", pid},
                           {"tid", tid},
                           {"ts", us(event.cycle)},
                           {"s", "t"},
                           {"cat", event.what},
                           {"name", event.what == "launch" ? "launch " + event.name : event.name},
                           {"args", args_of(event)}});
    }
    void thread(int pid, int tid, const std::string& name) {
        events_.push_back(
            {{"ph", "M"}, {"pid", pid}, {"tid", tid}, {"name", "thread_name"}, {"args", {{"name", name}}}});
    }
    void counter(int pid, const std::string& name, Cycle cycle, const std::string& unit, const ordered_json& value) {
        counters(pid, name, cycle, {{unit, value}});
    }
    /// Of several that viewers stack.
    void counters(int pid, const std::string& name, Cycle cycle, ordered_json values) {
        events_.push_back({{"ph", "C"}, {"pid", pid}, {"ts", us(cycle)}, {"name", name}, {"args", std::move(values)}});
    }
    /// Names first, then events by time; equal times keep their order.
    ordered_json take() {
        const auto time_of = [](const ordered_json& event) { return event.value("ts", -1.0); };
        std::stable_sort(events_.begin(), events_.end(),
                         [&](const auto& a, const auto& b) { return time_of(a) < time_of(b); });
        return std::move(events_);
    }

  private:
    static ordered_json args_of(const TimelineEvent& event) {
        ordered_json args = {{"cycle", event.cycle}};
        for (const auto& [name, value] : event.args)
            std::visit([&args, &key = name](const auto& plain) { args[key] = plain; }, value);
        return args;
    }
    /// The first span of a flow waits for the second: an arrow between spans that are both there.
    void arrow(const TimelineEvent& event, int pid, int tid) {
        ordered_json end = {{"ph", "s"},     {"pid", pid},       {"tid", tid},      {"ts", us(event.cycle)},
                            {"cat", "flow"}, {"name", "served"}, {"id", event.flow}};
        const auto first = arrows_.find(event.flow);
        if (first == arrows_.end()) {
            arrows_.emplace(event.flow, std::move(end));
            return;
        }
        events_.push_back(std::move(first->second));
        arrows_.erase(first);
        end["ph"] = "f";
        end["bp"] = "e"; // to the span around it, not to the next one
        events_.push_back(std::move(end));
    }

    std::uint64_t clock_khz_;
    ArgsOfLaunch kernels_; ///< arguments of spans
    std::vector<ordered_json> events_;
    std::map<std::uint64_t, ordered_json> arrows_; ///< their beginnings, by flow
};

/// The system is process 1, socket n is n + 2.
int process_of(int socket) { return socket + 2; }

void write_events(Writer& out, const std::vector<TimelineEvent>& events) {
    std::vector<const TimelineEvent*> in_order;
    in_order.reserve(events.size());
    for (const TimelineEvent& event : events) in_order.push_back(&event);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const auto* a, const auto* b) { return a->cycle < b->cycle; });

    std::map<std::pair<int, std::string>, TimelineRows> rows;
    std::map<std::pair<int, std::string>, int> base; ///< first thread of a kind, by process
    std::map<int, int> kinds;
    constexpr int kRows = 10000; // of a kind: more than spans at once, such as faults of a socket
    for (const TimelineEvent* event : in_order) {
        const int pid = process_of(event->socket);
        const std::pair<int, std::string> kind(pid, event->what);
        if (base.count(kind) == 0) base[kind] = 1 + kRows * kinds[pid]++;
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

/// Bytes that a direction of a link carried, as percent of what its lanes could: instead of the lane-cycles.
ordered_json use_of(const ordered_json& bytes, const ordered_json& lane_cycles, double lane_cycle_bytes) {
    ordered_json use = {{"kind", "increase"}, {"unit", "%"}, {"values", ordered_json::array()}};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const double room = lane_cycles[i].get<double>() * lane_cycle_bytes;
        use["values"].push_back(room > 0.0 ? 100.0 * bytes[i].get<double>() / room : 0.0);
    }
    return use;
}

/// Where the slots of a socket's schedulers went, as one counter with a part for each cause, and what follows from
/// them.
void write_slots_of(Writer& out, int socket, const ordered_json& slots) {
    const ordered_json &cycles = slots.at("series").at("cycles"), &columns = slots.at("series").at("columns");
    const double schedulers = slots.at("sockets").at(static_cast<std::size_t>(socket)).at("schedulers").get<double>();
    if (schedulers == 0.0) return; // no SMs
    std::vector<std::pair<std::string, const ordered_json*>> causes;
    const std::string prefix = "socket" + std::to_string(socket) + ".";
    for (const auto& [cause, ignored] : slots.at("causes").items()) {
        std::string path = prefix + "slots.";
        path += cause;
        causes.emplace_back(cause, &columns.at(path).at("values"));
    }
    const ordered_json& warps = columns.at(prefix + "warp_cycles").at("values");
    ordered_json before;
    for (std::size_t i = 0; i <= cycles.size(); ++i) { // the last: nothing from the end on
        const Cycle begin = i == 0 ? 0 : cycles[i - 1].get<Cycle>();
        const bool any = i < cycles.size() && cycles[i].get<Cycle>() > begin;
        double all = 0; // slots: whole numbers, so that the sum is exact
        for (const auto& [cause, values] : causes) all += any ? (*values)[i].get<double>() : 0.0;
        const double length = all > 0 ? all / schedulers : 1.0; // in cycles of the SMs' clock
        const auto mean = [&](const ordered_json& values) { return any ? values[i].get<double>() / length : 0.0; };
        ordered_json shares;
        for (const auto& [cause, values] : causes) shares[cause] = 100.0 * mean(*values) / schedulers;
        shares["warps"] = mean(warps);
        if (shares == before) continue;
        const int pid = process_of(socket);
        out.counter(pid, "warps", begin, "warps", mean(warps));
        out.counter(pid, "ipc", begin, "instructions a cycle", mean(*causes[0].second));
        before = shares;
        shares.erase("warps");
        out.counters(pid, "slots, %", begin, std::move(shares));
    }
}

/// The process of a column "socket<n>.<what>" or "host.<what>"; 0 if it has none.
int process_of_column(const std::string& name, unsigned sockets) {
    if (name.compare(0, 5, "host.") == 0) return process_of(static_cast<int>(sockets));
    return name.compare(0, 6, "socket") == 0 ? process_of(std::stoi(name.substr(6))) : 0;
}

void write_counters(Writer& out, const ordered_json& series, unsigned sockets, double lane_cycle_bytes) {
    const std::string lane_cycles = "_lane_cycles";
    const ordered_json& columns = series.at("columns");
    for (const auto& [name, column] : columns.items()) {
        const std::size_t dot = name.find('.');
        const int pid = dot == std::string::npos ? 0 : process_of_column(name, sockets);
        if (pid == 0) continue;
        const std::size_t tail = name.size() - std::min(name.size(), lane_cycles.size());
        const std::string direction = name.substr(0, tail);
        if (name.substr(tail) == lane_cycles && lane_cycle_bytes > 0.0 && columns.contains(direction + "_bytes"))
            write_counter(out, pid, direction.substr(dot + 1) + "_use",
                          use_of(columns.at(direction + "_bytes").at("values"), column.at("values"), lane_cycle_bytes),
                          series.at("cycles"));
        else
            write_counter(out, pid, name.substr(dot + 1), column, series.at("cycles"));
    }
}

} // namespace

ordered_json timeline_json(const std::vector<TimelineEvent>& events, const ordered_json& series,
                           const std::vector<std::string>& sockets, std::uint64_t clock_khz, double lane_gbps,
                           const ordered_json& results, const ordered_json& slots) {
    const auto count = static_cast<unsigned>(sockets.size());
    Writer out(clock_khz, args_of_kernels(results));
    out.process(process_of(-1), "system");
    for (unsigned s = 0; s < count; ++s) out.process(process_of(static_cast<int>(s)), sockets[s]);
    const int host = static_cast<int>(count);
    bool has_host = std::any_of(events.begin(), events.end(), [&](const auto& e) { return e.socket == host; });
    for (const auto& [name, column] : series.at("columns").items())
        has_host = has_host || process_of_column(name, count) == process_of(host);
    if (has_host) out.process(process_of(host), "host");
    write_events(out, events);
    write_counters(out, series, count, lane_gbps * 1e6 / static_cast<double>(clock_khz));
    for (unsigned s = 0; s < count && !slots.is_null(); ++s) write_slots_of(out, static_cast<int>(s), slots);
    return {{"displayTimeUnit", "ns"}, {"traceEvents", out.take()}};
}

} // namespace numavp

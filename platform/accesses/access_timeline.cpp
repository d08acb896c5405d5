#include "platform/accesses/access_timeline.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace numavp {
namespace {

constexpr double kPsPerUs = 1e6;
constexpr int kRowsOfAPlace = 1000; ///< that stand together

/// The module of a port: "socket0.noc" of "socket0.noc.egress_3".
std::string_view module_of(std::string_view place) { return place.substr(0, place.rfind('.')); }

/// The same for all modules of a kind: their last name without its number.
std::string kind_of(std::string_view module) {
    std::string name(module.substr(module.rfind('.') == std::string_view::npos ? 0 : module.rfind('.') + 1));
    while (!name.empty() && (name.back() == '_' || (name.back() >= '0' && name.back() <= '9'))) name.pop_back();
    return name;
}

/// Spans of one thread may not overlap: each gets the first row of its place that is free.
class PlaceRows {
  public:
    int row(std::uint64_t from_ps, std::uint64_t to_ps) {
        std::size_t row = 0;
        while (row < busy_until_.size() && busy_until_[row] > from_ps) ++row;
        if (row == busy_until_.size()) busy_until_.push_back(0);
        busy_until_[row] = to_ps;
        return static_cast<int>(row);
    }
    int size() const { return static_cast<int>(busy_until_.size()); }

  private:
    std::vector<std::uint64_t> busy_until_;
};

struct Span {
    const KeptAccess* access;
    std::size_t hop;
    const AccessHop& get() const { return access->hops[hop]; }
};

class AccessWriter {
  public:
    AccessWriter(ordered_json& events, int pid) : events_(events), pid_(pid) {}

    void span(const Span& span) {
        const AccessHop& hop = span.get();
        const FollowedAccess& access = span.access->access;
        const int tid = thread(hop);
        ordered_json args = {{"access", access.number}, {"port", hop.place}};
        add("X", tid, hop.from_ps, kind_of(module_of(hop.place)),
            {{"dur", static_cast<double>(hop.time_ps) / kPsPerUs}, {"args", args}});
        if (hop.wait_ps != 0) {
            if (hop.waited_access != 0) args["waited_access"] = hop.waited_access;
            add("X", tid, hop.from_ps, std::string(kWaitedNames.name(hop.waited)),
                {{"dur", static_cast<double>(hop.wait_ps) / kPsPerUs}, {"args", std::move(args)}});
        }
        if (span.access->hops.size() < 2) return;
        const bool last = span.hop + 1 == span.access->hops.size();
        ordered_json arrow = {{"id", access.number}};
        if (last) arrow["bp"] = "e"; // to the span around it, not to the next one
        add(span.hop == 0 ? "s" : last ? "f" : "t", tid, hop.from_ps, "access", arrow);
    }

  private:
    int thread(const AccessHop& hop) {
        const std::string module(module_of(hop.place));
        const auto number = static_cast<int>(places_.size());
        Place& place = places_.try_emplace(module, Place{number, {}, {}}).first->second;
        const auto row = static_cast<std::size_t>(place.rows.row(hop.from_ps, hop.from_ps + hop.time_ps));
        if (row == place.threads.size()) {
            place.threads.push_back(++threads_);
            const int behind = place.number * kRowsOfAPlace + static_cast<int>(row);
            const ordered_json event = {{"ph", "M"}, {"pid", pid_}, {"tid", threads_}};
            events_.push_back(event);
            events_.back().update({{"name", "thread_name"}, {"args", {{"name", module}}}});
            events_.push_back(event);
            events_.back().update({{"name", "thread_sort_index"}, {"args", {{"sort_index", behind}}}});
        }
        return place.threads[row];
    }
    void add(const char* phase, int tid, std::uint64_t ps, const std::string& name, const ordered_json& more) {
        ordered_json event = {{"ph", phase},     {"pid", pid_},
                              {"tid", tid},      {"ts", static_cast<double>(ps) / kPsPerUs},
                              {"cat", "access"}, {"name", name}};
        event.update(more);
        events_.push_back(std::move(event));
    }

    struct Place {
        int number;
        PlaceRows rows;
        std::vector<int> threads; ///< of each row
    };
    ordered_json& events_;
    int pid_;
    std::map<std::string, Place> places_; ///< by module
    int threads_ = 0;
};

/// Times are looked up once for each event: a comparison that does so costs more than the run's log.
void sort_by_time(ordered_json& events) {
    std::vector<std::pair<double, std::size_t>> order; // of equal times in the order in which they are
    for (std::size_t i = 0; i < events.size(); ++i) order.emplace_back(events[i].value("ts", -1.0), i);
    std::sort(order.begin(), order.end());
    ordered_json sorted = ordered_json::array();
    for (const auto& [time, i] : order) sorted.push_back(std::move(events[i]));
    events = std::move(sorted);
}

} // namespace

void add_accesses(ordered_json& timeline, const std::vector<KeptAccess>& accesses, unsigned sockets) {
    if (accesses.empty()) return;
    const int pid = static_cast<int>(sockets) + 3; // behind the system, the sockets and the host
    ordered_json& events = timeline["traceEvents"];
    events.push_back({{"ph", "M"}, {"pid", pid}, {"name", "process_name"}, {"args", {{"name", "followed accesses"}}}});
    events.push_back({{"ph", "M"}, {"pid", pid}, {"name", "process_sort_index"}, {"args", {{"sort_index", pid}}}});
    std::vector<Span> spans;
    for (const KeptAccess& access : accesses)
        for (std::size_t hop = 0; hop < access.hops.size(); ++hop) spans.push_back({&access, hop});
    std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::make_pair(a.get().from_ps, a.access->access.number) <
               std::make_pair(b.get().from_ps, b.access->access.number);
    });
    AccessWriter writer(events, pid);
    for (const Span& span : spans) writer.span(span);
    sort_by_time(events);
}

} // namespace numavp

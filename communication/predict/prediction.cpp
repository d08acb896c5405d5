#include "communication/predict/prediction.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include <fmt/format.h>

namespace numavp {

namespace {

class GraphRun {
  public:
    explicit GraphRun(const JoinedGraph& joined)
        : joined_(joined), network_(joined.machine->graph().network()), wakes_(joined.steps.size()) {
        result_.steps.resize(joined.steps.size());
        for (const JoinedUnit& unit : joined.units) free_.push_back(unit.count);
        for (unsigned s = 0; s < joined.steps.size(); ++s) {
            left_.push_back(joined.waits[s].size());
            for (const unsigned before : joined.waits[s]) wakes_[before].push_back(s);
            if (left_[s] == 0) ready_.insert(s);
        }
    }
    Simulated run() {
        begin_ready(AppGraph::kNone);
        result_.ns = network_.run();
        for (unsigned at = last_; at != AppGraph::kNone; at = result_.steps[at].after) result_.critical.push_back(at);
        std::reverse(result_.critical.begin(), result_.critical.end());
        return std::move(result_);
    }

  private:
    void begin_ready(unsigned after) {
        for (auto at = ready_.begin(); at != ready_.end();) {
            const unsigned step = *at;
            const std::vector<unsigned>& units = joined_.steps[step].units;
            const bool can = std::all_of(units.begin(), units.end(), [this](unsigned unit) { return free_[unit] > 0; });
            at = can ? ready_.erase(at) : std::next(at);
            if (can) begin(step, after);
        }
    }
    void begin(unsigned step, unsigned after) {
        const JoinedStep& what = joined_.steps[step];
        for (const unsigned unit : what.units) --free_[unit];
        result_.steps[step] = {network_.now_ns(), 0, after};
        const auto done = [this, step] { end(step); };
        if (what.copies)
            start_copy(network_, what.plan, what.bytes, done);
        else
            network_.after(what.alone_ns, done);
    }
    void end(unsigned step) {
        result_.steps[step].end_ns = network_.now_ns();
        last_ = step;
        for (const unsigned unit : joined_.steps[step].units) ++free_[unit];
        for (const unsigned next : wakes_[step])
            if (--left_[next] == 0) ready_.insert(next);
        begin_ready(step);
    }

    const JoinedGraph& joined_;
    FluidNetwork network_;
    std::vector<std::vector<unsigned>> wakes_;
    std::vector<std::size_t> left_;
    std::vector<unsigned> free_;
    std::set<unsigned> ready_;
    unsigned last_ = AppGraph::kNone;
    Simulated result_;
};

/// Load of a step on a link or a unit, in ns: it begins after `head` at the earliest, and `tail` follows it.
struct Load {
    double head = 0, ns = 0, tail = 0;
};

/// The bound of one resource: the largest over the sets of loads that begin late, and of those that end early.
double bound_of(std::vector<Load> loads) {
    double best = 0;
    for (const bool by_head : {true, false}) {
        std::sort(loads.begin(), loads.end(),
                  [by_head](const Load& a, const Load& b) { return by_head ? a.head > b.head : a.tail > b.tail; });
        double sum = 0, other = -1;
        for (const Load& load : loads) {
            sum += load.ns;
            const double its = by_head ? load.tail : load.head;
            other = other < 0 ? its : std::min(other, its);
            best = std::max(best, sum + other + (by_head ? load.head : load.tail));
        }
    }
    return best;
}

struct Paths {
    std::vector<double> head, tail; ///< before a step begins, after it has ended
    std::vector<unsigned> by;       ///< the step that its head comes from
};

Paths paths_of(const JoinedGraph& joined, const std::vector<double>& ns) {
    const std::vector<unsigned> order = joined.graph.order();
    const std::size_t count = joined.steps.size();
    Paths paths{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0),
                std::vector<unsigned>(count, AppGraph::kNone)};
    for (const unsigned step : order)
        for (const unsigned before : joined.waits[step])
            if (const double at = paths.head[before] + ns[before];
                at > paths.head[step] || paths.by[step] == AppGraph::kNone) {
                paths.head[step] = at;
                paths.by[step] = before;
            }
    for (auto step = order.rbegin(); step != order.rend(); ++step)
        for (const unsigned before : joined.waits[*step])
            paths.tail[before] = std::max(paths.tail[before], paths.tail[*step] + ns[*step]);
    return paths;
}

bool share_unit(const JoinedStep& a, const JoinedStep& b) {
    return std::any_of(a.units.begin(), a.units.end(), [&b](unsigned unit) {
        return std::find(b.units.begin(), b.units.end(), unit) != b.units.end();
    });
}

/// What steps take if each link has to carry, while a copy is under way, what others that no unit keeps apart from it
/// carry over it meanwhile, had all of them begun at `head` and taken `ns`.
std::vector<double> crowded(const JoinedGraph& joined, const std::vector<double>& head, const std::vector<double>& ns) {
    struct Copy {
        unsigned step = 0;
        double link_ns = 0;
    };
    std::vector<std::vector<Copy>> links(joined.machine->graph().links().size());
    for (unsigned s = 0; s < joined.steps.size(); ++s)
        for (const auto& [link, bytes] : joined.steps[s].link_bytes)
            links[link].push_back({s, joined.link_ns(link, bytes)});
    std::vector<double> all = ns;
    for (const std::vector<Copy>& link : links)
        for (const Copy& copy : link) {
            const unsigned s = copy.step;
            double sum = joined.steps[s].plan.before_ns + copy.link_ns + joined.steps[s].plan.after_ns;
            for (const Copy& other : link) {
                const unsigned o = other.step;
                if (o == s || share_unit(joined.steps[s], joined.steps[o])) continue;
                const double both = std::min(head[s] + ns[s], head[o] + ns[o]) - std::max(head[s], head[o]);
                if (both > 0) sum += other.link_ns * both / ns[o];
            }
            all[s] = std::max(all[s], sum);
        }
    return all;
}

/// When each step begins if it takes `ns`, and each unit takes its steps in the order in which they could begin.
std::vector<double> in_turn(const JoinedGraph& joined, const std::vector<double>& ns) {
    const std::size_t count = joined.steps.size();
    std::vector<std::vector<unsigned>> wakes(count);
    std::vector<std::size_t> left(count);
    std::vector<double> begin(count, 0.0);
    std::vector<std::multiset<double>> free; // when a place of each unit is
    for (const JoinedUnit& unit : joined.units) {
        free.emplace_back();
        for (unsigned i = 0; i < unit.count; ++i) free.back().insert(0.0);
    }
    std::set<std::pair<double, unsigned>> ready;
    for (unsigned s = 0; s < count; ++s) {
        left[s] = joined.waits[s].size();
        for (const unsigned before : joined.waits[s]) wakes[before].push_back(s);
        if (left[s] == 0) ready.insert({0.0, s});
    }
    while (!ready.empty()) {
        const unsigned step = ready.begin()->second;
        ready.erase(ready.begin());
        for (const unsigned unit : joined.steps[step].units) begin[step] = std::max(begin[step], *free[unit].begin());
        const double end = begin[step] + ns[step];
        for (const unsigned unit : joined.steps[step].units) {
            free[unit].erase(free[unit].begin());
            free[unit].insert(end);
        }
        for (const unsigned next : wakes[step]) {
            begin[next] = std::max(begin[next], end);
            if (--left[next] == 0) ready.insert({begin[next], next});
        }
    }
    return begin;
}

/// The end of the last step then. What is under way at once is found of steps that take their turn, too.
double turn_ns(const JoinedGraph& joined, const std::vector<double>& alone) {
    const std::vector<double> times = crowded(joined, in_turn(joined, alone), alone);
    const std::vector<double> begin = in_turn(joined, times);
    double end = 0;
    for (std::size_t s = 0; s < times.size(); ++s) end = std::max(end, begin[s] + times[s]);
    return end;
}

} // namespace

Simulated simulate_graph(const JoinedGraph& joined) { return GraphRun(joined).run(); }

ClosedForm closed_form(const JoinedGraph& joined) {
    std::vector<double> alone;
    for (const JoinedStep& step : joined.steps) alone.push_back(step.alone_ns);
    const Paths paths = paths_of(joined, alone);
    const std::vector<double> times = crowded(joined, paths.head, alone);
    const Paths crowded_paths = paths_of(joined, times);
    ClosedForm form;
    unsigned last = AppGraph::kNone;
    std::vector<std::vector<Load>> units(joined.units.size()), links(joined.machine->graph().links().size());
    for (unsigned s = 0; s < joined.steps.size(); ++s) {
        const JoinedStep& step = joined.steps[s];
        if (const double end = crowded_paths.head[s] + times[s]; end > form.path_ns || last == AppGraph::kNone) {
            form.path_ns = end;
            last = s;
        }
        for (const unsigned unit : step.units)
            units[unit].push_back({paths.head[s], step.alone_ns / joined.units[unit].count, paths.tail[s]});
        for (const auto& [link, bytes] : step.link_bytes)
            links[link].push_back(
                {paths.head[s] + step.plan.before_ns, joined.link_ns(link, bytes), paths.tail[s] + step.plan.after_ns});
    }
    for (; last != AppGraph::kNone; last = crowded_paths.by[last]) form.path.push_back(last);
    std::reverse(form.path.begin(), form.path.end());
    const auto take = [&form](double ns, const std::string& name) {
        if (ns <= form.load_ns) return;
        form.load_ns = ns;
        form.loaded = name;
    };
    for (unsigned u = 0; u < units.size(); ++u) take(bound_of(units[u]), joined.units[u].name);
    for (unsigned l = 0; l < links.size(); ++l) take(bound_of(links[l]), link_name(*joined.machine, l));
    form.turn_ns = turn_ns(joined, alone);
    form.ns = std::max({form.path_ns, form.load_ns, form.turn_ns});
    return form;
}

std::string reason_of(const JoinedGraph& joined, unsigned step, unsigned after) {
    if (after == AppGraph::kNone) return "";
    const AppGraph& graph = joined.graph;
    if (const AppStep& before = graph.steps[after]; before.kind == AppStepKind::copy && before.writes.empty())
        return "pages of " + graph.values[before.reads[0]].name;
    for (const unsigned value : graph.steps[step].reads) {
        const std::vector<unsigned>& written = graph.steps[after].writes;
        if (std::find(written.begin(), written.end(), value) != written.end())
            return "value " + graph.values[value].name;
    }
    if (!graph.steps[step].stream.empty() && graph.steps[step].stream == graph.steps[after].stream)
        return "stream " + graph.steps[step].stream;
    const std::vector<unsigned>& events = graph.steps[step].after;
    const bool moves = graph.steps[step].kind == AppStepKind::copy && graph.steps[step].writes.empty();
    if (std::find(events.begin(), events.end(), after) != events.end())
        return moves ? "pages of " + graph.values[graph.steps[step].reads[0]].name
                     : "event of " + graph.steps[after].name;
    for (const unsigned unit : joined.steps[step].units) {
        const std::vector<unsigned>& held = joined.steps[after].units;
        if (std::find(held.begin(), held.end(), unit) != held.end()) return joined.units[unit].name;
    }
    return "";
}

const std::string& where_of(const JoinedGraph& joined, unsigned step) {
    return joined.units[joined.steps[step].units[0]].name;
}

std::string_view time_source_word(const JoinedGraph& joined, unsigned step) {
    const AppStep& of = joined.graph.steps[step];
    if (of.kind == AppStepKind::copy) return "";
    return kAppTimeSources.name(joined.graph.time_source(step, of.place));
}

std::vector<unsigned> by_start(const Simulated& run) {
    std::vector<unsigned> all(run.steps.size());
    std::iota(all.begin(), all.end(), 0U);
    std::stable_sort(all.begin(), all.end(),
                     [&run](unsigned a, unsigned b) { return run.steps[a].start_ns < run.steps[b].start_ns; });
    return all;
}

std::string link_name(const HostMachine& machine, unsigned link) {
    const TransferLink& one = machine.graph().links()[link];
    const std::vector<TransferPart>& parts = machine.graph().parts();
    return fmt::format("{} {} to {}", one.kind, parts[one.from].name, parts[one.to].name);
}

} // namespace numavp

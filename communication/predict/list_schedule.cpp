#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "communication/predict/joined_graph.h"
#include "communication/predict/placement.h"

namespace numavp {

namespace {

/// One value that a step needs from another, copies between them left out.
struct Edge {
    unsigned from = AppGraph::kNone; ///< step; kNone: the value is given
    unsigned to = 0, value = 0;
};

class ListSchedule {
  public:
    ListSchedule(const AppGraph& graph, const HostMachine& machine)
        : graph_(graph), machine_(machine), writer_(graph.writers()), places_(places_of(graph)),
          leader_(leaders_of(graph)), ends_(graph.steps.size(), 0.0), rank_(graph.steps.size(), 0.0) {
        for (unsigned s = 0; s < graph.steps.size(); ++s)
            if (graph.steps[s].kind != AppStepKind::copy)
                for (const unsigned value : graph.steps[s].reads) {
                    const unsigned root = root_of(value);
                    edges_.push_back({writer_[root], s, root});
                }
    }

    std::vector<AppPlace> places() {
        find_ranks();
        std::vector<unsigned> order;
        for (const unsigned s : graph_.order())
            if (graph_.steps[s].kind != AppStepKind::copy) order.push_back(s);
        // Ranks fall along each edge; the order of the graph decides between equals, steps without time among them.
        std::stable_sort(order.begin(), order.end(), [this](unsigned a, unsigned b) { return rank_[a] > rank_[b]; });
        for (const unsigned s : order) place(s);
        return places_;
    }

  private:
    unsigned root_of(unsigned value) const {
        while (writer_[value] != AppGraph::kNone && graph_.steps[writer_[value]].kind == AppStepKind::copy)
            value = graph_.steps[writer_[value]].reads[0];
        return value;
    }
    const JoinedStep& copy(unsigned value, AppPlace from, AppPlace to) {
        const AppValue& what = graph_.values[value];
        const auto key = std::tuple{from, to, what.bytes, what.memory};
        auto found = copies_.find(key);
        if (found == copies_.end())
            found = copies_
                        .emplace(key, join_copy(machine_, {"", from, what.bytes, what.memory, false},
                                                {"", to, what.bytes, what.memory, false}))
                        .first;
        return found->second;
    }
    double copy_ns(unsigned value, AppPlace from, AppPlace to) {
        return from == to ? 0 : copy(value, from, to).alone_ns;
    }
    /// Between any two GPUs; from or to a CPU, of all GPUs.
    double mean_copy_ns(const Edge& edge) {
        std::vector<AppPlace> from = candidates(edge.from), to = candidates(edge.to);
        if (edge.from == AppGraph::kNone) from = {graph_.values[edge.value].place};
        double sum = 0;
        for (const AppPlace& a : from)
            for (const AppPlace& b : to) sum += copy_ns(edge.value, a, b);
        return sum / static_cast<double>(from.size() * to.size());
    }
    std::vector<AppPlace> candidates(unsigned step) const {
        if (step == AppGraph::kNone || graph_.steps[step].kind != AppStepKind::kernel)
            return {step == AppGraph::kNone ? AppPlace{} : graph_.steps[step].place};
        std::vector<AppPlace> all{graph_.steps[step].place}; // the first of equals is taken
        for (unsigned gpu = 0; gpu < machine_.gpus(); ++gpu)
            if (const AppPlace place{true, gpu}; place != all[0]) all.push_back(place);
        return all;
    }
    double mean_compute_ns(unsigned step) const {
        const std::vector<AppPlace> all = candidates(step);
        return std::accumulate(
                   all.begin(), all.end(), 0.0,
                   [this, step](double sum, AppPlace place) { return sum + graph_.compute_ns(step, place); }) /
               static_cast<double>(all.size());
    }
    void find_ranks() {
        const std::vector<unsigned> order = graph_.order();
        std::vector<std::vector<Edge>> behind(graph_.steps.size());
        std::vector<double> followers(graph_.steps.size(), 0.0); // their ranks
        for (const Edge& edge : edges_)
            if (edge.from != AppGraph::kNone) behind[edge.from].push_back(edge);
        for (auto step = order.rbegin(); step != order.rend(); ++step) {
            if (graph_.steps[*step].kind == AppStepKind::copy) continue;
            double longest = followers[*step];
            for (const Edge& edge : behind[*step]) longest = std::max(longest, mean_copy_ns(edge) + rank_[edge.to]);
            rank_[*step] = mean_compute_ns(*step) + longest;
            if (const unsigned leader = leader_[*step]; leader != AppGraph::kNone)
                followers[leader] = std::max(followers[leader], rank_[*step]);
        }
    }
    /// What is known of copies so far: when values arrive where they are needed, until when engines and threads copy.
    struct Copies {
        std::map<std::pair<unsigned, AppPlace>, double> arrivals;
        std::map<unsigned, double> units;
    };
    /// When a value is at a place.
    double arrival(const Edge& edge, AppPlace at, Copies& copies) {
        const bool given = edge.from == AppGraph::kNone;
        const AppPlace from = given ? graph_.values[edge.value].place : places_[edge.from];
        const double ready = given ? 0 : ends_[edge.from];
        if (from == at) return ready;
        const auto [found, fresh] = copies.arrivals.emplace(std::pair{edge.value, at}, ready);
        if (!fresh) return found->second;
        const JoinedStep& step = copy(edge.value, from, at);
        for (const unsigned unit : step.units) found->second = std::max(found->second, copies.units[unit]);
        found->second += step.alone_ns;
        for (const unsigned unit : step.units) copies.units[unit] = found->second;
        return found->second;
    }
    void place(unsigned step) {
        double best = -1;
        Copies best_copies;
        const unsigned leader = leader_[step];
        for (const AppPlace& at : leader == AppGraph::kNone ? candidates(step) : std::vector{places_[leader]}) {
            double begin = std::max(free_[at], leader == AppGraph::kNone ? 0 : ends_[leader]);
            Copies copies = copied_;
            for (const Edge& edge : edges_)
                if (edge.to == step) begin = std::max(begin, arrival(edge, at, copies));
            const double end = begin + graph_.compute_ns(step, at);
            if (best >= 0 && end >= best) continue;
            best = end;
            best_copies = std::move(copies);
            places_[step] = at;
        }
        copied_ = std::move(best_copies);
        ends_[step] = free_[places_[step]] = best;
    }

    const AppGraph& graph_;
    const HostMachine& machine_;
    std::vector<unsigned> writer_;
    std::vector<AppPlace> places_;
    std::vector<unsigned> leader_; ///< whose place a step takes
    std::vector<double> ends_, rank_;
    std::vector<Edge> edges_;
    std::map<AppPlace, double> free_;
    std::map<std::tuple<AppPlace, AppPlace, std::uint64_t, HostMemory>, JoinedStep> copies_;
    Copies copied_;
};

} // namespace

std::vector<unsigned> leaders_of(const AppGraph& graph) {
    std::vector<unsigned> leaders(graph.steps.size(), AppGraph::kNone);
    const std::vector<unsigned> before = graph.before_in_stream();
    for (unsigned s = 0; s < graph.steps.size(); ++s) {
        if (graph.steps[s].kind != AppStepKind::kernel || !graph.steps[s].reads.empty()) continue;
        unsigned at = before[s];
        while (at != AppGraph::kNone && graph.steps[at].kind != AppStepKind::kernel) at = before[at];
        if (at != AppGraph::kNone && graph.steps[at].place == graph.steps[s].place && graph.steps[at].writes.empty())
            leaders[s] = at;
    }
    return leaders;
}

std::vector<AppPlace> schedule_places(const AppGraph& graph, const HostMachine& machine) {
    return ListSchedule(graph, machine).places();
}

} // namespace numavp

#include "communication/predict/choose_places.h"

#include <limits>
#include <utility>

#include "base/values/error.h"
#include "communication/predict/placement.h"
#include "communication/predict/prediction.h"

namespace numavp {

namespace {

/// Infinite if a GPU's memory is too small for it.
double fitting_ns(const AppGraph& graph, const HostMachine& machine, const Place& place) {
    try {
        return simulate_graph(join_graph(graph, machine, place)).ns;
    } catch (const ConfigError&) {
        return std::numeric_limits<double>::infinity();
    }
}

} // namespace

std::vector<AppPlace> choose_places(const AppGraph& graph, const HostMachine& machine, const Place& place) {
    std::vector<std::vector<AppPlace>> candidates{schedule_places(graph, machine)};
    for (unsigned gpu = 0; gpu < machine.gpus(); ++gpu) {
        candidates.push_back(places_of(graph));
        for (std::size_t s = 0; s < graph.steps.size(); ++s)
            if (graph.steps[s].kind == AppStepKind::kernel) candidates.back()[s] = {true, gpu};
    }
    std::vector<AppPlace> best = places_of(graph);
    double best_ns = simulate_graph(join_graph(graph, machine, place)).ns;
    for (std::vector<AppPlace>& places : candidates) {
        const double ns = fitting_ns(place_steps(graph, places), machine, place);
        if (ns >= best_ns) continue;
        best = std::move(places);
        best_ns = ns;
    }
    return best;
}

} // namespace numavp

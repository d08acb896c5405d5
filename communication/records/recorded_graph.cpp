#include "communication/records/recorded_graph.h"

#include <utility>

#include <fmt/format.h>

namespace numavp {

unsigned add_value(AppGraph& graph, AppPlace place, std::uint64_t bytes, HostMemory memory, bool given,
                   const std::string& name) {
    const std::size_t number = graph.values.size();
    graph.values.push_back({name.empty() ? fmt::format("v{}", number + 1) : name, place, bytes, memory, given});
    return static_cast<unsigned>(number);
}

unsigned add_step(AppGraph& graph, AppStep step) {
    const std::size_t number = graph.steps.size();
    step.name = fmt::format("{} {}", step.name, number + 1);
    graph.steps.push_back(std::move(step));
    return static_cast<unsigned>(number);
}

} // namespace numavp

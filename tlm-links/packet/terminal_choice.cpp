#include "tlm-links/packet/terminal_choice.h"

#include "base/values/error.h"
#include "base/values/rng.h"
#include "base/values/types.h"

namespace numavp {

std::uint64_t line_hash(std::uint64_t line) { return mix64(line / kLineBytes); }

/// Draws with the low half of a hash: the high one is the key of order, by which virtual channels and ways are chosen.
unsigned TerminalChoice::drawn(const std::vector<unsigned>& terminals, const Line& line, unsigned divisor) const {
    if (terminals.size() == 1) return terminals.front();
    const auto draw = static_cast<std::uint32_t>(line.hash) / divisor;
    if (graph_.by_slice) {
        std::size_t number = line.slice;
        if (const std::size_t slices = graph_.slices; slices != 0 && slices < terminals.size())
            number += slices * (draw % (terminals.size() / slices));
        return terminals[number % terminals.size()];
    }
    return terminals[draw % terminals.size()];
}

TerminalChoice::TerminalChoice(const NetworkGraph& graph, const Routing& routing)
    : graph_(graph), entries_(graph.endpoints.size()) {
    std::vector<bool> receives(graph.routers.size(), false);
    for (const NetworkTerminal& t : graph.terminals) receives[t.router] = true;
    for (unsigned e = 0; e < graph.endpoints.size(); ++e) {
        if (graph.endpoints[e].terminals.size() == 1) continue;
        entries_[e].resize(graph.routers.size());
        for (unsigned router = 0; router < graph.routers.size(); ++router)
            if (receives[router]) entries_[e][router] = routing.entries(e, router);
    }
}

unsigned TerminalChoice::exit(unsigned endpoint, const Line& line) const {
    return drawn(graph_.endpoints[endpoint].exits(), line, 1);
}

unsigned TerminalChoice::entry(unsigned endpoint, unsigned target, const Line& line) const {
    const std::vector<unsigned>& own = graph_.endpoints[endpoint].terminals;
    if (own.size() == 1) return own.front();
    const NetworkTerminal& to = graph_.terminals[target];
    const auto others = static_cast<unsigned>(graph_.endpoints[to.endpoint].exits().size());
    const std::vector<unsigned>& ways = entries_[endpoint][to.router];
    if (ways.empty())
        throw ModelError("no terminal of " + graph_.endpoints[endpoint].name + " leads to " +
                         graph_.endpoints[to.endpoint].name);
    // What the exit has not drawn with, but where a slice has several terminals: those of its lines at both ends.
    return drawn(ways, line, graph_.by_slice ? 1 : others);
}

} // namespace numavp

/// The MOESI protocol of the host's L1s as a function: a line's next state in an L1, from its state and an event.
///
/// After Sweazey and Smith, "A class of compatible cache consistency protocols" (ISCA 1986). At most one L1 owns a
/// line, in E, O or M. A line in E or M has no other copy. The L2 has a line's bytes unless an L1 has it in M or O.
#pragma once

#include <cstdint>

namespace numavp {

enum class LineState : std::uint8_t { invalid, shared, exclusive, owned, modified };

enum class LineEvent : std::uint8_t {
    load,        ///< of this core
    store,       ///< of this core
    other_load,  ///< a load of another core has missed the line
    other_store, ///< another core has asked to write the line
    evict,       ///< this L1 needs the line's place, or the L2 evicts the line
    clean        ///< the line's bytes go to memory, and the line stays
};

struct LineStep {
    LineState next = LineState::invalid;
    bool asks = false;  ///< this core must ask the directory
    bool gives = false; ///< this L1 gives the bytes: to the core that asks, or to the L2
};

/// Returns the step of one L1. `others` is true if another L1 has the line; only a load that misses uses it.
constexpr LineStep moesi(LineState state, LineEvent event, bool others = false) {
    using S = LineState;
    const bool dirty = state == S::owned || state == S::modified;
    const bool owner = dirty || state == S::exclusive;
    switch (event) {
    case LineEvent::load:
        if (state == S::invalid) return {others ? S::shared : S::exclusive, true, false};
        return {state, false, false};
    case LineEvent::store: return {S::modified, state != S::modified && state != S::exclusive, false};
    case LineEvent::other_load:
        if (state == S::invalid) return {};
        return {dirty ? S::owned : S::shared, false, owner};
    case LineEvent::other_store: return {S::invalid, false, owner};
    case LineEvent::evict: return {S::invalid, false, dirty};
    case LineEvent::clean:
        if (!dirty) return {state, false, false};
        return {state == S::owned ? S::shared : S::exclusive, false, true};
    }
    return {};
}

} // namespace numavp

/// The MOESI protocol of the host's L1s as a function: what an event makes of a line's state in one of them.
///
/// After Sweazey and Smith, "A class of compatible cache consistency protocols" (ISCA 1986). Of a line at most one L1
/// is its owner, in E, O or M; E and M are the only copy; the L2 has the line's bytes unless an L1 has it in M or O.
#pragma once

#include <cstdint>

namespace numavp {

enum class LineState : std::uint8_t { invalid, shared, exclusive, owned, modified };

enum class LineEvent : std::uint8_t {
    load,        ///< of this core
    store,       ///< of this core
    other_load,  ///< another core has missed it with a load
    other_store, ///< another core has asked to write it
    evict,       ///< this L1 needs its place, or the L2 gives the line up
    clean        ///< its bytes go to memory, and it stays
};

struct LineStep {
    LineState next = LineState::invalid;
    bool asks = false;  ///< this core asks the directory
    bool gives = false; ///< the bytes go from here: to the core that asks, or to the L2
};

/// `others`: another L1 has the line; of a load that misses alone.
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

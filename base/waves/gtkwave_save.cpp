#include "base/waves/gtkwave_save.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace numavp {

namespace {

// GTKWave's flags of a line (its analyzer.h).
constexpr unsigned kHexadecimal = 1U << 1, kDecimal = 1U << 2, kRightJustified = 1U << 5, kBlank = 1U << 9,
                   kAscii = 1U << 11, kAnalogStep = 1U << 15, kAnalogRoom = 1U << 17, kClosed = 1U << 22,
                   kGroupBegin = 1U << 23, kGroupEnd = 1U << 24;
constexpr std::size_t kLongGroup = 16; ///< signals
constexpr unsigned kCurveRows = 3;
constexpr double kFrames = 5; ///< of 200 pixels, in a window

unsigned flags_of(WaveRadix radix) {
    switch (radix) {
    case WaveRadix::decimal: return kDecimal | kRightJustified;
    case WaveRadix::hexadecimal: return kHexadecimal | kRightJustified;
    case WaveRadix::text: return kAscii | kRightJustified;
    case WaveRadix::curve: return kDecimal | kRightJustified | kAnalogStep;
    }
    return kHexadecimal;
}

std::string line(unsigned flags, const std::string& what) { return fmt::format("@{:x}\n{}\n", flags, what); }

std::string lines_of(const WaveSignal& signal) {
    std::string text = line(flags_of(signal.radix), signal.scope + "." + ranged_name(signal));
    if (signal.radix == WaveRadix::curve)
        for (unsigned row = 1; row < kCurveRows; ++row) text += line(kAnalogRoom, "-");
    return text;
}

/// Names are shown without their modules: each module gets a line.
std::string lines_of(const std::vector<const WaveSignal*>& members) {
    std::string text;
    const std::string* module = nullptr;
    for (const WaveSignal* signal : members) {
        if (module == nullptr || *module != signal->scope) text += line(kBlank, "-" + signal->scope);
        module = &signal->scope;
        text += lines_of(*signal);
    }
    return text;
}

using Group = std::pair<std::string, std::vector<const WaveSignal*>>;

std::vector<Group> groups_of(const std::vector<WaveSignal>& signals) {
    std::vector<Group> groups;
    for (const WaveSignal& signal : signals) {
        if (signal.same_as) continue;
        const auto same = [&](const Group& g) { return g.first == signal.group; };
        auto found = std::find_if(groups.begin(), groups.end(), same);
        if (found == groups.end()) found = groups.insert(groups.end(), {signal.group, {}});
        found->second.push_back(&signal);
    }
    return groups;
}

} // namespace

std::string gtkwave_save(const std::vector<WaveSignal>& signals, const std::string& dump, std::uint64_t end_ps) {
    const double zoom = std::log2(std::max(1.0, static_cast<double>(end_ps) / kFrames));
    std::string text = fmt::format(
        "[dumpfile] \"{}\"\n[timestart] 0\n[size] 1600 900\n*-{:.6f} -1 -1\n[signals_width] 320\n", dump, zoom);
    for (const auto& [name, members] : groups_of(signals)) {
        const unsigned folded = members.size() > kLongGroup ? kClosed : 0;
        text += line(kBlank | kGroupBegin | folded, "-" + name);
        text += lines_of(members);
        text += line(kBlank | kGroupEnd | folded, "-" + name);
    }
    return text;
}

} // namespace numavp

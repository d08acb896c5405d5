#include "tests/tlm-links/axi4_loop.h"

namespace numavp::test {

namespace {
std::string name_of(const char* name, std::size_t n) { return name + std::to_string(n); }

/// What the bridge lets pass: of accesses that are either right or wrong as a whole, the wrong ones too.
AddressRange range_of(const InitiatorStyle& style, AddressRange range) {
    return style.apart ? AddressRange{range.base, 2 * range.size} : range;
}
} // namespace

Axi4LoopChain::Axi4LoopChain(std::size_t n, const InitiatorStyle& style, const TargetStyle& target_style,
                             const LoopShape& shape, unsigned count, const ClockDomain& clock)
    : initiator_(name_of("initiator", n).c_str(), style, count, n), join_(shape.stall, n),
      to_axi_(name_of("to_axi", n).c_str(), {shape.manager, range_of(style, initiator_.range)}, clock, join_.above),
      from_axi_(name_of("from_axi", n).c_str(), {shape.subordinate, initiator_.range.base}, clock, join_.below),
      target_(name_of("target", n).c_str(), target_style, n) {
    join_.bridge = &from_axi_;
    target_.size = initiator_.range.base + initiator_.range.size;
    to_axi_.observe([this](const auto& m, const auto& s) { monitors_[0].observe(m, s); });
    from_axi_.observe([this](const auto& m, const auto& s) { monitors_[1].observe(m, s); });
    checkers_[0] = bind_checked(initiator_.socket, to_axi_.socket, name_of("above", n).c_str(), &rules_);
    checkers_[1] = bind_checked(from_axi_.socket, target_.socket, name_of("below", n).c_str(), &rules_);
}

void Axi4LoopChain::checkers_finish() {
    for (const auto& checker : checkers_) checker->finish();
}

std::string Axi4LoopChain::monitor_says() {
    for (Axi4Monitor& monitor : monitors_) {
        if (ended()) monitor.finish();
        if (!monitor.breaches().empty()) return monitor.breaches()[0];
    }
    return "";
}

std::string Axi4LoopChain::what_is_wrong() const {
    if (initiator_.wrong() != 0) return std::to_string(initiator_.wrong()) + " answers are wrong";
    if (!ended()) return "only " + std::to_string(initiator_.answered()) + " were answered";
    if (const auto at = target_.memory.first_difference(initiator_.reference))
        return "the memory differs at " + std::to_string(*at);
    return "";
}

} // namespace numavp::test

#include "tests/tlm-links/flit_loop.h"

namespace numavp::test {

namespace {
std::string named(const char* what, std::size_t n) { return what + std::to_string(n); }
} // namespace

FlitLoop::FlitLoop(std::size_t n, const FlitLoopParts& parts, const ClockDomain& domain, const ProtocolRules& rules)
    : clock(named("flit_clock", n).c_str(), domain),
      initiator(named("initiator", n).c_str(), parts.initiator, parts.count, n),
      bridge(named("to_flits", n).c_str(), {parts.channel, parts.ids, initiator.range}, clock,
             {requests_above, responses_above}),
      bridge_back(
          named("from_flits", n).c_str(), {parts.channel, 8}, clock,
          {parts.relays[0] ? requests_below : requests_above, parts.relays[1] ? responses_below : responses_above}),
      target(named("target", n).c_str(), parts.target, n) {
    checker_above = bind_checked(initiator.socket, bridge.socket, named("checker_above", n).c_str(), &rules);
    checker_below = bind_checked(bridge_back.socket, target.socket, named("checker_below", n).c_str(), &rules);
    if (parts.relays[0]) {
        down = std::make_unique<FlitRelayStage>(*parts.relays[0], requests_above, requests_below);
        clock.add(*down);
    }
    if (parts.relays[1]) {
        up = std::make_unique<FlitRelayStage>(*parts.relays[1], responses_below, responses_above);
        clock.add(*up);
    }
    clock.observe([this] {
        const rtl::CxsWires* const wires[] = {&requests_above, &requests_below, &responses_above, &responses_below};
        for (std::size_t i = 0; i < monitors.size(); ++i) monitors[i].observe(*wires[i]);
    });
}

FlitLoop::~FlitLoop() = default;

std::string FlitLoop::wrong_values() const {
    if (initiator.wrong() != 0) return std::to_string(initiator.wrong()) + " wrong answers";
    if (const auto difference = target.memory.first_difference(initiator.reference))
        return "memory differs at " + std::to_string(*difference);
    return "";
}

std::string FlitLoop::left_over() const {
    if (!initiator.finished()) return "only " + std::to_string(initiator.answered()) + " answered";
    if (!bridge.empty() || !bridge_back.empty() || !target.empty()) return "something is held";
    return "";
}

std::string FlitLoop::breaches() {
    for (FlitMonitor& monitor : monitors) {
        monitor.finish();
        if (!monitor.breaches().empty()) return monitor.breaches().front();
    }
    return "";
}

} // namespace numavp::test

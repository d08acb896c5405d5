#include "tlm-links/edge/serial_target.h"

#include <algorithm>
#include <utility>

#include "base/time/sim_time.h"

namespace numavp {

void SerialTarget::on_arrival(const Call& call) {
    if (!serving_) wake_after(std::max(call.arrival_ps, response_free_ps()));
}

tlm::tlm_generic_payload* SerialTarget::next(std::uint64_t now) {
    if (serving_ || !any_arrived()) return nullptr;
    if (const std::uint64_t due = std::max(arrival_ps(), response_free_ps()); due >= now) {
        wake_after(due); // somebody asked for an earlier edge
        return nullptr;
    }
    serving_ = take_arrived(now);
    if (!serving_) { // the caller has left
        if (any_arrived()) wake_after(std::max(arrival_ps(), response_free_ps()));
        return nullptr;
    }
    requesting_ = !serving_->blocking;
    return serving_->payload;
}

void SerialTarget::end_request() {
    if (std::exchange(requesting_, false)) BridgeTarget::end_request(*serving_->payload);
}

void SerialTarget::response_over() {
    serving_ = nullptr;
    if (any_arrived()) wake_after(std::max({arrival_ps(), response_free_ps(), sc_now_ps()}));
}

} // namespace numavp

#include "models/fault_server/bus_port.h"

#include <cstring>

#include "tlm-links/edge/edge_clock.h"
#include "tlm-links/protocol/atomic.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
constexpr Rank kRankOfBusPort{kSystemRank, kRankEdge, 1000};

tlm::tlm_response_status refusal(const tlm::tlm_generic_payload& p) {
    if (!p.is_read() && !p.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (p.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    const bool word = p.get_data_length() == kRegisterBytes && p.get_streaming_width() >= kRegisterBytes;
    return word ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE;
}
} // namespace

BusPort::BusPort(sc_core::sc_module_name name, ClockDomain& domain, DriverBus& bus)
    : SerialTarget(name), Arbiter(domain, kRankOfBusPort), bus_(bus) {
    start_.handler = this;
}

void BusPort::wake_after(std::uint64_t ps) {
    if (starting_) return;
    starting_ = true;
    domain_.at_from_outside(edge_at_or_after(domain_, ps + 1), start_);
}

void BusPort::arbitrate() {
    starting_ = false;
    tlm::tlm_generic_payload* const payload = next(domain_.clockwork().now_ps());
    if (!payload) return;
    end_request();
    const tlm::tlm_response_status status = refusal(*payload);
    const bool ignored = asks_nothing(*payload);
    if (ignored || status != tlm::TLM_OK_RESPONSE) {
        payload->set_response_status(ignored ? tlm::TLM_OK_RESPONSE : status);
        return respond();
    }
    BusRequest request{payload->get_address(), kRegisterBytes, payload->is_write(), 0};
    if (request.write) std::memcpy(&request.value, payload->get_data_ptr(), kRegisterBytes);
    bus_.start(request, *this);
}

void BusPort::bus_done(const BusReply& reply) {
    tlm::tlm_generic_payload& payload = serving();
    if (payload.is_read() && !reply.error) std::memcpy(payload.get_data_ptr(), &reply.value, kRegisterBytes);
    payload.set_response_status(reply.error ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
    respond();
}

unsigned int BusPort::transport_dbg(tlm::tlm_generic_payload& payload) {
    if (!payload.is_read() || payload.get_data_length() != kRegisterBytes) return 0;
    const BusReply reply = bus_.peek(payload.get_address());
    if (reply.error) return 0;
    std::memcpy(payload.get_data_ptr(), &reply.value, kRegisterBytes);
    return kRegisterBytes;
}

} // namespace numavp

#include "tlm-links/axi_lite/tlm_to_axi_lite.h"

#include <cstring>

#include "tlm-links/axi/axi_response.h"
#include "tlm-links/protocol/atomic.h"

namespace numavp {

using rtl::kAxiLiteBytes;
using tlm::tlm_generic_payload;

namespace {
/// A word's bytes of a write, and its strobes; what streams over the same bytes is refused before.
AxiLiteAccess write_of(const tlm_generic_payload& p, std::uint64_t offset) {
    AxiLiteAccess access{true, offset / kAxiLiteBytes * kAxiLiteBytes, 0, 0};
    const std::uint64_t first = offset % kAxiLiteBytes;
    const unsigned char* const enables = p.get_byte_enable_ptr();
    std::memcpy(reinterpret_cast<unsigned char*>(&access.data) + first, p.get_data_ptr(), p.get_data_length());
    for (unsigned i = 0; i < p.get_data_length(); ++i)
        if (!enables || enables[i % p.get_byte_enable_length()] != 0) access.strobes |= 1U << (first + i);
    return access;
}
} // namespace

TlmToAxiLite::TlmToAxiLite(sc_core::sc_module_name name, AddressRange range, const ClockDomain& clock,
                           rtl::AxiLiteSubordinate& subordinate)
    : SerialTarget(name), range_(range), subordinate_(subordinate), clock_(clock) {
    SC_METHOD(tick);
    sensitive << clock_.event();
    dont_initialize();
}

void TlmToAxiLite::tick() {
    const std::uint64_t now = clock_.begin();
    if (observer_) observer_(core_.pins(), subordinate_.pins());
    if (on_pins_) core_.edge(subordinate_.pins()); // both sides see what the other drove before the edge
    subordinate_.edge();
    if (on_pins_ && core_.taken()) end_request();
    if (on_pins_ && !core_.busy()) end();
    if (tlm_generic_payload* const payload = on_pins_ ? nullptr : next(now)) begin(*payload);
    subordinate_.settle(core_.pins());
    if (on_pins_) clock_.run_on();
}

tlm::tlm_response_status TlmToAxiLite::refusal(const tlm_generic_payload& p) const {
    const tlm::tlm_response_status status = check_access(p, range_);
    if (status != tlm::TLM_OK_RESPONSE) return status;
    const std::uint64_t first = (p.get_address() - range_.base) % kAxiLiteBytes;
    const bool within = first + p.get_data_length() <= kAxiLiteBytes && p.get_streaming_width() >= p.get_data_length();
    if (!within || (p.is_read() && p.get_data_length() != kAxiLiteBytes)) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (p.is_read() && p.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

void TlmToAxiLite::begin(tlm_generic_payload& p) {
    const bool ignored = asks_nothing(p);
    if (const auto status = ignored ? tlm::TLM_OK_RESPONSE : refusal(p); ignored || status != tlm::TLM_OK_RESPONSE) {
        p.set_response_status(status);
        respond();
        return;
    }
    const std::uint64_t offset = p.get_address() - range_.base;
    on_pins_ = true;
    core_.start(p.is_write() ? write_of(p, offset) : AxiLiteAccess{false, offset});
}

void TlmToAxiLite::end() {
    on_pins_ = false;
    tlm_generic_payload& p = serving();
    if (p.is_read()) {
        const std::uint64_t data = core_.data();
        std::memcpy(p.get_data_ptr(), &data, kAxiLiteBytes);
    }
    p.set_response_status(status_of_axi(core_.response()));
    respond();
}

} // namespace numavp

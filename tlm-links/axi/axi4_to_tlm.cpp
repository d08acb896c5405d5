#include "tlm-links/axi/axi4_to_tlm.h"

#include "tlm-links/axi/axi_response.h"
#include "tlm-links/protocol/own_payload.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/// Payload of a burst and its memory manager: the place is given back when the last holder releases the payload.
class Axi4ToTlm::Carrier final : public tlm_generic_payload, tlm::tlm_mm_interface {
  public:
    explicit Carrier(Axi4Subordinate& subordinate) : subordinate_(subordinate) { set_mm(this); }
    Axi4Burst& burst() { return *burst_; }

    void load(Axi4Burst& burst, std::uint64_t base) {
        burst_ = &burst;
        set_command(burst.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        set_address(base + burst.address);
        set_data_ptr(burst.data());
        set_data_length(burst.bytes);
        set_streaming_width(burst.bytes);
        set_byte_enable_ptr(burst.partial ? burst.enables() : nullptr);
        set_byte_enable_length(burst.partial ? burst.bytes : 0);
        set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        set_dmi_allowed(false);
    }

  private:
    void free(tlm_generic_payload*) override {
        reset(); // of extensions that others have left
        subordinate_.release(*burst_);
    }

    Axi4Subordinate& subordinate_;
    Axi4Burst* burst_ = nullptr;
};

Axi4ToTlm::Axi4ToTlm(sc_core::sc_module_name name, const Axi4ToTlmConfig& config, const ClockDomain& clock,
                     rtl::AxiManager& manager)
    : sc_module(name), socket("socket"), base_(config.base), manager_(manager), subordinate_(config.subordinate),
      clock_(clock) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    for (unsigned i = 0; i < subordinate_.places(); ++i) carriers_.push_back(std::make_unique<Carrier>(subordinate_));
    responses_.reserve(carriers_.size());
    SC_METHOD(tick);
    sensitive << clock_.event();
    dont_initialize();
}

Axi4ToTlm::~Axi4ToTlm() = default;

// --- the clock

void Axi4ToTlm::start_of_simulation() {
    manager_.settle(subordinate_.pins());
    wake();
}

void Axi4ToTlm::wake() {
    if (!manager_.idle()) clock_.run_after(sc_now_ps());
}

/// May run deltas after the tick, when pins have their values of the edge: calls in between count as at its time.
void Axi4ToTlm::cycle() {
    const std::uint64_t now = clock_.begin();
    if (!responses_.empty()) take_responses(now);
    if (observer_) observer_(manager_.pins(), subordinate_.pins());
    subordinate_.edge(manager_.pins()); // both sides see what the other drove before the edge
    manager_.edge();
    manager_.settle(subordinate_.pins());
    send_requests(now);
    if (!manager_.idle() || !subordinate_.idle()) clock_.run_on();
}

/// Responses from before this edge go to the pins.
void Axi4ToTlm::take_responses(std::uint64_t now) {
    std::size_t later = 0;
    for (const Response& response : responses_) {
        if (response.ps < now) {
            const unsigned answer = axi_response_of(response.carrier->get_response_status());
            subordinate_.finish(response.carrier->burst(), answer);
            response.carrier->release();
        } else {
            responses_[later++] = response;
        }
    }
    responses_.resize(later);
}

// --- the target

/// As many as the target lets begin before the next edge.
void Axi4ToTlm::send_requests(std::uint64_t now) {
    while (!requesting_ && request_free_ps_ < now) {
        Axi4Burst* const burst = subordinate_.next_request();
        if (!burst) return;
        send(*burst);
    }
}

void Axi4ToTlm::send(Axi4Burst& burst) {
    Carrier& carrier = *carriers_[burst.index];
    carrier.load(burst, base_);
    carrier.acquire();
    requesting_ = &carrier;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_fw(carrier, phase, delay);
    const bool responds = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
    if (status == tlm::TLM_COMPLETED || responds || (status == tlm::TLM_UPDATED && phase == tlm::END_REQ)) {
        requesting_ = nullptr;
        if (delay != sc_core::SC_ZERO_TIME) request_free_ps_ = sc_now_ps() + delay.value();
    }
    if (status == tlm::TLM_COMPLETED || responds) response_begun(carrier, delay);
    if (responds) end_response(carrier, delay);
}

void Axi4ToTlm::end_response(Carrier& carrier, sc_time delay) {
    tlm_phase phase = tlm::END_RESP;
    socket->nb_transport_fw(carrier, phase, delay);
}

tlm_sync_enum Axi4ToTlm::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // ignorable
    if (requesting_ == &payload) {                                                   // BEGIN_RESP implies END_REQ
        requesting_ = nullptr;
        request_free_ps_ = sc_now_ps() + delay.value();
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    if (auto* const carrier = own_payload<Carrier>(payload, socket, phase)) response_begun(*carrier, delay);
    return tlm::TLM_COMPLETED;
}

void Axi4ToTlm::response_begun(Carrier& carrier, const sc_time& delay) {
    responses_.push_back({sc_now_ps() + delay.value(), &carrier});
}

} // namespace numavp

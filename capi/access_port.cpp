#include "capi/access_port.h"

#include <cstring>

namespace numavp {

struct AccessPort::Slot : tlm::tlm_generic_payload {
    Access access;
};

struct AccessPort::Manager final : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload* payload) override {
        payload->reset();
        spare.push_back(static_cast<Slot*>(payload));
    }
    Slot& take() {
        if (spare.empty()) {
            slots.push_back(std::make_unique<Slot>());
            slots.back()->set_mm(this);
            spare.push_back(slots.back().get());
        }
        Slot& slot = *spare.back();
        spare.pop_back();
        slot.acquire();
        return slot;
    }
    std::vector<std::unique_ptr<Slot>> slots;
    std::vector<Slot*> spare;
};

AccessPort::AccessPort(sc_core::sc_module_name name)
    : sc_module(name), socket("socket"), manager_(std::make_unique<Manager>()) {
    socket.bind(*this);
    SC_METHOD(send); // also at the start, for what was posted before it
    sensitive << posted_event_;
}

AccessPort::~AccessPort() = default;

bool AccessPort::post(const Access& access) {
    if (open_ == kDepth) return false;
    ++open_;
    Slot& slot = manager_->take();
    slot.access = access;
    if (access.waited) slot.access.tag = ++awaited_;
    slot.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    slot.set_address(access.address);
    slot.set_data_ptr(slot.access.data.data());
    slot.set_data_length(access.bytes);
    slot.set_streaming_width(access.bytes);
    slot.set_byte_enable_ptr(access.write ? slot.access.enables.data() : nullptr);
    slot.set_byte_enable_length(access.write ? access.bytes : 0);
    slot.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE); // a slot is used again
    posted_.push_back(&slot);
    posted_event_.notify(sc_core::SC_ZERO_TIME);
    return true;
}

bool AccessPort::take(std::deque<Access>& answers, Access& access) {
    if (answers.empty()) return false;
    access = answers.front();
    answers.pop_front();
    --open_;
    return true;
}

unsigned AccessPort::peek(std::uint64_t address, unsigned bytes, unsigned char* data) {
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    return socket->transport_dbg(payload);
}

void AccessPort::send() {
    if (requesting_ || posted_.empty()) return;
    Slot& slot = *posted_.front();
    posted_.pop_front();
    requesting_ = &slot;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(slot, phase, delay);
    if (status == tlm::TLM_UPDATED) react(slot, phase);
    if (status == tlm::TLM_COMPLETED) react(slot, tlm::BEGIN_RESP);
}

tlm::tlm_sync_enum AccessPort::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& /*delay*/) {
    const bool response = phase == tlm::BEGIN_RESP;
    react(payload, phase);
    return response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void AccessPort::react(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return; // ignorable
    if (requesting_ == &payload) {                                 // END_REQ, or BEGIN_RESP that implies it
        requesting_ = nullptr;
        posted_event_.notify(sc_core::SC_ZERO_TIME);
    }
    if (phase == tlm::BEGIN_RESP) finish(payload);
}

void AccessPort::finish(tlm::tlm_generic_payload& payload) {
    const Access& access = static_cast<Slot&>(payload).access;
    if (access.waited && access.tag != awaited_) { // given up
        --open_;
        payload.release();
        return;
    }
    std::deque<Access>& answers = access.waited ? waited_ : answered_;
    answers.push_back(access); // a copy: the payload keeps its data until the transaction has ended
    Access& answer = answers.back();
    answer.failed = !payload.is_response_ok();
    if (answer.write || answer.failed) answer.data.fill(0);
    std::memset(answer.data.data() + answer.bytes, 0, kLineBytes - answer.bytes);
    payload.release();
}

} // namespace numavp

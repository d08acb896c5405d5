#include "tlm-links/edge/edge_target_adapter.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm-links/edge/edge_clock.h"
#include "tlm-links/edge/line_access.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

struct EdgeTargetAdapter::Foreign final : Node, tlm::tlm_generic_payload {
    enum class State : std::uint8_t { idle, issuing, called, responded };
    State state = State::idle;
    Txn* txn = nullptr;
    std::array<unsigned char, kLineBytes> data{};
    std::array<unsigned char, kLineBytes> enables{};
};

class EdgeTargetAdapter::Pool final : public tlm::tlm_mm_interface {
  public:
    Foreign& make(Handler& handler) {
        if (free_.empty()) {
            all_.push_back(std::make_unique<Foreign>());
            free_.push_back(all_.back().get());
        }
        Foreign& foreign = *free_.back();
        free_.pop_back();
        foreign.set_mm(this);
        foreign.handler = &handler;
        foreign.acquire();
        return foreign;
    }
    void free(tlm::tlm_generic_payload* payload) override {
        payload->reset(); // clears the target's extensions
        free_.push_back(static_cast<Foreign*>(payload));
    }

  private:
    std::vector<std::unique_ptr<Foreign>> all_;
    std::vector<Foreign*> free_;
};

/// Cuts debug access into lines if their addresses are translated.
class EdgeTargetAdapter::Debug final : public tlm::tlm_fw_transport_if<> {
  public:
    Debug(tlm::tlm_fw_transport_if<>& target, const EdgeTargetConfig& config) : target_(target), config_(config) {}

    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override {
        if (!config_.translate) return target_.transport_dbg(payload);
        unsigned done = 0;
        while (done < payload.get_data_length()) {
            const std::uint64_t address = payload.get_address() + done;
            const auto offset = static_cast<unsigned>(address % kLineBytes);
            const unsigned part = std::min(payload.get_data_length() - done, kLineBytes - offset);
            tlm::tlm_generic_payload piece;
            piece.set_command(payload.get_command());
            piece.set_address(config_.translate(address - offset) + offset);
            piece.set_data_ptr(payload.get_data_ptr() + done);
            piece.set_data_length(part);
            piece.set_streaming_width(part);
            const unsigned count = target_.transport_dbg(piece);
            done += count;
            if (count < part) break;
        }
        return done;
    }
    tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm_phase&, sc_time&) override {
        return tlm::TLM_ACCEPTED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }

  private:
    tlm::tlm_fw_transport_if<>& target_;
    const EdgeTargetConfig& config_;
};

EdgeTargetAdapter::EdgeTargetAdapter(sc_core::sc_module_name name, const EdgeTargetConfig& config,
                                     const EdgeResources& resources)
    : sc_module(name), Arbiter(resources.clock, resources.rank),
      port("port", resources.clock, {config.port_depth, Part::memory}, *this, 0), socket("socket"), config_(config),
      pool_(std::make_unique<Pool>()), inlet_(config.inlet_depth) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    port.set_feeder(*this);
    request_ended_timer_.handler = this;
    end_response_timer_.handler = this;
    if (config_.blocking) SC_THREAD(work);
}

EdgeTargetAdapter::~EdgeTargetAdapter() = default;

void EdgeTargetAdapter::end_of_elaboration() {
    debug_ = std::make_unique<Debug>(*socket.operator->(), config_);
    port.set_debug(debug_.get());
}

// --- the platform's side

bool EdgeTargetAdapter::request(unsigned, Txn& txn) {
    wake();
    return inlet_.arrive(txn);
}

void EdgeTargetAdapter::arbitrate() {
    if (!responses_.empty() && port.ready())
        port.send(responses_.pop(), domain_.now() + std::max(config_.latency_cycles, 1U));
    if (can_issue()) issue();
    if ((!responses_.empty() && port.ready()) || can_issue()) wake();
}

bool EdgeTargetAdapter::can_issue() const {
    if (inlet_.empty() || outstanding_ >= config_.outstanding) return false;
    const Txn& txn = inlet_.front();
    if (txn.kind == Kind::atomic) return true;
    return !request_busy_ && !out_.must_wait(txn.line, txn.is_write());
}

void EdgeTargetAdapter::issue() {
    Txn& txn = inlet_.pop();
    if (Txn* admitted = inlet_.admit()) port.end_request(*admitted, domain_.now() + 1);
    if (txn.kind == Kind::atomic) {
        txn.answer(tlm::TLM_COMMAND_ERROR_RESPONSE);
        responses_.push(txn);
        return;
    }
    Foreign& foreign = pool_->make(*this);
    foreign.txn = &txn;
    foreign.state = Foreign::State::issuing;
    foreign.set_command(txn.is_write() ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    foreign.set_address(config_.translate ? config_.translate(txn.line) : txn.line);
    foreign.set_data_ptr(foreign.data.data());
    foreign.set_data_length(kLineBytes);
    foreign.set_streaming_width(kLineBytes);
    foreign.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    foreign.set_dmi_allowed(false);
    foreign.data = txn.data;
    const bool partial = txn.is_write() && !txn.mask.all();
    if (partial)
        for (unsigned i = 0; i < kLineBytes; ++i)
            foreign.enables[i] = txn.mask.test(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    foreign.set_byte_enable_ptr(partial ? foreign.enables.data() : nullptr);
    foreign.set_byte_enable_length(partial ? kLineBytes : 0);
    counts_.add(txn, txn.is_write() ? channel_bytes(txn) : kLineBytes); // a foreign target is read by the line
    ++outstanding_;
    request_busy_ = true;
    out_.add(txn.line, txn.is_write());
    domain_.at(domain_.now() + 1, foreign);
}

// --- calls in the clockwork's first pass

void EdgeTargetAdapter::deliver(Node& node) {
    if (&node == &end_response_timer_) return end_response();
    if (&node == &request_ended_timer_) {
        request_busy_ = false;
        return wake();
    }
    auto& foreign = static_cast<Foreign&>(node);
    if (foreign.state == Foreign::State::responded) return finish(foreign);
    foreign.state = Foreign::State::called;
    requesting_ = &foreign;
    if (!config_.blocking) return call(foreign);
    calls_.push_back(&foreign);
    call_event_.notify();
}

void EdgeTargetAdapter::call(Foreign& foreign) {
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm_sync_enum status = socket->nb_transport_fw(foreign, phase, delay);
    const bool completed = status == tlm::TLM_COMPLETED;
    const bool responds = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
    if (completed || responds || (status == tlm::TLM_UPDATED && phase == tlm::END_REQ)) end_called_request(delay);
    if (completed || responds) begin_response(foreign, delay);
    if (responds) end_response_later(foreign, delay);
}

void EdgeTargetAdapter::finish(Foreign& foreign) {
    Txn& txn = *foreign.txn;
    if (foreign.is_read()) txn.data = foreign.data;
    const bool answered = foreign.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE;
    txn.answer(answered ? foreign.get_response_status() : tlm::TLM_GENERIC_ERROR_RESPONSE);
    out_.remove(txn.line, txn.is_write());
    --outstanding_;
    foreign.txn = nullptr;
    foreign.state = Foreign::State::idle;
    foreign.release(); // the target may still hold it
    responses_.push(txn);
    wake();
}

void EdgeTargetAdapter::end_response() {
    Foreign& foreign = *ending_;
    ending_ = nullptr; // before the call: the target may send the next response from inside it
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(foreign, phase, delay);
    foreign.release();
}

// --- what the foreign target says, from wherever it says it

tlm_sync_enum EdgeTargetAdapter::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // ignorable
    auto* const own = own_payload<Foreign>(payload, socket, phase);
    if (!own) return tlm::TLM_ACCEPTED;
    Foreign& foreign = *own;
    if (phase == tlm::END_REQ) {
        if (requesting_ != &foreign)
            SC_REPORT_ERROR("numavp/protocol", "END_REQ for a transaction that is not in its request phase");
        else
            end_request(delay);
        return tlm::TLM_ACCEPTED;
    }
    if (foreign.state != Foreign::State::called || ending_) {
        SC_REPORT_ERROR("numavp/protocol", "BEGIN_RESP for a transaction that waits for none, or in a response phase");
        return tlm::TLM_ACCEPTED;
    }
    if (requesting_ == &foreign) end_request(delay); // it implies END_REQ
    begin_response(foreign, delay);
    if (config_.response_end == ResponseEnd::completed) return tlm::TLM_COMPLETED;
    if (config_.response_end == ResponseEnd::updated) {
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
    }
    end_response_later(foreign, delay);
    return tlm::TLM_ACCEPTED;
}

void EdgeTargetAdapter::end_request(const sc_time& delay) {
    requesting_ = nullptr;
    domain_.at_from_outside(edge_for_annotated(domain_, delay), request_ended_timer_);
}

/// By the return of the call, which is made in the first pass of an edge: the second may issue the next one.
void EdgeTargetAdapter::end_called_request(const sc_time& delay) {
    if (delay != sc_core::SC_ZERO_TIME) return end_request(delay);
    requesting_ = nullptr;
    request_busy_ = false;
    wake();
}

void EdgeTargetAdapter::begin_response(Foreign& foreign, const sc_time& delay) {
    foreign.state = Foreign::State::responded;
    domain_.at_from_outside(edge_for_annotated(domain_, delay), foreign);
}

void EdgeTargetAdapter::end_response_later(Foreign& foreign, const sc_time& delay) {
    if (ending_) SC_REPORT_ERROR("numavp/protocol", "BEGIN_RESP while another transaction is in its response phase");
    foreign.acquire(); // until then
    ending_ = &foreign;
    domain_.at_from_outside(edge_for_annotated(domain_, delay), end_response_timer_);
}

/// Calls the target one transaction at a time; what it annotates overlaps.
void EdgeTargetAdapter::work() {
    for (;;) {
        while (calls_.empty()) wait(call_event_);
        Foreign& foreign = *calls_.front();
        calls_.pop_front();
        sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(foreign, delay);
        end_request(sc_core::SC_ZERO_TIME);
        begin_response(foreign, delay);
    }
}

} // namespace numavp

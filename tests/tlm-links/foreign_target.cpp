#include "tests/tlm-links/foreign_target.h"

#include <algorithm>

#include "base/time/sim_time.h"
#include "tests/tlm-links/bytewise.h"

namespace numavp::test {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {

TLM_DECLARE_EXTENDED_PHASE(TARGET_NOTE);

struct Note final : tlm::tlm_extension<Note> {
    tlm::tlm_extension_base* clone() const override { return new Note; }
    void copy_from(const tlm::tlm_extension_base&) override {}
};

} // namespace

const std::vector<TargetStyle>& target_styles() {
    using A = RequestAnswer;
    static const std::vector<TargetStyle> styles = {
        {"completes at once", A::completed},
        {"completes with an annotated delay", A::completed, true, 0, 37'123},
        {"END_REQ on return, response later", A::end_req, true, 0, 41'777},
        {"END_REQ on return with a delay, response out of order", A::end_req, true, 900, 90'001, true},
        {"BEGIN_RESP on return", A::begin_resp, true, 0, 0},
        {"BEGIN_RESP on return with a delay", A::begin_resp, true, 0, 8'881},
        {"four phases, each by itself", A::accepted, true, 3'333, 50'021},
        {"four phases, any order", A::accepted, true, 777, 120'011, true},
        {"BEGIN_RESP implies END_REQ", A::accepted, false, 0, 20'201},
        {"annotates everything", A::accepted, true, 5'555, 60'007, true, true},
        {"annotates, implies END_REQ", A::accepted, false, 0, 9'999, false, true},
        {"phases and extensions of its own", A::accepted, true, 1'500, 30'011, true, false, true},
        {"anything that is legal", A::any, true, 4'001, 45'013, true, true, true},
        {"anything, END_REQ implied", A::any, false, 0, 45'013, false, true, true},
        {"blocking that annotates", A::any, true, 0, 33'331, false, true, false, false},
    };
    return styles;
}

ForeignTarget::ForeignTarget(sc_core::sc_module_name name, const TargetStyle& style, std::uint64_t seed)
    : sc_module(name), socket("socket"), style_(style), rng_(seed) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    SC_METHOD(act);
    sensitive << event_;
    dont_initialize();
}

std::uint64_t ForeignTarget::effective(const sc_time& delay) const { return sc_now_ps() + delay.value(); }

void ForeignTarget::perform(Payload& payload) {
    ++served;
    if (payload.get_address() >= size || size - payload.get_address() < payload.get_data_length())
        return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    perform_bytewise(payload, payload.get_data_ptr(), memory);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

RequestAnswer ForeignTarget::choose() {
    if (style_.answer != RequestAnswer::any) return style_.answer;
    // BEGIN_RESP on return would break the response exclusion rule while another response is under way.
    const auto choice = static_cast<RequestAnswer>(rng_.below(4));
    return choice == RequestAnswer::begin_resp && (responding_ || !ready_.empty()) ? RequestAnswer::end_req : choice;
}

tlm_sync_enum ForeignTarget::nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_RESP) {
        end_of_response(payload, effective(delay));
        return rng_.chance(1, 2) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    most_inside = std::max(most_inside, ++inside_);
    if (style_.ignorable && !payload.get_extension<Note>()) payload.set_auto_extension(new Note);
    RequestAnswer answer = choose();
    if (answer == RequestAnswer::begin_resp && responding_) answer = RequestAnswer::end_req;
    const std::uint64_t wait_ps = style_.response_ps ? rng_.below(style_.response_ps + 1) : 0;

    if (answer == RequestAnswer::completed) {
        perform(payload);
        delay += ps_time(wait_ps);
        --inside_;
        return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    if (answer == RequestAnswer::begin_resp) {
        perform(payload);
        delay += ps_time(wait_ps);
        responding_ = &payload;
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_UPDATED;
    }
    const std::uint64_t end_ps = style_.end_req_ps ? rng_.below(style_.end_req_ps + 1) : 0;
    if (answer == RequestAnswer::end_req) {
        delay += ps_time(end_ps);
        plan_response(payload, effective(delay));
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    if (!style_.explicit_end_req) {
        plan_response(payload, effective(delay));
        return tlm::TLM_ACCEPTED;
    }
    plan(effective(delay) + end_ps + 1, [this, &payload](const sc_time& annotation) {
        tlm_phase end = tlm::END_REQ;
        sc_time t = annotation;
        socket->nb_transport_bw(payload, end, t);
        plan_response(payload, effective(annotation));
    });
    if (style_.ignorable && rng_.chance(1, 2)) {
        phase = TARGET_NOTE;
        return tlm::TLM_UPDATED;
    }
    return tlm::TLM_ACCEPTED;
}

/// Actions come at their time, or earlier with the rest annotated.
void ForeignTarget::plan(std::uint64_t ps, Action action) {
    const std::uint64_t early = style_.annotates ? rng_.below(ps - sc_now_ps() + 1) : 0;
    const std::uint64_t at = ps - early;
    agenda_.emplace(at, [ps, action = std::move(action)](const sc_time&) {
        action(ps > sc_now_ps() ? ps_time(ps - sc_now_ps()) : sc_core::SC_ZERO_TIME);
    });
    event_.notify(ps_time(agenda_.begin()->first - sc_now_ps()));
}

void ForeignTarget::act() {
    while (!agenda_.empty() && agenda_.begin()->first <= sc_now_ps()) {
        const Action action = std::move(agenda_.begin()->second);
        agenda_.erase(agenda_.begin());
        action(sc_core::SC_ZERO_TIME);
    }
    if (!agenda_.empty()) event_.notify(ps_time(agenda_.begin()->first - sc_now_ps()));
}

void ForeignTarget::plan_response(Payload& payload, std::uint64_t earliest_ps) {
    std::uint64_t ps = earliest_ps + 1 + (style_.response_ps ? rng_.below(style_.response_ps + 1) : 0);
    if (!style_.any_order) ps = std::max(ps, last_response_ps_ + 1);
    last_response_ps_ = std::max(last_response_ps_, ps);
    ready_.emplace(ps, &payload);
    plan(ps, [this](const sc_time&) { respond(); });
}

/// Sends the first response whose time has come, if none is under way. An annotating target sends it before its time.
void ForeignTarget::respond() {
    if (responding_ || ready_.empty()) return;
    const auto first = ready_.begin();
    if (!style_.annotates && first->first > sc_now_ps()) return;
    Payload& payload = *first->second;
    const std::uint64_t ps = std::max({first->first, response_free_ps_, sc_now_ps()});
    ready_.erase(first);
    send_response(payload, ps_time(ps - sc_now_ps()));
}

void ForeignTarget::send_response(Payload& payload, const sc_time& annotation) {
    if (style_.ignorable && rng_.chance(1, 3)) {
        tlm_phase note = TARGET_NOTE;
        sc_time zero = sc_core::SC_ZERO_TIME;
        if (effective(zero) >= response_free_ps_ && annotation == zero) socket->nb_transport_bw(payload, note, zero);
    }
    perform(payload);
    responding_ = &payload;
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = annotation;
    const tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
        end_of_response(payload, effective(delay));
}

void ForeignTarget::end_of_response(Payload& payload, std::uint64_t at_ps) {
    if (responding_ != &payload) SC_REPORT_ERROR("foreign target", "END_RESP for what has no response");
    responding_ = nullptr;
    response_free_ps_ = at_ps;
    --inside_;
    payload.release();
    if (!ready_.empty()) plan(std::max(at_ps, ready_.begin()->first) + 1, [this](const sc_time&) { respond(); });
}

void ForeignTarget::b_transport(Payload& payload, sc_time& delay) {
    most_inside = std::max(most_inside, ++inside_);
    const sc_time latency = ps_time(style_.response_ps ? rng_.below(style_.response_ps + 1) : 0);
    if (style_.wait_in_b_transport) {
        wait(delay + latency);
        delay = sc_core::SC_ZERO_TIME;
    } else {
        delay += latency;
    }
    perform(payload);
    --inside_;
}

unsigned int ForeignTarget::transport_dbg(Payload& payload) {
    if (payload.is_read())
        memory.read(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    else
        memory.write(payload.get_address(), payload.get_data_ptr(), std::size_t{payload.get_data_length()});
    return payload.get_data_length();
}

} // namespace numavp::test

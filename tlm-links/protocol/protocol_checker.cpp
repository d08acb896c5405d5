#include "tlm-links/protocol/protocol_checker.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/time/sim_time.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {

bool is_base_phase(const tlm_phase& phase) { return phase >= tlm::BEGIN_REQ && phase <= tlm::END_RESP; }

std::uint64_t hash(std::uint64_t sum, const unsigned char* bytes, std::size_t count) {
    std::uint64_t word = 0;
    for (; count; count -= std::min<std::size_t>(count, sizeof word)) {
        const std::size_t part = std::min(count, sizeof word);
        std::memcpy(&word, bytes, part);
        bytes += part;
        sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
        sum ^= sum >> 29;
    }
    return sum;
}

} // namespace

struct ProtocolChecker::Call {
    Call(const Payload& p, const tlm_phase& ph, const sc_time& delay)
        : payload(&p), address(p.get_address()), phase(ph), annotation_ps(delay.value()),
          effective_ps(sc_now_ps() + annotation_ps) {}
    const Payload* payload; ///< as a key: a response's payload may be gone after the call
    std::uint64_t address;
    tlm_phase phase;
    std::uint64_t annotation_ps;
    std::uint64_t effective_ps;
};

ProtocolChecker::Sent::Sent(const Payload& payload)
    : command(payload.get_command()), address(payload.get_address()), data(payload.get_data_ptr()),
      length(payload.get_data_length()), enables(payload.get_byte_enable_ptr()),
      enable_length(payload.get_byte_enable_length()), width(payload.get_streaming_width()) {}

ProtocolChecker::ProtocolChecker(sc_core::sc_module_name name, const ProtocolRules& rules)
    : sc_module(name), above("above"), below("below"), rules_(rules) {
    above.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    below.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void ProtocolChecker::breach(Rule rule, std::uint64_t address, const std::string& detail) const {
    char place[48];
    std::snprintf(place, sizeof place, ": transaction at 0x%llx: ", static_cast<unsigned long long>(address));
    std::string sentence = name() + std::string(place) + rule_text(rule);
    if (!detail.empty()) sentence += " (" + detail + ")";
    SC_REPORT_ERROR("numavp/protocol", sentence.c_str());
}

// --- what a payload must look like

void ProtocolChecker::check_attributes(const Payload& payload) const {
    const std::uint64_t address = payload.get_address();
    const tlm::tlm_command command = payload.get_command();
    if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND && command != tlm::TLM_IGNORE_COMMAND)
        breach(Rule::command, address);
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) breach(Rule::initial_status, address);
    if (payload.is_dmi_allowed()) breach(Rule::initial_dmi, address);
    if (command == tlm::TLM_IGNORE_COMMAND) return; // its data, if any, belong to extensions
    if (payload.get_data_length() == 0) breach(Rule::data_length, address);
    if (!payload.get_data_ptr()) breach(Rule::data_pointer, address);
    if (payload.get_streaming_width() == 0) breach(Rule::streaming_width, address);
    const unsigned char* enables = payload.get_byte_enable_ptr();
    if (!enables) return;
    if (payload.get_byte_enable_length() == 0) breach(Rule::byte_enable_length, address);
    for (unsigned i = 0; i < payload.get_byte_enable_length(); ++i)
        if (enables[i] != TLM_BYTE_ENABLED && enables[i] != TLM_BYTE_DISABLED)
            return breach(Rule::byte_enable_value, address);
}

void ProtocolChecker::check_dialect_record(const Payload& payload) const {
    const auto* txn = dynamic_cast<const Txn*>(&payload);
    if (!txn) return breach(Rule::foreign_record, payload.get_address());
    if (txn->pooled) breach(Rule::reference, payload.get_address());
    const bool atomic = txn->kind == Kind::atomic;
    const bool ignored = payload.get_command() == tlm::TLM_IGNORE_COMMAND;
    if (ignored != atomic || (atomic_of(payload) != nullptr) != atomic)
        breach(Rule::atomic_form, payload.get_address());
    if (payload.get_address() % kLineBytes != 0 || payload.get_data_length() != kLineBytes ||
        payload.get_streaming_width() < kLineBytes)
        breach(Rule::whole_line, payload.get_address());
}

void ProtocolChecker::check_dialect_time(const Call& call) const {
    if (!rules_.strict) return;
    if (call.annotation_ps) breach(Rule::annotated, call.address);
    const auto on_edge = [](const ClockDomain* clock) { return !clock || clock->edge_ps(clock->now()) == sc_now_ps(); };
    if (!on_edge(rules_.above_clock) && !on_edge(rules_.below_clock)) breach(Rule::off_edge, call.address);
}

ProtocolChecker::Sent ProtocolChecker::snapshot(const Payload& payload) const {
    Sent sent(payload);
    if (!rules_.check_contents) return sent;
    if (sent.enables) sent.contents = hash(sent.contents, sent.enables, sent.enable_length);
    if (sent.command != tlm::TLM_READ_COMMAND && sent.data) sent.contents = hash(sent.contents, sent.data, sent.length);
    if (const AtomicExtension* atomic = atomic_of(payload))
        sent.contents = hash(sent.contents, atomic->operand.data(), atomic->operand.size());
    return sent;
}

void ProtocolChecker::check_unchanged(const Payload& payload, const Sent& sent) const {
    const Sent seen = snapshot(payload);
    if (seen.command != sent.command) breach(Rule::command_changed, sent.address);
    if (seen.address != sent.address && !rules_.rerouted_below) breach(Rule::address_changed, sent.address);
    if (seen.length != sent.length) breach(Rule::length_changed, sent.address);
    if (seen.data != sent.data) breach(Rule::pointer_changed, sent.address);
    if (seen.enables != sent.enables || seen.enable_length != sent.enable_length)
        breach(Rule::enables_changed, sent.address);
    if (seen.width != sent.width) breach(Rule::width_changed, sent.address);
    if (seen.contents != sent.contents) breach(Rule::contents_changed, sent.address);
}

// --- the phases

ProtocolChecker::Live* ProtocolChecker::live(const Call& call) {
    const auto it = live_.find(call.payload);
    if (it != live_.end()) return &it->second;
    breach(Rule::not_under_way, call.address, call.phase.get_name());
    return nullptr;
}

void ProtocolChecker::advance(const Call& call, Live& entry, std::uint64_t effective_ps) {
    if (effective_ps < entry.effective_ps) breach(Rule::time_backwards, call.address, call.phase.get_name());
    entry.effective_ps = std::max(entry.effective_ps, effective_ps);
}

void ProtocolChecker::begin_request(Call& call, Payload& payload) {
    if (!payload.has_mm()) breach(Rule::memory_manager, call.address);
    if (payload.get_ref_count() < 1) breach(Rule::reference, call.address);
    check_attributes(payload);
    if (rules_.strict) check_dialect_record(payload);
    if (live_.count(call.payload)) breach(Rule::begun_twice, call.address);
    if (requesting_) breach(Rule::request_exclusion, call.address);
    requesting_ = call.payload;
    live_.insert_or_assign(call.payload,
                           Live{snapshot(payload), begun_++, sc_now_ps(), call.effective_ps, State::request});
}

void ProtocolChecker::end_request(Call& call) {
    Live* entry = live(call);
    if (!entry) return;
    if (entry->state != State::request) breach(Rule::end_req_order, call.address);
    advance(call, *entry, call.effective_ps);
    if (entry->state == State::request) entry->state = State::between;
    if (requesting_ == call.payload) requesting_ = nullptr;
}

void ProtocolChecker::begin_response(Call& call, std::uint64_t effective_ps, Payload& payload) {
    Live* entry = live(call);
    if (!entry) return;
    if (entry->state == State::response) breach(Rule::begin_resp_order, call.address);
    if (rules_.strict && entry->state == State::request) breach(Rule::early_response, call.address);
    if (responding_) breach(Rule::response_exclusion, call.address);
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) breach(Rule::no_status, call.address);
    check_unchanged(payload, entry->sent);
    advance(call, *entry, effective_ps);
    entry->state = State::response;
    if (requesting_ == call.payload) requesting_ = nullptr; // it implies END_REQ
    responding_ = call.payload;
}

void ProtocolChecker::end_response(Call& call) {
    Live* entry = live(call);
    if (!entry) return;
    if (entry->state != State::response) breach(Rule::end_resp_order, call.address);
    advance(call, *entry, call.effective_ps);
    close(call.payload);
}

void ProtocolChecker::ignorable(Call& call) {
    if (call.phase == tlm::UNINITIALIZED_PHASE) return breach(Rule::wrong_path, call.address, call.phase.get_name());
    if (Live* entry = live(call)) advance(call, *entry, call.effective_ps);
}

void ProtocolChecker::close(const Payload* payload) {
    if (live_.erase(payload)) ++ended_;
    if (requesting_ == payload) requesting_ = nullptr;
    if (responding_ == payload) responding_ = nullptr;
}

// --- the answers

void ProtocolChecker::check_return(const Call& call, tlm_sync_enum status, const tlm_phase& phase,
                                   const sc_time& delay) const {
    const bool moved = delay.value() != call.annotation_ps;
    if (status == tlm::TLM_ACCEPTED && (moved || phase != call.phase)) breach(Rule::accepted_changed, call.address);
    if (delay.value() < call.annotation_ps) breach(Rule::time_backwards, call.address, "on return");
    if (rules_.strict && moved) breach(Rule::annotated, call.address);
    if (status == tlm::TLM_ACCEPTED || is_base_phase(call.phase)) return;
    if (status == tlm::TLM_COMPLETED || is_base_phase(phase)) breach(Rule::answer_to_ignorable, call.address);
}

void ProtocolChecker::answer_to_begin_request(Call& call, tlm_sync_enum status, const tlm_phase& phase,
                                              Payload& payload) {
    if (status == tlm::TLM_ACCEPTED || (status == tlm::TLM_UPDATED && phase > tlm::END_RESP)) return;
    const bool ends_request = status == tlm::TLM_UPDATED && phase == tlm::END_REQ;
    if (rules_.strict && !ends_request) breach(Rule::dialect_answer, call.address);
    if (ends_request) return end_request(call);
    if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) return begin_response(call, call.effective_ps, payload);
    if (status != tlm::TLM_COMPLETED) return breach(Rule::answer_to_begin_req, call.address, phase.get_name());
    Live* entry = live(call);
    if (!entry) return;
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) breach(Rule::no_status, call.address);
    check_unchanged(payload, entry->sent);
    close(call.payload);
}

void ProtocolChecker::answer_to_begin_response(Call& call, tlm_sync_enum status, const tlm_phase& phase) {
    if (status == tlm::TLM_ACCEPTED || (status == tlm::TLM_UPDATED && phase > tlm::END_RESP)) return;
    if (rules_.strict && status != tlm::TLM_COMPLETED) breach(Rule::dialect_answer, call.address);
    if (status == tlm::TLM_UPDATED && phase != tlm::END_RESP)
        return breach(Rule::answer_to_begin_resp, call.address, phase.get_name());
    end_response(call);
}

// --- the interfaces

tlm_sync_enum ProtocolChecker::nb_transport_fw(Payload& payload, tlm_phase& phase, sc_time& delay) {
    Call call(payload, phase, delay);
    check_dialect_time(call);
    // The state changes before the call goes on: calls may nest.
    if (phase == tlm::BEGIN_REQ)
        begin_request(call, payload);
    else if (phase == tlm::END_RESP)
        end_response(call);
    else if (is_base_phase(phase))
        breach(Rule::wrong_path, call.address, phase.get_name());
    else
        ignorable(call);

    const tlm_sync_enum status = below->nb_transport_fw(payload, phase, delay);
    check_return(call, status, phase, delay);
    call.effective_ps = sc_now_ps() + delay.value();
    if (call.phase == tlm::BEGIN_REQ)
        answer_to_begin_request(call, status, phase, payload);
    else if (call.phase == tlm::END_RESP && status == tlm::TLM_UPDATED)
        breach(Rule::answer_to_end_resp, call.address);
    return status;
}

tlm_sync_enum ProtocolChecker::nb_transport_bw(Payload& payload, tlm_phase& phase, sc_time& delay) {
    Call call(payload, phase, delay);
    check_dialect_time(call);
    if (phase == tlm::END_REQ)
        end_request(call);
    else if (phase == tlm::BEGIN_RESP)
        begin_response(call, call.effective_ps, payload);
    else if (is_base_phase(phase))
        breach(Rule::wrong_path, call.address, phase.get_name());
    else
        ignorable(call);

    const tlm_sync_enum status = above->nb_transport_bw(payload, phase, delay);
    check_return(call, status, phase, delay);
    call.effective_ps = sc_now_ps() + delay.value();
    if (call.phase == tlm::END_REQ && status != tlm::TLM_ACCEPTED)
        breach(Rule::answer_to_end_req, call.address);
    else if (call.phase == tlm::BEGIN_RESP)
        answer_to_begin_response(call, status, phase);
    return status;
}

void ProtocolChecker::b_transport(Payload& payload, sc_time& delay) {
    if (rules_.strict) breach(Rule::blocking, payload.get_address());
    check_attributes(payload);
    const Sent sent = snapshot(payload);
    const std::uint64_t before = sc_now_ps() + delay.value();
    ++begun_;
    const struct Ends {
        std::uint64_t& ended;
        ~Ends() { ++ended; } // also when the caller is killed or reset within the call
    } ends{ended_};
    below->b_transport(payload, delay);
    if (sc_now_ps() + delay.value() < before) breach(Rule::time_backwards, sent.address, "blocking transport");
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) breach(Rule::no_status, sent.address);
    check_unchanged(payload, sent);
}

bool ProtocolChecker::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
    const bool granted = below->get_direct_mem_ptr(payload, dmi);
    if (granted && rules_.strict) breach(Rule::dmi, payload.get_address());
    return granted;
}

unsigned int ProtocolChecker::transport_dbg(Payload& payload) {
    const unsigned asked = payload.get_data_length();
    const unsigned count = below->transport_dbg(payload);
    if (count > asked) breach(Rule::debug_length, payload.get_address());
    return count;
}

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
    above->invalidate_direct_mem_ptr(first, last);
}

void ProtocolChecker::finish() {
    if (begun_ == ended_ || !rules_.check_liveness) return;
    const auto oldest = std::min_element(
        live_.begin(), live_.end(), [](const auto& a, const auto& b) { return a.second.serial < b.second.serial; });
    const std::string count = std::to_string(begun_ - ended_) + " outstanding";
    if (oldest == live_.end()) return breach(Rule::outstanding, 0, count + " in blocking transport");
    static constexpr const char* kStates[] = {"in its request phase", "without its response", "in its response phase"};
    breach(Rule::outstanding, oldest->second.sent.address,
           count + ", the oldest since " + std::to_string(oldest->second.began_ps) + " ps, " +
               kStates[static_cast<unsigned>(oldest->second.state)]);
}

void ProtocolChecker::end_of_simulation() { finish(); }

std::unique_ptr<ProtocolChecker> bind_checked(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target,
                                              const char* name, const ProtocolRules* rules) {
    if (!rules) {
        initiator.bind(target);
        return nullptr;
    }
    auto checker = std::make_unique<ProtocolChecker>(name, *rules);
    initiator.bind(checker->above);
    checker->below.bind(target);
    return checker;
}

} // namespace numavp

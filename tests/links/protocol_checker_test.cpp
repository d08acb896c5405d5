/// The protocol checker against mutants: initiators and targets that each break one rule, and legal ones that
/// must pass. A mutant is a script of calls and answers; the report must name the rule that it broke.
#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tlm-links/protocol_checker.h"
#include "tlm-links/txn.h"

namespace numavp {
namespace {

using sc_core::SC_PS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

TLM_DECLARE_EXTENDED_PHASE(SOMETHING_ELSE);

struct Manager final : tlm::tlm_mm_interface {
    void free(tlm_generic_payload*) override {}
};

/// What the other side does when it is called.
struct Answer {
    tlm_sync_enum status = tlm::TLM_ACCEPTED;
    std::function<void(tlm_generic_payload&, tlm_phase&, sc_time&)> change = {};
};

Answer accepted() { return {}; }
Answer updated(tlm_phase to, double ps = 0) {
    return {tlm::TLM_UPDATED, [to, ps](tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
                phase = to;
                delay += sc_time(ps, SC_PS);
                if (to == tlm::BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
            }};
}
Answer completed(double ps = 0) {
    return {tlm::TLM_COMPLETED, [ps](tlm_generic_payload& p, tlm_phase&, sc_time& delay) {
                delay += sc_time(ps, SC_PS);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
            }};
}

/// Both sides of a wire with a checker in it; scripts say who calls and what is answered.
struct Rig final : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
    Rig(sc_core::sc_module_name name, const ProtocolRules& rules)
        : sc_module(name), initiator("initiator"), target("target"), checker("checker", rules) {
        initiator.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        target.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        initiator.bind(checker.above);
        checker.below.bind(target);
        for (std::size_t i = 0; i < payloads.size(); ++i) fresh(payloads[i], 0x1000 * (i + 1));
    }
    void fresh(tlm_generic_payload& p, std::uint64_t address) {
        p.set_mm(&manager);
        p.acquire();
        p.set_write();
        p.set_address(address);
        p.set_data_ptr(data.data());
        p.set_data_length(16);
        p.set_streaming_width(16);
        p.set_byte_enable_ptr(enables.data());
        p.set_byte_enable_length(4);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        enables.fill(TLM_BYTE_ENABLED);
    }

    tlm_sync_enum fw(tlm_generic_payload& p, tlm_phase phase, Answer with = {}, double ps = 0) {
        answer = std::move(with);
        sc_time delay(ps, SC_PS);
        return initiator->nb_transport_fw(p, phase, delay);
    }
    tlm_sync_enum bw(tlm_generic_payload& p, tlm_phase phase, Answer with = {}, double ps = 0) {
        if (phase == tlm::BEGIN_RESP && answers_ok) p.set_response_status(tlm::TLM_OK_RESPONSE);
        answer = std::move(with);
        sc_time delay(ps, SC_PS);
        return target->nb_transport_bw(p, phase, delay);
    }
    void blocking(tlm_generic_payload& p, Answer with, double ps = 0) {
        answer = std::move(with);
        sc_time delay(ps, SC_PS);
        initiator->b_transport(p, delay);
    }
    /// A request that is accepted, and its END_REQ.
    void request(tlm_generic_payload& p) {
        fw(p, tlm::BEGIN_REQ);
        bw(p, tlm::END_REQ);
    }

    tlm_sync_enum give(tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) const {
        const Answer now = answer; // calls may nest
        if (now.change) now.change(p, phase, delay);
        return now.status;
    }
    tlm_sync_enum nb_transport_fw(tlm_generic_payload& p, tlm_phase& ph, sc_time& t) override { return give(p, ph, t); }
    tlm_sync_enum nb_transport_bw(tlm_generic_payload& p, tlm_phase& ph, sc_time& t) override { return give(p, ph, t); }
    void b_transport(tlm_generic_payload& p, sc_time& delay) override {
        tlm_phase phase;
        give(p, phase, delay);
    }
    bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi&) override { return grants_dmi; }
    unsigned transport_dbg(tlm_generic_payload& p) override { return p.get_data_length() + debug_surplus; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override { ++invalidations; }

    Manager manager;
    std::array<unsigned char, 64> data{};
    std::array<unsigned char, 64> enables{};
    std::array<tlm_generic_payload, 3> payloads; // before the sockets, so that they outlive the checker
    Answer answer;
    bool answers_ok = true;
    bool grants_dmi = false;
    unsigned debug_surplus = 0;
    unsigned invalidations = 0;
    TxnPool pool;
    tlm::tlm_initiator_socket<> initiator;
    tlm::tlm_target_socket<> target;
    ProtocolChecker checker;
    tlm_generic_payload& a = payloads[0];
    tlm_generic_payload& b = payloads[1];
    Txn& line() { return pool.make(Kind::load, 0x800, ByteMask::full()); }
    Txn& atomic() { return pool.make(Kind::atomic, 0x880, ByteMask::range(8, 4)); }
};

using Script = std::function<void(Rig&)>;
struct Row {
    const char* name;
    Script script;
};
struct Mutant {
    const char* name;
    Rule rule;
    Script script;
};

/// A target that changes an atomic before it answers.
Script changes_atomic(std::function<void(Txn&)> change) {
    return [change = std::move(change)](Rig& r) {
        Txn& atomic = r.atomic();
        r.request(atomic);
        change(atomic);
        r.bw(atomic, tlm::BEGIN_RESP, completed());
    };
}
/// An initiator that sends an atomic with a mistake in it.
Script sends_atomic(std::function<void(Txn&)> change) {
    return [change = std::move(change)](Rig& r) {
        Txn& atomic = r.atomic();
        change(atomic);
        r.fw(atomic, tlm::BEGIN_REQ);
    };
}
/// A target that changes a request's payload before it answers.
Script target_changes(std::function<void(tlm_generic_payload&)> change) {
    return [change = std::move(change)](Rig& r) {
        r.request(r.a);
        change(r.a);
        r.bw(r.a, tlm::BEGIN_RESP);
    };
}
/// An initiator that sends a request with a mistake in it.
Script initiator_sends(std::function<void(tlm_generic_payload&)> change) {
    return [change = std::move(change)](Rig& r) {
        change(r.a);
        r.fw(r.a, tlm::BEGIN_REQ);
    };
}
Script answers_request(Answer answer) {
    return [answer = std::move(answer)](Rig& r) { r.fw(r.a, tlm::BEGIN_REQ, answer); };
}

const std::vector<Mutant>& initiator_mutants() {
    static const std::vector<Mutant> rows = {
        {"no memory manager", Rule::memory_manager,
         [](Rig& r) {
             tlm_generic_payload bare;
             bare.set_data_ptr(r.data.data());
             r.fw(bare, tlm::BEGIN_REQ);
         }},
        {"no reference", Rule::reference, initiator_sends([](auto& p) { p.release(); })},
        {"nonsense command", Rule::command,
         initiator_sends([](auto& p) { p.set_command(static_cast<tlm::tlm_command>(3)); })},
        {"length zero", Rule::data_length, initiator_sends([](auto& p) { p.set_data_length(0); })},
        {"no data", Rule::data_pointer, initiator_sends([](auto& p) { p.set_data_ptr(nullptr); })},
        {"streaming width zero", Rule::streaming_width, initiator_sends([](auto& p) { p.set_streaming_width(0); })},
        {"byte enables of no length", Rule::byte_enable_length,
         initiator_sends([](auto& p) { p.set_byte_enable_length(0); })},
        {"byte enable 0x0f", Rule::byte_enable_value,
         initiator_sends([](auto& p) { p.get_byte_enable_ptr()[1] = 0x0f; })},
        {"status already OK", Rule::initial_status,
         initiator_sends([](auto& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); })},
        {"stale status of the previous use", Rule::initial_status,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, completed());
             r.fw(r.a, tlm::BEGIN_REQ, completed());
         }},
        {"DMI hint already set", Rule::initial_dmi, initiator_sends([](auto& p) { p.set_dmi_allowed(true); })},
        {"same payload sent twice", Rule::begun_twice,
         [](Rig& r) {
             r.request(r.a);
             r.fw(r.a, tlm::BEGIN_REQ);
         }},
        {"payload reused before its response ended", Rule::begun_twice,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.a.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
             r.fw(r.a, tlm::BEGIN_REQ);
         }},
        {"second request before END_REQ", Rule::request_exclusion,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.fw(r.b, tlm::BEGIN_REQ);
         }},
        {"END_REQ sent forward", Rule::wrong_path,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.fw(r.a, tlm::END_REQ);
         }},
        {"BEGIN_RESP sent forward", Rule::wrong_path, [](Rig& r) { r.fw(r.a, tlm::BEGIN_RESP); }},
        {"no phase at all", Rule::wrong_path, [](Rig& r) { r.fw(r.a, tlm::UNINITIALIZED_PHASE); }},
        {"END_RESP of nothing", Rule::not_under_way, [](Rig& r) { r.fw(r.a, tlm::END_RESP); }},
        {"END_RESP twice", Rule::not_under_way,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.a, tlm::END_RESP, completed());
             r.fw(r.a, tlm::END_RESP, completed());
         }},
        {"END_RESP although the response was completed", Rule::not_under_way,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP, completed());
             r.fw(r.a, tlm::END_RESP);
         }},
        {"END_RESP before the response", Rule::end_resp_order,
         [](Rig& r) {
             r.request(r.a);
             r.fw(r.a, tlm::END_RESP);
         }},
        {"ignorable phase before BEGIN_REQ", Rule::not_under_way, [](Rig& r) { r.fw(r.a, SOMETHING_ELSE); }},
        {"ignorable phase after the end", Rule::not_under_way,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, completed());
             r.fw(r.a, SOMETHING_ELSE);
         }},
        {"answers END_REQ with TLM_COMPLETED", Rule::answer_to_end_req,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::END_REQ, {tlm::TLM_COMPLETED, {}});
         }},
        {"answers END_REQ with TLM_UPDATED", Rule::answer_to_end_req,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::END_REQ, updated(tlm::END_REQ));
         }},
        {"answers BEGIN_RESP with END_REQ", Rule::answer_to_begin_resp,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP, updated(tlm::END_REQ));
         }},
        {"accepts a response but changes the phase", Rule::accepted_changed,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP, {tlm::TLM_ACCEPTED, [](auto&, tlm_phase& p, auto&) { p = tlm::END_RESP; }});
         }},
        {"END_RESP annotated before the response", Rule::time_backwards,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP, accepted(), 500);
             r.fw(r.a, tlm::END_RESP, accepted(), 100);
         }},
        {"END_RESP returned before the annotated response", Rule::time_backwards,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP,
                  {tlm::TLM_UPDATED,
                   [](auto&, tlm_phase& p, sc_time& t) {
                       p = tlm::END_RESP;
                       t = sc_core::SC_ZERO_TIME;
                   }},
                  500);
         }},
        {"loses its response", Rule::outstanding,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.checker.finish();
         }},
        {"blocking call with a wrong byte enable", Rule::byte_enable_value,
         [](Rig& r) {
             r.enables[2] = 1;
             r.blocking(r.a, completed());
         }},
    };
    return rows;
}

const std::vector<Mutant>& target_mutants() {
    static const std::vector<Mutant> rows = {
        {"END_REQ of nothing", Rule::not_under_way, [](Rig& r) { r.bw(r.a, tlm::END_REQ); }},
        {"response without a request", Rule::not_under_way, [](Rig& r) { r.bw(r.a, tlm::BEGIN_RESP); }},
        {"response to a completed request", Rule::not_under_way,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, completed());
             r.bw(r.a, tlm::BEGIN_RESP);
         }},
        {"response twice", Rule::not_under_way,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP, completed());
             r.bw(r.a, tlm::BEGIN_RESP);
         }},
        {"BEGIN_RESP again before END_RESP", Rule::begin_resp_order,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.bw(r.a, tlm::BEGIN_RESP);
         }},
        {"END_REQ twice", Rule::end_req_order,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::END_REQ);
         }},
        {"END_REQ after it was given on return", Rule::end_req_order,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(tlm::END_REQ));
             r.bw(r.a, tlm::END_REQ);
         }},
        {"END_REQ after BEGIN_RESP", Rule::end_req_order,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.bw(r.a, tlm::END_REQ);
         }},
        {"second response before END_RESP", Rule::response_exclusion,
         [](Rig& r) {
             r.request(r.a);
             r.request(r.b);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.bw(r.b, tlm::BEGIN_RESP);
         }},
        {"early response in another's response phase", Rule::response_exclusion,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.b, tlm::BEGIN_REQ, updated(tlm::BEGIN_RESP));
         }},
        {"BEGIN_REQ sent backward", Rule::wrong_path, [](Rig& r) { r.bw(r.a, tlm::BEGIN_REQ); }},
        {"END_RESP sent backward", Rule::wrong_path,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::END_RESP);
         }},
        {"answers BEGIN_REQ with END_RESP", Rule::answer_to_begin_req, answers_request(updated(tlm::END_RESP))},
        {"answers BEGIN_REQ with TLM_UPDATED but no phase", Rule::answer_to_begin_req,
         answers_request({tlm::TLM_UPDATED, {}})},
        {"accepts a request but moves the phase", Rule::accepted_changed,
         answers_request({tlm::TLM_ACCEPTED, [](auto&, tlm_phase& p, auto&) { p = tlm::END_REQ; }})},
        {"accepts a request but moves the time", Rule::accepted_changed,
         answers_request({tlm::TLM_ACCEPTED, [](auto&, auto&, sc_time& t) { t += sc_time(1, SC_PS); }})},
        {"answers END_RESP with TLM_UPDATED", Rule::answer_to_end_resp,
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.a, tlm::END_RESP, updated(tlm::END_RESP));
         }},
        {"completes an ignorable phase", Rule::answer_to_ignorable,
         [](Rig& r) {
             r.request(r.a);
             r.fw(r.a, SOMETHING_ELSE, completed());
         }},
        {"hides a response in the answer to an ignorable phase", Rule::answer_to_ignorable,
         [](Rig& r) {
             r.request(r.a);
             r.fw(r.a, SOMETHING_ELSE, updated(tlm::BEGIN_RESP));
         }},
        {"takes time off the annotation", Rule::time_backwards,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ,
                  {tlm::TLM_UPDATED,
                   [](auto&, tlm_phase& p, sc_time& t) {
                       p = tlm::END_REQ;
                       t = sc_time(10, SC_PS);
                   }},
                  100);
         }},
        {"response before the annotated END_REQ", Rule::time_backwards,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(tlm::END_REQ, 700));
             r.bw(r.a, tlm::BEGIN_RESP, accepted(), 300);
         }},
        {"END_REQ before the annotated BEGIN_REQ", Rule::time_backwards,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, accepted(), 900);
             r.bw(r.a, tlm::END_REQ);
         }},
        {"changes the command", Rule::command_changed, target_changes([](auto& p) { p.set_read(); })},
        {"changes the address", Rule::address_changed, target_changes([](auto& p) { p.set_address(0); })},
        {"changes the length", Rule::length_changed, target_changes([](auto& p) { p.set_data_length(8); })},
        {"changes the data pointer", Rule::pointer_changed,
         target_changes([](auto& p) { p.set_data_ptr(p.get_data_ptr() + 1); })},
        {"changes the byte-enable pointer", Rule::enables_changed,
         target_changes([](auto& p) { p.set_byte_enable_ptr(nullptr); })},
        {"changes the byte-enable length", Rule::enables_changed,
         target_changes([](auto& p) { p.set_byte_enable_length(2); })},
        {"changes the streaming width", Rule::width_changed, target_changes([](auto& p) { p.set_streaming_width(4); })},
        {"overwrites write data", Rule::contents_changed, target_changes([](auto& p) { p.get_data_ptr()[15] ^= 1; })},
        {"writes into the data of an ignored command", Rule::contents_changed,
         [](Rig& r) {
             r.a.set_command(tlm::TLM_IGNORE_COMMAND);
             r.request(r.a);
             r.data[7] ^= 1;
             r.bw(r.a, tlm::BEGIN_RESP);
         }},
        {"overwrites byte enables", Rule::contents_changed,
         target_changes([](auto& p) { p.get_byte_enable_ptr()[3] = 0; })},
        {"changes the length on completion", Rule::length_changed,
         answers_request({tlm::TLM_COMPLETED,
                          [](auto& p, auto&, auto&) {
                              p.set_data_length(4);
                              p.set_response_status(tlm::TLM_OK_RESPONSE);
                          }})},
        {"responds without a status", Rule::no_status,
         [](Rig& r) {
             r.request(r.a);
             r.answers_ok = false;
             r.bw(r.a, tlm::BEGIN_RESP);
         }},
        {"completes without a status", Rule::no_status, answers_request({tlm::TLM_COMPLETED, {}})},
        {"never ends a request", Rule::outstanding,
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.checker.finish();
         }},
        {"never responds", Rule::outstanding,
         [](Rig& r) {
             r.request(r.a);
             r.checker.finish();
         }},
        {"blocking call without a status", Rule::no_status, [](Rig& r) { r.blocking(r.a, {}); }},
        {"blocking call that goes back in time", Rule::time_backwards,
         [](Rig& r) {
             r.blocking(r.a,
                        {tlm::TLM_COMPLETED,
                         [](auto& p, auto&, sc_time& t) {
                             t = sc_core::SC_ZERO_TIME;
                             p.set_response_status(tlm::TLM_OK_RESPONSE);
                         }},
                        50);
         }},
        {"blocking call that changes the address", Rule::address_changed,
         [](Rig& r) {
             r.blocking(r.a, {tlm::TLM_COMPLETED, [](auto& p, auto&, auto&) {
                                  p.set_address(1);
                                  p.set_response_status(tlm::TLM_OK_RESPONSE);
                              }});
         }},
        {"debug access of too many bytes", Rule::debug_length,
         [](Rig& r) {
             r.debug_surplus = 1;
             r.initiator->transport_dbg(r.a);
         }},
    };
    return rows;
}

/// Legal in the base protocol, but not in the platform.
const std::vector<Mutant>& dialect_mutants() {
    static const std::vector<Mutant> rows = {
        {"annotated request", Rule::annotated, [](Rig& r) { r.fw(r.line(), tlm::BEGIN_REQ, accepted(), 1); }},
        {"annotation on return", Rule::annotated,
         [](Rig& r) { r.fw(r.line(), tlm::BEGIN_REQ, updated(tlm::END_REQ, 1)); }},
        {"annotated END_REQ", Rule::annotated,
         [](Rig& r) {
             Txn& line = r.line();
             r.fw(line, tlm::BEGIN_REQ);
             r.bw(line, tlm::END_REQ, accepted(), 1000);
         }},
        {"foreign payload", Rule::foreign_record, [](Rig& r) { r.fw(r.a, tlm::BEGIN_REQ); }},
        {"unaligned line", Rule::whole_line,
         [](Rig& r) {
             Txn& line = r.line();
             line.set_address(0x840);
             r.fw(line, tlm::BEGIN_REQ);
         }},
        {"half a line", Rule::whole_line,
         [](Rig& r) {
             Txn& line = r.line();
             line.set_data_length(64);
             r.fw(line, tlm::BEGIN_REQ);
         }},
        {"blocking transport", Rule::blocking, [](Rig& r) { r.blocking(r.line(), completed()); }},
        {"DMI granted", Rule::dmi,
         [](Rig& r) {
             r.grants_dmi = true;
             tlm::tlm_dmi dmi;
             r.initiator->get_direct_mem_ptr(r.line(), dmi);
         }},
        {"response before END_REQ", Rule::early_response,
         [](Rig& r) {
             Txn& line = r.line();
             r.fw(line, tlm::BEGIN_REQ);
             r.bw(line, tlm::BEGIN_RESP);
         }},
        {"request completed at once", Rule::dialect_answer,
         [](Rig& r) { r.fw(r.line(), tlm::BEGIN_REQ, completed()); }},
        {"response on return", Rule::dialect_answer,
         [](Rig& r) { r.fw(r.line(), tlm::BEGIN_REQ, updated(tlm::BEGIN_RESP)); }},
        {"response ended by TLM_UPDATED", Rule::dialect_answer,
         [](Rig& r) {
             Txn& line = r.line();
             r.request(line);
             r.bw(line, tlm::BEGIN_RESP, updated(tlm::END_RESP));
         }},
        {"an atomic that is a write", Rule::atomic_form, sends_atomic([](Txn& t) { t.set_write(); })},
        {"an atomic without its extension", Rule::atomic_form,
         sends_atomic([](Txn& t) { t.clear_extension<AtomicExtension>(); })},
        {"a load with an operand", Rule::atomic_form,
         [](Rig& r) {
             Txn& line = r.line();
             line.set_extension(new AtomicExtension); // freed with the record
             r.fw(line, tlm::BEGIN_REQ);
         }},
        {"an ignored command that is no atomic", Rule::atomic_form,
         [](Rig& r) {
             Txn& line = r.line();
             line.set_command(tlm::TLM_IGNORE_COMMAND);
             r.fw(line, tlm::BEGIN_REQ);
         }},
        {"overwrites the operand of an atomic", Rule::contents_changed,
         changes_atomic([](Txn& t) { t.atomic().operand[8] ^= 1; })},
        {"brings old values in an atomic's data array", Rule::contents_changed,
         changes_atomic([](Txn& t) { t.data[8] ^= 1; })},
        {"overwrites an atomic's byte enables", Rule::contents_changed,
         changes_atomic([](Txn& t) { t.enables[0] = TLM_BYTE_ENABLED; })},
        {"takes an atomic's extension away", Rule::contents_changed,
         changes_atomic([](Txn& t) { t.clear_extension<AtomicExtension>(); })},
        {"makes a write of an atomic", Rule::command_changed, changes_atomic([](Txn& t) { t.set_write(); })},
        {"between edges", // last: time stays there
         Rule::off_edge,
         [](Rig& r) {
             sc_core::sc_start(sc_time(500, SC_PS));
             r.fw(r.line(), tlm::BEGIN_REQ);
         }},
    };
    return rows;
}

const std::vector<Row>& legal_scripts() {
    static const std::vector<Row> rows = {
        {"four phases",
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.a, tlm::END_RESP);
         }},
        {"END_RESP completed",
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.a, tlm::END_RESP, {tlm::TLM_COMPLETED, {}});
         }},
        {"completed at once, again and again with a fresh status",
         [](Rig& r) {
             for (int i = 0; i < 3; ++i) {
                 r.a.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                 r.fw(r.a, tlm::BEGIN_REQ, completed(500), 100);
             }
         }},
        {"END_REQ on return, response completed",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(tlm::END_REQ, 10), 5);
             r.bw(r.a, tlm::BEGIN_RESP, completed(3), 20);
         }},
        {"BEGIN_RESP on return, ended later",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(tlm::BEGIN_RESP, 30));
             r.fw(r.a, tlm::END_RESP, accepted(), 40);
         }},
        {"BEGIN_RESP before END_REQ implies it",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::BEGIN_RESP, updated(tlm::END_RESP, 5));
             r.fw(r.b, tlm::BEGIN_REQ, completed());
         }},
        {"two out of order",
         [](Rig& r) {
             r.request(r.a);
             r.request(r.b);
             r.bw(r.b, tlm::BEGIN_RESP);
             r.fw(r.b, tlm::END_RESP);
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"a completion in another's response phase",
         [](Rig& r) {
             r.request(r.a);
             r.bw(r.a, tlm::BEGIN_RESP);
             r.fw(r.b, tlm::BEGIN_REQ, completed());
             r.fw(r.a, tlm::END_RESP);
         }},
        {"the next request from inside END_REQ",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ);
             r.bw(r.a, tlm::END_REQ,
                  {tlm::TLM_ACCEPTED, [&r](auto&, auto&, auto&) { r.fw(r.b, tlm::BEGIN_REQ, completed()); }});
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"ignorable phases both ways",
         [](Rig& r) {
             r.fw(r.a, tlm::BEGIN_REQ, updated(SOMETHING_ELSE));
             r.bw(r.a, SOMETHING_ELSE);
             r.fw(r.a, SOMETHING_ELSE, updated(SOMETHING_ELSE));
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"an error is a response",
         [](Rig& r) {
             r.request(r.a);
             r.a.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
             r.answers_ok = false;
             r.bw(r.a, tlm::BEGIN_RESP, {tlm::TLM_COMPLETED, {}});
         }},
        {"the data of a read change",
         [](Rig& r) {
             r.a.set_read();
             r.request(r.a);
             r.data[3] ^= 0xff;
             r.bw(r.a, tlm::BEGIN_RESP, completed());
         }},
        {"an ignored command without data",
         [](Rig& r) {
             r.a.set_command(tlm::TLM_IGNORE_COMMAND);
             r.a.set_data_ptr(nullptr);
             r.a.set_byte_enable_ptr(nullptr);
             r.fw(r.a, tlm::BEGIN_REQ, completed());
         }},
        {"blocking, without a memory manager, annotated",
         [](Rig& r) {
             tlm_generic_payload bare;
             bare.set_read();
             bare.set_data_ptr(r.data.data());
             bare.set_data_length(4);
             bare.set_streaming_width(4);
             r.blocking(bare, completed(100), 20);
         }},
        {"debug, DMI, invalidation",
         [](Rig& r) {
             tlm::tlm_dmi dmi;
             r.grants_dmi = true;
             EXPECT_TRUE(r.initiator->get_direct_mem_ptr(r.a, dmi));
             EXPECT_EQ(r.initiator->transport_dbg(r.a), r.a.get_data_length());
             r.target->invalidate_direct_mem_ptr(0, 1);
             EXPECT_EQ(r.invalidations, 1U);
         }},
    };
    return rows;
}

/// The sentence of the breach, or nothing.
std::string run(const Script& script, Rig& rig) {
    try {
        script(rig);
    } catch (const sc_core::sc_report& report) {
        EXPECT_STREQ(report.get_msg_type(), "numavp/protocol");
        return report.get_msg();
    }
    return {};
}

void expect_all_caught(const std::vector<Mutant>& mutants, const ProtocolRules& rules) {
    std::vector<std::unique_ptr<Rig>> rigs;
    for (std::size_t i = 0; i < mutants.size(); ++i)
        rigs.push_back(std::make_unique<Rig>(("rig" + std::to_string(i)).c_str(), rules));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        const std::string sentence = run(mutants[i].script, *rigs[i]);
        EXPECT_NE(sentence.find(rule_text(mutants[i].rule)), std::string::npos)
            << mutants[i].name << " gave: " << (sentence.empty() ? "nothing" : sentence);
        EXPECT_NE(sentence.find("rig" + std::to_string(i) + ".checker"), std::string::npos) << "names the checker";
        EXPECT_NE(sentence.find("transaction at 0x"), std::string::npos) << "names the transaction";
    }
}

TEST(ProtocolChecker, CatchesBrokenInitiators) { expect_all_caught(initiator_mutants(), {}); }

TEST(ProtocolChecker, CatchesBrokenTargets) { expect_all_caught(target_mutants(), {}); }

TEST(ProtocolChecker, CatchesWhatThePlatformsDialectForbids) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    expect_all_caught(dialect_mutants(), ProtocolRules::platform(clock, clock));
}

TEST(ProtocolChecker, EveryRuleHasAMutant) {
    std::set<Rule> rules;
    for (const auto* table : {&initiator_mutants(), &target_mutants(), &dialect_mutants()})
        for (const Mutant& mutant : *table) rules.insert(mutant.rule);
    for (unsigned rule = 0; rule < static_cast<unsigned>(Rule::count); ++rule)
        EXPECT_EQ(rules.count(static_cast<Rule>(rule)), 1U) << rule_text(static_cast<Rule>(rule));
}

TEST(ProtocolChecker, LetsLegalTrafficPass) {
    std::vector<std::unique_ptr<Rig>> rigs;
    for (std::size_t i = 0; i < legal_scripts().size(); ++i)
        rigs.push_back(std::make_unique<Rig>(sc_core::sc_gen_unique_name("rig"), ProtocolRules{}));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (std::size_t i = 0; i < rigs.size(); ++i) {
        EXPECT_EQ(run(legal_scripts()[i].script, *rigs[i]), "") << legal_scripts()[i].name;
        EXPECT_NO_THROW(rigs[i]->checker.finish()) << legal_scripts()[i].name;
        EXPECT_EQ(rigs[i]->checker.begun(), rigs[i]->checker.ended());
    }
}

TEST(ProtocolChecker, LetsAnAtomicBringItsResult) {
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    Rig rig("rig", ProtocolRules::platform(clock, clock));
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(run(changes_atomic([](Txn& t) { t.atomic().result.fill(0xa5); }), rig), "");
    EXPECT_NO_THROW(rig.checker.finish());
}

TEST(ProtocolChecker, SaysWhoIsTheOldest) {
    Rig rig("rig", ProtocolRules{});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    rig.request(rig.b);
    sc_core::sc_start(sc_time(2, sc_core::SC_NS));
    rig.request(rig.a);
    const std::string sentence = run([](Rig& r) { r.checker.finish(); }, rig);
    EXPECT_EQ(sentence, "rig.checker: transaction at 0x2000: not ended at the end of the simulation "
                        "(2 outstanding, the oldest since 0 ps, without its response)");
}

TEST(ProtocolChecker, AnInterconnectBelowMayRewriteTheAddress) {
    ProtocolRules rules;
    rules.rerouted_below = true;
    Rig rig("rig", rules);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(run(target_changes([](auto& p) { p.set_address(0); }), rig), "");
}

TEST(ProtocolChecker, TheEndOfASimulationChecksLiveness) {
    Rig rig("rig", ProtocolRules{});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    rig.request(rig.a);
    EXPECT_THROW(sc_core::sc_stop(), sc_core::sc_report);
}

} // namespace
} // namespace numavp

#include "tests/tlm-links/checker_mutants.h"

namespace numavp::checked {

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

} // namespace numavp::checked

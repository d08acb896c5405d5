/// Both sides of a wire with a protocol checker in it, and scripts of calls and answers for them.
#pragma once

#include <array>
#include <functional>
#include <utility>

#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/txn.h"

namespace numavp::checked {

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

inline Answer accepted() { return {}; }
inline Answer updated(tlm_phase to, double ps = 0) {
    return {tlm::TLM_UPDATED, [to, ps](tlm_generic_payload& p, tlm_phase& phase, sc_time& delay) {
                phase = to;
                delay += sc_time(ps, SC_PS);
                if (to == tlm::BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
            }};
}
inline Answer completed(double ps = 0) {
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
    Txn& line() { return shown(pool.make(Kind::load, 0x800, ByteMask::full())); }
    Txn& atomic() { return shown(pool.make(Kind::atomic, 0x880, ByteMask::range(8, 4))); }
    static Txn& shown(Txn& txn) {
        txn.show();
        return txn;
    }
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
inline Script changes_atomic(std::function<void(Txn&)> change) {
    return [change = std::move(change)](Rig& r) {
        Txn& atomic = r.atomic();
        r.request(atomic);
        change(atomic);
        r.bw(atomic, tlm::BEGIN_RESP, completed());
    };
}
/// An initiator that sends an atomic with a mistake in it.
inline Script sends_atomic(std::function<void(Txn&)> change) {
    return [change = std::move(change)](Rig& r) {
        Txn& atomic = r.atomic();
        change(atomic);
        r.fw(atomic, tlm::BEGIN_REQ);
    };
}
/// A target that changes a request's payload before it answers.
inline Script target_changes(std::function<void(tlm_generic_payload&)> change) {
    return [change = std::move(change)](Rig& r) {
        r.request(r.a);
        change(r.a);
        r.bw(r.a, tlm::BEGIN_RESP);
    };
}
/// An initiator that sends a request with a mistake in it.
inline Script initiator_sends(std::function<void(tlm_generic_payload&)> change) {
    return [change = std::move(change)](Rig& r) {
        change(r.a);
        r.fw(r.a, tlm::BEGIN_REQ);
    };
}
inline Script answers_request(Answer answer) {
    return [answer = std::move(answer)](Rig& r) { r.fw(r.a, tlm::BEGIN_REQ, answer); };
}

} // namespace numavp::checked

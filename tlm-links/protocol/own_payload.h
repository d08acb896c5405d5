/// Checks that a payload which comes back to a module in a phase is one that this module made.
#pragma once

#include <string>
#include <typeinfo>

#include <tlm>

namespace numavp {

/// True if the payload's dynamic type is `Own`; safe for any payload. Costs a comparison of two addresses.
template <class Own> bool is_own(const tlm::tlm_generic_payload& payload) { return typeid(payload) == typeid(Own); }

/// Reports an error for a payload of another type than `where` sends.
inline void report_stranger(const sc_core::sc_object& where, const tlm::tlm_phase& phase, const char* advice) {
    const std::string sentence = std::string(where.name()) + ": " + phase.get_name() + " with a payload that " + advice;
    SC_REPORT_ERROR("numavp/protocol", sentence.c_str());
}

/// The payload as the type in which the initiator at `where` makes its payloads; null, after a report, for any other.
template <class Own>
Own* own_payload(tlm::tlm_generic_payload& payload, const sc_core::sc_object& where, const tlm::tlm_phase& phase) {
    if (is_own<Own>(payload)) return static_cast<Own*>(&payload);
    report_stranger(where, phase, "was not sent from here");
    return nullptr;
}

} // namespace numavp

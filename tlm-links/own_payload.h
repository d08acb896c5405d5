/// What comes back to a module in a phase has to be a payload of its own making.
#pragma once

#include <string>
#include <typeinfo>

#include <tlm>

namespace numavp {

/// True for an object made as `Own`, whatever came through the call. Costs a comparison of two addresses.
template <class Own> bool is_own(const tlm::tlm_generic_payload& payload) { return typeid(payload) == typeid(Own); }

/// Reports a payload that is not of the kind that `where` deals with.
inline void report_stranger(const sc_core::sc_object& where, const tlm::tlm_phase& phase, const char* advice) {
    const std::string sentence = std::string(where.name()) + ": " + phase.get_name() + " with a payload that " + advice;
    SC_REPORT_ERROR("numavp/protocol", sentence.c_str());
}

/// The payload as the initiator at `where` made it; null, after a report, if it made none such.
template <class Own>
Own* own_payload(tlm::tlm_generic_payload& payload, const sc_core::sc_object& where, const tlm::tlm_phase& phase) {
    if (is_own<Own>(payload)) return static_cast<Own*>(&payload);
    report_stranger(where, phase, "was not sent from here");
    return nullptr;
}

} // namespace numavp

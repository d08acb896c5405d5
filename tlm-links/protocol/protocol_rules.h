/// The rules that a protocol checker holds a wire to.
#pragma once

#include <cstdint>

#include "base/time/clockwork.h"

namespace numavp {

/// Rules that a checker adds to the base protocol, or does not check.
struct ProtocolRules {
    bool strict = false; ///< the platform's dialect
    /// strict: calls come on an edge of one of the two clocks (the end of a phase may bring the next call with it).
    const ClockDomain* above_clock = nullptr;
    const ClockDomain* below_clock = nullptr;
    bool rerouted_below = false; ///< an interconnect below may rewrite the address
    bool check_contents = true;  ///< write data and byte enables stay as they were sent
    bool check_liveness = true;  ///< at the end of the simulation nothing is outstanding

    /// Rules of the platform's dialect, between modules with these clocks.
    static ProtocolRules platform(const ClockDomain& above, const ClockDomain& below) {
        ProtocolRules rules;
        rules.strict = true;
        rules.above_clock = &above;
        rules.below_clock = &below;
        return rules;
    }
};

/// The rules that can be broken; `rule_text()` describes each for the report.
enum class Rule : std::uint8_t {
    memory_manager,
    reference,
    command,
    data_length,
    data_pointer,
    streaming_width,
    byte_enable_length,
    byte_enable_value,
    initial_status,
    initial_dmi,
    begun_twice,
    request_exclusion,
    response_exclusion,
    wrong_path,
    not_under_way,
    end_req_order,
    begin_resp_order,
    end_resp_order,
    answer_to_begin_req,
    answer_to_end_req,
    answer_to_begin_resp,
    answer_to_end_resp,
    answer_to_ignorable,
    accepted_changed,
    time_backwards,
    command_changed,
    address_changed,
    length_changed,
    pointer_changed,
    enables_changed,
    width_changed,
    contents_changed,
    no_status,
    debug_length,
    outstanding,
    // the dialect
    annotated,
    off_edge,
    foreign_record,
    whole_line,
    atomic_form,
    blocking,
    dmi,
    early_response,
    dialect_answer,
    count
};
const char* rule_text(Rule rule);

} // namespace numavp

#include "tlm-links/protocol/protocol_rules.h"

#include <iterator>

namespace numavp {

const char* rule_text(Rule rule) {
    static constexpr const char* kTexts[] = {
        "a non-blocking transaction needs a memory manager",
        "nobody holds a reference to the transaction",
        "the command is none of read, write and ignore",
        "the data length must be at least 1",
        "the data pointer is null",
        "the streaming width must be at least 1",
        "the byte-enable length must be at least 1",
        "a byte enable must be 0x00 or 0xff",
        "a new request must have TLM_INCOMPLETE_RESPONSE",
        "a new request must not have the DMI hint set",
        "BEGIN_REQ for a transaction that is under way",
        "BEGIN_REQ while another transaction is in its request phase",
        "BEGIN_RESP while another transaction is in its response phase",
        "the phase came on the wrong path",
        "a phase for a transaction that is not under way",
        "END_REQ outside the request phase",
        "BEGIN_RESP in the response phase",
        "END_RESP outside the response phase",
        "BEGIN_REQ may be answered TLM_ACCEPTED, TLM_UPDATED with END_REQ or BEGIN_RESP, or TLM_COMPLETED",
        "END_REQ may only be answered TLM_ACCEPTED",
        "BEGIN_RESP may be answered TLM_ACCEPTED, TLM_UPDATED with END_RESP, or TLM_COMPLETED",
        "END_RESP may only be answered TLM_ACCEPTED or TLM_COMPLETED",
        "an ignorable phase may not be answered TLM_COMPLETED or by a phase of the base protocol",
        "TLM_ACCEPTED with a changed phase or annotation",
        "the annotated time goes backwards",
        "the command changed",
        "the address changed",
        "the data length changed",
        "the data pointer changed",
        "the byte-enable pointer or length changed",
        "the streaming width changed",
        "write data, an operand or byte enables changed",
        "a response without a response status",
        "debug access returned more bytes than it was asked for",
        "not ended at the end of the simulation",
        "a call inside the platform must not be annotated",
        "a call inside the platform must come on an edge of one of its two clocks",
        "only the platform's own records may travel inside it",
        "a record inside the platform is one aligned line",
        "an atomic, and nothing else in the platform, is TLM_IGNORE_COMMAND with an AtomicExtension",
        "blocking transport inside the platform",
        "DMI was granted inside the platform",
        "a response inside the platform before END_REQ",
        "an answer that the platform's dialect does not have",
    };
    static_assert(std::size(kTexts) == static_cast<std::size_t>(Rule::count));
    return kTexts[static_cast<std::size_t>(rule)];
}

} // namespace numavp

/// Cuts a generic payload into lines of the platform, byte by byte.
///
/// Byte i of the data belongs to address + i mod streaming width, if its byte enable (repeated over the data) is set. A
/// payload that streams over the same bytes is treated as a memory would: of several writes to one byte the last wins,
/// and a read returns the same byte in each beat.
#pragma once

#include <cstdint>

#include <tlm>

#include "base/values/types.h"

namespace numavp {

/// Addresses [base, base + size).
struct AddressRange {
    std::uint64_t base = 0;
    std::uint64_t size = kNever;
};

/// TLM_OK_RESPONSE, or the status that answers a payload that can't be served.
tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload, AddressRange range);

/// First and last line that a payload touches; `check_access()` must have passed.
std::uint64_t first_line(const tlm::tlm_generic_payload& payload);
std::uint64_t last_line(const tlm::tlm_generic_payload& payload);

/// Returns the enabled bytes of `line`; for a write also copies them into `data`, a whole line.
ByteMask gather_line(const tlm::tlm_generic_payload& payload, std::uint64_t line, unsigned char* data);
/// Copies the enabled bytes of `data`, a whole line, into the payload of a read.
void scatter_line(const tlm::tlm_generic_payload& payload, std::uint64_t line, const unsigned char* data);

} // namespace numavp

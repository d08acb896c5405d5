/// What a generic payload means byte by byte, cut into lines of the platform.
///
/// Byte i of the data belongs to address + i mod streaming width, if its byte enable (repeated over the
/// data) says so. A payload that streams over the same bytes is taken as a memory takes it: of several
/// writes to one byte the last wins, and a read yields the same byte in each beat.
#pragma once

#include <cstdint>

#include <tlm>

#include "models/base/types.h"

namespace numavp {

/// Addresses [base, base + size).
struct AddressRange {
    std::uint64_t base = 0;
    std::uint64_t size = kNever;
};

/// The status with which a payload that can't be served is answered, or TLM_OK_RESPONSE.
tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload, AddressRange range);

/// The lines that a payload touches; `check_access()` has passed.
std::uint64_t first_line(const tlm::tlm_generic_payload& payload);
std::uint64_t last_line(const tlm::tlm_generic_payload& payload);

/// The enabled bytes of `line`; of a write, its bytes are put into the line `data`.
ByteMask gather_line(const tlm::tlm_generic_payload& payload, std::uint64_t line, unsigned char* data);
/// Puts the enabled bytes of the line `data` into the payload of a read.
void scatter_line(const tlm::tlm_generic_payload& payload, std::uint64_t line, const unsigned char* data);

} // namespace numavp

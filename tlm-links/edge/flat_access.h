/// Converts a generic payload to bytes at consecutive addresses: resolves streaming and byte enables.
#pragma once

#include <vector>

#include <tlm>

namespace numavp {

/// Number of consecutive addresses that a payload touches, from its address on.
unsigned extent_of(const tlm::tlm_generic_payload& payload);

/// Gets the bytes of a write, `extent_of()` many, and which of them are written; empty `enabled`: all.
void gather_bytes(const tlm::tlm_generic_payload& payload, std::vector<unsigned char>& bytes,
                  std::vector<unsigned char>& enabled);
/// Copies bytes into the payload of a read.
void scatter_bytes(tlm::tlm_generic_payload& payload, const std::vector<unsigned char>& bytes);

} // namespace numavp

/// A generic payload as bytes at consecutive addresses: streaming and byte enables are resolved.
#pragma once

#include <vector>

#include <tlm>

namespace numavp {

/// Bytes of address space that a payload touches, from its address on.
unsigned extent_of(const tlm::tlm_generic_payload& payload);

/// The bytes of a write, `extent_of()` many, and which of them are written; no `enabled`: all.
void gather_bytes(const tlm::tlm_generic_payload& payload, std::vector<unsigned char>& bytes,
                  std::vector<unsigned char>& enabled);
/// Puts the bytes into the payload of a read.
void scatter_bytes(tlm::tlm_generic_payload& payload, const std::vector<unsigned char>& bytes);

} // namespace numavp

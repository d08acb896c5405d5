/// What a generic payload does to a memory, byte by byte, as the standard words it: the tests' own reading of it,
/// which shares nothing with the adapters.
#pragma once

#include <tlm>

#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

/// Reads into `data` or writes from it; `data` is as long as the payload's data.
inline void perform_bytewise(const tlm::tlm_generic_payload& payload, unsigned char* data, FlatMemory& memory) {
    const unsigned char* enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
        if (enables && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
        const std::uint64_t address = payload.get_address() + i % payload.get_streaming_width();
        if (payload.is_read())
            memory.read(address, data + i, 1);
        else if (payload.is_write())
            memory.write(address, data + i, std::size_t{1});
    }
}

} // namespace numavp::test

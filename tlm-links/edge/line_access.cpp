#include "tlm-links/edge/line_access.h"

#include <algorithm>

namespace numavp {

namespace {

/// Bytes of address space from the payload's address on.
unsigned extent(const tlm::tlm_generic_payload& payload) {
    return std::min(payload.get_data_length(), payload.get_streaming_width());
}

constexpr std::uint64_t line_of(std::uint64_t address) { return address & ~std::uint64_t{kLineBytes - 1}; }

/// Calls `byte(index in the payload's data, offset in the line)` for the enabled bytes of `line`, in the
/// order in which they are streamed for each offset.
template <class Byte> void for_enabled_bytes(const tlm::tlm_generic_payload& payload, std::uint64_t line, Byte&& byte) {
    const std::uint64_t begin = std::max<std::uint64_t>(line, payload.get_address());
    const std::uint64_t last =
        std::min<std::uint64_t>(line + (kLineBytes - 1), payload.get_address() + extent(payload) - 1);
    if (begin > last) return;
    const unsigned char* enables = payload.get_byte_enable_ptr();
    const unsigned repeat = payload.get_byte_enable_length();
    for (std::uint64_t address = begin; address <= last; ++address) {
        auto index = static_cast<std::size_t>(address - payload.get_address());
        for (; index < payload.get_data_length(); index += payload.get_streaming_width())
            if (!enables || enables[index % repeat] == TLM_BYTE_ENABLED)
                byte(index, static_cast<unsigned>(address - line));
        if (address == last) break; // the last byte of the address space has no successor
    }
}

} // namespace

tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& payload, AddressRange range) {
    if (payload.get_data_length() == 0 || payload.get_streaming_width() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length() == 0)
        return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    if (payload.get_command() != tlm::TLM_READ_COMMAND && payload.get_command() != tlm::TLM_WRITE_COMMAND)
        return tlm::TLM_COMMAND_ERROR_RESPONSE;
    if (payload.get_address() < range.base || payload.get_address() - range.base >= range.size ||
        range.size - (payload.get_address() - range.base) < extent(payload))
        return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

std::uint64_t first_line(const tlm::tlm_generic_payload& payload) { return line_of(payload.get_address()); }

std::uint64_t last_line(const tlm::tlm_generic_payload& payload) {
    return line_of(payload.get_address() + extent(payload) - 1);
}

ByteMask gather_line(const tlm::tlm_generic_payload& payload, std::uint64_t line, unsigned char* data) {
    ByteMask mask{0, 0};
    const bool write = payload.is_write();
    const unsigned char* from = payload.get_data_ptr();
    for_enabled_bytes(payload, line, [&](std::size_t index, unsigned offset) {
        mask |= ByteMask::range(offset, 1);
        if (write) data[offset] = from[index];
    });
    return mask;
}

void scatter_line(const tlm::tlm_generic_payload& payload, std::uint64_t line, const unsigned char* data) {
    unsigned char* to = payload.get_data_ptr();
    for_enabled_bytes(payload, line, [&](std::size_t index, unsigned offset) { to[index] = data[offset]; });
}

} // namespace numavp

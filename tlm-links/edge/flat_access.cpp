#include "tlm-links/edge/flat_access.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tlm-links/edge/line_access.h"

namespace numavp {

namespace {
/// Calls f(line, first byte of the access, byte of the line, count) for each line that a payload touches.
template <class F> void each_line(const tlm::tlm_generic_payload& payload, F f) {
    const std::uint64_t bytes = extent_of(payload);
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t address = payload.get_address() + done;
        const std::uint64_t offset = address % kLineBytes;
        const std::uint64_t count = std::min(bytes - done, kLineBytes - offset);
        f(address - offset, done, offset, count);
        done += count;
    }
}

/// Byte i of the data is that of the address plus i.
bool is_flat(const tlm::tlm_generic_payload& payload) {
    return !payload.get_byte_enable_ptr() && payload.get_streaming_width() >= payload.get_data_length();
}
} // namespace

unsigned extent_of(const tlm::tlm_generic_payload& payload) {
    return std::min(payload.get_data_length(), payload.get_streaming_width());
}

void gather_bytes(const tlm::tlm_generic_payload& payload, std::vector<unsigned char>& bytes,
                  std::vector<unsigned char>& enabled) {
    bytes.resize(extent_of(payload));
    enabled.assign(payload.get_byte_enable_ptr() ? bytes.size() : 0, 0);
    if (is_flat(payload)) {
        std::memcpy(bytes.data(), payload.get_data_ptr(), bytes.size());
        return;
    }
    std::array<unsigned char, kLineBytes> data{};
    each_line(payload, [&](std::uint64_t line, std::uint64_t first, std::uint64_t offset, std::uint64_t count) {
        const ByteMask mask = gather_line(payload, line, data.data());
        std::memcpy(&bytes[first], &data[offset], count);
        for (std::uint64_t i = 0; !enabled.empty() && i < count; ++i)
            enabled[first + i] = mask.test(static_cast<unsigned>(offset + i)) ? 1 : 0;
    });
}

void scatter_bytes(tlm::tlm_generic_payload& payload, const std::vector<unsigned char>& bytes) {
    if (is_flat(payload)) {
        std::memcpy(payload.get_data_ptr(), bytes.data(), bytes.size());
        return;
    }
    std::array<unsigned char, kLineBytes> data{};
    each_line(payload, [&](std::uint64_t line, std::uint64_t first, std::uint64_t offset, std::uint64_t count) {
        std::memcpy(&data[offset], &bytes[first], count);
        scatter_line(payload, line, data.data());
    });
}

} // namespace numavp

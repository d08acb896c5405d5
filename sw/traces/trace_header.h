/// The header of an Accel-Sim kernel trace (.traceg): lines "-key = value" up to the first line with '#'.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace numavp {

/// Thread blocks of a grid in x: CUDA C++ Programming Guide, table of compute capabilities.
inline constexpr std::uint64_t kMaxGridX = 2147483647;

/// The fields of a header that the reader uses. Other keys are skipped.
struct TraceHeader {
    std::string kernel_name;                     ///< mangled
    std::array<std::uint64_t, 3> grid{1, 1, 1};  ///< blocks in x, y, z
    std::array<std::uint32_t, 3> block{1, 1, 1}; ///< threads in x, y, z
    std::uint32_t shared_bytes = 0;              ///< static and dynamic
    std::uint32_t registers = 1;                 ///< of a thread
    std::uint64_t stream = 0;                    ///< CUDA stream handle
    std::uint64_t shared_base = 0;               ///< window of shared memory in generic addresses; 0 if not given
    std::uint64_t local_base = 0;                ///< window of local memory; 0 if not given
    unsigned tracer_version = 0;                 ///< 1 to 6; "1.2" is 1
    bool has_line_numbers = false;               ///< "-enable lineinfo = 1"
    std::size_t body_offset = 0;                 ///< where the '#' line begins

    std::uint64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
    std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

/// Longest header that is searched.
inline constexpr std::size_t kMaxTraceHeaderBytes = std::size_t{64} << 10;

/// Reads the header at the start of `text`. Throws ConfigError with `place` (the file) and the line.
TraceHeader parse_trace_header(std::string_view text, const std::string& place);

} // namespace numavp

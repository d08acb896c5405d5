#include "sw/traces/trace_header.h"

#include <charconv>
#include <vector>

#include "base/values/error.h"

namespace numavp {
namespace {

constexpr std::uint64_t kMaxGridYz = 65535;                      // as kMaxGridX
constexpr std::uint64_t kMaxGridBlocks = std::uint64_t{1} << 40; ///< more than any machine has run
constexpr std::uint64_t kMaxBlockThreads = 1024;
constexpr std::uint64_t kMaxBlockSharedBytes = 0xffffffff;
constexpr std::uint64_t kMaxRegisters = 255;
constexpr unsigned kFirstVersion = 1;
constexpr unsigned kLastVersion = 6;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// One header line and where it stands.
struct Line {
    std::string place;
    std::string key;
    std::string_view value;

    [[noreturn]] void fail(const std::string& allowed) const {
        throw ConfigError(place, "'-" + key + "' has the value '" + std::string(value) + "'; " + allowed);
    }
    std::uint64_t integer(std::string_view text, int base, std::uint64_t min, std::uint64_t max) const {
        std::string_view digits = trimmed(text);
        if (base == 16 && digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
            digits.remove_prefix(2);
        std::uint64_t result = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result, base);
        if (error != std::errc() || end != digits.data() + digits.size() || result < min || result > max) {
            fail(base == 16 ? std::string("a hexadecimal address is allowed")
                            : "integers from " + std::to_string(min) + " to " + std::to_string(max) + " are allowed");
        }
        return result;
    }
    std::uint64_t decimal(std::uint64_t min, std::uint64_t max) const { return integer(value, 10, min, max); }
    std::uint64_t address() const { return integer(value, 16, 0, ~0ULL); }
    /// "(x,y,z)"
    std::array<std::uint64_t, 3> triple(std::uint64_t max_x, std::uint64_t max_yz) const {
        std::string_view rest = value;
        if (rest.size() < 2 || rest.front() != '(' || rest.back() != ')') fail("(x,y,z) is allowed");
        rest = rest.substr(1, rest.size() - 2);
        std::array<std::uint64_t, 3> result{};
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t comma = rest.find(',');
            if ((comma == std::string_view::npos) != (i == 2)) fail("(x,y,z) is allowed");
            result[i] = integer(rest.substr(0, comma), 10, 1, i == 0 ? max_x : max_yz);
            if (i < 2) rest.remove_prefix(comma + 1);
        }
        return result;
    }
};

unsigned parse_version(const Line& line) {
    unsigned major = 0;
    const char* end = line.value.data() + line.value.size();
    const auto [rest, error] = std::from_chars(line.value.data(), end, major);
    if (error != std::errc() || (rest != end && *rest != '.')) line.fail("versions 1.2 to 6 are supported");
    if (major > kLastVersion || major < kFirstVersion) line.fail("versions 1.2 to 6 are supported");
    return major;
}

/// Which of the keys that must be there were.
struct Seen {
    bool name = false, grid = false, block = false, registers = false, version = false;

    const char* missing() const {
        if (!name) return "-kernel name";
        if (!grid) return "-grid dim";
        if (!block) return "-block dim";
        if (!registers) return "-nregs";
        if (!version) return "-accelsim tracer version";
        return nullptr;
    }
};

void take(const Line& line, TraceHeader& header, Seen& seen) {
    const std::string& key = line.key;
    if (key == "kernel name") {
        header.kernel_name = std::string(line.value);
        seen.name = true;
    } else if (key == "grid dim") {
        header.grid = line.triple(kMaxGridX, kMaxGridYz);
        if (header.grid[0] * header.grid[1] > kMaxGridBlocks / header.grid[2])
            line.fail("at most 2^40 thread blocks in a grid are allowed");
        seen.grid = true;
    } else if (key == "block dim") {
        const auto dim = line.triple(kMaxBlockThreads, kMaxBlockThreads);
        if (dim[0] * dim[1] * dim[2] > kMaxBlockThreads) line.fail("at most 1024 threads in a block are allowed");
        for (std::size_t i = 0; i < 3; ++i) header.block[i] = static_cast<std::uint32_t>(dim[i]);
        seen.block = true;
    } else if (key == "shmem") {
        header.shared_bytes = static_cast<std::uint32_t>(line.decimal(0, kMaxBlockSharedBytes));
    } else if (key == "nregs") {
        header.registers = static_cast<std::uint32_t>(line.decimal(1, kMaxRegisters));
        seen.registers = true;
    } else if (key == "cuda stream id") {
        header.stream = line.decimal(0, ~0ULL);
    } else if (key == "shmem base_addr") {
        header.shared_base = line.address();
    } else if (key == "local mem base_addr") {
        header.local_base = line.address();
    } else if (key == "accelsim tracer version") {
        header.tracer_version = parse_version(line);
        seen.version = true;
    } else if (key == "enable lineinfo") {
        header.has_line_numbers = line.decimal(0, 1) == 1;
    }
}

} // namespace

TraceHeader parse_trace_header(std::string_view text, const std::string& place) {
    TraceHeader header;
    Seen seen;
    unsigned number = 0;
    std::size_t at = 0;
    bool complete = false;
    while (at < text.size()) {
        ++number;
        const std::size_t newline = text.find('\n', at);
        const std::string_view line = trimmed(text.substr(at, newline - at));
        if (!line.empty() && line.front() == '#') {
            complete = true;
            break;
        }
        if (newline == std::string_view::npos) break;
        at = newline + 1;
        if (line.empty()) continue;
        const std::string where = place + ": line " + std::to_string(number);
        const std::size_t equals = line.find('=');
        if (line.front() != '-' || equals == std::string_view::npos)
            throw ConfigError(where, "is not a line of a trace header; '-key = value' is allowed before the first '#'");
        take({where, std::string(trimmed(line.substr(1, equals - 1))), trimmed(line.substr(equals + 1))}, header, seen);
    }
    if (!complete)
        throw ConfigError(place + ": line " + std::to_string(number),
                          "the trace ends within its header; a line with '#' must follow the header");
    if (const char* key = seen.missing())
        throw ConfigError(place + ": line " + std::to_string(number),
                          "the header has no '" + std::string(key) + "', which a trace must have");
    header.body_offset = at;
    return header;
}

} // namespace numavp

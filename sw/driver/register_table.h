/// Registers as data: types of the generated <sw/driver/register_map.h>, and the decision about an access to a block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace numavp {

enum class RegisterAccess : std::uint8_t { read_only, write_only, read_write };

/// Bits [first, last] of a register.
struct RegisterField {
    const char* name;
    unsigned first;
    unsigned last;
    const char* doc;

    constexpr std::uint64_t mask() const { return (~std::uint64_t{0} >> (63 - (last - first))) << first; }
    constexpr std::uint64_t of(std::uint64_t value) const { return (value & mask()) >> first; }
};

struct RegisterInfo {
    const char* name;
    std::uint64_t offset;
    RegisterAccess access;
    std::uint64_t reset;
    bool configured; ///< its value comes from the platform's configuration, not from `reset`
    const char* doc;
    const RegisterField* fields;
    std::size_t field_count;
};

/// `base` is the block's address on the core's bus.
struct RegisterBlock {
    const char* name;
    std::uint64_t base;
    std::uint64_t bytes;
    const char* doc;
    const RegisterInfo* registers;
    std::size_t register_count;
};

inline constexpr unsigned kRegisterBytes = 8;

/// Reason why an access is a bus error; if several hold, the first in this order.
enum class RegisterError : std::uint8_t {
    none,
    outside,
    size,
    misaligned,
    unmapped,
    read_of_write_only,
    write_of_read_only
};

/// Decision about an access: without an error, `index` is the register's number in its block.
struct RegisterDecision {
    RegisterError error = RegisterError::none;
    std::size_t index = 0;
};

/// Decides about an access of `bytes` bytes at `offset` of the block.
constexpr RegisterDecision decide(const RegisterBlock& block, std::uint64_t offset, std::uint64_t bytes, bool write) {
    if (offset >= block.bytes) return {RegisterError::outside};
    if (bytes != kRegisterBytes) return {RegisterError::size};
    if (offset % kRegisterBytes != 0) return {RegisterError::misaligned};
    for (std::size_t i = 0; i < block.register_count; ++i) {
        const RegisterInfo& info = block.registers[i];
        if (info.offset != offset) continue;
        if (write && info.access == RegisterAccess::read_only) return {RegisterError::write_of_read_only, i};
        if (!write && info.access == RegisterAccess::write_only) return {RegisterError::read_of_write_only, i};
        return {RegisterError::none, i};
    }
    return {RegisterError::unmapped};
}

/// End of a sentence that begins with the access.
constexpr const char* why(RegisterError error) {
    switch (error) {
    case RegisterError::none: return "is allowed";
    case RegisterError::outside: return "lies outside the block";
    case RegisterError::size: return "is not of 8 bytes";
    case RegisterError::misaligned: return "is not aligned to 8 bytes";
    case RegisterError::unmapped: return "meets no register";
    case RegisterError::read_of_write_only: return "reads a write-only register";
    case RegisterError::write_of_read_only: return "writes a read-only register";
    }
    return "has no reason";
}

} // namespace numavp

#include "models/riscv/elf_image.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/config/file_kind.h"
#include "base/values/error.h"

namespace numavp {

namespace {
constexpr std::uint64_t kHeaderBytes = 64, kSegmentBytes = 56, kSectionBytes = 64, kSymbolBytes = 24;
constexpr std::uint64_t kExecutable = 2, kMachineRiscv = 243;
constexpr std::uint64_t kFlagCompressed = 1, kFlagsFloat = 6;
constexpr std::uint64_t kLoad = 1, kSymbolTable = 2;
constexpr std::uint64_t kReservedSections = 0xff00;              // numbers from here on: absolute values and the like
constexpr std::uint64_t kNoType = 0, kObject = 1, kFunction = 2; // of a symbol
constexpr std::uint64_t kLabelReach = 4096;                      // of a symbol without a size
} // namespace

struct ElfImage::Section {
    std::uint64_t type, offset, bytes, link;
};

ElfImage ElfImage::read(const std::string& path) {
    refuse_odd_file(path, "a RISC-V ELF executable");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw ConfigError(path, "cannot be opened; a RISC-V ELF executable is expected");
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) throw ConfigError(path, "cannot be read; a RISC-V ELF executable is expected");
    return parse(std::move(bytes), path);
}

ElfImage ElfImage::parse(std::string bytes, std::string name) {
    ElfImage image(std::move(bytes), std::move(name));
    image.read_header();
    image.read_segments();
    image.read_symbols();
    return image;
}

void ElfImage::refuse(const std::string& why) const { throw ConfigError(name_, why); }

/// Little-endian; the caller has required the bytes.
std::uint64_t ElfImage::integer(std::uint64_t offset, unsigned bytes) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes_[offset + i])} << 8 * i;
    return value;
}

void ElfImage::require(std::uint64_t offset, std::uint64_t length, const char* what) const {
    if (length > bytes_.size() || offset > bytes_.size() - length)
        refuse(fmt::format("is truncated or damaged: {} lies outside its {} bytes", what, bytes_.size()));
}

void ElfImage::read_header() {
    if (bytes_.size() < 4 || std::memcmp(bytes_.data(), "\177ELF", 4) != 0)
        refuse("is no ELF file; a RISC-V ELF executable is expected");
    require(0, 20, "the file header");
    if (bytes_[4] != 2) refuse("is a 32-bit ELF file; 64 bits are expected (-march=rv64imac -mabi=lp64)");
    if (bytes_[5] != 1) refuse("is a big-endian ELF file; little-endian is expected");
    if (integer(18, 2) != kMachineRiscv)
        refuse(fmt::format("is for the ELF machine {}; {} (RISC-V) is expected", integer(18, 2), kMachineRiscv));
    if (integer(16, 2) != kExecutable)
        refuse("is no executable with fixed addresses; a program that is linked statically is expected");
    require(0, kHeaderBytes, "the file header");
    const std::uint64_t flags = integer(48, 4);
    if (flags & kFlagsFloat)
        refuse("is built for a floating-point ABI; soft-float is expected (-march=rv64imac -mabi=lp64)");
    if (flags & ~kFlagCompressed)
        refuse(fmt::format("has the ELF flags {:#x}; none but compressed code (1) is supported", flags));
    entry_ = integer(24, 8);
}

void ElfImage::read_segments() {
    const std::uint64_t table = integer(32, 8), size = integer(54, 2), count = integer(56, 2);
    if (count != 0 && size != kSegmentBytes) refuse("is damaged: its program headers have an unknown size");
    require(table, count * kSegmentBytes, "the table of segments");
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = table + i * kSegmentBytes;
        const Segment s{integer(at + 24, 8), integer(at + 40, 8), integer(at + 8, 8), integer(at + 32, 8)};
        if (integer(at, 4) != kLoad || s.file_bytes == 0) continue;
        require(s.offset, s.file_bytes, "a segment");
        if (s.memory_bytes < s.file_bytes) refuse("is damaged: a segment is larger in the file than in memory");
        segments_.push_back(s);
        // Zeros belong where the segment runs; where it is only stored, something else may follow.
        if (integer(at + 16, 8) != s.address) segments_.back().memory_bytes = s.file_bytes;
    }
    if (segments_.empty()) refuse("has no segment to load");
}

void ElfImage::read_symbols() {
    const std::uint64_t table = integer(40, 8), size = integer(58, 2), count = integer(60, 2);
    if (table == 0 || count == 0) return; // stripped
    if (size != kSectionBytes) refuse("is damaged: its section headers have an unknown size");
    require(table, count * kSectionBytes, "the table of sections");
    const auto section = [&](std::uint64_t i) {
        const std::uint64_t at = table + i * kSectionBytes;
        return Section{integer(at + 4, 4), integer(at + 24, 8), integer(at + 32, 8), integer(at + 40, 4)};
    };
    for (std::uint64_t i = 0; i < count; ++i) {
        const Section symbols = section(i);
        if (symbols.type != kSymbolTable) continue;
        if (symbols.link >= count) refuse("is damaged: its symbols have no names");
        const Section strings = section(symbols.link);
        require(symbols.offset, symbols.bytes, "the table of symbols");
        require(strings.offset, strings.bytes, "the table of names");
        add_symbols(symbols, strings);
        return; // there is one
    }
}

void ElfImage::add_symbols(const Section& table, const Section& strings) {
    for (std::uint64_t at = table.offset; at - table.offset + kSymbolBytes <= table.bytes; at += kSymbolBytes) {
        const std::uint64_t name_at = integer(at, 4), type = integer(at + 4, 1) & 15;
        const bool defined = integer(at + 6, 2) != 0;
        if (!defined || name_at >= strings.bytes || (type != kNoType && type != kObject && type != kFunction)) continue;
        const std::size_t begin = strings.offset + name_at, end = bytes_.find('\0', begin);
        if (end == std::string::npos || end >= strings.offset + strings.bytes || end == begin) continue;
        const std::string name = bytes_.substr(begin, end - begin);
        const Symbol symbol{integer(at + 8, 8), integer(at + 16, 8)};
        symbols_.emplace(name, symbol);
        const bool in_section = integer(at + 6, 2) < kReservedSections && name[0] != '$'; // "$x" marks code
        if (type == kFunction)
            names_[symbol.address] = {name, symbol.bytes};
        else if (in_section)
            names_.emplace(symbol.address, Named{name, symbol.bytes});
    }
}

std::optional<ElfImage::Symbol> ElfImage::symbol(const std::string& name) const {
    const auto found = symbols_.find(name);
    if (found == symbols_.end()) return std::nullopt;
    return found->second;
}

std::string ElfImage::where(std::uint64_t address) const {
    auto above = names_.upper_bound(address);
    if (above == names_.begin()) return fmt::format("{:#x}", address);
    --above;
    const std::uint64_t distance = address - above->first;
    const auto& [name, size] = above->second;
    if (size != 0 ? distance >= size : distance >= kLabelReach) return fmt::format("{:#x}", address);
    return distance == 0 ? name : fmt::format("{}+{:#x}", name, distance);
}

void ElfImage::load(std::uint64_t base, std::uint64_t ram_bytes, unsigned char* ram) const {
    const auto inside = [&](std::uint64_t address, std::uint64_t bytes) {
        return bytes <= ram_bytes && address - base <= ram_bytes - bytes; // differences: sums may wrap
    };
    for (const Segment& s : segments_)
        if (!inside(s.address, s.memory_bytes))
            refuse(fmt::format("has a segment of {} bytes at {:#x}; the core's RAM is {} bytes at {:#x}",
                               s.memory_bytes, s.address, ram_bytes, base));
    if (!inside(entry_, 2))
        refuse(fmt::format("starts at {:#x}; the core's RAM is {} bytes at {:#x}", entry_, ram_bytes, base));
    for (const Segment& s : segments_) {
        unsigned char* const place = ram + (s.address - base);
        std::memcpy(place, bytes_.data() + s.offset, s.file_bytes);
        std::memset(place + s.file_bytes, 0, s.memory_bytes - s.file_bytes);
    }
}

} // namespace numavp

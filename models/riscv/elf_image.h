/// A program for the RV64 core: an ELF64 executable, its place in RAM and its symbols.
///
/// A `ConfigError` that names the file refuses one that is truncated, or is not a little-endian 64-bit RISC-V
/// executable for the soft-float ABI. Segments are loaded at p_paddr, not where they run: start-up code copies
/// initialised data, so that it is intact after a reset. Memory without bytes in the file (.bss) is not written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace numavp {

class ElfImage {
  public:
    static ElfImage read(const std::string& path);
    /// Parses the bytes of a file; error messages call it `name`.
    static ElfImage parse(std::string bytes, std::string name);

    struct Symbol {
        std::uint64_t address = 0, bytes = 0;
    };
    const std::string& name() const { return name_; }
    std::uint64_t entry() const { return entry_; }
    std::optional<Symbol> symbol(const std::string& name) const;
    /// Describes an address by symbol and offset, such as "main+0x1c"; "0x80000010" if no symbol contains it.
    std::string where(std::uint64_t address) const;

    /// Copies all segments to `ram`, which holds the bytes from address `base` on. ConfigError if a segment or the
    /// entry lies outside; RAM is then unchanged.
    void load(std::uint64_t base, std::uint64_t ram_bytes, unsigned char* ram) const;

  private:
    struct Segment {
        std::uint64_t address, memory_bytes; ///< where it is stored; bytes beyond those in the file are zeros
        std::uint64_t offset, file_bytes;
    };
    struct Section;
    struct Named {
        std::string name;
        std::uint64_t bytes;
    };

    ElfImage(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}
    void read_header();
    void read_segments();
    void read_symbols();
    void add_symbols(const Section& table, const Section& strings);
    std::uint64_t integer(std::uint64_t offset, unsigned bytes) const;
    void require(std::uint64_t offset, std::uint64_t length, const char* what) const;
    [[noreturn]] void refuse(const std::string& why) const;

    std::string bytes_, name_;
    std::uint64_t entry_ = 0;
    std::vector<Segment> segments_;
    std::map<std::string, Symbol> symbols_;
    std::map<std::uint64_t, Named> names_; ///< by address
};

} // namespace numavp

/// A program for the RV64 core: an ELF64 executable, its place in RAM and its symbols.
///
/// Refused with a `ConfigError` that names the file: whatever is no little-endian 64-bit RISC-V executable for the
/// soft-float ABI, or is truncated. Segments are loaded where they are stored (p_paddr), not where they run: start-up
/// code copies initialised data, so that a reset finds it as it was. What has no bytes in the file is not loaded.
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
    /// `name` stands for the file in messages.
    static ElfImage parse(std::string bytes, std::string name);

    struct Symbol {
        std::uint64_t address = 0, bytes = 0;
    };
    const std::string& name() const { return name_; }
    std::uint64_t entry() const { return entry_; }
    std::optional<Symbol> symbol(const std::string& name) const;
    /// The symbol in which an address lies, as "main+0x1c"; "0x80000010" where there is none.
    std::string where(std::uint64_t address) const;

    /// Copies all segments to `ram`, the bytes from `base` on. ConfigError if one, or the entry, lies outside; then RAM
    /// is as it was.
    void load(std::uint64_t base, std::uint64_t ram_bytes, unsigned char* ram) const;

  private:
    struct Segment {
        std::uint64_t address, memory_bytes; ///< where it is stored; what exceeds its bytes is zeros
        std::uint64_t offset, file_bytes;
    };
    struct Section;

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
    std::map<std::uint64_t, std::string> names_; ///< of functions and objects, by address
};

} // namespace numavp

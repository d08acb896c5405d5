/// Decodes a line of a SASS trace to an instruction, fast.
///
/// The text of a line except mask and addresses is the same each time its PC is executed: it is decoded once and found
/// again by PC and comparison (PCs of different functions may collide).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sw/traces/sass_opcode.h"
#include "sw/traces/trace_header.h"
#include "sw/traces/trace_scanner.h"
#include "sw/traces/trace_text.h"
#include "sw/work/workload.h"

namespace numavp {

/// Position of a warp in the text, and the instruction into which its lines are decoded.
struct TraceCursor {
    const char* at = nullptr;      ///< start of the next instruction line
    std::uint64_t remaining = 0;   ///< instruction lines that are left
    std::uint64_t warp_number = 0; ///< block · warps + warp: names the warp's local memory
    std::uint64_t* list = nullptr; ///< room for 32 addresses
    Inst inst;
};

/// Text of a trace and its decoded static instructions.
class TraceCore {
  public:
    /// Opcodes that are not known are counted in `unknown`, which several objects may share.
    TraceCore(std::shared_ptr<const TraceText> text, const TraceHeader& header, std::shared_ptr<OpcodeCounts> unknown);

    const TraceText& text() const { return *text_; }
    /// True for tracer version 6: lines name uniform and predicate registers, and blocks their cluster.
    bool of_today() const { return of_today_; }
    /// Decodes the line at the cursor into its `inst` and moves to the next line. A newline must follow the line.
    void decode(TraceCursor& cursor);
    /// Throws a ConfigError that names the line of a position in the text.
    [[noreturn]] void fail(const char* at, const std::string& what) const;
    /// The same, and the form of an instruction line.
    [[noreturn]] void fail_line(const char* at, const std::string& what) const;

  private:
    static constexpr std::size_t kSlots = 512;
    static constexpr std::size_t kTextBytes = 64;
    /// The unchanging part of an instruction line: from the count of destinations to the width.
    struct Static {
        std::array<char, kTextBytes> text{};
        std::size_t length = 0; ///< of the text; 0 if the slot can't be reused
        Inst inst;
        MemorySpace space = MemorySpace::none;
        bool has_addresses = false;
        bool is_exit = false;
        std::uint64_t* unknown = nullptr; ///< its count, if the opcode is not known
    };

    const Static& static_part(std::uint64_t pc, Scanner& scanner);
    void decode_static(Scanner& scanner, Static& out) const;
    void decode_opcode(const char* at, std::string_view opcode, std::uint64_t width, Static& out) const;
    std::uint8_t reg(Scanner& scanner) const;
    void decode_sources(Scanner& scanner, Static& out) const;
    std::uint64_t count(Scanner& scanner, const char* what, std::uint64_t max) const;
    void decode_addresses(Scanner& scanner, TraceCursor& cursor) const;
    void place_access(const Static& part, TraceCursor& cursor) const;
    void to_local(TraceCursor& cursor) const;

    std::shared_ptr<const TraceText> text_;
    std::shared_ptr<OpcodeCounts> unknown_;
    unsigned prefix_words_;
    bool of_today_;
    std::uint64_t shared_begin_, shared_end_, local_begin_, local_end_, local_home_;
    std::vector<Static> slots_;
    Static scratch_;
};

} // namespace numavp

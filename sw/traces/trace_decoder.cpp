#include "sw/traces/trace_decoder.h"

#include <cstring>
#include <iterator>
#include <limits>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {
namespace {

constexpr std::uint64_t kMaxSources = 5; ///< the tracer writes up to five, the first four are kept
/// Version 6 counts uniform and predicate registers too: more than any instruction has.
constexpr std::uint64_t kMaxRegistersToday = 16;
/// Generic windows of shared and local memory are 16 MB where the header doesn't bound them by each other.
constexpr std::uint64_t kWindowBytes = std::uint64_t{16} << 20;
/// Local memory gets 2 KB a thread, 64 KB a warp, laid out like the hardware does: word by word over the lanes.
constexpr std::uint64_t kLocalBytesPerThread = 2048;
/// Where local memory is put if the header doesn't say (tracer versions before 3).
constexpr std::uint64_t kDefaultLocalBase = 0x7f0000000000ULL;
constexpr const char* kLineForm = "; '<pc> <mask> <n> [R<k> ...] <opcode> <n> [R<k> ...] <width> [<mode> <addresses>]' "
                                  "is the form of an instruction line";

} // namespace

TraceCore::TraceCore(std::shared_ptr<const TraceText> text, const TraceHeader& header,
                     std::shared_ptr<OpcodeCounts> unknown)
    : text_(std::move(text)), unknown_(std::move(unknown)),
      prefix_words_((header.tracer_version < 3 ? 4U : 0U) + (header.has_line_numbers ? 1U : 0U)),
      of_today_(header.tracer_version >= 6), shared_begin_(header.shared_base), local_begin_(header.local_base),
      local_home_(header.local_base != 0 ? header.local_base : kDefaultLocalBase), slots_(kSlots) {
    const bool shared_first = shared_begin_ < local_begin_;
    shared_end_ = shared_begin_ == 0 ? 0 : (shared_first ? local_begin_ : shared_begin_ + kWindowBytes);
    local_end_ = local_begin_ == 0                       ? 0
                 : (!shared_first && shared_begin_ != 0) ? shared_begin_
                                                         : local_begin_ + kWindowBytes;
}

void TraceCore::fail(const char* at, const std::string& what) const { throw ConfigError(text_->place_of(at), what); }
void TraceCore::fail_line(const char* at, const std::string& what) const { fail(at, what + kLineForm); }

void TraceCore::decode(TraceCursor& cursor) {
    Scanner scanner{cursor.at};
    for (unsigned i = 0; i < prefix_words_; ++i) {
        std::uint64_t ignored = 0;
        if (!scanner.decimal(ignored))
            fail_line(cursor.at, "an instruction line of this tracer version begins with " +
                                     std::to_string(prefix_words_) + " integers before the PC");
    }
    std::uint64_t pc = 0;
    std::uint64_t mask = 0;
    if (!scanner.hex(pc)) fail_line(cursor.at, "the PC is not a hexadecimal number");
    if (scanner.at_line_end()) fail_line(cursor.at, "the line ends early; the active mask is missing");
    if (!scanner.hex(mask) || mask > 0xffffffff) fail_line(cursor.at, "the active mask is not 8 hexadecimal digits");
    scanner.skip_blanks();
    const Static& part = static_part(pc, scanner);

    Inst& inst = cursor.inst;
    inst = part.inst;
    inst.mask = static_cast<std::uint32_t>(mask);
    if (part.unknown != nullptr) ++*part.unknown;
    const bool last = --cursor.remaining == 0;
    if (part.is_exit) {
        // Lanes may leave one by one; the warp ends with its last line.
        inst.op = last ? Op::exit : Op::compute;
    } else if (mask == 0) {
        // Predicated off: it is issued, and does nothing.
        inst.op = Op::compute;
        inst.dst = kNoReg;
        inst.latency = 0;
    } else if (part.has_addresses) {
        inst.list = cursor.list;
        decode_addresses(scanner, cursor);
        place_access(part, cursor);
    }
    scanner.skip_line(); // immediates, register values
    cursor.at = scanner.at;
}

const TraceCore::Static& TraceCore::static_part(std::uint64_t pc, Scanner& scanner) {
    Static& slot = slots_[(pc >> 4) % kSlots];
    const auto left = static_cast<std::size_t>(text_->end() - scanner.at);
    if (slot.length != 0 && slot.length < left && std::memcmp(scanner.at, slot.text.data(), slot.length) == 0) {
        scanner.at += slot.length;
        if (scanner.at_word_end()) return slot;
        scanner.at -= slot.length; // a longer number with the same beginning
    }
    const char* first = scanner.at;
    scratch_ = Static{};
    decode_static(scanner, scratch_);
    const auto length = static_cast<std::size_t>(scanner.at - first);
    if (length > kTextBytes) return scratch_;
    slot = scratch_;
    std::memcpy(slot.text.data(), first, length);
    slot.length = length;
    return slot;
}

std::uint64_t TraceCore::count(Scanner& scanner, const char* what, std::uint64_t max) const {
    if (scanner.at_line_end()) fail_line(scanner.at, "the line ends early; the " + std::string(what) + " is missing");
    std::uint64_t value = 0;
    if (!scanner.decimal(value) || value > max)
        fail_line(scanner.at, "the " + std::string(what) + " is wrong; 0 to " + std::to_string(max) + " are allowed");
    return value;
}

std::uint8_t TraceCore::reg(Scanner& scanner) const {
    if (scanner.at_line_end()) fail_line(scanner.at, "the line ends early; a register is missing");
    const std::string_view word = scanner.word();
    const std::size_t kind = word.find_first_of("0123456789"); // length of "R"
    std::uint64_t number = 0;
    bool good = kind != std::string_view::npos && word.size() - kind <= 3;
    for (std::size_t i = kind; good && i < word.size(); ++i) {
        good = word[i] >= '0' && word[i] <= '9';
        number = number * 10 + static_cast<std::uint64_t>(word[i] - '0');
    }
    const std::string_view name = good ? word.substr(0, kind) : "";
    const bool other = name == "UR" || name == "P" || name == "UP";
    if (!(name == "R" || (of_today_ && other)) || number > 255)
        fail(scanner.at, "'" + quotable(word) +
                             (of_today_ ? "' is not a register; R, UR, P and UP with a number to 255 are allowed"
                                        : "' is not a register; R0 to R255 are allowed (UR, P and UP are of tracer "
                                          "version 6)"));
    if (other) return kNoReg;
    return static_cast<std::uint8_t>(number); // R255 is RZ, and so is kNoReg
}

void TraceCore::decode_static(Scanner& scanner, Static& out) const {
    const std::uint64_t most = of_today_ ? kMaxRegistersToday : 1;
    const std::uint64_t destinations = count(scanner, "number of destination registers", most);
    for (std::uint64_t i = 0; i < destinations; ++i) {
        const std::uint8_t number = reg(scanner);
        if (out.inst.dst == kNoReg) out.inst.dst = number;
    }
    if (scanner.at_line_end()) fail_line(scanner.at, "the line ends early; the opcode is missing");
    const std::string_view opcode = scanner.word();
    if (opcode.empty() || opcode[0] < 'A' || opcode[0] > 'Z')
        fail_line(scanner.at, "'" + quotable(opcode) + "' is not an opcode");
    decode_sources(scanner, out);
    if (of_today_ && opcode.find("GMMA") != std::string_view::npos) count(scanner, "flag of the matrix group", 1);
    const char* at = scanner.at;
    const std::uint64_t width = count(scanner, "width of the memory access", 255);
    decode_opcode(at, opcode, width, out);
}

/// The first four that carry a dependence.
void TraceCore::decode_sources(Scanner& scanner, Static& out) const {
    const std::uint64_t sources =
        count(scanner, "number of source registers", of_today_ ? kMaxRegistersToday : kMaxSources);
    std::size_t kept = 0;
    for (std::uint64_t i = 0; i < sources; ++i) {
        const std::uint8_t number = reg(scanner);
        if (of_today_ && number == kNoReg) continue; // before, nothing else was among the first four
        if (kept < std::size(out.inst.src)) out.inst.src[kept++] = number;
    }
}

void TraceCore::decode_opcode(const char* at, std::string_view opcode, std::uint64_t width, Static& out) const {
    if (is_tma_opcode(opcode))
        fail(at, "'" + quotable(opcode) + "' (tensor memory accelerator, address modes 3 and 4) is not supported");
    const OpcodeMeaning meaning = meaning_of_opcode(opcode);
    out.inst.op = meaning.op;
    out.inst.latency = meaning.latency;
    out.inst.unit = meaning.unit;
    out.inst.matrix = meaning.matrix;
    out.inst.bypass_l1 = meaning.bypass_l1;
    out.inst.read_only = meaning.read_only;
    out.is_exit = meaning.is_exit;
    out.space = meaning.space;
    out.has_addresses = width != 0 && !meaning.moves_no_data;
    const bool is_memory = meaning.space != MemorySpace::none;
    if (!is_memory) {
        if (out.has_addresses)
            fail(at, "'" + quotable(opcode) +
                         "' accesses memory in a way that is not supported; LDG, LDL, LD, LDGSTS, STG, STL, ST, ATOMG, "
                         "ATOM, RED, LDS, LDSM, STS, STSM and ATOMS are supported");
        if (!is_known_opcode(opcode)) out.unknown = &(*unknown_)[std::string(opcode.substr(0, opcode.find('.')))];
        return;
    }
    // 32 bytes are Blackwell's LDG.E.ENL2.256 and STG.E.ENL2.256.
    const bool wide = width == 32 && (meaning.op == Op::load || meaning.op == Op::store);
    const bool is_width = width == 1 || width == 2 || width == 4 || width == 8 || width == 16 || wide;
    if (is_width) out.inst.width = static_cast<std::uint8_t>(width);
    if (meaning.space == MemorySpace::shared) return; // its addresses matter to banks alone
    if (!is_width)
        fail(at, "'" + quotable(opcode) + "' has a width of " + std::to_string(width) +
                     " bytes; 1, 2, 4, 8 and 16 are allowed, and 32 for loads and stores");
}

void TraceCore::decode_addresses(Scanner& scanner, TraceCursor& cursor) const {
    Inst& inst = cursor.inst;
    const char* line = cursor.at;
    std::uint64_t mode = 0;
    std::uint64_t base = 0;
    if (!scanner.decimal(mode)) fail_line(line, "the address mode is missing; 0, 1 and 2 are supported");
    if (mode > 2) fail(line, "address mode " + std::to_string(mode) + " is not supported; 0, 1 and 2 are supported");
    std::uint32_t mask = inst.mask;
    inst.mode = AddressMode::list;
    if (mode == 0) {
        for (; mask != 0; mask &= mask - 1) {
            if (!scanner.hex(base)) fail_line(line, "an address is missing; mode 0 has one for each active lane");
            cursor.list[__builtin_ctz(mask)] = base;
        }
        return;
    }
    if (!scanner.hex(base)) fail_line(line, "the base address is not a hexadecimal number");
    std::int64_t step = 0;
    if (mode == 2) {
        for (;;) {
            cursor.list[__builtin_ctz(mask)] = base;
            mask &= mask - 1;
            if (mask == 0) return;
            if (!scanner.signed_decimal(step))
                fail_line(line, "an address difference is missing; mode 2 has one for each active lane but the first");
            base += static_cast<std::uint64_t>(step);
        }
    }
    if (!scanner.signed_decimal(step)) fail_line(line, "the stride is missing; mode 1 has a base and a stride");
    const auto first = static_cast<unsigned>(__builtin_ctz(mask));
    const std::uint32_t run = mask >> first;
    const bool fits =
        step >= std::numeric_limits<std::int32_t>::min() && step <= std::numeric_limits<std::int32_t>::max();
    if ((run & (run + 1)) == 0 && fits) {
        inst.mode = AddressMode::affine;
        inst.stride = static_cast<std::int32_t>(step);
        inst.base = base - static_cast<std::uint64_t>(step * first);
        return;
    }
    for (; mask != 0; mask &= mask - 1, base += static_cast<std::uint64_t>(step))
        cursor.list[__builtin_ctz(mask)] = base;
}

void TraceCore::place_access(const Static& part, TraceCursor& cursor) const {
    Inst& inst = cursor.inst;
    if (part.space == MemorySpace::local) {
        to_local(cursor);
    } else if (part.space == MemorySpace::generic) {
        const std::uint64_t address = inst.address(static_cast<unsigned>(__builtin_ctz(inst.mask)));
        if (address >= shared_begin_ && address < shared_end_)
            inst.op = Op::shared;
        else if (address >= local_begin_ && address < local_end_)
            to_local(cursor);
    }
}

/// Local addresses are offsets that all threads share: they are made private to the thread.
void TraceCore::to_local(TraceCursor& cursor) const {
    Inst& inst = cursor.inst;
    const std::uint64_t home = local_home_ + cursor.warp_number * kLocalBytesPerThread * kWarpLanes;
    const auto lane_bytes = static_cast<std::uint64_t>(inst.width < 4 ? 4 : inst.width);
    const auto row_of = [&](std::uint64_t address) {
        const std::uint64_t offset = address % kLocalBytesPerThread & ~(lane_bytes - 1);
        return home + offset * kWarpLanes + address % 4 * (inst.width < 4 ? 1U : 0U);
    };
    if (inst.mode == AddressMode::affine && inst.stride == 0) {
        inst.base = row_of(inst.base);
        inst.stride = static_cast<std::int32_t>(lane_bytes);
        return;
    }
    for (std::uint32_t mask = inst.mask; mask != 0; mask &= mask - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(mask));
        cursor.list[lane] = row_of(inst.address(lane)) + lane * lane_bytes;
    }
    inst.mode = AddressMode::list;
}

} // namespace numavp

#include "sw/traces/sass_opcode.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace numavp {
namespace {

struct Row {
    std::string_view name;
    Op op;
    MemorySpace space;
    std::uint16_t latency;
    ExecutionUnit unit = ExecutionUnit::integer;
    bool moves_no_data = false;
};

// Volta, by Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018), table of
// fixed and variable latencies: most of FP32 and integer in 4, IMAD and FMNMX in 5, half precision in 6,
// double in 8, POPC in 10, FLO/BREV/MUFU in 14.
constexpr std::uint16_t kSimple = 4;
constexpr std::uint16_t kMultiplyAdd = 5;
constexpr std::uint16_t kHalfPrecision = 6;
constexpr std::uint16_t kDoublePrecision = 8;
constexpr std::uint16_t kPopulation = 10;
constexpr std::uint16_t kSpecial = 14;
// Conversions go through the quarter-rate unit of MUFU and take as long.
constexpr std::uint16_t kConvert = kSpecial;
// A warp-wide matrix step; 32 is the round figure of Accel-Sim's configurations for Turing and Ampere.
constexpr std::uint16_t kTensor = 32;
// Constants and special registers by way of the constant cache: about 26 cycles to the L1.5 (same source).
constexpr std::uint16_t kConstant = 26;
// Shuffles go through the shared-memory crossbar: 22 to 24 cycles in the same measurements.
constexpr std::uint16_t kShuffle = 23;

constexpr auto kSingle = ExecutionUnit::single_precision;
constexpr auto kHalf = ExecutionUnit::half_precision;
constexpr auto kDouble = ExecutionUnit::double_precision;

constexpr Row compute(std::string_view name, std::uint16_t latency, ExecutionUnit unit = ExecutionUnit::integer) {
    return {name, Op::compute, MemorySpace::none, latency, unit};
}
/// Names an address and moves no data: arithmetic of the SM's default latency, as Accel-Sim has it (its ISA_Def
/// tables).
constexpr Row addressed(std::string_view name) {
    return {name, Op::compute, MemorySpace::none, 0, ExecutionUnit::integer, true};
}
constexpr Row memory(std::string_view name, Op op, MemorySpace space) { return {name, op, space, 0}; }

constexpr std::array kRows = {
    // memory
    memory("LDG", Op::load, MemorySpace::global),
    memory("LDL", Op::load, MemorySpace::local),
    memory("LD", Op::load, MemorySpace::generic),
    memory("LDGSTS", Op::load, MemorySpace::global), // its shared-memory half is dropped by the post-processor
    memory("STG", Op::store, MemorySpace::global),
    memory("STL", Op::store, MemorySpace::local),
    memory("ST", Op::store, MemorySpace::generic),
    memory("ATOMG", Op::atomic, MemorySpace::global),
    memory("ATOM", Op::atomic, MemorySpace::generic),
    memory("RED", Op::reduce, MemorySpace::global),
    memory("REDG", Op::reduce, MemorySpace::global),
    memory("LDS", Op::shared, MemorySpace::shared),
    memory("LDSM", Op::shared, MemorySpace::shared),
    memory("STS", Op::shared, MemorySpace::shared),
    memory("STSM", Op::shared, MemorySpace::shared),
    memory("ATOMS", Op::shared, MemorySpace::shared),
    // cache control, queries of an address's space, error barriers
    addressed("CCTL"),
    addressed("CCTLL"),
    addressed("CCTLT"),
    addressed("SUCCTL"),
    addressed("QSPC"),
    addressed("ERRBAR"),
    // meeting points and the end
    Row{"BAR", Op::barrier, MemorySpace::none, 0},
    Row{"MEMBAR", Op::fence, MemorySpace::none, 0},
    compute("EXIT", kSimple),
    // arithmetic
    compute("FADD", kSimple, kSingle),
    compute("FMUL", kSimple, kSingle),
    compute("FFMA", kSimple, kSingle),
    compute("FADD32I", kSimple, kSingle),
    compute("FMUL32I", kSimple, kSingle),
    compute("FFMA32I", kSimple, kSingle),
    compute("FSEL", kSimple, kSingle),
    compute("FSET", kSimple, kSingle),
    compute("FSETP", kSimple, kSingle),
    compute("FCHK", kSimple, kSingle),
    compute("FSWZADD", kSimple, kSingle),
    compute("IADD3", kSimple),
    compute("IADD", kSimple),
    compute("IABS", kSimple),
    compute("IMNMX", kSimple),
    compute("ISETP", kSimple),
    compute("LEA", kSimple),
    compute("LOP3", kSimple),
    compute("LOP", kSimple),
    compute("SHF", kSimple),
    compute("SHL", kSimple),
    compute("SHR", kSimple),
    compute("SEL", kSimple),
    compute("MOV", kSimple),
    compute("MOV32I", kSimple),
    compute("PRMT", kSimple),
    compute("PLOP3", kSimple),
    compute("SGXT", kSimple),
    compute("BMSK", kSimple),
    compute("P2R", kSimple),
    compute("R2P", kSimple),
    compute("CS2R", kSimple, ExecutionUnit::other),
    compute("VOTE", kSimple, ExecutionUnit::other),
    compute("NOP", kSimple, ExecutionUnit::other),
    compute("FMNMX", kMultiplyAdd, kSingle),
    compute("IMAD", kMultiplyAdd),
    compute("IMUL", kMultiplyAdd),
    compute("XMAD", kMultiplyAdd),
    compute("IDP", kMultiplyAdd),
    compute("IDP4A", kMultiplyAdd),
    compute("DSETP", kMultiplyAdd, kDouble),
    compute("HADD2", kHalfPrecision, kHalf),
    compute("HMUL2", kHalfPrecision, kHalf),
    compute("HFMA2", kHalfPrecision, kHalf),
    compute("HSET2", kHalfPrecision, kHalf),
    compute("HSETP2", kHalfPrecision, kHalf),
    compute("HMNMX2", kHalfPrecision, kHalf),
    compute("DADD", kDoublePrecision, kDouble),
    compute("DMUL", kDoublePrecision, kDouble),
    compute("DFMA", kDoublePrecision, kDouble),
    compute("DMNMX", kDoublePrecision, kDouble),
    compute("POPC", kPopulation, ExecutionUnit::convert),
    compute("FLO", kSpecial, ExecutionUnit::convert),
    compute("BREV", kSpecial, ExecutionUnit::convert),
    compute("MUFU", kSpecial, ExecutionUnit::special),
    compute("F2F", kConvert, ExecutionUnit::convert),
    compute("F2I", kConvert, ExecutionUnit::convert),
    compute("I2F", kConvert, ExecutionUnit::convert),
    compute("I2I", kConvert, ExecutionUnit::convert),
    compute("FRND", kConvert, ExecutionUnit::convert),
    compute("F2FP", kSimple),
    compute("I2FP", kSimple),
    compute("HMMA", kTensor, ExecutionUnit::tensor),
    compute("IMMA", kTensor, ExecutionUnit::tensor),
    compute("DMMA", kTensor, ExecutionUnit::tensor),
    compute("BMMA", kTensor, ExecutionUnit::tensor),
    compute("QMMA", kTensor, ExecutionUnit::tensor),
    Row{"LDC", Op::compute, MemorySpace::none, kConstant, ExecutionUnit::other, true},
    Row{"ULDC", Op::compute, MemorySpace::none, kConstant, ExecutionUnit::other, true},
    compute("S2R", kConstant, ExecutionUnit::other),
    compute("S2UR", kConstant, ExecutionUnit::other),
    compute("SHFL", kShuffle, ExecutionUnit::other),
    // control flow
    compute("BRA", kSimple, ExecutionUnit::branch),
    compute("BRX", kSimple, ExecutionUnit::branch),
    compute("JMP", kSimple, ExecutionUnit::branch),
    compute("CALL", kSimple, ExecutionUnit::branch),
    compute("RET", kSimple, ExecutionUnit::branch),
    compute("BSSY", kSimple, ExecutionUnit::branch),
    compute("BSYNC", kSimple, ExecutionUnit::branch),
    compute("WARPSYNC", kSimple, ExecutionUnit::branch),
    compute("YIELD", kSimple, ExecutionUnit::branch),
    compute("DEPBAR", kSimple, ExecutionUnit::other),
    compute("LDGDEPBAR", kSimple, ExecutionUnit::other),
    compute("KILL", kSimple, ExecutionUnit::branch),
};

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

const Row* find_row(std::string_view opcode) {
    const std::string_view base = base_of(opcode);
    const auto* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == base; });
    return row == std::end(kRows) ? nullptr : row;
}

bool has_suffix(std::string_view opcode, std::string_view suffix) {
    for (std::size_t at = opcode.find(suffix); at != std::string_view::npos; at = opcode.find(suffix, at + 1)) {
        const std::size_t end = at + suffix.size();
        if (end == opcode.size() || opcode[end] == '.') return true;
    }
    return false;
}

/// HMMA.16816.F32 is HMMA.16816, HMMA.1688.F32.TF32 is HMMA.1688.TF32.
MatrixOp matrix_of(std::string_view opcode) {
    const std::size_t shape = opcode.find('.');
    if (shape == std::string_view::npos) return MatrixOp::unknown;
    std::string name(opcode.substr(0, opcode.find('.', shape + 1)));
    if (has_suffix(opcode, ".TF32")) name += ".TF32";
    return kMatrixOps.find(name).value_or(MatrixOp::unknown);
}

} // namespace

OpcodeMeaning meaning_of_opcode(std::string_view opcode) {
    OpcodeMeaning meaning;
    const Row* row = find_row(opcode);
    if (row == nullptr) return meaning;
    meaning.op = row->op;
    meaning.space = row->space;
    meaning.latency = row->latency;
    meaning.unit = row->unit;
    if (row->unit == ExecutionUnit::tensor) meaning.matrix = matrix_of(opcode);
    meaning.is_exit = row->name == "EXIT";
    meaning.moves_no_data = row->moves_no_data;
    const bool device_scope =
        has_suffix(opcode, ".STRONG.GPU") || has_suffix(opcode, ".STRONG.SYS") || has_suffix(opcode, ".STRONG.VC");
    const bool cached_in_l2 = has_suffix(opcode, ".CG") || has_suffix(opcode, ".CV"); // before Volta
    meaning.bypass_l1 = (device_scope || cached_in_l2) && row->space != MemorySpace::shared;
    meaning.read_only = row->op == Op::load && has_suffix(opcode, ".CONSTANT");
    // Only the system's scope needs the caches to be made coherent; a barrier's arrival does not wait.
    const bool narrow_fence = row->op == Op::fence && !has_suffix(opcode, ".SYS");
    const bool arrival = row->op == Op::barrier && has_suffix(opcode, ".ARV");
    if (narrow_fence || arrival) {
        meaning.op = Op::compute;
        meaning.latency = kSimple;
    }
    return meaning;
}

bool is_known_opcode(std::string_view opcode) { return find_row(opcode) != nullptr; }

bool is_tma_opcode(std::string_view opcode) {
    constexpr std::array<std::string_view, 7> kTma = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                                      "UBLKCP",  "UBLKPF",  "UBLKRED"};
    const std::string_view base = base_of(opcode);
    return std::find(kTma.begin(), kTma.end(), base) != kTma.end();
}

} // namespace numavp

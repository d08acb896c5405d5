/// Meaning of SASS opcodes for time and memory traffic.
///
/// Latencies are those of arithmetic as microbenchmarks measure them; the models time the operations that depend on the
/// memory system (loads, atomics, shared memory).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sw/work/workload.h"

namespace numavp {

/// Memory space that an opcode accesses.
enum class MemorySpace : std::uint8_t {
    none,    ///< no data memory
    global,  ///< LDG, STG, ATOMG, RED ...
    local,   ///< LDL, STL: private to the thread
    generic, ///< LD, ST, ATOM: the address says whether shared, local or global
    shared   ///< LDS, STS, ATOMS, LDSM
};

/// An opcode with its suffixes taken into account.
struct OpcodeMeaning {
    Op op = Op::compute;
    MemorySpace space = MemorySpace::none;
    std::uint16_t latency = 0;                   ///< cycles of a compute result; 0 is the SM's default
    ExecutionUnit unit = ExecutionUnit::integer; ///< of arithmetic; an unknown opcode is an integer operation
    MatrixOp matrix = MatrixOp::unknown;         ///< of HMMA, IMMA, QMMA, DMMA: by shape, if it is in the table
    bool bypass_l1 = false;                      ///< .STRONG.GPU, .STRONG.SYS and .STRONG.VC, .CG and .CV: goes past L1
    bool read_only = false;                      ///< .CONSTANT: ld.global.nc
    bool is_exit = false;                        ///< EXIT: some lanes end; the warp ends with its last instruction
    bool moves_no_data = false; ///< CCTL, QSPC and the like: arithmetic with an address operand, which is skipped
};

/// Meaning of `opcode` ("LDG.E.64.STRONG.GPU"). An opcode that isn't in the table counts as arithmetic with
/// the SM's default latency; if such an opcode has a memory operand the caller must refuse it
/// (`is_known_opcode`).
OpcodeMeaning meaning_of_opcode(std::string_view opcode);

bool is_known_opcode(std::string_view opcode);

/// Number of warp instructions by opcode without suffixes.
using OpcodeCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// True for opcodes of the tensor memory accelerator, whose address modes 3 and 4 are not supported.
bool is_tma_opcode(std::string_view opcode);

} // namespace numavp

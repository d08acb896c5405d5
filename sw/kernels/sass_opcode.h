/// What a SASS opcode means to time and traffic.
///
/// Latencies are those of arithmetic as microbenchmarks see them; what depends on the memory system
/// (loads, atomics, shared memory) is timed by the models.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sw/kernels/workload.h"

namespace numavp {

/// Where a memory opcode goes.
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
    bool bypass_l1 = false;                      ///< .STRONG.GPU, .STRONG.SYS and .STRONG.VC, .CG and .CV: goes past L1
    bool read_only = false;                      ///< .CONSTANT: ld.global.nc
    bool is_exit = false;                        ///< EXIT: some lanes end; the warp ends with its last instruction
};

/// Meaning of `opcode` ("LDG.E.64.STRONG.GPU"). An opcode that isn't in the table is arithmetic of the
/// SM's default latency; one that isn't in the table and has a memory operand must be refused by the caller
/// (`is_known_opcode`).
OpcodeMeaning meaning_of_opcode(std::string_view opcode);

bool is_known_opcode(std::string_view opcode);

/// Warp instructions by opcode without suffixes.
using OpcodeCounts = std::map<std::string, std::uint64_t, std::less<>>;

/// Opcodes of the tensor memory accelerator, whose address modes 3 and 4 are not supported.
bool is_tma_opcode(std::string_view opcode);

} // namespace numavp

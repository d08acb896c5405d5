/// The control and status registers of a hart with machine mode only, without the counters.
///
/// Source: The RISC-V Instruction Set Manual, Volume II, 20211203, chapter 3. Registers of supervisor, hypervisor and
/// user mode, of physical memory protection and of debug mode do not exist: an access to them is an illegal
/// instruction.
#pragma once

#include <cstdint>

namespace numavp {

/// Numbers of the registers that other files refer to.
enum CsrNumber : std::uint16_t {
    kMstatus = 0x300,
    kMisa = 0x301,
    kMie = 0x304,
    kMtvec = 0x305,
    kMcountinhibit = 0x320,
    kMscratch = 0x340,
    kMepc = 0x341,
    kMcause = 0x342,
    kMtval = 0x343,
    kMip = 0x344,
    kMcycle = 0xb00,
    kMinstret = 0xb02,
    kCycle = 0xc00,
    kTime = 0xc01,
    kInstret = 0xc02,
    kMvendorid = 0xf11,
    kMarchid = 0xf12,
    kMimpid = 0xf13,
    kMhartid = 0xf14,
    kMconfigptr = 0xf15,
};

/// Causes of traps (table 3.6).
enum TrapCause : std::uint64_t {
    kFetchFault = 1,
    kIllegalInstruction = 2,
    kBreakpoint = 3,
    kLoadMisaligned = 4,
    kLoadFault = 5,
    kStoreMisaligned = 6, ///< and atomics
    kStoreFault = 7,      ///< and atomics
    kMachineCall = 11,
    kTimerInterrupt = std::uint64_t{1} << 63 | 7,
    kExternalInterrupt = std::uint64_t{1} << 63 | 11,
};

struct MachineCsrs {
    static constexpr std::uint64_t kMieBit = 1 << 3, kMpieBit = 1 << 7;                   ///< of mstatus
    static constexpr std::uint64_t kTimerBit = 1 << 7, kExternalBit = 1 << 11;            ///< of mie and mip
    static constexpr std::uint64_t kMisaValue = std::uint64_t{2} << 62 | 0b1000100000101; ///< RV64, I, M, C, A

    std::uint64_t hart = 0;
    std::uint64_t status = 0; ///< MIE and MPIE; MPP is always machine mode
    std::uint64_t enabled = 0, pending = 0;
    std::uint64_t vector = 0, scratch = 0, epc = 0, cause = 0, tval = 0;

    /// Reads a register; false if it does not exist, or is a counter.
    bool read(unsigned number, std::uint64_t& value) const;
    /// Writes the writable bits of a register. False if it does not exist, or is a counter. The caller checks whether
    /// its number marks it as read-only.
    bool write(unsigned number, std::uint64_t value);

    bool wakes() const { return (enabled & pending) != 0; } ///< from WFI, whatever mstatus.MIE says
    bool interrupts() const { return (status & kMieBit) != 0 && wakes(); }
    /// The interrupt to take, of those that are pending and enabled.
    TrapCause interrupt() const { return enabled & pending & kExternalBit ? kExternalInterrupt : kTimerInterrupt; }

    /// Enters a trap; returns the address of its handler.
    std::uint64_t enter_trap(std::uint64_t cause_of, std::uint64_t pc, std::uint64_t value);
    /// Executes MRET; returns the address to continue at.
    std::uint64_t leave_trap();
};

} // namespace numavp

/// Numbers of the deliberate faults of the memory controller, for mutant(): each drops or shortens one constraint.
#pragma once

namespace numavp {

enum MemoryFault : unsigned {
    kNoMemoryFault,
    kMemoryNoRcd,
    kMemoryNoRp,
    kMemoryNoRas,
    kMemoryNoRc,
    kMemoryNoCcdS,
    kMemoryNoCcdL,
    kMemoryNoRrdS,
    kMemoryNoRrdL,
    kMemoryNoFaw,
    kMemoryFiveInFaw, ///< the window is looked at five activates back
    kMemoryNoRtp,
    kMemoryNoWr,
    kMemoryWrFromCommand, ///< write recovery counts from the command, not from the end of its data
    kMemoryNoWtrS,
    kMemoryNoWtrL,
    kMemoryNoRtw,
    kMemoryNoRfc,
    kMemoryRefreshesOpenBanks,
    kMemoryRefreshesEarly, ///< without waiting for the precharge
    kMemoryForgetsRefresh,
    kMemoryIgnoresRow,    ///< a column command goes to whatever row is open
    kMemoryTwoCommands,   ///< a second command in the cycle of another
    kMemoryClosesEarly,   ///< rows with queued hits are closed
    kMemoryNeverGathers,  ///< writes are served as soon as they are the only ones or older
    kMemoryNeverDrains,   ///< the drain stops at once
    kMemoryLateData,      ///< data take a cycle too long
    kMemoryYoungestFirst, ///< the youngest ready request is served
    kMemoryFaults
};

} // namespace numavp

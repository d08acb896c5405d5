/// The deliberate faults of the bridges to and from AXI4-Lite, for `mutant()`: tests choose one by its number.
#pragma once

namespace numavp {

enum AxiLiteFault : unsigned {
    kNoLiteFault,
    // AxiLiteToTlm
    kLiteReadsTwice,
    kLiteForgetsStrobes,
    kLiteLosesErrors,
    kLiteWithdrawsReadData,
    kLiteTakesAddressesWhenFull,
    kLiteWritesWithoutData,
    kLiteStopsClockAwaitingTlm,
    // TlmToAxiLite
    kLiteWritesWholeWords,
    kLiteWithdrawsAddress,
    kLiteChangesDataUntaken,
    kLiteTakesAnswerUnready,
    kLiteIgnoresResponse,
    kLiteShiftsAddress,
    kLiteNoFaultFrom
};

} // namespace numavp

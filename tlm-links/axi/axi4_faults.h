/// The deliberate faults of the bridges to and from AXI4, for `mutant()`: tests choose one by its number.
#pragma once

namespace numavp {

enum Axi4Fault : unsigned {
    kNoFault,
    // Axi4Manager
    kSplitsAfter4k,
    kShiftsStrobes,
    kReadsOvertakeWrites,
    kLastBeatEarly,
    kShowsNextBeatUntaken,
    kTakesReadDataUnready,
    kForgetsFirstError,
    // TlmToAxi4
    kEndsRequestTwice,
    kBeginsResponseInAnother,
    kStopsClockAwaitingAnswers,
    // Axi4Subordinate
    kIgnoresStrobes,
    kReadLastEarly,
    kAnswersWrongId,
    kAnswersOutOfOrder,
    kTakesAddressesWhenFull,
    kForwardsOverlaps,
    kForwardsIllegalBursts,
    kShowsNextReadBeatUntaken,
    // Axi4ToTlm
    kSendsRequestInAnother,
    kSendsUnreferenced,
    kKeepsStaleStatus,
    kLosesErrors,
    kNeverEndsEarlyResponse,
    kEndsResponseTwice,
    kStopsClockAwaitingTlm,
    kIgnoresEnables
};

} // namespace numavp

/// The deliberate faults of the bridges to and from AXI4, for `mutant()`: tests choose one by its number.
#pragma once

namespace numavp {

enum Axi4Fault : unsigned {
    kNoFault,
    // Axi4Manager
    kSplitsAfter4k,
    kShiftsStrobes,
    kIgnoresHazards,
    kWriteLastEarly,
    kShowsNextBeatUntaken,
    kTakesReadDataUnready,
    kLosesWriteErrors,
    // TlmToAxi4
    kForgetsBase,
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
    kIgnoresEnables,
    kKeepsStaleStatus,
    kLosesErrors,
    kNeverEndsEarlyResponse,
    kEndsResponseTwice,
    kStopsClockAwaitingTlm,
    kAxi4Faults ///< one more than the last
};

} // namespace numavp

/// The deliberate faults of credited flits, for `mutant()`: tests choose one by its number.
#pragma once

namespace numavp {

enum FlitFault : unsigned {
    kNoFlitFault,
    // FlitSender
    kFlitLosesGrant,
    kFlitWithdrawsActivation,
    kFlitKeepsCredits,
    kFlitActivatesBeforeStop,
    kFlitDeactivatesStarved,
    kFlitSendsWithoutCredit,
    kFlitStartsForNothing,
    // FlitReceiver
    kFlitGrantsWhileStopping,
    kFlitGrantsWithoutPlace,
    kFlitGrantsOnce,
    kFlitStopsWithCreditsOut,
    // packets
    kFlitShortensAddresses,
    kFlitForgetsEnables,
    kFlitNeverEndsPackets,
    kFlitLosesErrors,
    kFlitShortensIds,
    // the bridges and their clock
    kFlitStopsClockEarly,
    kFlitRespondsInAnother,
    kFlitKeepsIds,
    kFlitIgnoresEnables,
    kFlitOvertakes,
    kFlitAnswersFirstWrite,
    kFlitRequestsInAnother,
};

} // namespace numavp

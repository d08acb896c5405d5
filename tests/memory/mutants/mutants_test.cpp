/// Deliberate faults of the memory controller, and who notices each.
#include <gtest/gtest.h>

#include "models/base/mutant.h"
#include "models/memory/faults.h"
#include "tests/memory/checked_replay.h"

namespace numavp::test {
namespace {

enum Witness : unsigned { kNobody, kChecker, kClosedForm };

/// The checker, else the closed forms of bandwidth and latency.
Witness witness() {
    const MemoryDeviceConfig tight = tight_device();
    if (!checked_replay(tight, mixed_stream(tight, 1, 4'000), {64, 64}).breaches.empty()) return kChecker;
    MemoryDeviceConfig shared = tight; // rows and columns share a command bus
    shared.split_commands = false;
    if (!checked_replay(shared, mixed_stream(shared, 2, 4'000), {64, 64}).breaches.empty()) return kChecker;
    const MemoryDeviceConfig hbm = device_named("hbm-nuba");
    const AddressDecoder map = hbm.decoder();
    MemoryStream two_rows; // of one bank, in turn: the hits among those that wait go first
    for (std::uint32_t i = 0; i < 4'000; ++i) two_rows.push_back(map.encode({0, 0, i % 2, i / 2 % 32}));
    const CheckedReplay in_turn = checked_replay(hbm, two_rows, {64, 64});
    const auto near = [](double value, double expected) { return value > 0.98 * expected && value < 1.02 * expected; };
    const auto run = [&](MemoryStreamKind kind, unsigned count) {
        return checked_replay(hbm, make_memory_stream(kind, hbm, count), stream_windows(kind, hbm));
    };
    const CheckedReplay random = run(MemoryStreamKind::rand_r, 5'000), chase = run(MemoryStreamKind::chase_seq, 5'000),
                        mixed = run(MemoryStreamKind::seq_rw21, 20'000),
                        sequential = run(MemoryStreamKind::seq_r, 5'000);
    for (const CheckedReplay& r : {random, chase, mixed, sequential})
        if (!r.breaches.empty()) return kChecker;
    const bool sound = near(random.percent_of_peak, 20.0) && near(chase.mean_cycles(), 9.4) &&
                       mixed.percent_of_peak > 88.0 && in_turn.percent_of_peak > 40.0 &&
                       near(sequential.percent_of_peak, 99.5) && random.result.read_latency.percentile(99) < 400;
    return sound ? kNobody : kClosedForm;
}

struct Mutant {
    unsigned number;
    const char* what;
    Witness witness;
};

TEST(MemoryMutants, AreNoticed) {
    const Mutant mutants[] = {
        {kNoMemoryFault, "none", kNobody},
        {kMemoryNoRcd, "no rcd", kChecker},
        {kMemoryNoRp, "no rp", kChecker},
        {kMemoryNoRas, "no ras", kChecker},
        {kMemoryNoRc, "no rc", kChecker},
        {kMemoryNoCcdS, "no ccd_s", kChecker},
        {kMemoryNoCcdL, "no ccd_l", kChecker},
        {kMemoryNoRrdS, "no rrd_s", kChecker},
        {kMemoryNoRrdL, "no rrd_l", kChecker},
        {kMemoryNoFaw, "no faw", kChecker},
        {kMemoryFiveInFaw, "five activates in faw", kChecker},
        {kMemoryNoRtp, "no rtp", kChecker},
        {kMemoryNoWr, "no wr", kChecker},
        {kMemoryWrFromCommand, "wr from the command", kChecker},
        {kMemoryNoWtrS, "no wtr_s", kChecker},
        {kMemoryNoWtrL, "no wtr_l", kChecker},
        {kMemoryNoRtw, "no rtw", kChecker},
        {kMemoryNoRfc, "no rfc", kChecker},
        {kMemoryRefreshesOpenBanks, "open banks are refreshed", kChecker},
        {kMemoryRefreshesEarly, "a refresh right after a precharge", kChecker},
        {kMemoryForgetsRefresh, "no refresh", kChecker},
        {kMemoryIgnoresRow, "column commands to another row", kChecker},
        {kMemoryTwoCommands, "a row and a column command where they share a bus", kChecker},
        {kMemoryClosesEarly, "rows with queued hits are closed", kClosedForm},
        {kMemoryNeverGathers, "writes are not gathered", kClosedForm},
        {kMemoryNeverDrains, "the drain stops at once", kClosedForm},
        {kMemoryLateData, "data take a cycle longer", kClosedForm},
        {kMemoryYoungestFirst, "the youngest request first", kClosedForm},
    };
    EXPECT_EQ(std::size(mutants), std::size_t{kMemoryFaults});
    for (const Mutant& mutant : mutants) {
        active_mutant = mutant.number;
        EXPECT_EQ(witness(), mutant.witness) << mutant.number << ": " << mutant.what;
    }
}

TEST(MemoryMutants, OfBanksThatRefreshByThemselvesAreNoticed) {
    MemoryDeviceConfig device = tight_device();
    device.refresh = RefreshKind::per_bank;
    const MemoryStream stream = mixed_stream(device, 1, 4'000);
    for (const unsigned mutant :
         {kNoMemoryFault, kMemoryNoRfc, kMemoryRefreshesOpenBanks, kMemoryRefreshesEarly, kMemoryForgetsRefresh}) {
        active_mutant = mutant;
        EXPECT_EQ(checked_replay(device, stream, {64, 64}).breaches.empty(), mutant == kNoMemoryFault) << mutant;
    }
    active_mutant = kNoMemoryFault;
}

} // namespace
} // namespace numavp::test

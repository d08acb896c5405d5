/// Each deliberate fault of the coherence between halves is caught by the values that programs see; without a fault
/// the same programs see the right ones.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/base/mutant.h"
#include "models/cache/coherence_faults.h"
#include "tests/nuba/half_coherence.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

/// What a check says is wrong; empty if nothing is.
std::string outcome(unsigned fault, const std::function<std::string()>& check) {
    return run_apart([&] {
               active_mutant = fault;
               try {
                   return nlohmann::json(check());
               } catch (const ModelError& stuck) {
                   return nlohmann::json(stuck.what());
               }
           })
        .get<std::string>();
}

std::string by_a_program(std::uint64_t seed, unsigned fault) {
    return outcome(fault, [seed] {
        Rng rng(seed, 83);
        const SystemConfig config = random_halves(rng);
        return wrong_values(config, seed, beside_each_other(rng));
    });
}

/// By one of some random programs that are right without the fault.
bool by_programs(unsigned fault) {
    constexpr std::uint64_t kSeeds = 400;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
        if (!by_a_program(seed, fault).empty()) return by_a_program(seed, 0).empty();
    return false;
}

bool sees_old_word(const std::function<int()>& program, unsigned fault) {
    const auto check = [&program] { return std::string(program() == 0xab ? "" : "an old word was read"); };
    return outcome(0, check).empty() && !outcome(fault, check).empty();
}
bool behind_many_recalls(unsigned fault) { return sees_old_word(seen_behind_many_recalls, fault); }
bool of_a_line_partly_listed(unsigned fault) { return sees_old_word(seen_of_a_line_partly_listed, fault); }

struct Row {
    unsigned fault;
    const char* name;
    bool (*caught)(unsigned fault) = by_programs;
};
const std::vector<Row> kRows = {{kForgetsRecall, "ForgetsRecall"},
                                {kForgetsRecallOfAtomics, "ForgetsRecallOfAtomics"},
                                {kKeepsRecalledCopy, "KeepsRecalledCopy"},
                                {kKeepsFillOnItsWay, "KeepsFillOnItsWay"},
                                {kServesLateReaders, "ServesLateReaders"},
                                {kAcknowledgesAtOnce, "AcknowledgesAtOnce"},
                                {kWaitsForSentRecallsAlone, "WaitsForSentRecallsAlone", behind_many_recalls},
                                {kNotesAnotherLine, "NotesAnotherLine"},
                                {kKeepsPassing, "KeepsPassing"},
                                {kForgetsPassing, "ForgetsPassing", of_a_line_partly_listed},
                                {kEvictsSilently, "EvictsSilently"},
                                {kForgivesWhatIsLentAgain, "ForgivesWhatIsLentAgain"},
                                {kWritesBackCopies, "WritesBackCopies"},
                                {kWritesPastCopies, "WritesPastCopies"},
                                {kKeepsCopyBehindAtomic, "KeepsCopyBehindAtomic"}};

class CoherenceMutant : public ::testing::TestWithParam<Row> {};

TEST_P(CoherenceMutant, IsCaught) { EXPECT_TRUE(GetParam().caught(GetParam().fault)); }

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

INSTANTIATE_TEST_SUITE_P(All, CoherenceMutant, ::testing::ValuesIn(kRows),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace numavp::test

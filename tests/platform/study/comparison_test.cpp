/// Systems that a figure compares differ in what its labels say, and not in the rate at which blocks start.
#include <set>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/system_config.h"
#include "tests/platform/study/study_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

/// Blocks that start in a cycle for each SM of the machine, if all have room.
double starts_an_sm(const SystemConfig& c) {
    double sms = 0.0, sockets = 0.0;
    for (unsigned s = 0; s < c.sockets; ++s) {
        sms += c.socket_at(s).sms * static_cast<double>(c.scale);
        sockets += c.socket_at(s).sms != 0 ? 1.0 : 0.0;
    }
    const double rate = dispatch_config(c).blocks_per_cycle;
    switch (c.dispatch.starts) {
    case StartRate::socket: return rate * sockets / sms;
    case StartRate::sm: return rate;
    case StartRate::machine: break;
    }
    return rate / sms;
}

class Comparison : public ::testing::TestWithParam<const char*> {};

TEST_P(Comparison, AllSystemsOfAFigureStartBlocksAtOneRate) {
    const Study study = load_study(source_dir() + "/configs/studies/" + GetParam());
    const StudyPlanner planner(study, "small");
    for (std::size_t f = 0; f < study.figures.size(); ++f) {
        std::set<std::string> rates;
        for (const ordered_json& system : planner.systems(f)) {
            const auto config = read_config<SystemConfig>(json(system), Place("system"));
            rates.insert(fmt::format("{:.6g} launch {} one {}", starts_an_sm(config), config.dispatch.launch_cycles,
                                     config.dispatch.one_block_an_sm));
        }
        EXPECT_EQ(rates.size(), 1U) << study.figures[f].file.name << ": " << fmt::format("{}", fmt::join(rates, "; "));
    }
}

INSTANTIATE_TEST_SUITE_P(Studies, Comparison, ::testing::Values("numa-aware-gpus", "memory-networks", "nuba"),
                         [](const auto& param) {
                             std::string name = param.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

} // namespace
} // namespace numavp::test

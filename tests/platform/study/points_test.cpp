/// From files to points: which there are, and when two are one.
#include <set>

#include "tests/platform/study/study_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;

class StudyPoints : public StudyTest {
  protected:
    std::set<std::string> keys_of(const std::string& text) {
        dir_.write("k.json", text);
        load("k.json");
        std::set<std::string> keys;
        for (const auto& job : plan().points) keys.insert(job->key);
        return keys;
    }
};

TEST_F(StudyPoints, SystemsAreCrossedWithTheirAxes) {
    dir_.write("s.json", tiny(R"("systems": [{"label": "one", "system": "gpu-1", "axes": []},
        {"label": "lanes", "system": "numa-4-lanes"}, {"system": "numa-4", "axes": ["page"]}],
        "axes": [{"name": "sample", "path": "link.sample_cycles", "values": [500, 1000]},
                 {"name": "page", "variants": [{"label": "small", "set": {"placement.page_kib": 4}},
                                               {"label": "large", "set": {"placement.page_kib": 2048}}]}])"));
    load("s.json");
    const StudyPlan now = plan();
    EXPECT_THAT(now.figures[0].configurations,
                ElementsAre("one", "lanes / 500 / small", "lanes / 500 / large", "lanes / 1000 / small",
                            "lanes / 1000 / large", "numa-4 / small", "numa-4 / large"));
    EXPECT_EQ(now.points.size(), 7U * 3U);
    const StudyCell* cell = now.figures[0].cell("lanes / 1000 / large", "stream-triad");
    ASSERT_NE(cell, nullptr);
    const PointJob& job = *now.points[cell->point];
    EXPECT_EQ(job.system["link"]["sample_cycles"], 1000);
    EXPECT_EQ(job.system["placement"]["page_kib"], 2048);
    EXPECT_EQ(job.system["socket"]["sms"], 2);
    EXPECT_EQ(job_text(job_of(job_text(job))), job_text(job));
}

/// Sockets follow from the parts, whose number a study may change.
TEST_F(StudyPoints, PartsAreCountedByName) {
    dir_.write("s.json", R"({"workloads": ["table-lookup"], "metrics": [{"name": "time"}],
        "systems": [{"label": "one", "system": "gmn-4-sfbfly",
        "set": {"parts.gpu.count": 2, "parts.cube.count": 8}}]})");
    load("s.json");
    const StudyPlan now = plan();
    ASSERT_FALSE(now.points.empty());
    EXPECT_EQ(now.points[0]->system["sockets"], 10);
    EXPECT_EQ(now.points[0]->system["parts"][1]["count"], 8);
}

/// A study's number of instructions takes the place of the workloads' own, and makes other points.
TEST_F(StudyPoints, EndAfterANumberOfInstructions) {
    const std::string systems = R"("systems": [{"label": "one", "system": "gpu-1"}])";
    dir_.write("w.json", tiny(systems));
    dir_.write("c.json", tiny(R"("instructions": 5000, )" + systems));
    load("c.json");
    const StudyPlan cut = plan();
    ASSERT_EQ(cut.points.size(), 3U);
    for (const auto& job : cut.points) EXPECT_EQ(job->workload.at("instructions"), 5000);
    load("w.json");
    for (const auto& job : plan().points) {
        EXPECT_FALSE(job->workload.contains("instructions"));
        for (const auto& other : cut.points) EXPECT_NE(job->key, other->key);
    }
}

/// The NUBA paper simulates 10^9 instructions of each workload (section 6).
TEST_F(StudyPoints, OfNubaEndAfterABillion) {
    const Study study = load_study(source_dir() + "/configs/studies/nuba");
    for (const StudyFigure& figure : study.figures)
        EXPECT_EQ(figure.file.instructions, 1'000'000'000U) << figure.file.name;
}

TEST_F(StudyPoints, FiguresOfAFolderShareThem) {
    dir_.write("f/a.json", two_systems());
    dir_.write("f/b.json", tiny(R"("systems": [{"label": "one", "system": "gpu-1"},
        {"label": "other name", "system": "numa-4"}, {"label": "lanes", "system": "numa-4-lanes"}])"));
    load("f");
    const StudyPlan now = plan();
    EXPECT_EQ(study_.name, "f");
    EXPECT_EQ(now.points.size(), 9U);
    EXPECT_EQ(key(now, 0, "four", "stream-triad"), key(now, 1, "other name", "stream-triad"));
}

TEST_F(StudyPoints, WhatFiguresShareDoesNotDependOnWhichIsFirst) {
    const auto figure = [&](const char* label, const char* limit) {
        return tiny(R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": ")" + std::string(label) +
                    R"(", "system": "numa-4", "set": {"link.lane_gbps": 16}}], "time_limit_s": )" + limit);
    };
    dir_.write("f/a.json", figure("double", "10"));
    dir_.write("f/b.json", figure("wide", "20"));
    dir_.write("f/c.json", figure("fast", "5"));
    load("f");
    ASSERT_EQ(plan().points.size(), 6U);
    for (const auto& job : plan().points) EXPECT_EQ(job->time_limit_s, 20.0);
    const StudyPlan all = plan();
    const PointJob shared = *all.points[all.figures[0].cell("double", "stream-triad")->point];
    EXPECT_EQ(shared.system["name"], "numa-4");
    load("f/b.json");
    const StudyPlan alone = plan();
    const PointJob own = *alone.points[alone.figures[0].cell("wide", "stream-triad")->point];
    EXPECT_EQ(own.key, shared.key);
    EXPECT_EQ(own.system, shared.system);
    EXPECT_EQ(own.system_name, shared.system_name);
    EXPECT_EQ(own.shown_system, "numa-4 wide");
}

TEST_F(StudyPoints, KeysFollowWhatMatters) {
    const std::string base = two_systems();
    const std::set<std::string> keys = keys_of(base);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = base;
        text.replace(text.find(from), from.size(), to);
        std::set<std::string> shared;
        for (const std::string& key : keys_of(text))
            if (keys.count(key) != 0) shared.insert(key);
        return shared.size();
    };
    EXPECT_EQ(keys.size(), 6U);
    EXPECT_EQ(with("\"scale\": 0.004", "\"scale\": 0.005"), 0U);
    EXPECT_EQ(with("\"socket.sms\": 2", "\"socket.sms\": 3"), 0U);
    EXPECT_EQ(with("\"numa-4\"", "\"numa-4-lanes\""), 3U); // the baseline's stay
    EXPECT_EQ(with("\"four\"", "\"quattro\""), 6U);
    EXPECT_EQ(with("\"baseline\"", "\"title\": \"t\", \"baseline\""), 6U);
}

TEST_F(StudyPoints, KeysFollowTheContentOfAFirmware) {
    const std::string firmware = dir_.write("fw.elf", "one");
    const std::string study =
        tiny(R"("systems": [{"label": "one", "system": "numa-4", "set": {"translation.mode": "full",
             "driver.execution": "riscv", "driver.riscv.firmware": ")" +
             firmware + R"("}}])");
    const std::set<std::string> first = keys_of(study);
    EXPECT_EQ(keys_of(study), first);
    dir_.write("fw.elf", "two");
    for (const std::string& key : keys_of(study)) EXPECT_EQ(first.count(key), 0U);
}

TEST_F(StudyPoints, KeysFollowTheContentOfAPolicy) {
    const std::string policy = dir_.write("mine.so", "one");
    const std::string study =
        tiny(R"("systems": [{"label": "one", "system": "numa-4", "set": {"translation.mode": "full",
             "driver.execution": "native", "driver.policy": ")" +
             policy + R"("}}])");
    const std::set<std::string> first = keys_of(study);
    EXPECT_EQ(keys_of(study), first);
    dir_.write("mine.so", "two");
    for (const std::string& key : keys_of(study)) EXPECT_EQ(first.count(key), 0U);
}

TEST_F(StudyPoints, AWorkloadMayHaveAScaleOfItsOwn) {
    const std::string with = two_systems().insert(1, R"("scales": {"stream-triad": 0.006}, )");
    dir_.write("s.json", with);
    const auto scale = [this](const char* workload) {
        const StudyPlan now = plan();
        return now.points[now.figures[0].cell("four", workload)->point]->scale;
    };
    load("s.json");
    EXPECT_EQ(scale("stream-triad"), 0.006);
    EXPECT_EQ(scale("table-lookup"), 0.004);
    load("s.json", "0.01");
    EXPECT_EQ(scale("stream-triad"), 0.01);
    EXPECT_THAT(fault_of(two_systems().insert(1, R"("scales": {"stream-traid": 1}, )")),
                ::testing::HasSubstr("$.scales.stream-traid: unknown workload 'stream-traid', the nearest is"));
    EXPECT_THAT(fault_of(two_systems().insert(1, R"("scales": {"stream-triad": 0}, )")),
                ::testing::HasSubstr("$.scales.stream-triad: 0 is no scale"));
}

TEST_F(StudyPoints, NotesOfAWorkloadDoNotMatter) {
    const std::string study =
        R"({"workloads": ["w.json"], "systems": [{"system": "gpu-1"}], "metrics": [{"name": "t"}]})";
    const auto workload = [](const std::string& more, int elements) {
        return R"({"name": "w", )" + more + R"("kernels": [{"pattern": "stream_triad", "parameters": {"elements": )" +
               std::to_string(elements) + "}}]}";
    };
    dir_.write("w.json", workload("", 4096));
    const auto before = keys_of(study);
    dir_.write("w.json", workload(R"("description": "d", "notes": ["n"], )", 4096));
    EXPECT_EQ(keys_of(study), before);
    dir_.write("w.json", workload(R"("source": "s", "budget": {"line_accesses": 1, "cut": ["c"]}, )", 4096));
    EXPECT_EQ(keys_of(study), before);
    dir_.write("w.json", workload("", 4100));
    EXPECT_NE(keys_of(study), before);
    dir_.write("w.json", workload(R"("seed": 7, )", 4096));
    EXPECT_NE(keys_of(study), before);
}

TEST_F(StudyPoints, SelectionsWaitForTheirPoints) {
    dir_.write("f/a.json",
               tiny(R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "four", "system": "numa-4"}],
        "rules": [{"name": "slow", "metric": "speedup", "configuration": "four", "below": 1.5}])"));
    dir_.write("f/b.json", tiny(R"("select": {"figure": "a", "rule": "slow"},
        "systems": [{"label": "one", "system": "gpu-1"}, {"label": "lanes", "system": "numa-4-lanes"}])"));
    load("f");
    EXPECT_TRUE(plan().waiting());
    EXPECT_EQ(plan().points.size(), 6U);
    EXPECT_EQ(plan().decisive, std::vector<bool>(6, true));
    for (const char* workload : {"table-lookup", "table-lookup-local"}) set_time(0, "one", workload, 100.0);
    set_time(0, "four", "table-lookup", 80.0);       // 1.25
    set_time(0, "four", "table-lookup-local", 50.0); // 2
    EXPECT_TRUE(plan().waiting());
    EXPECT_THAT(plan().figures[1].workloads, ElementsAre("table-lookup"));
    EXPECT_EQ(plan().points.size(), 7U);
    results_.states[key(plan(), 0, "four", "stream-triad")] = PointState::failed;
    set_time(0, "one", "stream-triad", 100.0);
    EXPECT_FALSE(plan().waiting());
    EXPECT_THAT(plan().figures[1].left_out, ElementsAre("table-lookup-local"));
    EXPECT_THAT(plan().figures[1].undecided, ElementsAre("stream-triad"));
}

TEST_F(StudyPoints, AFigureAloneBringsWhatItsSelectionNeeds) {
    dir_.write("f/a.json",
               tiny(R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "four", "system": "numa-4"},
        {"label": "not needed", "system": "numa-4-static"}],
        "rules": [{"name": "slow", "metric": "speedup", "configuration": "four", "below": 1.5}])"));
    dir_.write("f/b.json", tiny(R"("select": {"figure": "a", "rule": "slow"},
        "systems": [{"label": "one", "system": "gpu-1"}, {"label": "lanes", "system": "numa-4-lanes"}])"));
    load("f/b.json");
    EXPECT_EQ(plan().points.size(), 6U);
    EXPECT_THAT(study_rows(plan(), results_), ::testing::Each(::testing::Field(&StudyRow::figure, "b")));
    study_ = load_study(dir_.path("f"), {"a"});
    EXPECT_EQ(study_.figures.size(), 1U);
    EXPECT_THROW(load_study(dir_.path("f"), {"c"}), ConfigError);
}

} // namespace
} // namespace numavp::test

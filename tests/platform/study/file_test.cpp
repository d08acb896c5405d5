/// What a study file may get wrong: one sentence with the file and the place.
#include "tests/platform/study/study_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Wrong {
    const char* name;
    const char* members; ///< of the study, after those of tiny()
    const char* place;
    const char* part;
};
void PrintTo(const Wrong& fault, std::ostream* out) { *out << fault.name; }

class StudyFault : public StudyTest, public ::testing::WithParamInterface<Wrong> {};

TEST_P(StudyFault, IsASentenceWithItsPlace) {
    const std::string fault = fault_of(tiny(GetParam().members));
    EXPECT_THAT(fault, AllOf(HasSubstr("s.json: " + std::string(GetParam().place)), HasSubstr(GetParam().part)));
}

#define ONE R"("systems": [{"label": "one", "system": "gpu-1"}])"
#define TWO R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "four", "system": "numa-4"}])"
#define AXIS(text)                                                                                                     \
    R"("systems": [{"label": "one", "system": "gpu-1", "axes": []}, {"system": "numa-4"}], "axes": [)" text "]"

INSTANTIATE_TEST_SUITE_P(
    Files, StudyFault,
    ::testing::Values(
        Wrong{"unknown_key", ONE R"(, "figuer": "")", "$.figuer", "nearest is 'figure'"},
        Wrong{"no_systems", R"("systems": [])", "$.systems", "at least one"},
        Wrong{"no_such_system", R"("systems": [{"label": "one", "system": "gpu-9"}])", "$.systems[0].system", "gpu-"},
        Wrong{"label_twice",
              R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "one", "system": "numa-4"}])",
              "$.systems[1]", "there twice"},
        Wrong{"no_such_setting", R"("systems": [{"label": "one", "system": "gpu-1", "set": {"link.lanez": 1}}])",
              R"($.systems[0].set["link.lanez"])", "unknown key 'lanez'"},
        Wrong{"no_such_setting_of_named_parts",
              R"("systems": [{"label": "one", "system": "gmn-4-sfbfly", "set": {"parts.cube.chanels": 8}}])",
              R"($.systems[0].set["parts.cube.chanels"])", "unknown key 'chanels'"},
        Wrong{"setting_that_all_parts_override", R"("systems": [{"label": "one", "system": "nuba"}])",
              R"($.set["socket.sms"])", "partition.sms is one to set instead"},
        Wrong{"setting_of_what_is_not_there", R"("systems": [{"label": "one", "system": "gpu-1",
              "set": {"placement.lab_percent": 80}}])",
              R"($.systems[0].set["placement.lab_percent"])", "placement.policy is not lab"},
        Wrong{"axes_of_one_setting", AXIS(R"({"name": "a", "path": "link.sample_cycles", "values": [1000]},
                      {"name": "b", "variants": [{"label": "c", "set": {"link.sample_cycles": 5000}}]})"),
              "$.axes[1]", "it sets 'link.sample_cycles', and so does the axis 'a'"},
        Wrong{"axis_of_what_its_system_sets", R"("systems": [{"label": "one", "system": "numa-4",
              "set": {"link.sample_cycles": 100}}], "axes": [{"name": "a", "path": "link.sample_cycles",
              "values": [1000]}])",
              "$.axes[0]", "and so does the system's own 'set'"},
        Wrong{"axis_of_one_value_twice", AXIS(R"({"name": "a", "path": "link.lane_gbps", "values": [4, 8, 4.0]})"),
              "$.axes[0].values[2]", "the value 4.0 is there twice"},
        Wrong{"axis_without_values", AXIS(R"({"name": "a", "path": "link.sample_cycles"})"), "$.axes[0]", "'values'"},
        Wrong{"axis_of_both", AXIS(R"({"name": "a", "path": "x", "values": [1], "variants": [{"label": "b"}]})"),
              "$.axes[0]", "either"},
        Wrong{"axis_without_name", AXIS(R"({"path": "link.sample_cycles", "values": [1000]})"), "$.axes[0].name",
              "name"},
        Wrong{"axis_of_no_setting", AXIS(R"({"name": "a", "path": "link.sample", "values": [1000]})"),
              "$.axes[0].values[0]", "nearest is 'sample_cycles'"},
        Wrong{"axis_value_out_of_range",
              AXIS(R"({"name": "a", "path": "results.interval_cycles", "values": [1000, 1]})"), "$.axes[0].values[1]",
              "1 is out of range"},
        Wrong{"axis_value_is_a_list", AXIS(R"({"name": "a", "path": "link.sample_cycles", "values": [[1]]})"),
              "$.axes[0].values[0]", "not a plain value"},
        Wrong{"variants_set_what_is_not_there",
              AXIS(R"({"name": "a", "variants": [{"label": "x", "set": {"link.balancer": "dinamic"}}]})"),
              R"($.axes[0].variants[0].set["link.balancer"])", "nearest is 'dynamic'"},
        Wrong{"contradiction", R"("systems": [{"label": "one", "system": "numa-4", "set": {"placement.page_kib": 5}}])",
              R"($.systems[0].set["placement.page_kib"])", "power of two"},
        Wrong{"system_of_an_unknown_axis", R"("systems": [{"label": "one", "system": "gpu-1", "axes": ["a"]}])",
              "$.systems[0].axes[0]", "unknown axis 'a'"},
        Wrong{"paper_of_an_unknown_metric",
              ONE R"(, "paper": [{"metric": "speed", "configuration": "one", "value": 1}])", "$.paper[0].metric",
              "nearest is 'speedup'"},
        Wrong{"paper_of_an_unknown_configuration",
              ONE R"(, "paper": [{"metric": "speedup", "configuration": "two", "value": 1}])",
              "$.paper[0].configuration", "allowed are 'one'"},
        Wrong{"paper_without_workload",
              ONE R"(, "paper": [{"metric": "speedup", "configuration": "one", "of": "workload", "value": 1}])",
              "$.paper[0].workload", "exactly where"},
        Wrong{"paper_of_an_unknown_workload",
              TWO R"(, "paper": [{"metric": "speedup", "configuration": "four", "of": "workload", "value": 1,
                                  "workload": "steam-triad"}])",
              "$.paper[0].workload", "nearest is 'stream-triad'"},
        Wrong{"paper_of_the_baseline", TWO R"(, "paper": [{"metric": "speedup", "configuration": "one", "value": 1}])",
              "$.paper[0].configuration", "'speedup' is not measured on 'one'"},
        Wrong{"paper_without_number", TWO R"(, "paper": [{"metric": "speedup", "configuration": "four"}])",
              "$.paper[0]", "either"},
        Wrong{"paper_with_number_and_bound",
              TWO R"(, "paper": [{"metric": "speedup", "configuration": "four", "value": 1, "above": 1}])",
              "$.paper[0]", "either"},
        Wrong{"paper_of_two_kinds",
              TWO R"(, "paper": [{"metric": "speedup", "configuration": "four", "value": 1, "input": true,
                                  "derived": true}])",
              "$.paper[0]", "exclude each other"},
        Wrong{"paper_mean_of_several_configurations",
              TWO R"(, "paper": [{"metric": "speedup", "configurations": ["four"], "value": 1}])",
              "$.paper[0].configurations", "'max' or 'min'"},
        Wrong{"rule_without_bounds", ONE R"(, "rules": [{"name": "r", "metric": "speedup", "configuration": "one"}])",
              "$.rules[0]", "bound"},
        Wrong{"rule_without_values",
              ONE R"(, "rules": [{"name": "r", "metric": "speedup", "configuration": "one", "below": 1, "from": 2}])",
              "$.rules[0].from", "no value is at least 2 and below 1"},
        Wrong{"seed_twice", ONE R"(, "seeds": [3, 4, 3])", "$.seeds[2]", "the seed 3 is there twice"},
        Wrong{"seed_no_number", ONE R"(, "seeds": [-1])", "$.seeds[0]", "0"},
        Wrong{"unknown_rule", ONE R"(, "select": {"rule": "r"})", "$.select.rule", "unknown rule"},
        Wrong{"setting_with_equals",
              R"("systems": [{"label": "one", "system": "gpu-1", "set": {"link.lanes_in=4": 1}}])",
              R"($.systems[0].set["link.lanes_in=4"])", "no '='"},
        Wrong{"axis_path_with_equals", AXIS(R"({"name": "a", "path": "link.lanes_in=4", "values": [1]})"),
              "$.axes[0].path", "no '='"},
        Wrong{"selection_without_rule", ONE R"(, "select": {"figure": "f"})", "$.select.rule", "a rule of 'f'"},
        Wrong{"unknown_figure", ONE R"(, "select": {"figure": "none", "rule": "r"})", "$.select.figure", "no file"}),
    [](const auto& i) { return i.param.name; });

TEST_F(StudyFault, WorkloadsThatAreNotThere) {
    const std::string rest = R"(, "metrics": [{"name": "time"}], "systems": [{"system": "gpu-1"}]})";
    EXPECT_THAT(fault_of(R"({"workloads": [])" + rest), HasSubstr("s.json: $.workloads"));
    EXPECT_THAT(fault_of(R"({"workloads": ["compute", "steam-triad"])" + rest),
                AllOf(HasSubstr("s.json: $.workloads[1]"), HasSubstr("nearest is 'stream-triad'")));
    EXPECT_THAT(fault_of(R"({"workloads": ["none/*"])" + rest), HasSubstr("no workload is in"));
}

TEST_F(StudyFault, NumbersOfConfigurationsThatAMetricLeavesOut) {
    EXPECT_THAT(fault_of(R"({"workloads": ["compute"], "systems": [{"system": "gpu-1"}, {"system": "numa-4"}],
                             "metrics": [{"name": "time", "configurations": ["gpu-1"]}],
                             "paper": [{"metric": "time", "configuration": "numa-4", "value": 1}]})"),
                AllOf(HasSubstr("s.json: $.paper[0].configuration"), HasSubstr("not measured on 'numa-4'")));
}

TEST_F(StudyFault, TwoWorkloadsOfOneName) {
    const std::string workload = R"({"kernels": [{"pattern": "stream_triad", "parameters": {"elements": 4096}}]})";
    dir_.write("a/w.json", workload);
    dir_.write("b/w.json", workload);
    const std::string rest = R"(], "metrics": [{"name": "time"}], "systems": [{"system": "gpu-1"}]})";
    EXPECT_THAT(fault_of(R"({"workloads": ["a/w.json", "b/*")" + rest),
                AllOf(HasSubstr("s.json: $.workloads[1]"), HasSubstr("two workloads have the name 'w'")));
    EXPECT_EQ(fault_of(R"({"workloads": ["a/w.json", "a/*", "b/../a/w")" + rest), "");
    EXPECT_EQ(plan().points.size(), 1U);
}

TEST_F(StudyFault, NamesThatAreNotUtf8) {
    const std::string study = R"({"workloads": ["w/*"], "metrics": [{"name": "t"}], "systems": [{"system": "gpu-1"}]})";
    dir_.write("w/\xff.json", R"({"kernels": [{"pattern": "stream_triad", "parameters": {"elements": 4096}}]})");
    EXPECT_THAT(fault_of(study), HasSubstr("its name is not UTF-8"));
    dir_.write("\xff.json", two_systems());
    EXPECT_THROW(load("\xff.json"), ConfigError);
    dir_.write("s.json", two_systems());
    EXPECT_THAT(numavp({"run", "s.json", "--db", "\xff", "--json"}).err, HasSubstr("--db: its name is not UTF-8"));
}

TEST_F(StudyFault, MoreConfigurationsThanMemoryHolds) {
    std::string axes;
    for (int a = 0; a < 12; ++a) {
        axes += (a == 0 ? "" : ", ") + std::string(R"({"name": ")") + std::to_string(a) + R"(", "path": "socket[)" +
                std::to_string(a % 4) +
                (a < 4   ? "].sms"
                 : a < 8 ? "].l2.ways"
                         : "].l2.entries") +
                R"(", "values": [)";
        for (int i = 0; i < 1000; ++i) axes += (i == 0 ? "" : ", ") + std::to_string(1000 + i);
        axes += "]}";
    }
    EXPECT_THAT(fault_of(tiny(R"("systems": [{"label": "one", "system": "gpu-1", "axes": []},
                                             {"system": "numa-4"}], "axes": [)" +
                              axes + "]")),
                AllOf(HasSubstr("s.json: $.systems[1]"), HasSubstr("more than 100000 configurations")));
}

TEST_F(StudyFault, AFileThatCallsItselfOtherwise) {
    dir_.write("f/a.json", tiny(R"("name": "x", "systems": [{"label": "one", "system": "gpu-1"}],
        "rules": [{"name": "r", "metric": "speedup", "configuration": "one", "below": 1}])"));
    dir_.write("f/b.json", tiny(R"("select": {"figure": "a", "rule": "r"}, )" ONE));
    for (const char* study : {"f/b.json", "f"}) {
        try {
            load(study);
            ADD_FAILURE() << study;
        } catch (const ConfigError& fault) {
            EXPECT_THAT(fault.what(), AllOf(HasSubstr("b.json: $.select.figure"), HasSubstr("has the name 'x'")));
        }
    }
}

TEST_F(StudyFault, TwoFilesOfOneFigure) {
    dir_.write("f/a.json", tiny(R"("figure": "Figure 1", )" ONE));
    dir_.write("f/b.json", tiny(R"("figure": "Figure 1", )" ONE));
    try {
        load("f");
        FAIL();
    } catch (const ConfigError& fault) {
        EXPECT_THAT(fault.what(), AllOf(HasSubstr("b.json: $.figure"), HasSubstr("each file needs its own")));
    }
}

TEST_F(StudyFault, RelativeMetricsNeedABaseline) {
    EXPECT_THAT(fault_of(R"({"workloads": ["compute"], "systems": [{"system": "gpu-1"}],
                             "metrics": [{"name": "speedup", "relation": "speedup"}]})"),
                AllOf(HasSubstr("s.json: $.metrics[0].relation"), HasSubstr("baseline")));
}

TEST_F(StudyFault, APathOfTheBaselineNeedsARelation) {
    EXPECT_THAT(fault_of(R"({"workloads": ["compute"], "systems": [{"system": "gpu-1"}],
                             "metrics": [{"name": "part", "baseline_path": "time_ns"}]})"),
                AllOf(HasSubstr("s.json: $.metrics[0].baseline_path"), HasSubstr("ratio or speedup")));
}

TEST_F(StudyFault, ScaleIsANumberOrSmall) {
    dir_.write("s.json", two_systems());
    for (const char* scale : {"0", "-1", "tiny", "1x", "nan", "2000"})
        EXPECT_THROW(load("s.json", scale), ConfigError) << scale;
    load("s.json", "small");
    EXPECT_DOUBLE_EQ(plan().points[0]->scale, 0.1);
}

TEST_F(StudyFault, TheProgramSaysIt) {
    dir_.write("s.json", tiny(AXIS(R"({"name": "a", "path": "link.lane", "values": [1]})")));
    const Ended ended = numavp({"run", "s.json"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("numavp: s.json: $.axes[0].values[0]"));
    EXPECT_FALSE(std::filesystem::exists(dir_.path("results")));
    EXPECT_THAT(numavp({"show", "s.json"}).err, HasSubstr("there is none yet"));
    EXPECT_THAT(numavp({"rnu", "s.json"}).err, HasSubstr("nearest is 'run'"));
    EXPECT_THAT(numavp({"show", "s.json", "--jobs", "2"}).err, HasSubstr("allowed with 'study run'"));
    EXPECT_THAT(numavp({"run", "none.json"}).err, HasSubstr("there is no such file"));
}

/// Studies that are shipped can be planned: their numbers name workloads that exist.
TEST_F(StudyFault, ShippedStudiesAreSound) {
    study_ = load_study(source_dir() + "/configs/studies/numa-aware-gpus");
    planner_ = std::make_unique<StudyPlanner>(study_, "small");
    EXPECT_EQ(study_.name, "numa-aware-gpus");
    EXPECT_TRUE(plan().waiting());
}

/// 14 workloads on 5 topologies, 7 organisations, 3 block assignments of which one is there already; 4 with 3 routings
/// of 2 topologies; 3 of the host on 3 networks, the 12 others on 2 of them, 1 on 2 by 3 places of its data, 2 with
/// their traffic, 7 on 5 sizes.
TEST_F(StudyFault, TheStudyOfMemoryNetworksIsSound) {
    study_ = load_study(source_dir() + "/configs/studies/memory-networks");
    planner_ = std::make_unique<StudyPlanner>(study_, "small");
    EXPECT_FALSE(plan().waiting());
    EXPECT_EQ(plan().points.size(), 14U * (5U + 7U + 2U) + 4U * 6U + 3U * 3U + 12U * 2U + 2U * 3U + 2U * 2U + 7U * 5U);
}

} // namespace
} // namespace numavp::test

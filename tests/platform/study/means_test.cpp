/// Means that a number of the paper names, and quotients of means.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/platform/study/study_fixture.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

class StudyMeans : public StudyTest {
  protected:
    /// Of the three workloads on a configuration.
    void times(const std::string& configuration, double a, double b, double c) {
        set_time(0, configuration, "table-lookup", a);
        set_time(0, configuration, "table-lookup-local", b);
        set_time(0, configuration, "stream-triad", c);
    }
};

/// A geometric mean that the paper names has the verdict; its arithmetic one has none.
TEST_F(StudyMeans, GeometricMeansAreJudgedWhereThePaperNamesThem) {
    dir_.write("s.json",
               tiny(R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "aware", "system": "numa-4"}],
        "paper": [{"metric": "speedup", "configuration": "aware", "of": "geometric", "value": 2}])"));
    load("s.json");
    times("one", 100, 100, 100);
    times("aware", 50, 25, 100); // 2, 4, 1: 2.33 in the arithmetic mean
    std::vector<std::string> judged;
    for (const StudyRow& r : study_rows(plan(), results_))
        if (!r.verdict.empty()) judged.push_back(fmt::format("{} {:.2f} {}", r.mean, *r.measured, r.verdict));
    EXPECT_EQ(judged, std::vector<std::string>{"geometric 2.00 agrees"});
}

/// 2.1 of one baseline and 1.8 of another: the quotient of these two means is no mean of quotients.
TEST_F(StudyMeans, AMeanIsDividedByThatOfAnotherMetric) {
    const std::string plain = R"({"name": "speedup", "relation": "speedup"})";
    std::string text = tiny(R"("systems": [{"label": "one", "system": "gpu-1"},
        {"label": "static", "system": "numa-4-static"}, {"label": "aware", "system": "numa-4"}],
        "paper": [{"metric": "speedup", "configuration": "aware", "over_metric": "over static", "value": 1.4}])");
    EXPECT_THAT(fault_of(text), HasSubstr("$.paper[0].over_metric"));
    text.replace(text.find(plain), plain.size(), plain + R"(,
        {"name": "over static", "relation": "speedup", "baseline": "static", "configurations": ["aware"]})");
    dir_.write("s.json", text);
    load("s.json");
    times("one", 100, 100, 100);
    times("static", 100, 50, 25);
    times("aware", 50, 25, 20); // 2, 4, 5: 11 / 3 over one; 2, 2, 1.25: 5.25 / 3 over static
    std::vector<std::string> judged;
    for (const StudyRow& r : study_rows(plan(), results_))
        if (!r.verdict.empty())
            judged.push_back(fmt::format("{} {} {:.4f} {}", r.mean, r.over, *r.measured, r.verdict));
    EXPECT_EQ(judged, std::vector<std::string>{fmt::format("arithmetic over static {:.4f} differs", 11.0 / 5.25)});
}

} // namespace
} // namespace numavp::test

/// Changes of machines and applications: what they do, and that both predictions put them in the same order.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/predict/placement.h"
#include "communication/predict/what_if.h"
#include "tests/communication/predict/graphs.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr AppPlace kHostPlace{false, 0};
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

AppPlace gpu_at(unsigned index) { return {true, index}; }

WhatIfRow changed(const AppGraph& graph, const std::string& change) {
    return what_if(graph, "g.json", {"dgx-1", "", {}}, change);
}

std::vector<std::string> step_names(const AppGraph& graph) {
    std::vector<std::string> names;
    for (const AppStep& step : graph.steps) names.push_back(step.name);
    return names;
}

/// a is copied in and read by the first of two kernels in a stream, the second's result is copied out.
GraphBuilder chain() {
    GraphBuilder builder;
    const unsigned in = builder.copy(builder.value(kHostPlace, 8 * kMiB, true), gpu_at(0), "s");
    const unsigned middle = builder.value(gpu_at(0), 4 * kMiB, false);
    builder.kernel(gpu_at(0), 100, {in}, {middle}, "s");
    const unsigned result = builder.value(gpu_at(0), 2 * kMiB, false);
    builder.kernel(gpu_at(0), 100, {middle}, {result}, "s");
    builder.copy(result, kHostPlace, "s");
    return builder;
}

TEST(Placement, WhereNothingMovesNothingChanges) {
    for (const char* name : kExamples) {
        const AppGraph graph = shipped_graph(name);
        const AppGraph same = place_steps(graph, places_of(graph));
        EXPECT_EQ(step_names(same), step_names(graph));
        EXPECT_EQ(same.waits_for(), graph.waits_for());
        EXPECT_EQ(same.values.size(), graph.values.size());
    }
}

TEST(Placement, AMovedKernelTakesItsCopiesAlong) {
    const AppGraph graph = chain().graph;
    std::vector<AppPlace> places = places_of(graph);
    places[1] = gpu_at(2);
    const AppGraph moved = place_steps(graph, places);
    // The copy in goes straight to GPU 2, what is between the kernels is copied, the copy out stays.
    EXPECT_THAT(step_names(moved), ElementsAre("copy v0@gpu2", "s1", "copy v2@gpu0", "s2", "s3"));
    EXPECT_EQ(moved.steps[1].place, gpu_at(2));
    EXPECT_EQ(moved.steps[1].stream, "s@gpu2");
    EXPECT_EQ(moved.steps[0].stream, "s@gpu2");
    EXPECT_EQ(moved.steps[3].stream, "s");
    EXPECT_THAT(moved.waits_for(),
                ElementsAre(IsEmpty(), ElementsAre(0U), ElementsAre(1U), ElementsAre(2U), ElementsAre(3U)));
    for (const AppStep& step : moved.steps) {
        if (step.kind != AppStepKind::kernel) continue;
        for (const unsigned value : step.reads) EXPECT_EQ(moved.values[value].place, step.place) << step.name;
        for (const unsigned value : step.writes) EXPECT_EQ(moved.values[value].place, step.place) << step.name;
    }
}

TEST(Placement, CopiesBetweenEndsThatAreNowOnePlaceAreLeftOut) {
    const AppGraph graph = place_steps(chain().graph, {{}, gpu_at(2), gpu_at(0), {}});
    const AppGraph back = place_steps(graph, {{}, gpu_at(0), {}, gpu_at(0), {}});
    EXPECT_THAT(step_names(back), ElementsAre("copy v0@gpu0", "s1", "s2", "s3"));
}

/// Four kernels without anything between them go to four GPUs: a quarter of the time.
/// Where no place is better a kernel stays where its file has it.
TEST(Placement, OfEqualPlacesTheFilesStays) {
    GraphBuilder builder;
    builder.kernel(gpu_at(3), 100, {}, {});
    const WhatIfRow before = changed(builder.graph, ""), chosen = changed(builder.graph, "place=auto");
    EXPECT_TRUE(chosen.placed.empty());
    EXPECT_DOUBLE_EQ(chosen.simulated_ns, before.simulated_ns);
    builder.kernel(gpu_at(3), 100, {}, {});
    EXPECT_FALSE(changed(builder.graph, "place=auto").placed.empty()) << "two are faster on two";
}

TEST(Placement, ListSchedulingSpreadsWhatIsIndependent) {
    GraphBuilder builder;
    for (unsigned k = 0; k < 4; ++k) builder.kernel(gpu_at(0), 1000, {}, {builder.value(gpu_at(0), 8, false)}, "s");
    const WhatIfRow row = changed(builder.graph, "place=auto");
    EXPECT_DOUBLE_EQ(row.simulated_ns, 1e6);
    EXPECT_THAT(row.placed, ElementsAre("s1 to gpu1", "s2 to gpu2", "s3 to gpu3"));
}

/// Nothing says what passes between kernels of which one writes no value and the next reads none: a chain stays whole.
TEST(Placement, ListSchedulingKeepsAChainWithoutValuesTogether) {
    GraphBuilder builder;
    const unsigned in = builder.copy(builder.value(kHostPlace, kMiB, true), gpu_at(0), "s");
    builder.kernel(gpu_at(0), 1000, {in}, {}, "s");
    for (unsigned k = 0; k < 3; ++k) builder.kernel(gpu_at(0), 1000, {}, {}, "s");
    const unsigned result = builder.value(gpu_at(0), kMiB, false);
    builder.kernel(gpu_at(0), 1000, {}, {result}, "s");
    builder.copy(result, kHostPlace, "s");
    EXPECT_THAT(leaders_of(builder.graph),
                ElementsAre(AppGraph::kNone, AppGraph::kNone, 1U, 2U, 3U, 4U, AppGraph::kNone));
    const WhatIfRow row = changed(builder.graph, "place=auto");
    EXPECT_DOUBLE_EQ(row.simulated_ns, changed(builder.graph, "").simulated_ns);
    EXPECT_THAT(row.placed, IsEmpty());
    EXPECT_THAT(row.assumed, ::testing::Contains(::testing::HasSubstr("4 kernels read no value")));
    // Two such chains go to two GPUs, each as a whole.
    const unsigned other = builder.copy(builder.value(kHostPlace, kMiB, true), gpu_at(0), "t");
    builder.kernel(gpu_at(0), 3000, {other}, {}, "t");
    builder.kernel(gpu_at(0), 3000, {}, {}, "t");
    EXPECT_THAT(changed(builder.graph, "place=auto").placed,
                ::testing::AnyOf(ElementsAre("s7 to gpu1", "s8 to gpu1"),
                                 ElementsAre("s1 to gpu1", "s2 to gpu1", "s3 to gpu1", "s4 to gpu1", "s5 to gpu1")));
}

/// What costs more to copy than to wait for stays: 256 MiB take 14 ms over NVLink.
TEST(Placement, ListSchedulingCountsCopies) {
    for (const double us : {1000.0, 100'000.0}) {
        GraphBuilder builder;
        const unsigned big = builder.value(gpu_at(0), 256 * kMiB, true);
        for (unsigned k = 0; k < 2; ++k) builder.kernel(gpu_at(0), us, {big}, {builder.value(gpu_at(0), 8, false)});
        const WhatIfRow row = changed(builder.graph, "place=auto");
        EXPECT_EQ(row.placed.empty(), us < 10'000);
        EXPECT_LE(row.simulated_ns, 2 * us * 1000);
    }
}

TEST(WhatIf, ChangesDoWhatTheySay) {
    GraphBuilder builder;
    builder.copy(builder.value(kHostPlace, 256 * kMiB, true, HostMemory::pageable), gpu_at(0));
    const double before = changed(builder.graph, "").simulated_ns;
    const double pinned = changed(builder.graph, "copies=pinned").simulated_ns;
    EXPECT_LT(pinned, before);
    const double wide = changed(builder.graph, "copies=pinned,link.pcie*2").simulated_ns;
    EXPECT_NEAR((pinned - wide) / (pinned - 10'900), 0.5, 0.01);
    EXPECT_GT(changed(builder.graph, "link.pcie*0.25").simulated_ns, 2 * before);
    EXPECT_DOUBLE_EQ(changed(builder.graph, "link.nvlink*8").simulated_ns, before);
    const WhatIfRow other = changed(builder.graph, "machine=s822lc");
    EXPECT_EQ(other.system, "S822LC");
    EXPECT_LT(other.simulated_ns, before);
    EXPECT_DOUBLE_EQ(changed(builder.graph, "copies=pageable").simulated_ns, before);
    EXPECT_LT(changed(builder.graph, "machine=s822lc,link.nvlink_cpu*2,copies=pinned").simulated_ns,
              other.simulated_ns / 2);
}

TEST(WhatIf, AKernelIsPlacedByItsName) {
    const AppGraph graph = chain().graph;
    const double before = changed(graph, "").simulated_ns;
    EXPECT_GT(changed(graph, "place.s1=gpu2").simulated_ns, before + 4 * kMiB / 20.0);
    EXPECT_NEAR(changed(graph, "place.s1=gpu2,place.s2=gpu2").simulated_ns, before, before * 0.001);
    EXPECT_DOUBLE_EQ(changed(graph, "place.s1=gpu0").simulated_ns, before);
}

/// Of five changes of each example, the closed form finds the same order as the simulation, and is within 15 %.
TEST(WhatIf, TheClosedFormHasTheOrderOfTheSimulation) {
    const std::vector<std::string> changes{"copies=pinned", "link.pcie*2", "machine=s822lc", "machine=ac922",
                                           "copies=pinned,link.nvlink*0.25"};
    for (const char* name : {"vector-add", "vector-add-64mib", "stencil-4", "train-ring-4"}) {
        const AppGraph graph = shipped_graph(name);
        std::vector<WhatIfRow> rows;
        for (const std::string& change : changes) rows.push_back(changed(graph, change));
        std::stable_sort(rows.begin(), rows.end(),
                         [](const WhatIfRow& a, const WhatIfRow& b) { return a.simulated_ns < b.simulated_ns; });
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_NEAR(rows[i].closed_form_ns, rows[i].simulated_ns, 0.15 * rows[i].simulated_ns)
                << name << ", " << rows[i].change;
            if (i == 0) continue;
            EXPECT_GE(rows[i].closed_form_ns, rows[i - 1].closed_form_ns * (1 - 1e-9))
                << name << ", " << rows[i - 1].change << " before " << rows[i].change;
        }
    }
}

TEST(WhatIf, NamesWithCommasHaveQuotes) {
    GraphBuilder in;
    in.kernel(kGpu0, 10, {}, {});
    in.graph.steps[0].name = "k<int, float> 1";
    EXPECT_NO_THROW(what_if(in.graph, "g.json", {"dgx-1", "", {}}, R"(place."k<int, float> 1"=gpu1)"));
}

} // namespace
} // namespace numavp::test

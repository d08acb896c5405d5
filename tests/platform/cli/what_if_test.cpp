/// numavp what-if, as a user runs it.
#include "tests/platform/cli/bad_list.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WhatIfCli : public Cli {};

TEST_F(WhatIfCli, SortsByTime) {
    const Args words{"what-if",        "stencil-4", "dgx-1",         "--change", "link.pcie*2", "--change",
                     "machine=s822lc", "--change",  "copies=pinned", "--change", "place=auto"};
    const Ended made = numavp(words);
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, AllOf(HasSubstr("(as it is, on DGX-1)"), HasSubstr("machine=s822lc  "), HasSubstr("1.000")));
    Args more = words;
    more.emplace_back("--json");
    const std::string text = numavp(more).out;
    const auto changes = nlohmann::json::parse(text).at("changes");
    ASSERT_EQ(changes.size(), 5U);
    for (std::size_t i = 1; i < changes.size(); ++i)
        EXPECT_LE(changes[i - 1].at("simulated_ns").get<double>(), changes[i].at("simulated_ns").get<double>());
    EXPECT_EQ(numavp(more).out, text) << "the same bytes";
}

/// The machines of a list within a budget of lanes; dgx-1 has 336 (tests/communication/predict), s822lc 208, ac922 192.
TEST_F(WhatIfCli, NamesTheBestWithinABudget) {
    Args words{"what-if", "stencil-4", "dgx-1", "--change", "machine=s822lc", "--change", "machine=ac922", "--lanes"};
    const auto text = [this, &words](const char* lanes) {
        Args all = words;
        all.emplace_back(lanes);
        const Ended made = numavp(all);
        EXPECT_EQ(made.status, 0) << made.err;
        return made.out;
    };
    EXPECT_THAT(text("200"), AllOf(HasSubstr("the best within 200 lanes: machine=ac922, "), HasSubstr("336 (over)"),
                                   HasSubstr("refused: (as it is, on DGX-1) has 336 lanes")));
    EXPECT_THAT(text("100"), AllOf(HasSubstr("nothing is within 100 lanes"), HasSubstr("refused: machine=s822lc has")));
    EXPECT_THAT(text("400"), ::testing::Not(HasSubstr("refused")));
    words.insert(words.end() - 1, "--json");
    const auto json = nlohmann::json::parse(text("200"));
    EXPECT_EQ(json.at("budget_lanes"), 200);
    for (const auto& change : json.at("changes"))
        EXPECT_EQ(change.at("within_budget").get<bool>(), change.at("lanes") <= 200) << change.at("change");
}

/// The ring goes over NVLink: twice the PCIe would be beside the point, or beyond the budget, and QPI carries nothing.
TEST_F(WhatIfCli, WidensLinksWithinABudget) {
    const Args words{"what-if", "train-ring-4", "dgx-1", "--widen", "--lanes", "600", "--json"};
    const auto changes = nlohmann::json::parse(numavp(words).out).at("changes");
    ASSERT_GE(changes.size(), 2U);
    EXPECT_EQ(changes[0].at("change"), "link.nvlink*2");
    for (std::size_t i = 0; i < changes.size(); ++i) {
        EXPECT_LE(changes[i].at("lanes"), 600);
        EXPECT_EQ(changes[i].at("change").get<std::string>().find("qpi"), std::string::npos);
        if (i != 0) {
            EXPECT_LT(changes[i].at("lanes"), changes[i - 1].at("lanes")) << "faster is never with fewer";
        }
    }
    const Ended both =
        numavp({"what-if", "vector-add-64mib", "dgx-1", "--machines", "s822lc,ac922", "--widen", "--lanes", "530"});
    EXPECT_EQ(both.status, 0) << both.err;
    EXPECT_THAT(both.out, AllOf(HasSubstr("link.pcie*2 "), HasSubstr("machine=s822lc "), HasSubstr("machine=ac922 ")));
}

TEST_F(WhatIfCli, IsKnownToCompletionAndHelp) {
    EXPECT_THAT(numavp({"completion", "bash"}).out, HasSubstr("what-if) options=\"--help --calibration"));
    EXPECT_THAT(numavp({"help", "what-if"}).out, HasSubstr("--change CHANGE"));
}

TEST_F(BadList, ChangesOfWhatIf) {
    const auto bad = [](const std::string& change, const std::string& sentence) {
        return BadEntry{{"what-if", "vector-add", "dgx-1", "--change", change}, "--change " + change + ": " + sentence};
    };
    expect_sentences({
        {{"what-if", "vector-add", "dgx-1"}, "command line: nothing is changed; --change, --machines or --widen is "},
        {{"what-if", "vector-add", "dgx-1", "--machines", "s822lc,"}, "--machines: a name is empty"},
        {{"what-if", "vector-add", "dgx-1", "--machines", "s822lc", "--change", "machine=s822lc"},
         "--change machine=s822lc: it is there twice"},
        {{"what-if", "vector-add", "dgx-1", "--widen"}, "command line: --widen has no budget; --lanes N is expected"},
        {{"what-if", "vector-ad", "dgx-1", "--change", "copies=pinned"}, "graph: unknown graph 'vector-ad'"},
        {{"what-if", "vector-add", "dgx-1", "--change", "copies=pinned", "--change", "copies=pinned"},
         "--change copies=pinned: it is there twice; once is allowed"},
        bad("faster", "'faster' is no change; machine=FILE, link.KIND*FACTOR, link.KIND=OTHER, "),
        bad("copies=pinned,", "'' is no change; machine=FILE"),
        bad("machine=", "'machine=' is no change; "),
        bad("copies=paged", "unknown memory 'paged'; allowed are 'pageable', 'pinned'"),
        bad("link.pcie", "'link.pcie' has no factor; link.KIND*FACTOR with one from 0.0001 to 10000 is expected"),
        bad("link.pcie*", "'link.pcie*' has no factor; "),
        bad("link.pcie*0", "'link.pcie*0' has no factor; "),
        bad("link.pcie*-2", "'link.pcie*-2' has no factor; "),
        bad("link.pcie*2x", "'link.pcie*2x' has no factor; "),
        bad("link.pcie*1e9", "'link.pcie*1e9' has no factor; "),
        bad("link.pci*2", "unknown kind of link 'pci', the nearest is 'pcie'; allowed are 'nvlink', 'pcie', 'qpi'"),
        bad("link.pci=qpi", "unknown kind of link 'pci', the nearest is 'pcie'"),
        bad("link.pcie=qp", "unknown kind of link 'qp', the nearest is 'qpi'; allowed are 'nvlink', 'pcie', 'qpi'"),
        bad("link.pcie=", "'link.pcie=' names no kind of link; link.KIND=OTHER or link.KIND=MACHINE:OTHER is expected"),
        bad("link.pcie=s822lc:", "'link.pcie=s822lc:' names no kind of link; "),
        bad("link.pcie=:qpi", "'link.pcie=:qpi' names no kind of link; "),
        bad("link.pcie=s822lc:qpi", "unknown kind of link 'qpi'; allowed are 'nvlink_cpu', 'nvlink', 'x_bus', 'pcie'"),
        bad("format.pcie", "'format.pcie' sets nothing; format.KIND.CONSTANT=VALUE is expected"),
        bad("format.pci.efficiency=1", "unknown format of a link 'pci', the nearest is 'pcie'"),
        bad("format.pcie.efficiency=2", "formats[2].efficiency: "),
        bad("format.pcie.back_share=0", "formats[2].back_share: "),
        bad("format.pcie.lane_gbytes_per_s=0", "formats[2].lane_gbytes_per_s: "),
        bad("format.pcie.speed=2", "formats[2].speed: "),
        bad("calibration.copy_engine=2", "copy_engine: "),
        bad("set.network.links[7].gbytes_per_s=5", "network.links[7]"),
        bad("set.network", "network: the value is missing"),
        bad("set.network.links[0].gbytes_per_s=5,machine=s822lc", "machine= stands behind settings; "),
        bad("machine=gpu-8-cpu-2,calibration.copy_engines=2", "gpu-8-cpu-2: it has no calibration whose constants "),
        bad("faults=prefetch", "'vector-add' has no values in unified memory; "),
        bad("faults=none", "'faults=none' is no change; "),
        bad("advice.a=read_mostly", "'vector-add' has no values in unified memory; "),
        bad("place.vector_ad=gpu1", "unknown kernel 'vector_ad', the nearest is 'vector_add'"),
        bad("place.copy_a=gpu1", "unknown kernel 'copy_a'"),
        bad("place.vector_add=cpu0", "'place.vector_add=cpu0' names no GPU; place.KERNEL=gpu2 is expected"),
        bad("place.vector_add", "'place.vector_add' names no GPU; "),
        bad("place.vector_add=gpu9", "dgx-1 has no gpu9; gpu0 to gpu7 are allowed"),
        bad("place=auto,place.vector_add=gpu1", "it has place=auto and places of kernels; one of them is allowed"),
        bad("place.vector_add=gpu1,place=auto", "it has place=auto and places of kernels; one of them is allowed"),
        {{"what-if", "vector-add-managed", "dgx-1", "--change", "advice.a=read"},
         "--change advice.a=read: 'read' is no advice; none, read_mostly, preferred:gpuN and accessed_by:gpuN are"},
        {{"what-if", "vector-add-managed", "dgx-1", "--change", "advice.t=none"},
         "--change advice.t=none: unknown value in unified memory 't'"},
        {{"what-if", "vector-add-managed", "dgx-1", "--change", "advice.*=preferred:gpu8"},
         "--change advice.*=preferred:gpu8: " + source_dir() +
             "/configs/graphs/vector-add-managed.json: $.values[0].advice.preferred: 'a' prefers gpu8; dgx-1 has gpu0 "
             "to gpu7"},
        {{"what-if", "vector-add", "dgx-1", "--change", "copies=pinned", "--lanes", "0"}, "--lanes: "},
        {{"what-if", "vector-add", "dgx-1", "--change", "copies=pinned", "--lanes", "many"}, "--lanes: "},
        {{"what-if", "vector-add", "dgx-1", "--change", "machine=dgx1"},
         "--change machine=dgx1: system: unknown system 'dgx1'"},
    });
}

} // namespace
} // namespace numavp::test

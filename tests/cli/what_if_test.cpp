/// numavp what-if, as a user runs it.
#include "tests/cli/bad_list.h"

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

TEST_F(WhatIfCli, IsKnownToCompletionAndHelp) {
    EXPECT_THAT(numavp({"completion", "bash"}).out, HasSubstr("what-if) options=\"--help --calibration"));
    EXPECT_THAT(numavp({"help", "what-if"}).out, HasSubstr("--change CHANGE"));
}

TEST_F(BadList, ChangesOfWhatIf) {
    const auto bad = [](const std::string& change, const std::string& sentence) {
        return BadEntry{{"what-if", "vector-add", "dgx-1", "--change", change}, "--change " + change + ": " + sentence};
    };
    expect_sentences({
        {{"what-if", "vector-add", "dgx-1"}, "command line: --change is required"},
        {{"what-if", "vector-ad", "dgx-1", "--change", "copies=pinned"}, "graph: unknown graph 'vector-ad'"},
        {{"what-if", "vector-add", "dgx-1", "--change", "copies=pinned", "--change", "copies=pinned"},
         "--change copies=pinned: it is there twice; once is allowed"},
        bad("faster", "'faster' is no change; machine=FILE, link.KIND*FACTOR, copies=pinned, "),
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
        bad("place.vector_ad=gpu1", "unknown kernel 'vector_ad', the nearest is 'vector_add'"),
        bad("place.copy_a=gpu1", "unknown kernel 'copy_a'"),
        bad("place.vector_add=cpu0", "'place.vector_add=cpu0' names no GPU; place.KERNEL=gpu2 is expected"),
        bad("place.vector_add", "'place.vector_add' names no GPU; "),
        bad("place.vector_add=gpu9", "dgx-1 has no gpu9; gpu0 to gpu7 are allowed"),
        bad("place=auto,place.vector_add=gpu1", "it has place=auto and places of kernels; one of them is allowed"),
        bad("place.vector_add=gpu1,place=auto", "it has place=auto and places of kernels; one of them is allowed"),
        {{"what-if", "vector-add", "dgx-1", "--change", "machine=dgx1"}, "system: unknown system 'dgx1'"},
    });
}

} // namespace
} // namespace numavp::test

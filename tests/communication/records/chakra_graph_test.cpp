/// Traces as Chakra's converter of PyTorch writes them: captures begin in the midst of a program, the host's calls of
/// collectives are nodes too, and collectives may have a root.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/records/chakra_graph.h"
#include "communication/records/find_recording.h"
#include "tests/support/chakra_bytes.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using namespace chakra;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RecordedGraph graph_of_ranks(const std::vector<std::string>& ranks) {
    std::vector<ChakraTrace> traces;
    for (std::size_t r = 0; r < ranks.size(); ++r)
        traces.push_back(read_chakra(kMetadata + ranks[r], "t." + std::to_string(r) + ".et"));
    return chakra_graph(traces, 0);
}

/// The sentence of the traces of all ranks; empty if they are read.
std::string refusal_of_ranks(const std::vector<std::string>& ranks) {
    try {
        graph_of_ranks(ranks);
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

/// The sentence of the check of one file.
std::string refusal_of_check(const std::string& nodes) {
    const TempDir folder;
    try {
        check_chakra_trace(folder.write("t.0.et", kMetadata + nodes));
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

TEST(ChakraGraph, ParentsByControlOutsideOfTheCaptureAreLeftOut) {
    for (const auto& [before, outside] : std::vector<std::pair<std::vector<unsigned>, unsigned>>{
             {{}, 0}, {{3}, 1}, {{3, 4, 5}, 3}, {{1, 3}, 1}, {{1}, 0}}) {
        const RecordedGraph made =
            graph_of_ranks({node(1, compute, lasts(10) + on_cpu()) +
                            node(2, compute, lasts(20) + waits(before, 4) + on_cpu(false), {1})});
        ASSERT_EQ(made.graph.steps.size(), 2U);
        EXPECT_EQ(made.graph.steps[0].time.time_us, 10.0);
        EXPECT_FALSE(made.graph.steps[0].place.gpu);
        EXPECT_EQ(made.graph.steps[1].time.time_us, 20.0);
        EXPECT_THAT(made.graph.steps[1].after, ElementsAre(0U));
        if (outside == 0) {
            EXPECT_THAT(made.notes, IsEmpty());
        } else {
            EXPECT_THAT(made.notes, ElementsAre(HasSubstr(std::to_string(outside) + " wait")));
            EXPECT_THAT(made.notes, ElementsAre(HasSubstr("outside of the capture")));
        }
    }
    EXPECT_THAT(refusal_of_ranks({node(1, compute, lasts(1), {3})}),
                HasSubstr("t.0.et: node 1 ('n1'): it waits for data of node 3, which the trace does not have"));
}

/// A host's call of a collective, a send or a receive has no bytes and takes its time on the host.
TEST(ChakraGraph, HostCallsOfCollectivesAreHostWork) {
    for (const Type type : {collective, send, receive}) {
        const std::string rank = node(1, type, lasts(80) + on_cpu()) +
                                 node(2, collective, on_cpu(false) + communicates(0, 8 << 20) + lasts(900), {1});
        const RecordedGraph made = graph_of_ranks({rank, rank});
        ASSERT_EQ(made.graph.steps.size(), 6U) << type; // two calls, and 2 rounds of a ring of two
        for (const std::size_t call : {0U, 1U}) {
            EXPECT_EQ(made.graph.steps[call].kind, AppStepKind::host);
            EXPECT_EQ(made.graph.steps[call].time.time_us, 80.0);
        }
        EXPECT_EQ(made.graph.values[0].bytes, 4U << 20);
        EXPECT_THAT(made.graph.steps[2].after, ElementsAre(0U, 1U)) << "each of the ring's first copies needs both";
    }
    const std::string unsized = node(1, collective, on_cpu(false) + communicates(0, 0));
    EXPECT_THAT(refusal_of_ranks({unsized, unsized}), HasSubstr("t.0.et: node 1 ('n1'): it moves 0 B"));
}

TEST(ChakraGraph, ACollectiveOfOneRankIsNoted) {
    const std::string rank = node(1, compute, lasts(100)) +
                             node(2, collective, communicates(0, 1 << 28) + group("0"), {1}) +
                             node(3, compute, lasts(100), {2});
    const RecordedGraph made = graph_of_ranks({rank});
    ASSERT_EQ(made.graph.steps.size(), 2U);
    EXPECT_THAT(made.notes, ElementsAre("1 collective has one rank of its group in the traces and takes no time"));
    for (const unsigned kind : {1U, 2U, 3U, 4U, 5U, 6U, 7U})
        EXPECT_THAT(graph_of_ranks({node(1, compute, lasts(1)) + node(2, collective, communicates(kind, 64), {1}) +
                                    node(3, collective, communicates(kind, 64), {2})})
                        .notes,
                    ElementsAre(HasSubstr("2 collectives have one rank of their group")));
    EXPECT_THAT(graph_of_ranks({node(1, compute, lasts(1)) + node(2, collective, communicates(9, 0), {1})}).notes,
                IsEmpty());
    EXPECT_THAT(graph_of_ranks({rank, rank}).notes, ElementsAre(HasSubstr("rings of copies")));
}

struct Moved {
    std::size_t copies = 0;
    std::uint64_t bytes = 0;
    std::vector<unsigned> arrive, leave; ///< copies that end at a GPU, and that begin there
};
Moved moved_by(const AppGraph& graph, std::size_t ranks) {
    Moved m;
    m.arrive.resize(ranks);
    m.leave.resize(ranks);
    for (const AppStep& step : graph.steps) {
        if (step.kind != AppStepKind::copy) continue;
        ++m.copies;
        m.bytes += graph.values[step.reads[0]].bytes;
        ++m.leave[graph.values[step.reads[0]].place.index];
        ++m.arrive[graph.values[step.writes[0]].place.index];
    }
    return m;
}

/// Each round of a ring goes from every rank to the next one; a broadcast's chain goes on from its root.
TEST(ChakraGraph, RingsAndChainsGoToTheNextRank) {
    for (const unsigned kind : {0U, 2U, 5U, 7U}) {
        const std::vector<std::string> all(
            3, node(1, collective, communicates(kind, 12000) + attribute("comm_src", kind == 5 ? 1 : 0)));
        const AppGraph graph = graph_of_ranks(all).graph;
        for (const AppStep& step : graph.steps) {
            const unsigned from = graph.values[step.reads[0]].place.index;
            EXPECT_EQ(graph.values[step.writes[0]].place.index, (from + 1) % 3) << kind;
        }
    }
}

/// Bytes of rings as in ASTRA-sim: of an all-gather a rank's share is told, of the others the whole, of which each copy
/// carries a part for each rank, rounded up. An all-reduce goes round twice; in an all-to-all each rank sends the
/// others their part.
TEST(ChakraGraph, CollectivesWithoutARootMoveTheirBytes) {
    for (const std::uint64_t bytes : {12000U, 12001U})
        for (const std::size_t ranks : {2U, 3U, 4U})
            for (const unsigned kind : {0U, 2U, 6U, 7U}) {
                const std::vector<std::string> all(ranks, node(1, collective, communicates(kind, bytes)));
                const AppGraph graph = graph_of_ranks(all).graph;
                const std::uint64_t each = kind == 2 ? bytes : (bytes + ranks - 1) / ranks;
                const std::size_t copies = (kind == 0 ? 2 : 1) * ranks * (ranks - 1);
                const Moved m = moved_by(graph, ranks);
                EXPECT_EQ(m.copies, copies) << kind << " of " << ranks;
                EXPECT_EQ(m.bytes, copies * each) << kind << " of " << ranks;
                for (const AppStep& step : graph.steps) {
                    EXPECT_EQ(graph.values[step.reads[0]].bytes, each) << kind;
                    EXPECT_EQ(graph.values[step.writes[0]].bytes, each) << kind;
                }
                for (const std::vector<unsigned>* ends : {&m.arrive, &m.leave})
                    EXPECT_THAT(*ends, ::testing::Each(copies / ranks)) << kind << " of " << ranks;
            }
}

/// Broadcast and reduce are chains in pieces, gather and scatter a copy a rank: each rank gets or gives what it has to.
TEST(ChakraGraph, CollectivesWithARootMoveTheirBytes) {
    for (const auto& [ranks, bytes] : std::vector<std::pair<std::size_t, std::uint64_t>>{
             {2, 12000}, {3, 12000}, {4, 12000}, {3, 12001}, {4, 12001}}) // shares are rounded up
        for (const unsigned kind : {1U, 3U, 4U, 5U})
            for (unsigned root = 0; root < ranks; ++root) {
                const std::string named = attribute(kind == 4 || kind == 5 ? "comm_src" : "comm_dst", root);
                const std::vector<std::string> all(
                    ranks, node(1, compute, lasts(5)) + node(2, collective, communicates(kind, bytes) + named, {1}) +
                               node(3, compute, lasts(5), {2}));
                const RecordedGraph made = graph_of_ranks(all);
                const Moved m = moved_by(made.graph, ranks);
                const bool chain = kind == 1 || kind == 5;
                const std::size_t others = ranks - 1;
                EXPECT_EQ(m.copies, chain ? others * others : others) << kind;
                const std::uint64_t piece = (bytes + others - 1) / others, share = (bytes + ranks - 1) / ranks;
                EXPECT_EQ(m.bytes, chain ? piece * others * others : (kind == 4 ? share : bytes) * others) << kind;
                const bool from_root = kind == 4 || kind == 5;
                EXPECT_EQ((from_root ? m.arrive : m.leave)[root], 0U) << kind << " of " << ranks << " at " << root;
                EXPECT_GT((from_root ? m.leave : m.arrive)[root], 0U);
                EXPECT_THAT(made.notes, ElementsAre(HasSubstr("1 collective has a root")));
                // All have begun, and all end, with their rank's part.
                for (const AppStep& step : made.graph.steps)
                    if (step.kind == AppStepKind::copy) {
                        EXPECT_GE(step.after.size(), 2U);
                    }
            }
}

TEST(ChakraGraph, ACollectiveWithARootMayNameItsBytesThereAlone) {
    const RecordedGraph made =
        graph_of_ranks({node(1, collective, communicates(4, 800)), node(1, collective, communicates(4, 0))});
    EXPECT_EQ(moved_by(made.graph, 2).bytes, 400U);
    const RecordedGraph last =
        graph_of_ranks({node(1, collective, communicates(5, 0)), node(1, collective, communicates(5, 800))});
    EXPECT_EQ(moved_by(last.graph, 2).leave[1], 1U) << "who has them sends them";
    EXPECT_THAT(
        refusal_of_ranks({node(1, collective, communicates(5, 800)), node(1, collective, communicates(5, 400))}),
        HasSubstr("rank 0 has another collective in its place"));
    EXPECT_THAT(refusal_of_ranks({node(1, collective, communicates(5, 0)), node(1, collective, communicates(5, 0))}),
                HasSubstr("it moves 0 B"));
}

/// What graph refuses with all ranks the check of the one file finds; what the other ranks have it does not ask for.
TEST(ChakraGraph, TheCheckFindsWhatGraphRefuses) {
    const std::string one = node(9, compute, lasts(1));
    for (const std::string& bad :
         {node(1, compute, lasts(1), {7}), node(1, compute, lasts(1)) + node(1, compute, lasts(1)), node(1, load, ""),
          node(1, 8, ""), node(1, collective, communicates(8, 64)), node(1, collective, communicates(0, 0)),
          node(1, send, attribute("comm_dst", 1)),
          node(1, metadata, "", {2}) + node(2, metadata, "", {1}) + node(3, compute, "", {1})}) {
        EXPECT_NE(refusal_of_ranks({bad, one}), "") << bad;
        EXPECT_NE(refusal_of_check(bad), "") << bad;
    }
    EXPECT_NE(refusal_of_check(node(1, compute, "", {2}) + node(2, compute, "", {1})), "") << "a circle of steps";
    EXPECT_NE(refusal_of_check(node(1, send, attribute("comm_dst", 1) + attribute("comm_size", 8), {2}) +
                               node(2, compute, "", {1})),
              "");
    EXPECT_NE(refusal_of_check(node(1, metadata, "")), "");
    for (const std::string& good :
         {node(1, send, attribute("comm_dst", 3) + attribute("comm_size", 8)),
          node(1, receive, attribute("comm_src", 5)), node(1, collective, communicates(0, 64)),
          node(1, compute, attribute("num_ops", 5)), node(1, compute, lasts(1) + waits({7}, 4))})
        EXPECT_EQ(refusal_of_check(good), "") << good;
    const TempDir folder;
    const CheckedTrace checked = check_chakra_trace(folder.write(
        "t.0.et", kMetadata + node(1, compute, waits({7}, 4)) + node(2, receive, attribute("comm_src", 5), {1})));
    EXPECT_EQ(checked.nodes, 2U);
    EXPECT_THAT(checked.notes,
                ElementsAre(HasSubstr("outside of the capture"), HasSubstr("needs the traces of other ranks")));
}

/// Lengths and counts come from the file: none takes memory or time that its bytes do not back.
TEST(ChakraGraph, LengthsBeyondTheFileAreRefused) {
    const auto said = [](const std::string& bytes) {
        try {
            read_chakra(bytes, "t.et");
        } catch (const ConfigError& fault) {
            return std::string(fault.what());
        }
        return std::string();
    };
    EXPECT_EQ(said(kMetadata + varint(std::uint64_t{1} << 62)),
              "t.et: node 1 has 4611686018427387904 bytes; at most 67108864 are allowed");
    EXPECT_EQ(said(kMetadata + node(1, compute, "") + varint(60 << 20) + "x"), "t.et: it ends within node 2");
    EXPECT_EQ(said(kMetadata + std::string(11, '\xff')), "t.et: node 1 has no length");
    EXPECT_EQ(said(kMetadata + "\xff"), "t.et: it ends within node 1");
    EXPECT_EQ(said(varint(70 << 20)), "t.et: its metadata has 73400320 bytes; at most 67108864 are allowed");
    EXPECT_EQ(said(kMetadata + sized("\x0b")), "t.et: node 1 is cut");
    EXPECT_EQ(said(kMetadata), "");
}

} // namespace
} // namespace numavp::test

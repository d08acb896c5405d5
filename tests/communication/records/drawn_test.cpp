/// Applications drawn from seeds, written as Nsight's export, Chakra's traces and the thesis' records, and read: the
/// same steps come back, each with its place, its time or bytes, its stream, and all that it waits for.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/records/find_recording.h"
#include "tests/communication/records/drawn_application.h"
#include "tests/support/fast_build.h"
#include "tests/support/nsight_database.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using Kind = DrawnOperation::Kind;

std::uint64_t drawn_applications() { return of_campaign(300); }

struct Places {
    AppPlace from, to;
};
Places places_of(const DrawnOperation& one) {
    const AppPlace host{false, 0}, gpu{true, one.gpu}, peer{true, one.peer};
    if (one.kind == Kind::to_device) return {host, gpu};
    if (one.kind == Kind::to_host) return {gpu, host};
    return {gpu, one.kind == Kind::to_peer ? peer : gpu};
}

/// The step of each operation, by its time or its bytes.
std::vector<std::size_t> steps_of(const DrawnApplication& drawn, const AppGraph& graph) {
    std::map<std::uint64_t, std::size_t> copies, kernels;
    for (std::size_t s = 0; s < graph.steps.size(); ++s) {
        const AppStep& step = graph.steps[s];
        if (step.kind == AppStepKind::copy)
            EXPECT_TRUE(copies.emplace(graph.values[step.reads[0]].bytes, s).second);
        else
            EXPECT_TRUE(kernels.emplace(static_cast<std::uint64_t>(step.time.time_us), s).second);
    }
    std::vector<std::size_t> found;
    for (const DrawnOperation& one : drawn.operations) {
        const auto& table = one.kind == Kind::kernel ? kernels : copies;
        const auto step = table.find(one.kind == Kind::kernel ? one.us : one.bytes);
        EXPECT_NE(step, table.end()) << "operation " << found.size();
        found.push_back(step == table.end() ? 0 : step->second);
    }
    return found;
}

/// All steps that each step waits for, directly or through others.
std::vector<std::vector<bool>> order_of(const AppGraph& graph) {
    std::vector<std::vector<bool>> all(graph.steps.size(), std::vector<bool>(graph.steps.size(), false));
    const std::vector<std::vector<unsigned>> direct = graph.waits_for();
    const std::vector<unsigned> order = graph.order();
    EXPECT_EQ(order.size(), graph.steps.size()) << "it waits for itself";
    for (const unsigned step : order)
        for (const unsigned other : direct[step]) {
            all[step][other] = true;
            for (std::size_t m = 0; m < all.size(); ++m) all[step][m] = all[step][m] || all[other][m];
        }
    return all;
}

/// `with_values`: the form tells what copies take from kernels. `with_streams`: it has streams.
void expect_application(const DrawnApplication& drawn, const AppGraph& graph, bool with_values, bool with_streams) {
    ASSERT_EQ(graph.steps.size(), drawn.operations.size());
    const std::vector<std::size_t> steps = steps_of(drawn, graph);
    const std::vector<unsigned> writers = graph.writers();
    const std::vector<std::vector<bool>> expected = drawn.order(), found = order_of(graph);
    for (std::size_t n = 0; n < steps.size(); ++n) {
        SCOPED_TRACE(n);
        const DrawnOperation& one = drawn.operations[n];
        const AppStep& step = graph.steps[steps[n]];
        const Places places = places_of(one);
        if (one.kind == Kind::kernel) {
            EXPECT_EQ(step.kind, AppStepKind::kernel);
            EXPECT_EQ(step.place.name(), places.to.name());
            EXPECT_DOUBLE_EQ(step.time.time_us, one.us);
        } else {
            ASSERT_EQ(step.kind, AppStepKind::copy);
            ASSERT_EQ(step.reads.size(), 1U);
            ASSERT_EQ(step.writes.size(), 1U);
            EXPECT_EQ(graph.values[step.reads[0]].place.name(), places.from.name());
            EXPECT_EQ(graph.values[step.writes[0]].place.name(), places.to.name());
            EXPECT_EQ(graph.values[step.writes[0]].bytes, one.bytes);
            const std::size_t kernel = drawn.kernel_before(n);
            const bool made = with_values && one.kind != Kind::to_device && kernel != DrawnApplication::kNone;
            EXPECT_EQ(writers[step.reads[0]], made ? steps[kernel] : AppGraph::kNone);
        }
        for (std::size_t m = 0; m < steps.size(); ++m) {
            EXPECT_EQ(found[steps[n]][steps[m]], expected[n][m]) << "for operation " << m;
            if (!with_streams) continue;
            const DrawnOperation& other = drawn.operations[m];
            EXPECT_EQ(step.stream == graph.steps[steps[m]].stream, one.gpu == other.gpu && one.stream == other.stream);
        }
    }
}

TEST(DrawnApplications, ComeBackFromNsight) {
    for (std::uint64_t seed = 0; seed < drawn_applications(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnApplication drawn(seed);
        const TempDir folder;
        make_database(folder.path("a.sqlite"), drawn.nsight_tables() + drawn.nsight());
        expect_application(drawn, read_recording({folder.path("a.sqlite")}, {}).graph, true, true);
    }
}

TEST(DrawnApplications, ComeBackFromChakra) {
    for (std::uint64_t seed = 0; seed < drawn_applications(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnApplication drawn(seed);
        const TempDir folder;
        std::vector<std::string> files;
        for (const std::string& rank : drawn.chakra())
            files.push_back(folder.write("t." + std::to_string(files.size()) + ".et", rank));
        expect_application(drawn, read_recording(files, {}).graph, false, false);
    }
}

TEST(DrawnApplications, ComeBackFromTheThesisRecords) {
    for (std::uint64_t seed = 0; seed < drawn_applications(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnApplication drawn(seed);
        const TempDir folder;
        expect_application(drawn, read_recording({folder.write("a.cprof", drawn.cprof())}, {}).graph, true, true);
    }
}

/// The sentence with which files are refused; empty if they are read.
std::string refusal_of_files(const std::vector<std::string>& files) {
    try {
        read_recording(files, {});
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

/// A rank without the receive of a send, a record of an unknown value, a copy of no bytes.
TEST(DrawnApplications, AreRefusedForHoles) {
    unsigned sends = 0, copies = 0;
    for (std::uint64_t seed = 0; seed < drawn_applications(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnApplication drawn(seed);
        const TempDir folder;
        std::string cprof = drawn.cprof();
        const std::size_t val = cprof.rfind("{\"val\"");
        cprof.erase(val, cprof.find('\n', val) + 1 - val);
        EXPECT_THAT(refusal_of_files({folder.write("b.cprof", cprof)}), HasSubstr("no val has the id"));
        for (std::size_t n = 0; n < drawn.operations.size(); ++n) {
            DrawnApplication broken = drawn;
            DrawnOperation& one = broken.operations[n];
            if (one.kind == Kind::to_peer && sends++ < 10) {
                std::vector<std::string> ranks = drawn.chakra();
                one.kind = Kind::to_device; // the receive is gone
                ranks[drawn.operations[n].peer] = broken.chakra()[drawn.operations[n].peer];
                std::vector<std::string> files;
                for (const std::string& rank : ranks)
                    files.push_back(
                        folder.write("s" + std::to_string(n) + "." + std::to_string(files.size()) + ".et", rank));
                EXPECT_NE(refusal_of_files(files), "") << n;
                one.kind = Kind::to_peer;
            }
            if (one.kind == Kind::kernel || copies++ >= 10) continue;
            one.bytes = 0;
            make_database(folder.path("c" + std::to_string(n)), broken.nsight_tables() + broken.nsight());
            EXPECT_THAT(refusal_of_files({folder.path("c" + std::to_string(n))}), HasSubstr("copies 0 B")) << n;
        }
    }
}

} // namespace
} // namespace numavp::test

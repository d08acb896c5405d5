/// The workloads of Table 2 of the NUBA paper, held to what their sources say: grids, launches, order of kernels and
/// footprints, unsimulated. docs/use/WORKLOADS.md has the table, and the sharing of their pages.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"
#include "tests/sw/kernels/walks.h"

namespace numavp {
namespace {

struct NubaRow {
    std::string workload, first, kernel; ///< `kernel`: the main one, `first`: the one that is launched first
    double blocks = 0, threads = 0;      ///< of the main kernel's largest launch
    double launches = 0, kept = 0;       ///< of the application (0: not known), and of these those that are made
    double megabytes = 0;                ///< of the arrays in `counted`; 0: the table's number can't be met
    bool exact = false;                  ///< known from the source, not estimated
    std::set<std::string> counted;       ///< empty: all arrays
};
void PrintTo(const NubaRow& row, std::ostream* out) { *out << row.workload; }

std::vector<std::string> nuba_folders() { return {test::source_dir() + "/configs/workloads"}; }

std::vector<NubaRow> nuba_rows() {
    std::ifstream file(test::source_dir() + "/tests/data/nuba-table2.csv");
    std::vector<NubaRow> rows;
    std::string line;
    std::getline(file, line); // names of the columns
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        NubaRow row;
        std::string cell;
        std::getline(cells, row.workload, ',');
        std::getline(cells, cell, ',');
        std::getline(cells, row.first, ',');
        std::getline(cells, row.kernel, ',');
        for (double* number : {&row.blocks, &row.threads, &row.launches, &row.kept, &row.megabytes}) {
            std::getline(cells, cell, ',');
            *number = std::stod(cell);
        }
        std::getline(cells, cell, ',');
        row.exact = cell == "1";
        while (std::getline(cells, cell, '+'))
            if (cell != "all") row.counted.insert(cell);
        rows.push_back(row);
    }
    return rows;
}

Workload load_nuba(const NubaRow& row, double scale = 1.0) {
    WorkloadOptions options;
    options.scale = scale;
    return load_workload(row.workload, nuba_folders(), options);
}

WorkloadFile file_of_nuba(const NubaRow& row) {
    return read_config<WorkloadFile>(load_document(find_workload(row.workload, nuba_folders())));
}

std::uint64_t declared_of(const Workload& workload) {
    std::uint64_t sum = 0;
    for (const Launch& launch : workload.launches) sum += launch.kernel->shape().accesses;
    return sum;
}

/// Accesses to lines of all launches; of large grids from one block in 7, which no rule of a grid repeats.
double lines_of(const Workload& workload) {
    constexpr std::uint64_t kLargeGrid = 1000, kStep = 7;
    std::map<const Kernel*, double> known;
    double sum = 0;
    for (const Launch& launch : workload.launches) {
        const auto [of, is_new] = known.try_emplace(launch.kernel.get(), 0.0);
        if (is_new) {
            const std::uint64_t blocks = launch.kernel->shape().blocks;
            const std::uint64_t step = blocks > kLargeGrid ? kStep : 1;
            std::uint64_t lines = 0, walked = 0;
            for (std::uint64_t b = 0; b < blocks; b += step, ++walked)
                lines += count_block(*launch.kernel, b).line_accesses;
            of->second = static_cast<double>(lines * blocks) / static_cast<double>(walked);
        }
        sum += of->second;
    }
    return sum;
}

TEST(NubaTable, HasAll29) {
    const std::vector<NubaRow> rows = nuba_rows();
    EXPECT_EQ(rows.size(), 29U);
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const NubaRow& row) { return row.exact; }), 19);
    std::set<std::string> listed;
    for (const WorkloadName& workload : list_workloads(nuba_folders())) listed.insert(workload.name);
    for (const NubaRow& row : rows) EXPECT_EQ(listed.count(row.workload), 1U) << row.workload;
}

class NubaWorkload : public ::testing::TestWithParam<NubaRow> {};

TEST_P(NubaWorkload, HasTheGridTheLaunchesAndTheFootprintOfItsSource) {
    const NubaRow& row = GetParam();
    const Workload workload = load_nuba(row);
    EXPECT_EQ(workload.name, row.workload);
    EXPECT_EQ(static_cast<double>(workload.launches.size()), row.kept);
    if (row.launches > 0) {
        EXPECT_LE(row.kept, row.launches);
    }
    EXPECT_EQ(workload.launches.front().kernel->shape().name, row.first);
    std::uint64_t blocks = 0;
    for (const Launch& launch : workload.launches) {
        const KernelShape& shape = launch.kernel->shape();
        if (shape.name != row.kernel) continue;
        blocks = std::max(blocks, shape.blocks);
        // Blocks that are no whole warps have idle lanes.
        EXPECT_EQ(shape.threads, (static_cast<std::uint32_t>(row.threads) + kWarpLanes - 1) / kWarpLanes * kWarpLanes);
    }
    EXPECT_EQ(static_cast<double>(blocks), row.blocks);
    double bytes = 0;
    std::size_t counted = 0;
    for (const Range& range : workload.ranges) {
        if (!row.counted.empty() && row.counted.count(range.name) == 0) continue;
        bytes += static_cast<double>(range.bytes);
        ++counted;
    }
    EXPECT_EQ(counted, row.counted.empty() ? workload.ranges.size() : row.counted.size());
    if (row.megabytes > 0) {
        EXPECT_NEAR(bytes / 1e6 / row.megabytes, 1.0, 0.05);
    }
    EXPECT_FALSE(row.exact && row.megabytes == 0);
}

TEST_P(NubaWorkload, SaysWhereItsNumbersComeFromAndKeepsItsBudget) {
    NUMAVP_WALKS();
    const NubaRow& row = GetParam();
    const WorkloadFile file = file_of_nuba(row);
    EXPECT_EQ(file.name, row.workload);
    EXPECT_FALSE(file.source.empty());
    EXPECT_FALSE(file.notes.lines.empty());
    EXPECT_FALSE(file.budget.cut.lines.empty());
    EXPECT_GT(file.smallest, 0.0);
    EXPECT_LE(file.budget.line_accesses, 13'000'000U);
    EXPECT_NEAR(lines_of(load_nuba(row)) / static_cast<double>(file.budget.line_accesses), 1.0, 0.05);
}

/// As small as a study's first look: less work, the same launches, all within the arrays.
TEST_P(NubaWorkload, IsSmallerAtASmallScale) {
    NUMAVP_WALKS();
    const NubaRow& row = GetParam();
    const Workload small = load_nuba(row, 0.05);
    EXPECT_EQ(static_cast<double>(small.launches.size()), row.kept);
    Footprint touched;
    const StreamCounts walked = count_workload(small, &touched);
    EXPECT_GT(walked.memory_instructions, 0U);
    EXPECT_EQ(walked.memory_instructions, declared_of(small));
    const Range& last = small.ranges.back();
    EXPECT_LE(touched.end(), last.base + (last.bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes);
    EXPECT_LE(static_cast<double>(walked.line_accesses),
              0.2 * static_cast<double>(file_of_nuba(row).budget.line_accesses));
}

std::string nuba_row_name(const ::testing::TestParamInfo<NubaRow>& info) {
    std::string name = info.param.workload;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, NubaWorkload, ::testing::ValuesIn(test::rows_of_build(nuba_rows())), nuba_row_name);

} // namespace
} // namespace numavp

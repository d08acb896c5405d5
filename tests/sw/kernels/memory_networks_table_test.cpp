/// The workloads of Table II of the memory network paper and its vectorAdd, held to what their sources say: grids,
/// launches, footprints and the bytes that kernels read and write, unsimulated. docs/use/WORKLOADS.md has the table.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "sw/patterns/pattern.h"
#include "sw/work/coalesce.h"
#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/places.h"
#include "tests/sw/kernels/walks.h"

namespace numavp {
namespace {

struct SourceRow {
    std::string workload, kernel;             ///< `kernel`: the main one
    double blocks = 0, threads = 0;           ///< of the main kernel
    double launches = 0, kept = 0;            ///< of the application, and of these those that are made
    double megabytes = 0, left_out = 0;       ///< of its arrays, and of these what is not declared
    double kernel_least = 0, kernel_most = 0; ///< megabytes of the launches that are made; 0: not known
};
void PrintTo(const SourceRow& row, std::ostream* out) { *out << row.workload; }

std::vector<std::string> workload_folders() { return {test::source_dir() + "/configs/workloads"}; }

std::vector<SourceRow> source_rows() {
    std::ifstream file(test::source_dir() + "/tests/data/memory-networks-table2.csv");
    std::vector<SourceRow> rows;
    std::string line;
    std::getline(file, line); // names of the columns
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        SourceRow row;
        std::string table_name;
        std::getline(cells, row.workload, ',');
        std::getline(cells, table_name, ',');
        std::getline(cells, row.kernel, ',');
        for (double* number : {&row.blocks, &row.threads, &row.launches, &row.kept, &row.megabytes, &row.left_out,
                               &row.kernel_least, &row.kernel_most}) {
            std::string cell;
            std::getline(cells, cell, ',');
            *number = std::stod(cell);
        }
        rows.push_back(row);
    }
    return rows;
}

Workload load_row(const SourceRow& row, double scale = 1.0) {
    WorkloadOptions options;
    options.scale = scale;
    return load_workload(row.workload, workload_folders(), options);
}

WorkloadFile file_of_row(const SourceRow& row) {
    return read_config<WorkloadFile>(load_document(find_workload(row.workload, workload_folders())));
}

/// What a walk through all launches finds; a kernel that is launched again is walked once.
struct Traffic {
    double instructions = 0, accesses = 0, lines = 0;
    double bytes = 0; ///< distinct bytes that each launch reads and distinct ones that it writes, in sectors
    std::uint64_t end = 0;
    Traffic& operator+=(const Traffic& o) {
        instructions += o.instructions;
        accesses += o.accesses;
        lines += o.lines;
        bytes += o.bytes;
        end = std::max(end, o.end);
        return *this;
    }
};

Traffic traffic_of_kernel(Kernel& kernel) {
    Traffic walked;
    Footprint read;
    Footprint written;
    for (std::uint64_t b = 0; b < kernel.shape().blocks; ++b) {
        const std::unique_ptr<BlockStreams> block = kernel.open(b);
        for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
            WarpStream& warp = block->warp(w);
            for (const Inst* inst = warp.fetch(); inst->op != Op::exit; inst = warp.fetch()) {
                walked.instructions += inst->repeat;
                if (inst->op != Op::load && inst->op != Op::store && inst->op != Op::atomic && inst->op != Op::reduce)
                    continue;
                ++walked.accesses;
                LineAccess lines[kMaxLinesPerInst];
                const unsigned n = coalesce(*inst, lines);
                walked.lines += n;
                Footprint& footprint = inst->op == Op::load ? read : written;
                for (unsigned i = 0; i < n; ++i) footprint.touch(lines[i].line_address, lines[i].mask);
            }
        }
    }
    walked.bytes = static_cast<double>(read.bytes() + written.bytes());
    walked.end = std::max(read.end(), written.end());
    return walked;
}

Traffic traffic_of(const Workload& workload) {
    std::map<const Kernel*, Traffic> of_kernel;
    Traffic sum;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) continue;
        const auto [known, is_new] = of_kernel.try_emplace(launch.kernel.get());
        if (is_new) known->second = traffic_of_kernel(*launch.kernel);
        sum += known->second;
    }
    return sum;
}

double declared_accesses(const Workload& workload) {
    double sum = 0;
    for (const Launch& launch : workload.launches)
        if (launch.kernel) sum += static_cast<double>(launch.kernel->shape().accesses);
    return sum;
}

double kernels_of(const Workload& workload) {
    const auto is_kernel = [](const Launch& launch) { return launch.kernel != nullptr; };
    return static_cast<double>(std::count_if(workload.launches.begin(), workload.launches.end(), is_kernel));
}

std::uint64_t end_of_arrays(const Workload& workload) {
    const Range& last = workload.ranges.back();
    return last.base + (last.bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes;
}

TEST(MemoryNetworksTable, HasVectorAddAndAll14) {
    const std::vector<SourceRow> rows = source_rows();
    EXPECT_EQ(rows.size(), 15U);
    std::set<std::string> listed;
    for (const WorkloadName& workload : list_workloads(workload_folders())) listed.insert(workload.name);
    for (const SourceRow& row : rows) EXPECT_EQ(listed.count(row.workload), 1U) << row.workload;
}

class MemoryNetworksWorkload : public ::testing::TestWithParam<SourceRow> {};

TEST_P(MemoryNetworksWorkload, HasTheGridTheLaunchesAndTheFootprintOfItsSource) {
    const SourceRow& row = GetParam();
    const Workload workload = load_row(row);
    EXPECT_EQ(workload.name, row.workload);
    EXPECT_EQ(kernels_of(workload), row.kept);
    EXPECT_LE(row.kept, row.launches);
    bool found = false;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) continue;
        const KernelShape& shape = launch.kernel->shape();
        if (shape.name != row.kernel) continue;
        found = true;
        EXPECT_EQ(static_cast<double>(shape.blocks), row.blocks);
        EXPECT_EQ(static_cast<double>(shape.threads), row.threads);
    }
    EXPECT_TRUE(found) << row.kernel;
    const auto megabytes = static_cast<double>(workload.footprint_bytes()) / 1e6;
    EXPECT_NEAR(megabytes / (row.megabytes - row.left_out), 1.0, 0.03);
}

TEST_P(MemoryNetworksWorkload, SaysWhereItsNumbersComeFromAndWhatWasCut) {
    const SourceRow& row = GetParam();
    const WorkloadFile file = file_of_row(row);
    EXPECT_EQ(file.name, row.workload);
    EXPECT_FALSE(file.source.empty());
    EXPECT_FALSE(file.notes.lines.empty());
    EXPECT_FALSE(file.budget.cut.lines.empty());
    EXPECT_GT(file.smallest, 0.0);
}

TEST_P(MemoryNetworksWorkload, MovesTheBytesOfItsSourceWithinItsArraysAndItsBudget) {
    NUMAVP_WALKS();
    const SourceRow& row = GetParam();
    const WorkloadFile file = file_of_row(row);
    const auto budget = static_cast<double>(file.budget.line_accesses);
    if (NUMAVP_FAST_BUILD == 0 && budget > 1e6) GTEST_SKIP() << "walking all accesses takes slow builds too long";
    const Workload workload = load_row(row);
    const double declared = declared_accesses(workload);
    const Traffic walked = traffic_of(workload);
    EXPECT_EQ(walked.accesses, declared);
    EXPECT_LE(walked.end, end_of_arrays(workload));
    if (row.kernel_most > 0) {
        EXPECT_GE(walked.bytes / 1e6, 0.97 * row.kernel_least);
        EXPECT_LE(walked.bytes / 1e6, 1.03 * row.kernel_most);
    }
    EXPECT_NEAR(walked.lines / budget, 1.0, 0.05);
    EXPECT_LE(budget, 16e6);
}

/// As small as a study's first look: less work, the same launches, all within the arrays.
TEST_P(MemoryNetworksWorkload, IsSmallerAtASmallScale) {
    NUMAVP_WALKS();
    const SourceRow& row = GetParam();
    const Workload small = load_row(row, 0.05);
    const Traffic walked = traffic_of(small);
    EXPECT_GT(walked.accesses, 0);
    EXPECT_EQ(walked.accesses, declared_accesses(small));
    EXPECT_LE(walked.end, end_of_arrays(small));
    EXPECT_LE(walked.lines, 0.2 * static_cast<double>(file_of_row(row).budget.line_accesses));
    // A smaller graph has fewer levels.
    if (row.workload != "mn-bfs") {
        EXPECT_EQ(kernels_of(small), row.kept);
    }
}

std::string source_row_name(const ::testing::TestParamInfo<SourceRow>& info) {
    std::string name = info.param.workload;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, MemoryNetworksWorkload, ::testing::ValuesIn(source_rows()), source_row_name);

} // namespace
} // namespace numavp

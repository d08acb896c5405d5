/// The 41 workloads of Table 2 of the NUMA-aware GPU paper: their blocks, footprints, passes and budgets, unsimulated.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
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

struct TableRow {
    std::string workload, table_name;
    double blocks = 0, megabytes = 0;
};
void PrintTo(const TableRow& row, std::ostream* out) { *out << row.workload; }

std::vector<std::string> table_folders() { return {test::source_dir() + "/configs/workloads"}; }

std::vector<TableRow> table() {
    std::ifstream file(test::source_dir() + "/tests/data/numa-aware-gpus-table2.csv");
    std::vector<TableRow> rows;
    std::string line;
    std::getline(file, line); // names of the columns
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        TableRow row;
        std::string blocks;
        std::string megabytes;
        std::getline(cells, row.workload, ',');
        std::getline(cells, row.table_name, ',');
        std::getline(cells, blocks, ',');
        std::getline(cells, megabytes, ',');
        row.blocks = std::stod(blocks);
        row.megabytes = std::stod(megabytes);
        rows.push_back(row);
    }
    return rows;
}

WorkloadFile file_of(const TableRow& row) {
    return read_config<WorkloadFile>(load_document(find_workload(row.workload, table_folders())));
}

Workload load(const TableRow& row, double scale = 1.0, bool whole = false) {
    WorkloadOptions options;
    options.scale = scale;
    options.whole = whole;
    return load_workload(row.workload, table_folders(), options);
}

TEST(Table2, HasAll41) {
    const std::vector<TableRow> rows = table();
    EXPECT_EQ(rows.size(), 41U);
    std::set<std::string> listed;
    for (const WorkloadName& workload : list_workloads(table_folders())) listed.insert(workload.name);
    for (const TableRow& row : rows) EXPECT_EQ(listed.count(row.workload), 1U) << row.workload;
}

class Table2Workload : public ::testing::TestWithParam<TableRow> {};

TEST_P(Table2Workload, HasTheBlocksAndTheFootprintOfTheTable) {
    const TableRow& row = GetParam();
    const Workload workload = load(row);
    EXPECT_EQ(workload.name, row.workload);
    EXPECT_NEAR(workload.weighted_blocks() / row.blocks, 1.0, 0.02);
    const auto bytes = static_cast<double>(workload.footprint_bytes());
    EXPECT_NEAR(bytes / 1e6 / row.megabytes, 1.0, 0.02);
    // Where the application's own sizes are known, the paper's MB turns out to have 1000 KiB.
    EXPECT_NEAR(bytes / 1.024e6 / row.megabytes, 1.0, 0.02);
}

TEST_P(Table2Workload, SaysWhereItsNumbersComeFromAndWhatWasCut) {
    const TableRow& row = GetParam();
    const WorkloadFile file = file_of(row);
    EXPECT_EQ(file.name, row.workload);
    EXPECT_FALSE(file.source.empty());
    EXPECT_FALSE(file.notes.lines.empty());
    EXPECT_FALSE(file.budget.cut.lines.empty());
    EXPECT_GT(file.budget.line_accesses, 0U);
    EXPECT_GT(file.smallest, 0.0);
}

/// Applications that go over their data once: one kernel of look-ups, a table that is filled row by row.
bool goes_over_its_data_once(const std::string& workload) {
    return workload == "hpc-rsbench" || workload == "rodinia-pathfinder";
}

/// 12 times the L2s of four sockets: a pass over so much finds little in the caches of what the last one left there.
constexpr double kTooLargeForReuse = 200e6;

/// Calls `see` for each entry of the file, with how often its phase repeats it.
void for_each_entry(json& value, const std::function<void(json&, unsigned)>& see) {
    if (value.contains("phases")) {
        for (json& phase : value["phases"])
            for (json& entry : phase["kernels"]) see(entry, phase.value("repeat", 1U) * entry.value("repeat", 1U));
    } else {
        for (json& entry : value["kernels"]) see(entry, entry.value("repeat", 1U));
    }
}

/// The parameter of a pattern that says how often it goes over its data.
const std::map<std::string, std::string>& pass_parameters() {
    static const std::map<std::string, std::string> parameters = {
        {"adaptive_mesh", "steps"},    {"back_projection", "projections"}, {"cell_list", "steps"},
        {"convolution", "iterations"}, {"element_loop", "iterations"},     {"multigrid", "cycles"},
        {"pair_list", "steps"},        {"particle_transport", "passes"},   {"ray_traversal", "frames"},
        {"scratchpad_hash", "hashes"}, {"transport_sweep", "sweeps"}};
    return parameters;
}

/// Without the number if that counts passes: images, frames, rounds over all vertices, steps over the rest of a matrix.
/// Other numbers count levels or planes within a pass.
std::string name_without_pass(const std::string& name) {
    for (const char* counted : {"project_", "frame_", "round_", "lightest_", "fan2_"})
        if (name.rfind(counted, 0) == 0) return counted;
    return name;
}

TEST_P(Table2Workload, MakesPassesWhereAnythingIsUsedAgain) {
    NUMAVP_WALKS();
    const TableRow& row = GetParam();
    if (goes_over_its_data_once(row.workload)) return;
    if (static_cast<double>(load(row).footprint_bytes()) > kTooLargeForReuse) return;
    std::map<std::string, unsigned> launches;
    for (const Launch& launch : load(row, 0.01).launches) ++launches[name_without_pass(launch.kernel->shape().name)];
    unsigned most = 0;
    for (const auto& [name, count] : launches) most = std::max(most, count);
    EXPECT_GE(most, 2U);
    // A pass may launch a kernel several times, as smoothing sweeps or from several corners: the file must say 2.
    json value = load_with_extends(find_workload(row.workload, table_folders()));
    std::map<std::string, unsigned> passes;
    for_each_entry(value, [&](json& entry, unsigned repeat) {
        const auto pattern = entry["pattern"].get<std::string>();
        const auto parameter = pass_parameters().find(pattern);
        if (parameter == pass_parameters().end()) {
            passes[pattern] = most; // the names say all
            return;
        }
        // Entries of one kernel take turns with their arrays.
        const json& given = entry["parameters"];
        const std::string entry_number = std::to_string(passes.size());
        passes[given.value("kernel", pattern + entry_number)] += repeat * given.value(parameter->second, 1U);
    });
    const auto longest = std::max_element(passes.begin(), passes.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_GE(longest->second, 2U);
}

/// N of "one part in N of its work", or "of all accesses" where entries differ; 1 if nothing is said.
double stated_part(const WorkloadFile& file) {
    static const std::regex statement("one part in ([0-9.]+) of (its work|all accesses)");
    std::vector<double> parts;
    for (const std::string& line : file.budget.cut.lines) {
        std::smatch found;
        if (std::regex_search(line, found, statement)) parts.push_back(std::stod(found[1]));
    }
    EXPECT_LE(parts.size(), 1U);
    return parts.empty() ? 1.0 : parts.front();
}

double accesses_of(const Workload& workload) {
    double sum = 0;
    for (const Launch& launch : workload.launches) sum += static_cast<double>(launch.kernel->shape().accesses);
    return sum;
}

TEST_P(Table2Workload, LeavesThePartOfItsAccessesThatItStates) {
    NUMAVP_WALKS();
    const TableRow& row = GetParam();
    json value = load_with_extends(find_workload(row.workload, table_folders()));
    bool samples = false;
    for_each_entry(value, [&](json& entry, unsigned /*repeat*/) {
        // `sample` of an elimination is of its steps.
        json& parameters = entry["parameters"];
        samples |= parameters.erase("samples") != 0;
        const char* name = entry["pattern"] == "elimination" ? "part" : "sample";
        if (!parameters.contains(name)) return;
        samples |= parameters[name] != 1;
        parameters[name] = 1;
    });
    const double stated = stated_part(file_of(row));
    if (!samples) {
        EXPECT_EQ(stated, 1.0);
        return;
    }
    // All of them must be walked where some lanes do nothing, which takes slow builds too long.
    WorkloadOptions options;
    options.scale = NUMAVP_FAST_BUILD != 0 ? 1.0 : std::max(0.2, file_of(row).smallest);
    const double whole = accesses_of(read_workload(value, row.workload, options));
    EXPECT_NEAR(whole / accesses_of(load(row, options.scale)) / stated, 1.0, 0.1);
}

TEST_P(Table2Workload, NamesKernelsThatItSamples) {
    const TableRow& row = GetParam();
    json value = load_with_extends(find_workload(row.workload, table_folders()));
    std::vector<std::string> named;
    for_each_entry(value, [&](json& entry, unsigned /*repeat*/) {
        for (const json& sample : entry["parameters"].value("samples", json::array()))
            named.push_back(sample.at("kernels").get<std::string>());
    });
    const Workload workload = load(row);
    for (const std::string& name : named)
        EXPECT_TRUE(std::any_of(workload.launches.begin(), workload.launches.end(), [&](const Launch& launch) {
            return launch.kernel->shape().name.rfind(name, 0) == 0 && launch.kernel->shape().share < 1.0;
        })) << name;
}

TEST_P(Table2Workload, KeepsItsBudgetWithinItsArrays) {
    NUMAVP_WALKS();
    const TableRow& row = GetParam();
    const Workload workload = load(row);
    Footprint touched;
    const auto lines = static_cast<double>(count_workload(workload, &touched).line_accesses);
    const auto budget = static_cast<double>(file_of(row).budget.line_accesses);
    EXPECT_NEAR(budget / lines, 1.0, 0.1);
    EXPECT_LE(budget, 35e6);
    const Range& last = workload.ranges.back();
    EXPECT_LE(touched.end(), last.base + (last.bytes + kSectorBytes - 1) / kSectorBytes * kSectorBytes);
}

/// The part of the arrays that a whole run at a small size touches.
TEST_P(Table2Workload, ReachesAllThatItDeclares) {
    NUMAVP_WALKS();
    const TableRow& row = GetParam();
    // About 4 MB, and more where parts don't shrink with the problem: levels of a hierarchy, images, tables.
    const std::map<std::string, double> larger = {{"hpc-hpgmg", 0.03},  {"hpc-hpgmg-uvm", 0.03},
                                                  {"hpc-amg", 0.04},    {"hpc-rabbitct", 0.07},
                                                  {"hpc-rsbench", 1.0}, {"rodinia-gaussian", 0.01}};
    const auto found = larger.find(row.workload);
    const double scale = found != larger.end() ? found->second : std::max(0.002, std::min(1.0, 3.0 / row.megabytes));
    json value = load_with_extends(find_workload(row.workload, table_folders()));
    value["smallest"] = 0.0;
    // The scene does not shrink with the picture; a smaller one of the same kind does for fewer rays.
    if (row.workload == "other-optix-raytracing") value["kernels"][0]["parameters"]["depth"] = 12;
    WorkloadOptions options;
    options.scale = scale;
    options.whole = true;
    const Workload workload = read_workload(value, row.workload, options);
    Footprint touched;
    count_workload(workload, &touched);
    EXPECT_GE(static_cast<double>(touched.bytes()) / static_cast<double>(workload.footprint_bytes()), 0.98);
}

TEST_P(Table2Workload, KeepsBlocksAndFootprintMeaningfulWhenScaled) {
    NUMAVP_WALKS();
    const TableRow& row = GetParam();
    const Workload workload = load(row, 0.05);
    const auto bytes = static_cast<double>(workload.footprint_bytes());
    // All SMs of four sockets twice over, and all their L2s twice over, or what the whole workload has.
    if (row.workload != "hpc-snap" && row.workload != "hpc-rsbench") {
        EXPECT_GE(workload.weighted_blocks(), 0.9 * std::min(row.blocks, 512.0));
    }
    EXPECT_GE(bytes, 0.95e6 * std::min(row.megabytes, 32.0));
}

std::string row_name(const ::testing::TestParamInfo<TableRow>& info) {
    std::string name = info.param.workload;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(All, Table2Workload, ::testing::ValuesIn(test::rows_of_build(table())), row_name);

} // namespace
} // namespace numavp

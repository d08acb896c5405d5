#include "platform/study/study_kernels.h"

#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/results/kernel_figures.h"
#include "platform/results/stream_rows.h"

namespace numavp {
namespace {

constexpr const char* kMakeKernels = R"SQL(
CREATE TABLE IF NOT EXISTS kernels(run INTEGER, row INTEGER,
    kind TEXT, name TEXT, launch INTEGER, launches INTEGER, "of" TEXT, streams TEXT,
    launched INTEGER, started INTEGER, ended INTEGER, flushed INTEGER, cycles INTEGER,
    warp_instructions INTEGER, ipc REAL, l1_hit_rate REAL, l2_hit_rate REAL, l2_merged_share REAL, l2_miss_rate REAL,
    remote_share REAL,
    memory_bytes INTEGER, memory_gbps REAL, link_bytes INTEGER, link_gbps REAL, link_energy_pj REAL,
    load_latency_ns REAL, load_p99_ns REAL, faults INTEGER,
    PRIMARY KEY(run, row)) WITHOUT ROWID
)SQL";

constexpr const char* kStreamTable = R"SQL(
CREATE TABLE IF NOT EXISTS streams(run INTEGER, row INTEGER,
    kind TEXT, streams TEXT, launches INTEGER, cycles INTEGER,
    warp_instructions INTEGER, ipc REAL, l1_hit_rate REAL, l2_hit_rate REAL, l2_merged_share REAL, l2_miss_rate REAL,
    remote_share REAL,
    memory_bytes INTEGER, memory_gbps REAL, link_bytes INTEGER, link_gbps REAL, link_energy_pj REAL,
    load_latency_ns REAL, load_p99_ns REAL, faults INTEGER,
    PRIMARY KEY(run, row)) WITHOUT ROWID
)SQL";

using KernelCells = std::vector<std::pair<std::string, std::vector<ordered_json>>>;

void bind_cell(SqlStatement& row, int place, const ordered_json& value) {
    if (value.is_string())
        row.bind(place, value.get<std::string>());
    else if (value.is_number_float())
        row.bind(place, value.get<double>());
    else if (value.is_number())
        row.bind(place, value.get<std::int64_t>());
}

/// Adds the columns that the table lacks: ratios that this run is the first to have.
void add_columns(const SqlDatabase& database, const char* table, const KernelCells& columns) {
    std::set<std::string> there;
    {
        SqlStatement known(database, "SELECT name FROM pragma_table_info(?)"); // closed before the table changes
        known.bind(1, std::string(table));
        while (known.step()) there.insert(known.text(0));
    }
    for (const auto& [name, values] : columns)
        if (there.count(name) == 0) database.run(fmt::format("ALTER TABLE {} ADD COLUMN \"{}\" REAL", table, name));
}

/// `columns` have the same number of cells each.
void put_rows(const SqlDatabase& database, const char* table, std::int64_t run, const KernelCells& columns) {
    add_columns(database, table, columns);
    std::string names = "run, row", places = "?, ?";
    for (const auto& [name, values] : columns) {
        names += fmt::format(", \"{}\"", name);
        places += ", ?";
    }
    const std::string text = fmt::format("INSERT OR REPLACE INTO {}({}) VALUES({})", table, names, places);
    for (std::size_t i = 0; i < columns.front().second.size(); ++i) {
        SqlStatement row(database, text.c_str()); // what is not bound is NULL
        row.bind(1, run).bind(2, static_cast<std::int64_t>(i));
        for (std::size_t c = 0; c < columns.size(); ++c)
            bind_cell(row, static_cast<int>(c) + 3, columns[c].second.at(i));
        row.execute();
    }
}

KernelCells cells_of(const ordered_json& list) {
    KernelCells columns;
    for (const auto& [name, value] : list.front().items()) columns.emplace_back(name, std::vector<ordered_json>());
    for (const ordered_json& row : list)
        for (auto& [name, values] : columns) values.push_back(row.at(name));
    return columns;
}

} // namespace

void make_kernel_tables(const SqlDatabase& database) {
    database.run(kMakeKernels);
    database.run(kStreamTable);
}

void put_kernels(const SqlDatabase& database, std::int64_t run, const ordered_json& results) {
    const ordered_json& kernels = results.at("kernels");
    KernelCells columns;
    for (const auto& [name, values] : kernels.at("rows").items())
        columns.emplace_back(name, values.get<std::vector<ordered_json>>());
    for (KernelFigure& figure : kernel_figures(results))
        columns.emplace_back(std::move(figure.name), std::move(figure.values));
    put_rows(database, "kernels", run, columns);
    put_rows(database, "streams", run, cells_of(json_of(streams_of(results))));
}

} // namespace numavp

#include "communication/import/topo_matrix.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/import/terminal_words.h"

namespace numavp {

namespace {

constexpr std::size_t kMostMatrixColumns = 512;

bool is_gpu_label(const std::string& word) {
    return word.size() > 3 && word.compare(0, 3, "GPU") == 0 && small_number(word.substr(3), 4096).has_value();
}

/// A header begins with the first GPU and has no matrix behind it: "GPU0 GPU1 mlx5_0 CPU Affinity".
bool is_header(const std::vector<std::string>& words) {
    return !words.empty() && is_gpu_label(words[0]) &&
           (words.size() == 1 || is_gpu_label(words[1]) ||
            std::find(words.begin(), words.end(), "CPU") != words.end() ||
            std::none_of(words.begin() + 1, words.end(), [](const std::string& w) { return w == "X"; }));
}

struct Columns {
    std::vector<std::string> labels;
    unsigned more = 0; ///< at most: "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"
};

Columns columns_of(const std::vector<std::string>& words, const std::string& place) {
    Columns columns;
    std::size_t i = 0;
    for (; i < words.size() && words[i] != "CPU"; ++i) columns.labels.push_back(words[i]);
    if (i < words.size()) columns.more = 3;
    if (columns.labels.size() > kMostMatrixColumns)
        throw ConfigError(
            place, fmt::format("there are {} columns; {} are allowed", columns.labels.size(), kMostMatrixColumns));
    for (std::size_t a = 0; a < columns.labels.size(); ++a)
        if (std::count(columns.labels.begin(), columns.labels.end(), columns.labels[a]) > 1)
            throw ConfigError(
                place, fmt::format("the column {} is there twice; names must differ", quotable(columns.labels[a])));
    return columns;
}

TopoCell cell_of(const std::string& word, TopoMatrix& matrix, const std::string& place) {
    if (word == "X") return {TopoWord::self, 0};
    if (word == "PIX") return {TopoWord::pix, 0};
    if (word == "PXB") return {TopoWord::pxb, 0};
    if (word == "PHB") return {TopoWord::phb, 0};
    if (word == "NODE") return {TopoWord::node, 0};
    if (word == "SYS") return {TopoWord::sys, 0};
    if (word == "SOC") {
        matrix.old_words = true;
        return {TopoWord::sys, 0};
    }
    if (word.compare(0, 2, "NV") == 0)
        if (const auto lanes = small_number(word.substr(2), 64); lanes && *lanes > 0) return {TopoWord::nv, *lanes};
    throw ConfigError(place, fmt::format("'{}' is no word of the matrix; X, NV#, PIX, PXB, PHB, NODE, SYS and SOC are "
                                         "allowed",
                                         quotable(word)));
}

/// A list such as "0-0,8-8".
bool has_single_range(const std::string& list) {
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t dash = part.find('-');
        if (dash != std::string::npos && part.compare(0, dash, part, dash + 1, std::string::npos) == 0) return true;
    }
    return false;
}

void read_affinity(const std::vector<std::string>& words, std::size_t from, unsigned columns, TopoMatrix::Row& row,
                   const std::string& place) {
    for (std::size_t i = from; i < words.size() && i < from + columns; ++i) {
        if (words[i] == "N/A") continue;
        const auto set = id_set_of_list(words[i]);
        if (!set)
            throw ConfigError(place, fmt::format("'{}' is no list of CPUs or NUMA nodes; one such as 0-3,8 is expected",
                                                 quotable(words[i])));
        if (i == from) {
            row.cpus = set;
            row.single_ranges = has_single_range(words[i]);
        } else if (i == from + 1) {
            row.nodes = set;
        } else if (set->ids.size() == 1) {
            row.own_node = *set->ids.begin();
        }
    }
}

TopoMatrix::Row row_of(const std::vector<std::string>& words, const Columns& columns, TopoMatrix& matrix,
                       std::size_t line) {
    const std::string place = fmt::format("{}: line {}", matrix.file, line);
    TopoMatrix::Row row;
    row.label = words[0];
    row.gpu = is_gpu_label(row.label);
    row.line = line;
    if (words.size() < 1 + columns.labels.size())
        throw ConfigError(place, fmt::format("the row of {} has {} entries; {} are expected, one for each column",
                                             quotable(row.label), words.size() - 1, columns.labels.size()));
    if (words.size() > 1 + columns.labels.size() + columns.more)
        throw ConfigError(place, fmt::format("the row of {} has {} words; at most {} are expected", quotable(row.label),
                                             words.size(), 1 + columns.labels.size() + columns.more));
    for (std::size_t c = 0; c < columns.labels.size(); ++c) row.cells.push_back(cell_of(words[c + 1], matrix, place));
    read_affinity(words, 1 + columns.labels.size(), columns.more, row, place);
    return row;
}

/// The same two must be connected alike in both directions, and X stands on the diagonal alone.
void check_symmetry(const TopoMatrix& m) {
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < m.rows.size(); ++j) {
            const TopoCell& there = m.rows[i].cells[j];
            const TopoCell& back = m.rows[j].cells[i];
            const std::string place = fmt::format("{}: line {}", m.file, m.rows[i].line);
            if ((i == j) != (there.word == TopoWord::self))
                throw ConfigError(place, fmt::format("{} to {} is {}; X is expected of each to itself alone",
                                                     quotable(m.rows[i].label), quotable(m.rows[j].label),
                                                     topo_text(m, there)));
            if (there.word != back.word || there.lanes != back.lanes)
                throw ConfigError(place, fmt::format("{} to {} is {}, and back it is {}; the same is expected",
                                                     quotable(m.rows[i].label), quotable(m.rows[j].label),
                                                     topo_text(m, there), topo_text(m, back)));
        }
}

} // namespace

std::size_t TopoMatrix::gpus() const {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const Row& r) { return r.gpu; }));
}

std::string topo_text(const TopoMatrix& matrix, const TopoCell& cell) {
    switch (cell.word) {
    case TopoWord::self: return "X";
    case TopoWord::nv: return fmt::format("NV{}", cell.lanes);
    case TopoWord::pix: return "PIX";
    case TopoWord::pxb: return "PXB";
    case TopoWord::phb: return "PHB";
    case TopoWord::node: return "NODE";
    case TopoWord::sys: break;
    }
    return matrix.old_words ? "SOC" : "SYS";
}

bool looks_like_topo(const std::string& text) {
    std::istringstream lines(without_colours(text));
    for (std::string line; std::getline(lines, line);)
        if (is_header(words_in(line))) return true;
    return false;
}

TopoMatrix read_topo(const std::string& text, const std::string& file) {
    TopoMatrix matrix;
    matrix.file = file;
    Columns columns;
    std::istringstream lines(without_colours(text));
    std::size_t number = 0, header = 0;
    std::vector<TopoMatrix::Row> rows;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const std::vector<std::string> words = words_in(line);
        if (words.empty()) continue;
        if (header == 0) {
            if (!is_header(words)) continue; // what stood before it on the terminal
            columns = columns_of(words, fmt::format("{}: line {}", file, number));
            matrix.numa_column = std::find(words.begin(), words.end(), "NUMA") != words.end();
            header = number;
            continue;
        }
        if (words[0] == "Legend:" || words.size() < 2 || words[1] == "Legend:") break;
        const auto known = std::find(columns.labels.begin(), columns.labels.end(), words[0]);
        if (known == columns.labels.end())
            throw ConfigError(
                fmt::format("{}: line {}", file, number),
                fmt::format("the row '{}' has no column; a row for each column is expected", quotable(words[0])));
        for (const TopoMatrix::Row& row : rows)
            if (row.label == words[0])
                throw ConfigError(fmt::format("{}: line {}", file, number),
                                  fmt::format("the row of {} is there twice; rows must differ", quotable(words[0])));
        rows.push_back(row_of(words, columns, matrix, number));
    }
    if (header == 0)
        throw ConfigError(file, "there is no header with GPU0; what nvidia-smi topo -m prints is expected");
    for (const std::string& label : columns.labels) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.label == label; });
        if (row == rows.end())
            throw ConfigError(file, fmt::format("the row of {} is missing; the whole of what nvidia-smi topo -m prints "
                                                "is expected",
                                                quotable(label)));
        matrix.rows.push_back(*row);
    }
    check_symmetry(matrix);
    for (std::size_t i = 0, gpus = matrix.gpus(); i < matrix.rows.size(); ++i)
        if (matrix.rows[i].gpu != (i < gpus))
            throw ConfigError(fmt::format("{}: line {}", file, matrix.rows[i].line),
                              "GPUs stand behind adapters; GPUs first are expected");
    return matrix;
}

} // namespace numavp

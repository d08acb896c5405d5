#include "communication/import/rocm_table.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/import/id_set.h"
#include "communication/import/terminal_words.h"

namespace numavp {

namespace {

constexpr std::size_t kMostRocmGpus = 512;
constexpr unsigned kMostWeight = 100'000, kMostMegabytes = 100'000'000;

enum class RocmSection : unsigned char { none, weights, hops, types, bandwidths, nodes };
struct RocmTitle {
    const char* words;
    RocmSection section;
};
constexpr RocmTitle kRocmTitles[] = {{"Weight between two GPUs", RocmSection::weights},
                                     {"Hops between two GPUs", RocmSection::hops},
                                     {"Link Type between two GPUs", RocmSection::types},
                                     {" Bandwidth ", RocmSection::bandwidths},
                                     {"Numa Nodes", RocmSection::nodes}};

/// The section that a line such as "==== Numa Nodes ====" begins; none of others, such as the title of the whole.
RocmSection rocm_section_of(const std::string& line) {
    for (const RocmTitle& title : kRocmTitles)
        if (line.find(title.words) != std::string::npos) return title.section;
    return RocmSection::none;
}
const char* rocm_title_of(RocmSection section) {
    for (const RocmTitle& title : kRocmTitles)
        if (title.section == section) return title.words;
    return "";
}

std::optional<unsigned> rocm_gpu_number(const std::string& word) {
    return word.size() > 3 && word.compare(0, 3, "GPU") == 0 ? small_number(word.substr(3), 4096) : std::nullopt;
}

class RocmReader {
  public:
    explicit RocmReader(const std::string& file) { table_.file = file; }

    RocmTable read(const std::string& text) {
        std::istringstream lines(without_colours(text));
        for (std::string line; std::getline(lines, line);) {
            ++line_;
            const std::vector<std::string> words = words_in(line);
            if (words.empty()) continue;
            if (line[0] == '=') {
                end_section();
                section_ = rocm_section_of(line);
                header_ = false;
                rows_.clear();
                begun_ = line_;
            } else if (section_ == RocmSection::nodes) {
                node_line(line);
            } else if (section_ != RocmSection::none && rocm_gpu_number(words[0])) {
                if (header_)
                    matrix_row(words);
                else
                    matrix_header(words);
            }
        }
        end_section();
        if (!types_)
            throw ConfigError(table_.file, "the table 'Link Type between two GPUs' is missing; the whole of what "
                                           "rocm-smi --showtopo prints is expected");
        check_symmetry();
        return std::move(table_);
    }

  private:
    [[noreturn]] void fail(std::size_t line, const std::string& what) const {
        throw ConfigError(fmt::format("{}: line {}", table_.file, line), what);
    }

    void matrix_header(const std::vector<std::string>& words) {
        header_ = true;
        columns_.clear();
        for (const std::string& word : words) {
            const std::optional<unsigned> number = rocm_gpu_number(word);
            if (!number) fail(line_, fmt::format("'{}' is no GPU; GPU0, GPU1, ... are expected", quotable(word)));
            if (std::find(columns_.begin(), columns_.end(), *number) != columns_.end())
                fail(line_, fmt::format("the column GPU{} is there twice; names must differ", *number));
            columns_.push_back(*number);
        }
        if (columns_.size() > kMostRocmGpus)
            fail(line_, fmt::format("there are {} columns; {} are allowed", columns_.size(), kMostRocmGpus));
        if (table_.rows.empty()) {
            for (const unsigned number : columns_) {
                table_.rows.emplace_back();
                table_.rows.back().number = number;
                table_.rows.back().cells.resize(columns_.size());
            }
        }
        const bool same = table_.rows.size() == columns_.size() &&
                          std::equal(columns_.begin(), columns_.end(), table_.rows.begin(),
                                     [](unsigned number, const RocmTable::Row& row) { return row.number == number; });
        if (!same) fail(line_, "the GPUs are not those of the table before; the same in each are expected");
    }

    void matrix_row(const std::vector<std::string>& words) {
        const unsigned number = *rocm_gpu_number(words[0]);
        const auto column = std::find(columns_.begin(), columns_.end(), number);
        if (column == columns_.end())
            fail(line_, fmt::format("the row GPU{} has no column; a row for each column is expected", number));
        if (std::find(rows_.begin(), rows_.end(), number) != rows_.end())
            fail(line_, fmt::format("the row of GPU{} is there twice; rows must differ", number));
        rows_.push_back(number);
        if (words.size() != 1 + columns_.size())
            fail(line_, fmt::format("the row of GPU{} has {} entries; {} are expected, one for each column", number,
                                    words.size() - 1, columns_.size()));
        const auto r = static_cast<std::size_t>(column - columns_.begin());
        if (section_ == RocmSection::types) table_.rows[r].line = line_;
        for (std::size_t c = 0; c < columns_.size(); ++c) set(table_.rows[r].cells[c], words[c + 1], r == c);
    }

    void set(RocmTable::Cell& cell, const std::string& word, bool self) {
        if (section_ == RocmSection::types) {
            if (self)
                cell.way = RocmTable::Way::self;
            else if (word == "PCIE" || word == "XGMI")
                cell.way = word == "PCIE" ? RocmTable::Way::pcie : RocmTable::Way::xgmi;
            else if (word != "XXXX")
                fail(line_, fmt::format("'{}' is no kind of link; XGMI, PCIE and XXXX are allowed", quotable(word)));
            return;
        }
        if (self || word == "N/A") return;
        if (section_ == RocmSection::bandwidths) {
            const std::size_t dash = std::min(word.find('-'), word.size());
            const auto least = small_number(word.substr(0, dash), kMostMegabytes);
            const auto most = dash == word.size() ? std::nullopt : small_number(word.substr(dash + 1), kMostMegabytes);
            if (!least || !most)
                fail(line_, fmt::format("'{}' are no bandwidths; the least and the most in MB/s, such as 50000-200000, "
                                        "are expected",
                                        quotable(word)));
            cell.least = *least;
            cell.most = *most;
            return;
        }
        const std::optional<unsigned> value = small_number(word, kMostWeight);
        if (!value)
            fail(line_,
                 fmt::format("'{}' is no number; a whole number up to {} is expected", quotable(word), kMostWeight));
        (section_ == RocmSection::weights ? cell.weight : cell.hops) = value;
    }

    /// "GPU[0]		: (Topology) Numa Affinity: 1"; the affinity goes over the node, which the driver numbers. -1
    /// and lines without a number, of errors, tell nothing.
    void node_line(const std::string& line) {
        const std::size_t close = line.find(']');
        if (line.compare(0, 4, "GPU[") != 0 || close == std::string::npos) return;
        const std::optional<unsigned> number = small_number(line.substr(4, close - 4), 4096);
        if (!number) fail(line_, fmt::format("'{}' is no number of a GPU", quotable(line.substr(4, close - 4))));
        for (const char* key : {"Numa Node: ", "Numa Affinity: "}) {
            const std::size_t at = line.find(key);
            if (at == std::string::npos) continue;
            const std::vector<std::string> words = words_in(line.substr(at + std::char_traits<char>::length(key)));
            const std::string word = words.empty() ? "" : words[0];
            if (word == "-1" || word == "N/A") continue;
            const std::optional<unsigned> node = small_number(word);
            if (!node)
                fail(line_,
                     fmt::format("'{}' is no number of a NUMA node; a whole number is expected", quotable(word)));
            const auto row = std::find_if(table_.rows.begin(), table_.rows.end(),
                                          [&](const RocmTable::Row& r) { return r.number == *number; });
            if (row == table_.rows.end()) fail(line_, fmt::format("GPU {} is in none of the tables before", *number));
            row->node = node;
        }
    }

    void end_section() {
        if (!header_ || section_ == RocmSection::none || section_ == RocmSection::nodes) return;
        if (rows_.size() != columns_.size())
            fail(begun_, fmt::format("the table '{}' has {} rows; {} are expected, one for each column",
                                     rocm_title_of(section_), rows_.size(), columns_.size()));
        types_ = types_ || section_ == RocmSection::types;
    }

    /// Weights may differ by direction where NUMA distances do; kinds and bandwidths may not.
    void check_symmetry() const {
        for (std::size_t i = 0; i < table_.rows.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (table_.rows[i].cells[j].way != table_.rows[j].cells[i].way)
                    fail(table_.rows[i].line,
                         fmt::format("the kinds of link from GPU{} to GPU{} and back differ; the same "
                                     "are expected",
                                     table_.rows[i].number, table_.rows[j].number));
    }

    RocmTable table_;
    RocmSection section_ = RocmSection::none;
    std::size_t line_ = 0, begun_ = 0;
    bool header_ = false, types_ = false;
    std::vector<unsigned> columns_, rows_;
};

} // namespace

bool RocmTable::is_direct(std::size_t a, std::size_t b) const {
    const Cell& cell = rows[a].cells[b];
    if (cell.way != Way::xgmi) return false;
    if (cell.most) return *cell.most > 0;
    if (!cell.weight) return true;
    unsigned least = *cell.weight;
    for (const Row& row : rows)
        for (const Cell& other : row.cells)
            if (other.way == Way::xgmi && other.weight) least = std::min(least, *other.weight);
    return *cell.weight == least;
}

bool looks_like_rocm(const std::string& text) {
    std::istringstream lines(without_colours(text));
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] == '=' && rocm_section_of(line) != RocmSection::none) return true;
    return false;
}

RocmTable read_rocm(const std::string& text, const std::string& file) { return RocmReader(file).read(text); }

} // namespace numavp

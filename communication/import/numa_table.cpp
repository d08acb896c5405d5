#include "communication/import/numa_table.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {

constexpr std::size_t kMostTableNodes = 1024;

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream text(line);
    for (std::string word; text >> word;) words.push_back(word);
    return words;
}

class NumactlReader {
  public:
    NumactlReader(const std::string& text, const std::string& file) : text_(text) { table_.file = file; }

    NumaTable read() {
        std::istringstream lines(text_);
        for (std::string line; std::getline(lines, line);) {
            ++line_;
            const std::vector<std::string> words = split(line);
            if (words.empty()) continue;
            if (words[0] == "available:") {
                available(words);
            } else if (words[0] == "node" && words.size() >= 2 && words[1] == "distances:") {
                in_distances_ = true;
            } else if (in_distances_ && words[0] == "node") {
                for (std::size_t i = 1; i < words.size(); ++i) columns_.push_back(id_of(words[i]));
            } else if (in_distances_) {
                distance_row(words);
            } else if (words[0] == "node" && words.size() >= 3) {
                node_line(words);
            }
        }
        check();
        return std::move(table_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw ConfigError(fmt::format("{}: line {}", table_.file, line_), what);
    }

    unsigned id_of(const std::string& word) const {
        const auto id = small_number(word);
        if (!id) fail(fmt::format("'{}' is no number of a NUMA node; a whole number is expected", quotable(word)));
        return *id;
    }

    /// "available: 2 nodes (0,8)".
    void available(const std::vector<std::string>& words) {
        if (words.size() < 2 || !small_number(words[1]))
            fail("the number of nodes can't be read; 'available: 2 nodes (0-1)' is expected");
        available_ = *small_number(words[1]);
        if (words.size() < 4 || words[3].size() < 2) return;
        ids_ = id_set_of_list(words[3].substr(1, words[3].size() - 2));
        if (!ids_)
            fail(fmt::format("'{}' is no list of NUMA nodes; one such as (0-1) is expected", quotable(words[3])));
    }

    NumaTable::Node& node(unsigned id) {
        for (NumaTable::Node& one : table_.nodes)
            if (one.id == id) return one;
        if (table_.nodes.size() == kMostTableNodes)
            fail(fmt::format("there are more than {} nodes; that many are allowed", kMostTableNodes));
        table_.nodes.emplace_back();
        table_.nodes.back().id = id;
        return table_.nodes.back();
    }

    /// "0 1 4 5", or with --cpu-compress "0-1, 4-5 (4)".
    void read_cpus(NumaTable::Node& one, const std::vector<std::string>& words) const {
        std::size_t end = words.size();
        std::optional<unsigned> count;
        if (const std::string& last = words.back();
            end > 3 && last.size() > 2 && last[0] == '(' && last.back() == ')') {
            count = small_number(std::string_view(last).substr(1, last.size() - 2));
            if (!count) fail(fmt::format("'{}' is no number of CPUs; one such as (4) is expected", quotable(last)));
            --end;
        }
        for (std::size_t i = 3; i < end; ++i) {
            std::string_view word = words[i];
            if (i + 1 < end && word.size() > 1 && word.back() == ',') word.remove_suffix(1);
            const auto cpus = id_set_of_list(word);
            if (!cpus)
                fail(fmt::format("'{}' is no number of a CPU; a whole number, or a range such as 0-3, is expected",
                                 quotable(words[i])));
            one.cpus.ids.insert(cpus->ids.begin(), cpus->ids.end());
        }
        if (count && *count != one.cpus.ids.size())
            fail(fmt::format("node {} has {} CPUs, and the line counts {}; the same are expected", one.id,
                             one.cpus.ids.size(), *count));
    }

    std::uint64_t megabytes_of(const NumaTable::Node& one, const std::vector<std::string>& words) const {
        std::uint64_t megabytes = 0;
        if (words.size() >= 5 && words[4] == "MB") {
            const char* last = words[3].data() + words[3].size();
            const auto [end, fault] = std::from_chars(words[3].data(), last, megabytes);
            if (fault == std::errc() && end == last && megabytes >> 36 == 0) return megabytes;
        }
        fail(fmt::format("the size of node {} can't be read; a number of MB below 2^36 is expected", one.id));
    }

    void node_line(const std::vector<std::string>& words) {
        NumaTable::Node& one = node(id_of(words[1]));
        if (words[2] == "cpus:") {
            if (one.has_cpus) fail(fmt::format("the CPUs of node {} are there twice; once is expected", one.id));
            one.has_cpus = true;
            read_cpus(one, words);
        } else if (words[2] == "size:") {
            if (words.size() > 3 && words[3] == "<not") return; // "<not available>"
            one.has_size = true;
            one.memory_bytes = megabytes_of(one, words) << 20;
        } else if (words[2] != "free:") {
            fail(fmt::format("'{}' is nothing that numactl -H says of a node; cpus:, size: and free: are allowed",
                             quotable(words[2])));
        }
    }

    /// "  0:  10  40".
    void distance_row(const std::vector<std::string>& words) {
        if (words[0].back() != ':') fail("this is no row of distances; one such as '0:  10  21' is expected");
        const unsigned id = id_of(words[0].substr(0, words[0].size() - 1));
        const std::size_t row = table_.distances.size() / std::max<std::size_t>(1, columns_.size());
        if (row >= columns_.size() || columns_[row] != id)
            fail(fmt::format("the row of node {} is not where its column is; rows in the order of columns are expected",
                             id));
        if (words.size() != 1 + columns_.size())
            fail(fmt::format("the row of node {} has {} distances; {} are expected", id, words.size() - 1,
                             columns_.size()));
        for (std::size_t i = 1; i < words.size(); ++i) {
            const auto distance = small_number(words[i]);
            if (!distance) fail(fmt::format("'{}' is no distance; a whole number is expected", quotable(words[i])));
            table_.distances.push_back(*distance);
        }
    }

    void check() {
        const auto whole = [&](const std::string& what) {
            throw ConfigError(table_.file, what + "; the whole of what numactl -H prints is expected");
        };
        if (table_.nodes.empty()) whole("there are no nodes");
        if (available_ != 0 && available_ != table_.nodes.size())
            whole(fmt::format("{} nodes are available, and lines of {} are there", available_, table_.nodes.size()));
        for (const NumaTable::Node& one : table_.nodes) {
            if (ids_ && ids_->ids.count(one.id) == 0)
                whole(fmt::format("node {} is not among those available, {}", one.id, ids_->text()));
            if (!one.has_cpus) whole(fmt::format("the line of node {} with its CPUs is missing", one.id));
            for (const NumaTable::Node& other : table_.nodes)
                if (other.id < one.id && other.cpus.meets(one.cpus))
                    whole(fmt::format("nodes {} and {} have the same CPUs", other.id, one.id));
        }
        if (!in_distances_) return;
        if (columns_.size() != table_.nodes.size() || table_.distances.size() != columns_.size() * columns_.size())
            whole(
                fmt::format("the distances of {} nodes have {} values", table_.nodes.size(), table_.distances.size()));
        for (std::size_t i = 0; i < columns_.size(); ++i)
            if (columns_[i] != table_.nodes[i].id) whole("the distances are of other nodes");
    }

    const std::string& text_;
    NumaTable table_;
    std::size_t line_ = 0, available_ = 0;
    std::optional<IdSet> ids_;
    std::vector<unsigned> columns_;
    bool in_distances_ = false;
};

} // namespace

bool looks_like_numactl(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> words = split(line);
        if (words.empty()) continue;
        if (words[0] == "available:") return true;
        if (words.size() >= 3 && words[0] == "node" && small_number(words[1]) && words[2].back() == ':') return true;
    }
    return false;
}

NumaTable read_numactl(const std::string& text, const std::string& file) { return NumactlReader(text, file).read(); }

} // namespace numavp

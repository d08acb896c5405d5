#include "communication/characterize/counted_paths.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/characterize/benchmark.h"
#include "communication/characterize/measured_file.h"

namespace numavp {

namespace {

constexpr const char* kCounterHeader = "src,dst,bytes,link_from,link_to,link,counted_bytes";
constexpr std::size_t kCounterColumns = 7, kMostCounterLines = 1'000'000, kLongestCounterLine = 4096;

unsigned part_of(const HostMachine& machine, TransferEnd end) {
    return end.gpu ? machine.gpu_part(end.index) : machine.cpu_part(end.index);
}

class CounterReader {
  public:
    CounterReader(const HostMachine& machine, const std::string& path) : machine_(machine), path_(path) {
        for (unsigned c = 0; c < machine.cpus(); ++c) ends_.emplace(machine.cpu_name(c), TransferEnd{false, c});
        for (unsigned g = 0; g < machine.gpus(); ++g) ends_.emplace(HostMachine::gpu_name(g), TransferEnd{true, g});
    }

    void add(const std::string& line, unsigned number) {
        line_ = number;
        const std::vector<std::string> cells = cells_between_commas(line);
        if (cells.size() != kCounterColumns)
            fail(fmt::format("the row has {} cells; {} are expected", cells.size(), kCounterColumns));
        const TransferEnd from = end_of(cells[0]), to = end_of(cells[1]);
        if (from.gpu == to.gpu && from.index == to.index)
            fail(fmt::format("'{}' is both source and destination; two are expected", cells[0]));
        const double bytes = count_of("bytes", cells[2], 1), counted = count_of("counted_bytes", cells[6], 0);
        const auto [place, is_new] = place_.emplace(std::pair(cells[0], cells[1]), moves_.size());
        if (is_new)
            moves_.push_back({from, to, static_cast<std::uint64_t>(bytes),
                              std::vector<double>(machine_.graph().links().size(), 0.0)});
        CountedMove& move = moves_[place->second];
        if (static_cast<std::uint64_t>(bytes) != move.bytes)
            fail(fmt::format("the move from {} to {} has {} bytes here and {} above; one number is expected", cells[0],
                             cells[1], quotable(cells[2]), move.bytes));
        const unsigned link = link_of(cells[3], cells[4], cells[5]);
        if (!seen_.insert({place->second, link}).second)
            fail(fmt::format("the counter from {} to {} is there twice for this move; one is expected", cells[3],
                             cells[4]));
        move.counted[link] = counted;
    }
    std::vector<CountedMove> take() { return std::move(moves_); }

    [[noreturn]] void fail(const std::string& what) const {
        throw ConfigError(fmt::format("{}: line {}", path_, line_), what);
    }

  private:
    TransferEnd end_of(const std::string& name) const {
        const auto found = ends_.find(name);
        if (found != ends_.end()) return found->second;
        fail(fmt::format("{} has no '{}'; cpuN with the NUMA id and gpuN are allowed", machine_.title(),
                         quotable(name)));
    }
    double count_of(const char* column, const std::string& text, double least) const {
        constexpr double kMost = 1e15;
        double value = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || stop != end || !(value >= least && value <= kMost) || value != std::floor(value))
            fail(fmt::format("{} '{}' is no whole number from {:g} to 1e15", column, quotable(text), least));
        return value;
    }
    unsigned link_of(const std::string& from, const std::string& to, const std::string& kind) const {
        const TransferGraph& graph = machine_.graph();
        std::optional<unsigned> found;
        std::set<std::string> kinds;
        for (unsigned l = 0; l < graph.links().size(); ++l) {
            const TransferLink& link = graph.links()[l];
            if (graph.parts()[link.from].name != from || graph.parts()[link.to].name != to) continue;
            kinds.insert(link.kind);
            if ((kind.empty() || link.kind == kind) && !found) found = l; // links side by side count as one
        }
        if (kinds.empty())
            fail(fmt::format("no link joins '{}' with '{}'; parts of the machine that a wire joins are expected",
                             quotable(from), quotable(to)));
        if (kind.empty() && kinds.size() > 1)
            fail(fmt::format("links of {} kinds join {} with {}; the column link must name one", kinds.size(), from,
                             to));
        if (!found)
            fail(fmt::format("no link of kind '{}' joins {} with {}; {} is there", quotable(kind), from, to,
                             *kinds.begin()));
        return *found;
    }

    const HostMachine& machine_;
    const std::string& path_;
    unsigned line_ = 1;
    std::map<std::string, TransferEnd> ends_;
    std::vector<CountedMove> moves_;
    std::map<std::pair<std::string, std::string>, std::size_t> place_; ///< in moves_
    std::set<std::pair<std::size_t, unsigned>> seen_;
};

std::string links_text(const TransferGraph& graph, const std::vector<unsigned>& links) {
    std::string text;
    for (const unsigned link : links) {
        const TransferLink& one = graph.links()[link];
        if (text.empty()) text = graph.parts()[one.from].name;
        text += fmt::format(" ={}= {}", one.kind, graph.parts()[one.to].name);
    }
    return text;
}

} // namespace

std::vector<CountedMove> read_counted(const std::string& path, const HostMachine& machine) {
    std::ifstream in(path, std::ios::binary);
    if (!in || (in.peek(), in.bad()))
        throw ConfigError(path, "it can't be read; counters of links as CSV are expected");
    in.clear();
    return parse_counted(in, path, machine);
}

std::vector<CountedMove> parse_counted(std::istream& in, const std::string& path, const HostMachine& machine) {
    CounterReader reader(machine, path);
    std::string line;
    if (!std::getline(in, line)) throw ConfigError(path, "it is empty; counters of links as CSV are expected");
    const auto strip = [](std::string& text) {
        if (!text.empty() && text.back() == '\r') text.pop_back();
    };
    strip(line);
    if (line != kCounterHeader)
        reader.fail(fmt::format("the header is '{}'; '{}' is expected", quotable(line), kCounterHeader));
    for (unsigned number = 2; std::getline(in, line); ++number) {
        if (line.size() > kLongestCounterLine || number > kMostCounterLines)
            throw ConfigError(fmt::format("{}: line {}", path, number), line.size() > kLongestCounterLine
                                                                            ? "the line is longer than 4096 characters"
                                                                            : "there are more than 1000000 lines");
        strip(line);
        reader.add(line, number);
    }
    std::vector<CountedMove> moves = reader.take();
    if (moves.empty()) throw ConfigError(path, "it has no rows behind its header; one or more are expected");
    return moves;
}

CountedPath counted_path(const HostMachine& machine, const CountedMove& move) {
    constexpr double kLeastShare = 0.5;
    const TransferGraph& graph = machine.graph();
    const auto bytes = static_cast<double>(move.bytes);
    CountedPath path;
    for (unsigned l = 0; l < move.counted.size(); ++l)
        if (move.counted[l] >= kLeastShare * bytes) path.others.push_back(l);
    const unsigned to = part_of(machine, move.to);
    for (unsigned at = part_of(machine, move.from); at != to; at = graph.links()[path.links.back()].to) {
        const auto next = std::find_if(path.others.begin(), path.others.end(),
                                       [&](unsigned link) { return graph.links()[link].from == at; });
        if (next == path.others.end()) break;
        path.links.push_back(*next);
        path.others.erase(next);
    }
    path.arrives = !path.links.empty() && graph.links()[path.links.back()].to == to;
    double seen = 0;
    for (const unsigned link : path.links) seen += move.counted[link];
    if (!path.links.empty()) path.overhead = seen / (bytes * static_cast<double>(path.links.size())) - 1;
    path.assumed = graph.way(part_of(machine, move.from), to);
    return path;
}

std::string counted_paths_text(const HostMachine& machine, const std::vector<CountedMove>& moves) {
    std::string text;
    for (const CountedMove& move : moves) {
        const CountedPath path = counted_path(machine, move);
        text += fmt::format("{} {}: ", end_name(machine, move.from), end_name(machine, move.to));
        if (path.links.empty())
            text += "no counter at the source rose by half of the bytes";
        else
            text += fmt::format("{}, {:+.1f} %", links_text(machine.graph(), path.links), 100 * path.overhead);
        if (!path.links.empty() && !path.arrives) text += ", which does not arrive";
        for (const unsigned other : path.others) text += ", and beside it " + links_text(machine.graph(), {other});
        text += path.as_assumed() ? "; predictions take this way\n"
                                  : fmt::format("; predictions take {}\n", links_text(machine.graph(), path.assumed));
    }
    return text;
}

} // namespace numavp

#include "communication/import/any_network.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/system/system_config.h"
#include "communication/import/id_set.h"
#include "communication/import/terminal_words.h"

namespace numavp {

namespace {

constexpr unsigned kMostAnyNumber = 1'000'000, kMostAnyCycles = 100'000;
constexpr std::size_t kMostAnyParts = 4096;

class AnyReader {
  public:
    explicit AnyReader(const std::string& file) { network_.file = file; }

    AnyNetwork read(const std::string& text) {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            ++line_;
            const std::vector<std::string> words = words_in(line);
            if (!words.empty()) read_line(words);
        }
        check();
        return std::move(network_);
    }

  private:
    struct End {
        bool router = false;
        unsigned number = 0;
    };

    [[noreturn]] void refuse(const std::string& what) const {
        throw ConfigError(fmt::format("{}: line {}", network_.file, line_), what);
    }
    unsigned number(const std::string& word, unsigned most, const char* what) const {
        const auto found = small_number(word, most);
        if (!found)
            refuse(fmt::format("'{}' is no {}; a whole number up to {} is expected", quotable(word), what, most));
        return *found;
    }
    /// What a line names next: "router 3" or "node 3".
    End end_at(const std::vector<std::string>& words, std::size_t& at) const {
        const std::string& kind = words[at];
        if (kind != "router" && kind != "node")
            refuse(fmt::format("'{}' is neither 'router' nor 'node'; a line such as 'router 0 node 0 router 1 15' is "
                               "expected",
                               quotable(kind)));
        if (at + 1 == words.size()) refuse(fmt::format("it ends behind '{}'; a number is expected", kind));
        const End end{kind == "router", number(words[at + 1], kMostAnyNumber, "number of a router or node")};
        at += 2;
        return end;
    }
    void read_line(const std::vector<std::string>& words) {
        std::size_t at = 0;
        const End head = end_at(words, at);
        if (head.router) network_.routers.try_emplace(head.number, line_);
        while (at < words.size()) {
            const End other = end_at(words, at);
            unsigned cycles = 0;
            if (at < words.size() && words[at] != "router" && words[at] != "node") {
                cycles = number(words[at++], kMostAnyCycles, "latency in cycles");
                if (cycles == 0) refuse("a channel takes 0 cycles; 1 at least is expected");
            }
            join(head, other, cycles);
        }
    }
    void join(const End& head, const End& other, unsigned cycles) {
        if (other.router) network_.routers.try_emplace(other.number, line_);
        if (head.router && other.router) return add_channel(head.number, other.number, cycles);
        if (!head.router && !other.router)
            refuse(fmt::format("node {} is joined to node {}; a router is expected", head.number, other.number));
        const End& node = head.router ? other : head;
        const unsigned router = head.router ? head.number : other.number;
        const auto [known, added] = network_.nodes.try_emplace(node.number, AnyNetwork::Place{router, cycles});
        if (known->second.router != router)
            refuse(fmt::format("node {} is at router {} and at router {}; one is allowed", node.number,
                               known->second.router, router));
        unsigned& told = known->second.cycles;
        if (!added && told != 0 && cycles != 0 && told != cycles)
            refuse(fmt::format("the channel of node {} takes {} cycles and {} cycles; one latency is expected",
                               node.number, told, cycles));
        if (cycles != 0) told = cycles;
    }
    void add_channel(unsigned from, unsigned to, unsigned cycles) {
        if (from == to) refuse(fmt::format("router {} is joined to itself", from));
        AnyNetwork::Channel& channel = network_.channels[std::minmax(from, to)];
        if (channel.line == 0) channel.line = line_;
        unsigned& known = from < to ? channel.there : channel.back;
        if (known != 0 && cycles != 0 && known != cycles)
            refuse(fmt::format("the channel from router {} to router {} takes {} cycles and {} cycles; one latency is "
                               "expected",
                               from, to, known, cycles));
        if (cycles != 0) known = cycles;
    }
    void check() const {
        if (network_.nodes.size() < 2)
            throw ConfigError(network_.file,
                              fmt::format("there are {} nodes; two at least are expected", network_.nodes.size()));
        if (const std::size_t parts = network_.nodes.size() + network_.routers.size(); parts > kMostAnyParts)
            throw ConfigError(network_.file,
                              fmt::format("there are {} nodes and routers; {} are allowed", parts, kMostAnyParts));
        std::set<unsigned> reached{network_.routers.begin()->first};
        std::vector<unsigned> open(reached.begin(), reached.end());
        std::map<unsigned, std::vector<unsigned>> beside;
        for (const auto& [pair, channel] : network_.channels) {
            beside[pair.first].push_back(pair.second);
            beside[pair.second].push_back(pair.first);
        }
        while (!open.empty()) {
            const unsigned router = open.back();
            open.pop_back();
            for (const unsigned next : beside[router])
                if (reached.insert(next).second) open.push_back(next);
        }
        for (const auto& [router, line] : network_.routers)
            if (reached.count(router) == 0)
                throw ConfigError(fmt::format("{}: line {}", network_.file, line),
                                  fmt::format("no channels lead from router {} to router {}; one network is expected",
                                              *reached.begin(), router));
    }

    AnyNetwork network_;
    std::size_t line_ = 0;
};

/// Latency of a channel in cycles; where a file tells one direction, it is that of both.
unsigned cycles_both_ways(const AnyNetwork& network, const std::pair<unsigned, unsigned>& pair,
                          const AnyNetwork::Channel& channel) {
    if (channel.there != 0 && channel.back != 0 && channel.there != channel.back)
        throw ConfigError(fmt::format("{}: line {}", network.file, channel.line),
                          fmt::format("the channel between routers {} and {} takes {} cycles one way and {} back; a "
                                      "wire of numavp has one latency",
                                      pair.first, pair.second, channel.there, channel.back));
    return std::max({1U, channel.there, channel.back});
}

/// Numbers from 0 on in the order of a file's own.
template <class Numbers> std::map<unsigned, std::size_t> places_of(const Numbers& numbers) {
    std::map<unsigned, std::size_t> places;
    for (const auto& [number, ignored] : numbers) places.emplace(number, places.size());
    return places;
}

ordered_json wires_of(const AnyNetwork& network, std::set<unsigned>& latencies) {
    const auto node_at = places_of(network.nodes), router_at = places_of(network.routers);
    ordered_json wires = ordered_json::array();
    const auto add = [&](const std::string& from, unsigned router, unsigned cycles) {
        latencies.insert(cycles);
        wires.push_back({{"from", from},
                         {"to", fmt::format("router[{}]", router_at.at(router))},
                         {"link", fmt::format("cycles{}", cycles)}});
    };
    for (const auto& [node, place] : network.nodes)
        add(fmt::format("node[{}]", node_at.at(node)), place.router, std::max(1U, place.cycles));
    for (const auto& [pair, channel] : network.channels)
        add(fmt::format("router[{}]", router_at.at(pair.first)), pair.second, cycles_both_ways(network, pair, channel));
    return wires;
}

template <class Numbers> void note_numbers(const Numbers& numbers, const char* what, ImportNotes& notes) {
    if (numbers.rbegin()->first + 1U != numbers.size())
        add_note(notes, fmt::format("numbers of {} are not all of 0 to {}: they are numbered anew, in the same order",
                                    what, numbers.size() - 1));
}

} // namespace

bool looks_like_any_network(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> words = words_in(line);
        if (words.empty()) continue;
        return words.size() > 1 && (words[0] == "router" || words[0] == "node") &&
               small_number(words[1], kMostAnyNumber).has_value();
    }
    return false;
}

AnyNetwork read_any_network(const std::string& text, const std::string& file) { return AnyReader(file).read(text); }

MachineText make_network_file(const AnyNetwork& network, const std::string& name) {
    MachineText made;
    std::set<unsigned> latencies;
    ordered_json wires = wires_of(network, latencies);
    constexpr unsigned kFlitBytes = 16; // of the shipped networks that are compared with BookSim2
    constexpr double kGbps = 16;        // a flit each cycle of 1 ns
    ordered_json links = ordered_json::array();
    for (const unsigned cycles : latencies)
        links.push_back({{"name", fmt::format("cycles{}", cycles)}, {"gbytes_per_s", kGbps}, {"latency_ns", cycles}});
    ordered_json& s = made.system;
    const std::string plain = plain_name(name);
    s["name"] = plain.empty() ? "found-network" : plain;
    s["description"] = fmt::format("{} nodes at {} routers, of a network file of BookSim; made by numavp import, which "
                                   "says what was assumed.",
                                   network.nodes.size(), network.routers.size());
    s["parts"] = ordered_json::array({{{"name", "node"}, {"count", network.nodes.size()}},
                                      {{"name", "router"}, {"count", network.routers.size()}, {"kind", "router"}}});
    s["socket"] = {{"sms", 4},
                   {"l2", {{"size_kib", 512}, {"slices", 4}}},
                   {"memory", {{"channels", 4}, {"bandwidth_gbps", 80}, {"capacity_gib", 1}}}};
    s["link"] = {{"lanes_out", 1}, {"lanes_in", 1}, {"lane_gbps", 20}, {"latency_cycles", 1}, {"energy_pj_per_bit", 0}};
    s["network"] = {{"topology", "wires"}, {"noc_khz", 1'000'000}, {"flit_bytes", kFlitBytes}, {"buffer_bytes", 512},
                    {"terminal_ns", 1},    {"links", links},       {"wires", std::move(wires)}};
    note_numbers(network.nodes, "nodes", made.notes);
    note_numbers(network.routers, "routers", made.notes);
    add_note(made.notes,
             "a cycle of the file is 1 ns; a channel carries a flit of 16 bytes each cycle, one whose latency "
             "is not told takes a cycle");
    add_note(made.notes,
             "a node is a GPU of 4 SMs and 80 GB/s of memory, as in the networks of configs/systems/networks: "
             "the file has the network alone");
    try {
        read_config<SystemConfig>({"the machine file", json::parse(s.dump()), {}});
    } catch (const ConfigError& refused) {
        throw ConfigError(network.file, fmt::format("it does not make a system of numavp ({})", refused.what()));
    }
    return made;
}

std::string edge_list(const AnyNetwork& network) {
    std::string text;
    for (const auto& [node, place] : network.nodes)
        text += fmt::format("node{} router{}{}\n", node, place.router,
                            place.cycles == 0 ? std::string() : fmt::format(" {}", place.cycles));
    for (const auto& [pair, channel] : network.channels) {
        const bool told = channel.there != 0 || channel.back != 0;
        text += fmt::format("router{} router{}{}\n", pair.first, pair.second,
                            told ? fmt::format(" {}", cycles_both_ways(network, pair, channel)) : std::string());
    }
    return text;
}

} // namespace numavp

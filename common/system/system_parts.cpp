#include "common/system/system_parts.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/system/derived.h"
#include "common/system/reduction_units.h"
#include "common/system/system_config.h"

namespace numavp {

namespace {
constexpr const char* kHost = "host"; ///< unless a part of its kind has another name
}

std::vector<NamedParts> named_sockets(const std::vector<PartSystemConfig>& parts) {
    std::vector<NamedParts> named;
    unsigned next = 0;
    for (const PartSystemConfig& part : parts) {
        if (!is_package(part.kind)) continue;
        named.push_back({part.name, next, part.count});
        next += part.count;
    }
    return named;
}

std::optional<std::size_t> part_of_socket(const std::vector<PartSystemConfig>& parts, unsigned socket) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!is_package(parts[i].kind)) continue;
        if (socket < parts[i].count) return i;
        socket -= parts[i].count;
    }
    return std::nullopt;
}

unsigned socket_count(const std::vector<PartSystemConfig>& parts) {
    unsigned sum = 0;
    for (const NamedParts& one : named_sockets(parts)) sum += one.count;
    return sum;
}

void check_part_name(const std::string& name, const Place& place) {
    const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    if (name.empty() || name[0] < 'a' || !std::all_of(name.begin(), name.end(), allowed))
        throw ConfigError(place, fmt::format("'{}' is no name of parts; a small letter, then small letters, digits and "
                                             "_ are allowed",
                                             quotable(name)));
    if (dump_config(SystemConfig{}).contains(name) || name == "extends" || name == "use")
        throw ConfigError(place, fmt::format("'{}' is a word of these files; another name is expected", name));
}

namespace {
/// Ports that the topology has no use for.
void check_ports_of(const PartSystemConfig& part, const NetworkSystemConfig& network, const Place& place) {
    const FabricKind topology = network.topology;
    const bool wires = topology == FabricKind::wires, butterfly = topology == FabricKind::butterfly;
    const bool one_switch = topology == FabricKind::single_switch; // a file may extend one with another topology
    if (part.terminals != 1 && !wires && !butterfly && !one_switch)
        throw ConfigError(place.at("terminals"),
                          fmt::format("with the topology {} a socket has one terminal, and a cube "
                                      "network.terminals_per_cube; 1 is allowed",
                                      kFabrics.name(topology)));
    const bool routers = !one_switch && !butterfly && network.concentration == 1;
    if (part.channels != 0 && !wires && !has_cubes(topology) && !routers)
        throw ConfigError(place.at("channels"),
                          fmt::format("with the topology {}{} a part has no channels of its own; 0 is allowed",
                                      kFabrics.name(topology),
                                      network.concentration == 1 ? "" : " and several sockets at a router"));
}

/// A word that changes nothing is none of the file's.
void check_transit(const PartSystemConfig& part, FabricKind topology, const Place& place) {
    if (!part.transit) return;
    if (topology != FabricKind::wires && topology != FabricKind::single_switch) // which a file may extend
        throw ConfigError(place, fmt::format("with the topology {} ways are those of the topology; false is allowed, "
                                             "or the topology wires",
                                             kFabrics.name(topology)));
    if (part.kind == PartKind::router) throw ConfigError(place, "a router passes packets on always; leave it out");
}

/// There is one host at most, and something needs it.
void check_host(const SystemConfig& config, const Place& list) {
    bool found = false;
    for (std::size_t i = 0; i < config.parts.size(); ++i) {
        if (config.parts[i].kind != PartKind::host) continue;
        if (found || config.parts[i].count != 1)
            throw ConfigError(list.at(i).at("count"), "a machine has one host; 1 part of that kind is allowed");
        if (!has_host_memory(config))
            throw ConfigError(list.at(i).at("kind"),
                              "nothing needs a host; driver.execution native or riscv is expected, or "
                              "translation.tables host");
        found = true;
    }
}

/// A part has what its kind has.
void check_kinds(const SystemConfig& config, const Place& list) {
    const WiredParts parts(config);
    for (unsigned s = 0; s < config.sockets; ++s) {
        const PartKindFacts& facts = facts_of(parts.kind_of(s));
        const auto check = [&](PartHas demand, bool has, const char* what) {
            if (demand == PartHas::maybe || has == (demand == PartHas::always)) return;
            throw ConfigError(list.at(part_of_socket(config.parts, s).value_or(0)).at("kind"),
                              fmt::format("{} has {}{}, and a part of kind {} has {}; socket is allowed, with or "
                                          "without",
                                          parts.label(s), has ? "" : "no ", what, kPartKinds.name(facts.kind),
                                          has ? "none" : "some"));
        };
        check(facts.sms, config.socket_at(s).sms != 0, "SMs");
        check(facts.memory, config.socket_at(s).has_memory(), "memory");
    }
}

/// In networks of cubes the first parts are the GPUs, mostly one name, and the others are their cubes.
void check_cubes(const SystemConfig& config, const Place& list) {
    const std::vector<NamedParts> named = named_sockets(config.parts);
    if (!has_cubes(config.network.topology) || named.size() < 2) return;
    const unsigned each = config.network.cubes_per_gpu, gpus = named.front().count;
    const auto begins = [&](const NamedParts& part) { return part.first * (1 + each) == config.sockets; };
    if (std::none_of(named.begin(), named.end(), begins))
        throw ConfigError(list.at(part_of_socket(config.parts, gpus).value_or(0)).at("count"),
                          fmt::format("{} of {} with {} cubes each need {}; there are {} of {}", gpus,
                                      named.front().name, each, gpus * each, config.sockets - gpus, named[1].name));
}
} // namespace

void check_parts(const SystemConfig& config, const Place& place) {
    if (config.parts.empty()) return;
    const Place list = place.at("parts");
    for (std::size_t i = 0; i < config.parts.size(); ++i) {
        const std::string& name = config.parts[i].name;
        const auto fail = [&](const std::string& what) { throw ConfigError(list.at(i).at("name"), what); };
        check_part_name(name, list.at(i).at("name"));
        const bool several = is_package(config.parts[i].kind) || config.parts[i].kind == PartKind::reduction;
        if (!several && config.parts[i].terminals != 1)
            throw ConfigError(list.at(i).at("terminals"), config.parts[i].kind == PartKind::host
                                                              ? "a host has one terminal; 1 is allowed"
                                                              : "a router alone has no terminals; leave it out");
        check_ports_of(config.parts[i], config.network, list.at(i));
        check_transit(config.parts[i], config.network.topology, list.at(i).at("transit"));
        for (std::size_t before = 0; before < i; ++before)
            if (config.parts[before].name == name) fail(fmt::format("'{}' is there twice; names must differ", name));
    }
    const unsigned sockets = socket_count(config.parts);
    if (sockets < 1 || sockets > kMaxSockets)
        throw ConfigError(list, fmt::format("they are {} sockets; 1 to {} are allowed", sockets, kMaxSockets));
    if (sockets != config.sockets)
        throw ConfigError(list,
                          fmt::format("they are {} sockets, and the setting sockets says {}; leave it out, or take "
                                      "out that of an extended file with \"sockets\": null",
                                      sockets, config.sockets));
    check_host(config, list);
    check_reduction(config, place);
    check_kinds(config, list);
    check_cubes(config, list);
}

WiredParts::WiredParts(const SystemConfig& config) {
    for (const PartSystemConfig& part : config.parts)
        if (is_package(part.kind)) add(part.name, part.kind, part.count, part.terminals, part.transit);
    if (named_.empty()) add("socket", PartKind::socket, config.sockets);
    if (has_host_memory(config)) {
        const auto own = std::find_if(config.parts.begin(), config.parts.end(),
                                      [](const PartSystemConfig& part) { return part.kind == PartKind::host; });
        const bool listed = own != config.parts.end();
        add(listed ? own->name : kHost, PartKind::host, 1, 1, listed && own->transit);
    }
    for (const PartSystemConfig& part : config.parts)
        if (part.kind == PartKind::reduction) add(part.name, part.kind, part.count, part.terminals);
    ends_ = count_;
    for (const PartSystemConfig& part : config.parts)
        if (is_router_alone(part.kind)) add(part.name, part.kind, part.count, 1, part.transit);
}

void WiredParts::add(const std::string& name, PartKind kind, unsigned count, unsigned terminals, bool transit) {
    named_.push_back({name, kind, count_, count, terminals, transit});
    count_ += count;
}

const WiredParts::Named& WiredParts::named(unsigned number) const {
    for (const Named& one : named_)
        if (number - one.first < one.count) return one;
    throw ModelError(fmt::format("part {} of {}", number, count_));
}

std::string WiredParts::label(IndexRange numbers) const {
    const Named& parts = named(numbers.first);
    if (parts.kind == PartKind::host) return parts.name;
    return parts.name + IndexRange{numbers.first - parts.first, numbers.last - parts.first}.text();
}

std::vector<unsigned> WiredParts::find(const std::string& text, const Place& place) const {
    const std::size_t bracket = std::min(text.find('['), text.size());
    const std::string name = text.substr(0, bracket);
    const auto found =
        std::find_if(named_.begin(), named_.end(), [&name](const Named& one) { return one.name == name; });
    if (found == named_.end()) {
        std::vector<std::string_view> known;
        for (const Named& one : named_) known.emplace_back(one.name);
        throw ConfigError(place, unknown_name("part", name, known));
    }
    IndexRange range{0, found->count - 1};
    if (bracket < text.size()) {
        const std::optional<IndexRange> given = index_range(std::string_view(text).substr(bracket));
        if (!given)
            throw ConfigError(place, fmt::format("'{}' names no part; one such as {}[2], or several such as {}[0..3], "
                                                 "is expected",
                                                 quotable(text), name, name));
        if (given->last > range.last)
            throw ConfigError(place, fmt::format("there is no {}[{}]; {}[0] to {}[{}] are allowed", name, given->last,
                                                 name, name, range.last));
        range = *given;
    }
    std::vector<unsigned> numbers;
    for (unsigned i = range.first; i <= range.last; ++i) numbers.push_back(found->first + i);
    return numbers;
}

} // namespace numavp

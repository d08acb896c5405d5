#include "tests/network/mutants/entry_checks.h"

#include <algorithm>
#include <vector>

#include "tests/network/named_networks.h"
#include "tlm-links/packet/adaptive_entry.h"
#include "tlm-links/packet/terminal_choice.h"

namespace numavp::test {
namespace {

/// Requests of gpu[0] to cube[4], which is in slice 0, where 64 flits have room at each of 8 terminals.
struct EntryBench {
    NetworkSystem system = network("dfbfly-4g16h-random-entry");
    unsigned target = system.topology.graph.endpoints[4 + 4].terminals[0];
    AdaptiveEntry entry{system.topology.graph, *system.topology.routing, 0, Rng(1)};
    std::vector<unsigned> room = std::vector<unsigned>(8, 64);
    unsigned send(std::uint64_t line) { return entry.send({line, target, 9}, room, 64); }
};

} // namespace

std::string one_way_a_line() {
    const NetworkSystem system = network("dfbfly-4g16h-random-entry");
    const TerminalChoice choice(system.topology.graph, *system.topology.routing);
    for (std::uint64_t line = 0; line < 50 * kLineBytes; line += kLineBytes) {
        const TerminalChoice::Line hash{line_hash(line), 0};
        const unsigned exit = choice.exit(7, hash), entry = choice.entry(0, exit, hash);
        for (unsigned again = 0; again < 3; ++again)
            if (choice.entry(0, exit, hash) != entry) return "a line enters by several terminals";
    }
    return "";
}

std::string enters_where_least_waits() {
    EntryBench bench;
    bench.room[1] = 40;
    bench.room[0] = 50;
    std::fill(bench.room.begin() + 2, bench.room.end(), 55); // 2 routers and 14 flits, 3 and 9
    for (std::uint64_t line = 0; line < 20 * kLineBytes; line += kLineBytes)
        if (const unsigned at = bench.send(line); at < 2) return "it entered by terminal " + std::to_string(at);
    return "";
}

std::string equal_entries_alike() {
    EntryBench bench;
    unsigned second = 0;
    for (std::uint64_t line = 0; line < 100 * kLineBytes; line += kLineBytes) second += bench.send(line);
    return second > 30 && second < 70 ? "" : std::to_string(second) + " of 100 entered by the second terminal";
}

std::string follows_a_line() {
    EntryBench bench;
    const unsigned first = bench.send(0);
    bench.room[first] = 20;
    for (unsigned i = 0; i < 8; ++i)
        if (bench.send(0) != first) return "it left the way of a request without a response";
    return "";
}

std::string free_behind_the_response() {
    EntryBench bench;
    const unsigned first = bench.send(0);
    bench.entry.answered(0, bench.target);
    bench.room[first] = 20;
    return bench.send(0) != first ? "" : "it followed a request that has its response";
}

} // namespace numavp::test

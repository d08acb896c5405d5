/// Small systems whose sockets are joined by routers.
#pragma once

#include <string>

#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {

/// Every queue and buffer of the network at its least depth: one packet of the largest size.
inline void set_least_depths(SystemConfig& c) {
    set_all_depths(c, 1);
    c.network.queue_depth = c.network.wire_depth = 1;
    const unsigned flits = (kLineBytes + c.packets.header_bytes + c.network.flit_bytes - 1) / c.network.flit_bytes;
    c.network.buffer_bytes = flits * c.network.flit_bytes;
}

inline NetworkWire wire(unsigned from, unsigned to, unsigned channels = 1) {
    return {"socket[" + std::to_string(from) + "]", "socket[" + std::to_string(to) + "]", "", "", channels};
}

inline SystemConfig fabric_system(unsigned sockets, FabricKind topology) {
    SystemConfig c = small_system(sockets);
    c.network.topology = topology;
    c.network.noc_khz = 1'000'000; // the sockets' clock, so that times are easily said
    c.network.flit_bytes = 64;
    c.network.buffer_bytes = 2048;
    c.placement.policy = PlacementKind::line_interleave;
    return c;
}

/// Some GPUs without memory, and cubes of each without SMs and without a cache: `parts` of them are one memory.
inline SystemConfig cube_system(unsigned gpus, unsigned cubes, FabricKind topology, unsigned parts) {
    SystemConfig c = fabric_system(gpus * (1 + cubes), topology);
    c.network.cubes_per_gpu = cubes;
    c.network.terminals_per_cube = 2;
    SocketConfig gpu = c.socket, cube = c.socket;
    gpu.memory.capacity_gib = 0;
    gpu.l2.organisation = L2Organisation::coherent;
    cube.sms = 0;
    cube.l2.size_kib = 0;
    c.own_sockets.all = {{{0, gpus - 1}, gpu}, {{gpus, c.sockets - 1}, cube}};
    c.placement.page_kib = 4;
    c.placement.policy = PlacementKind::random;
    c.placement.sockets_per_memory = parts;
    return c;
}

/// What is wrong with the values of a random program on the system; empty if nothing is.
inline std::string run_values(const SystemConfig& config, std::uint64_t seed, const RandomProgramShape& shape) {
    try {
        RandomProgram program(seed, shape);
        SystemOptions options;
        options.hooks = &program;
        System system(config, program.workload(), options);
        system.run();
        if (std::string wrong = program.wrong_loads(); !wrong.empty()) return wrong;
        return system.stats().values()["network"]["packets"] == 0 ? "no packet crossed the network" : "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// All statistics after socket 0 has read one line of socket 1 while nothing else happens.
inline nlohmann::ordered_json statistics_of_a_read(const SystemConfig& config) {
    const CodeOf place = [](std::uint64_t block, unsigned) {
        return block == 1 ? WarpCode{store(kHandBase)} : WarpCode{};
    };
    const CodeOf read = [](std::uint64_t block, unsigned) {
        return block == 0 ? WarpCode{load(kHandBase, 2)} : WarpCode{};
    };
    const Workload workload =
        hand_workload({hand_launch("place", config.sockets, 1, place), hand_launch("read", config.sockets, 1, read)});
    System system(config, workload);
    system.run();
    return system.stats().values();
}
/// Those of the network.
inline nlohmann::ordered_json one_remote_read(const SystemConfig& config) {
    return statistics_of_a_read(config)["network"];
}

} // namespace numavp::test

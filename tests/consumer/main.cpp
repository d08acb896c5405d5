/// A program outside the repository, on the installed headers and libraries only: two memories of its own stand
/// behind the channels of socket 0, an initiator of its own drives a core-side port of socket 1, a kernel runs.
///
/// Exit status: 0 if everything was compared and was right and the simulation ended; 1 if not; 2 for a wrong
/// argument. With the argument `spoil` a memory changes one byte, so that the status must be 1.
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include <systemc>

#include "base/config/config.h"
#include "base/values/address_layout.h"
#include "common/system/system_config.h"
#include "initiator.h"
#include "memories.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"

namespace {

constexpr unsigned kRangeBytes = 32 * 1024;          ///< twice an L2, so that it reaches the memories
constexpr std::uint64_t kRangeOffset = 512ULL << 20; ///< far from the kernel's pages

numavp::SystemConfig small_system() {
    numavp::SystemConfig config;
    config.name = "consumer";
    config.sockets = 2;
    config.socket.sms = 2;
    config.socket.l2.size_kib = 16;
    config.socket.l2.slices = 2;
    config.socket.l2.ways = 4;
    config.socket.l2.static_remote_ways = 2;
    config.socket.memory.channels = 2;
    config.socket.memory.bandwidth_gbps = 48.0;
    config.socket.memory.capacity_gib = 1;
    config.dispatch.launch_cycles = 50;
    config.checks.protocol = true;
    return config;
}

numavp::Workload small_workload() {
    return numavp::read_workload(numavp::parse_json(R"({"name": "triad", "kernels": [{"pattern": "stream_triad",
        "repeat": 4, "parameters": {"elements": 16384}}]})",
                                                    "consumer"),
                                 numavp::Place("consumer"));
}

/// Bytes of the initiator's ranges that debug access, through caches and memories, does not find.
std::size_t debug_differences(Initiator& initiator) {
    std::size_t wrong = 0;
    for (const Initiator::Range& range : initiator.ranges()) {
        std::vector<unsigned char> bytes(range.copy.size());
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(range.base);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        if (initiator.socket->transport_dbg(payload) != bytes.size()) return bytes.size();
        for (std::size_t i = 0; i < bytes.size(); ++i) wrong += bytes[i] != range.copy[i];
    }
    return wrong;
}

int simulate(bool spoil) {
    const numavp::SystemConfig config = small_system();
    const numavp::AddressLayout layout(config.sockets, std::uint64_t{config.socket.memory.capacity_gib} << 30);
    const numavp::Workload workload = small_workload();

    LooseMemory loose("loose", layout.address(numavp::MemoryId(1), 0));
    PhasedMemory phased("phased", layout.address(numavp::MemoryId(1), 0));
    if (spoil) loose.store.spoil_from(kRangeOffset);
    Initiator initiator(
        "initiator",
        {layout.address(numavp::MemoryId(0), kRangeOffset), layout.address(numavp::MemoryId(1), kRangeOffset)},
        kRangeBytes);
    numavp::SystemOptions options;
    options.core_ports = 1;
    options.foreign_memory = [&](unsigned socket, unsigned channel) -> tlm::tlm_target_socket<>* {
        if (socket != 0) return nullptr;
        if (channel == 0) return &loose.socket;
        return &phased.socket;
    };
    numavp::System system(config, workload, options);
    initiator.socket.bind(system.core_port(1, 0));

    system.run();                                                                   // until the kernels have ended
    for (int i = 0; i < 1000 && !initiator.finished(); ++i) system.run_for(10'000); // the initiator goes on
    system.run();                                                                   // nothing may be under way or lost

    int faults = 0;
    const auto expect = [&](bool good, const std::string& what) {
        if (!good) std::cout << "failed: " << what << "\n";
        faults += !good;
    };
    expect(initiator.finished(), "the initiator did not finish");
    expect(initiator.wrong() == 0, std::to_string(initiator.wrong()) + " bytes came back wrong");
    expect(initiator.compared() == initiator.to_compare(), "it compared " + std::to_string(initiator.compared()) +
                                                               " of " + std::to_string(initiator.to_compare()) +
                                                               " bytes");
    for (const Store* store : {&loose.store, &phased.store})
        expect(store->reads > 100 && store->writes > 100, "a foreign memory was hardly used");
    expect(system.progress().kernels_done == 4, "the kernels did not end");
    expect(debug_differences(initiator) == 0, "debug access finds other bytes");
    std::cout << initiator.compared() << " bytes compared, " << initiator.wrong() << " wrong; foreign memories served "
              << loose.store.reads + phased.store.reads << " reads and " << loose.store.writes + phased.store.writes
              << " writes; kernels took " << system.cycles() << " cycles\n";
    return faults == 0 ? 0 : 1;
}

} // namespace

int sc_main(int argc, char** argv) {
    const std::string argument = argc > 1 ? argv[1] : "";
    if (!argument.empty() && argument != "spoil") {
        std::cerr << "usage: consumer [spoil]\n";
        return 2;
    }
    try {
        return simulate(argument == "spoil");
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 3;
    }
}

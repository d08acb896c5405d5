/// A TLM-2.0 memory of your own behind a channel of a GPU socket, and an initiator of your own that drives the socket;
/// with `cube`, a memory cube of your own in a network of 4 GPUs and 16 cubes.
///
/// Ends with 0 if all bytes came back as they were written; `foreign_memory spoil` and `... cube spoil` must end
/// with 1.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

#include <numavp/system.h>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

/// Your memory: any TLM-2.0 target of the base protocol will do.
struct Memory : sc_core::sc_module {
    explicit Memory(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
        socket.register_b_transport(this, &Memory::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        const unsigned char* enables = payload.get_byte_enable_ptr();
        for (unsigned i = 0; i < payload.get_data_length(); ++i) {
            if (enables && enables[i % payload.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
            unsigned char& mine = bytes[payload.get_address() + i];
            unsigned char& yours = payload.get_data_ptr()[i];
            (payload.is_write() ? mine : yours) = payload.is_write() ? yours : mine;
        }
        if (spoil && payload.is_read()) payload.get_data_ptr()[0] ^= 1;
        ++accesses;
        delay += sc_core::sc_time(80, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    tlm_utils::simple_target_socket<Memory> socket;
    std::unordered_map<std::uint64_t, unsigned char> bytes;
    unsigned accesses = 0;
    bool spoil = false;
};

/// Your initiator: writes 64 KiB line by line, then reads them back.
struct Initiator : sc_core::sc_module {
    SC_HAS_PROCESS(Initiator);
    explicit Initiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") { SC_THREAD(run); }
    void run() {
        std::vector<unsigned char> line(128);
        for (const bool write : {true, false})
            for (std::uint64_t address = 0; address < kBytes; address += line.size()) {
                if (write)
                    for (std::size_t i = 0; i < line.size(); ++i) line[i] = expected(address + i);
                call(write, address, line);
                for (std::size_t i = 0; i < line.size(); ++i) wrong += line[i] != expected(address + i);
            }
        finished = true;
    }
    void call(bool write, std::uint64_t address, std::vector<unsigned char>& line) {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(kBase + address);
        payload.set_data_ptr(line.data());
        payload.set_data_length(static_cast<unsigned>(line.size()));
        payload.set_streaming_width(static_cast<unsigned>(line.size()));
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        wait(delay);
        if (!payload.is_response_ok()) wrong += line.size();
    }
    static unsigned char expected(std::uint64_t address) {
        return static_cast<unsigned char>(address * 37 + address / 256);
    }

    static constexpr std::uint64_t kBase = 256 << 20, kBytes = 64 << 10;
    tlm_utils::simple_initiator_socket<Initiator> socket;
    std::uint64_t wrong = 0;
    bool finished = false;
};

/// A system, and where in it the foreign memories stand.
struct Place {
    std::string system;
    std::vector<std::string> changes;
    unsigned socket, channels;
};
const Place kChannel{CONFIGS "/systems/numa-aware-4.json",
                     {"sockets=1", "socket.sms=2", "socket.memory.channels=2", "socket.memory.capacity_gib=1",
                      "socket.l2.slices=2", "socket.l2.size_kib=16"},
                     0,
                     1}; // channel 1 is numavp's own
// All 16 vaults of the second cube; its router, its links and the network are numavp's.
const Place kCube{CONFIGS "/systems/memory-networks/gmn-4-sfbfly.json", {"gpu.sms=2"}, 5, 16};

int simulate(const Place& place, bool spoil) {
    const numavp::SystemConfig config = numavp::load_system(place.system, place.changes);
    const numavp::NamedWorkload workload =
        numavp::load_named_workload(CONFIGS "/workloads/stream-triad.json", "", "0.001", "");

    std::deque<Memory> memories;
    for (unsigned c = 0; c < place.channels; ++c) {
        memories.emplace_back(("memory" + std::to_string(c)).c_str());
        memories.back().spoil = spoil;
    }
    Initiator initiator("initiator");
    numavp::SystemOptions options;
    options.core_ports = 1;
    options.foreign_memory = [&](unsigned socket, unsigned channel) -> tlm::tlm_target_socket<>* {
        return socket == place.socket && channel < place.channels ? &memories[channel].socket : nullptr;
    };
    numavp::System system(config, workload.workload, options);
    initiator.socket.bind(system.core_port(0, 0));

    system.run();
    while (!initiator.finished && sc_core::sc_time_stamp() < sc_core::sc_time(100, sc_core::SC_MS))
        system.run_for(1000);
    system.run(); // nothing is lost or under way, or this throws

    std::uint64_t accesses = 0;
    for (const Memory& memory : memories) accesses += memory.accesses;
    std::cout << accesses << " accesses to the foreign memory, " << initiator.wrong << " bytes came back wrong; "
              << "kernels ended in cycle " << system.cycles() << "\n";
    return initiator.finished && initiator.wrong == 0 && accesses > 100 ? 0 : 1;
}

} // namespace

int sc_main(int argc, char** argv) {
    try {
        const std::vector<std::string> words(argv + 1, argv + argc);
        const auto said = [&words](const char* word) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        return simulate(said("cube") ? kCube : kChannel, said("spoil"));
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}

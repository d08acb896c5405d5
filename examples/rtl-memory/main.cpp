/// An AXI4 memory of your own in SystemVerilog behind the channel of a GPU socket.
///
/// Ends with 0 if all bytes came back as they were written and no rule of AXI4 was broken; `rtl_memory spoil` must end
/// with 1.
#include <Vmy_memory.h>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>

#include <numavp/axi.h>
#include <numavp/checkers.h>
#include <numavp/ports.h>
#include <numavp/system.h>
#include <numavp/verilated.h>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

namespace {

constexpr std::uint64_t kMemoryBytes = 256 << 10, kBase = 128 << 10, kBytes = 64 << 10;

/// Writes lines beside those of the kernels, then reads them back.
struct Initiator : sc_core::sc_module {
    SC_HAS_PROCESS(Initiator);
    explicit Initiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") { SC_THREAD(run); }
    void run() {
        for (const bool write : {true, false})
            for (std::uint64_t address = kBase; address < kBase + kBytes; address += 128) call(write, address);
        finished = true;
    }
    void call(bool write, std::uint64_t address) {
        std::array<unsigned char, 128> line{}, expected{};
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = static_cast<unsigned char>((address >> 7) + 3 * i);
        if (write) line = expected;
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(line.data());
        payload.set_data_length(line.size());
        payload.set_streaming_width(line.size());
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        wait(delay);
        wrong += !payload.is_response_ok() || line != expected;
    }
    tlm_utils::simple_initiator_socket<Initiator> socket;
    unsigned wrong = 0; ///< lines
    bool finished = false;
};

int simulate(bool spoil) {
    const numavp::SystemConfig config = numavp::load_system(
        CONFIGS "/systems/numa-aware-4.json",
        {"sockets=1", "socket.sms=2", "socket.memory.channels=1", "socket.memory.capacity_gib=1", "socket.l2.slices=1",
         "socket.l2.size_kib=16", "socket.partition.controller=numa_aware_rtl"});

    numavp::rtl::VerilatedSubordinate<Vmy_memory> memory;
    memory.model().spoil = spoil;
    numavp::Clockwork clocks("clocks");
    numavp::TlmToAxi4 bridge("bridge", {{}, {0, kMemoryBytes}}, clocks.domain(config.clock_khz), memory);
    numavp::Axi4Monitor monitor;
    bridge.observe([&](const auto& m, const auto& s) { monitor.observe(m, s); });

    Initiator initiator("initiator");
    numavp::SystemOptions options;
    options.core_ports = 1;
    options.foreign_memory = [&](unsigned, unsigned) { return &bridge.socket; };
    const numavp::Workload nothing; // the initiator alone gives it work
    numavp::System system(config, nothing, options);
    initiator.socket.bind(system.core_port(0, 0));

    while (!initiator.finished && sc_core::sc_time_stamp() < sc_core::sc_time(10, sc_core::SC_MS)) system.run_for(1000);
    system.run(); // nothing is lost or under way, or this throws

    monitor.finish();
    for (const std::string& breach : monitor.breaches()) std::cout << "edge " << breach << "\n";
    std::cout << bridge.cycles() << " cycles of the RTL memory, " << initiator.wrong << " lines came back wrong\n";
    const bool good =
        initiator.finished && initiator.wrong == 0 && monitor.breaches().empty() && bridge.cycles() > 1000;
    return good ? 0 : 1;
}

} // namespace

int sc_main(int argc, char** argv) {
    try {
        return simulate(argc > 1 && std::string(argv[1]) == "spoil");
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}

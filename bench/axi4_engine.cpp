#include "bench/axi4_engine.h"

#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/traffic.h"
#include "rtl/axi4_master_block.h"
#include "tlm-links/axi/axi4_to_tlm.h"

namespace numavp {

namespace {
constexpr std::uint64_t kEngineCycles = 200'000; ///< of a measurement
constexpr std::uint64_t kPeriodPs = 1'000;
constexpr double kBytesPerBurst = 2.5 * rtl::kAxiBytes; ///< on average, of 1 to 4 beats

using Pins = std::vector<rtl::AxiSubordinatePins>;

rtl::Axi4MasterBlock::Controls controls() {
    rtl::Axi4MasterBlock::Controls c;
    c.bursts = ~0U;
    return c;
}

struct EngineCost {
    double ns_per_cycle;
    double bytes_per_cycle;
};

class Memory final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
  public:
    explicit Memory(sc_core::sc_module_name name)
        : sc_module(name), socket("socket"), bytes_(rtl::Axi4MasterBlock::kBytes) {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }
    tlm::tlm_target_socket<> socket;

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time&) override {
        unsigned char* const at = &bytes_[p.get_address()];
        const unsigned char* const enables = p.get_byte_enable_ptr();
        if (p.is_read())
            std::memcpy(p.get_data_ptr(), at, p.get_data_length());
        else if (!enables)
            std::memcpy(at, p.get_data_ptr(), p.get_data_length());
        else
            for (unsigned i = 0; i < p.get_data_length(); ++i)
                if (enables[i] != 0) at[i] = p.get_data_ptr()[i];
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  private:
    std::vector<unsigned char> bytes_;
};

class Engine {
  public:
    Engine() { bridge_.socket.bind(memory_.socket); }

    EngineCost run() {
        const std::uint64_t cycles = bridge_.cycles();
        const unsigned answered = master_.answered();
        const double begin = cpu_seconds();
        sc_core::sc_start(sc_core::sc_time::from_value(kEngineCycles * kPeriodPs));
        const double ns = (cpu_seconds() - begin) * 1e9;
        if (master_.wrong() != 0) throw std::runtime_error("the bridge from AXI4 gives wrong values");
        const auto passed = static_cast<double>(bridge_.cycles() - cycles);
        return {ns / passed, kBytesPerBurst * (master_.answered() - answered) / passed};
    }
    /// What the bridge drives in a run from the start.
    Pins record() {
        Pins pins;
        bridge_.observe([&](const auto&, const auto& s) { pins.push_back(s); });
        run();
        bridge_.observe({});
        return pins;
    }

  private:
    Clockwork clockwork_{"clockwork"};
    rtl::Axi4MasterBlock master_{controls()};
    Memory memory_{"memory"};
    Axi4ToTlm bridge_{"bridge", {}, clockwork_.domain(1'000'000'000 / kPeriodPs), master_};
};

EngineCost run_alone(const Pins& pins) {
    rtl::Axi4MasterBlock master(controls());
    const double begin = cpu_seconds();
    for (const rtl::AxiSubordinatePins& s : pins) {
        master.settle(s);
        master.edge();
    }
    const double ns = (cpu_seconds() - begin) * 1e9;
    const auto cycles = static_cast<double>(pins.size());
    return {ns / cycles, kBytesPerBurst * master.answered() / cycles};
}
} // namespace

nlohmann::ordered_json measure_axi4_engine(unsigned pairs) {
    Engine engine;
    const Pins pins = engine.record();
    nlohmann::ordered_json result;
    result["pairs"] = nlohmann::ordered_json::array();
    for (unsigned i = 0; i < pairs; ++i) {
        const EngineCost before = run_alone(pins);
        const EngineCost with = engine.run();
        const EngineCost after = run_alone(pins);
        result["pairs"].push_back({before.ns_per_cycle, with.ns_per_cycle, after.ns_per_cycle});
        result["bytes_per_cycle"] = {after.bytes_per_cycle, with.bytes_per_cycle};
    }
    return result;
}

} // namespace numavp

#include "bench/axi4_bridge.h"

#include <array>
#include <memory>
#include <vector>

#include "bench/traffic.h"
#include "rtl/axi4_channel_block.h"
#include "tlm-links/axi/tlm_to_axi4.h"

namespace numavp {

namespace {
constexpr std::uint64_t kCycles = 400'000; ///< of a measurement
constexpr std::uint64_t kWarmUp = 20'000;
constexpr std::uint64_t kFootprint = 1 << 20;
constexpr std::uint64_t kClockKhz = 1'000'000;

rtl::Axi4ChannelConfig memory_config() {
    rtl::Axi4ChannelConfig c;
    c.bytes_per_s = 64'000'000'000;
    c.clock_khz = kClockKhz;
    return c;
}

struct Cost {
    double ns_per_cycle;
    double bytes_per_cycle;
};

class PinDriver {
  public:
    PinDriver() : memory_(memory_config()) {
        for (rtl::AxiAddressPins* channel : {&pins_.ar, &pins_.aw}) {
            channel->valid = true;
            channel->len = 1;
        }
        pins_.aw.addr = kLineBytes;
        pins_.w.valid = pins_.bready = pins_.rready = true;
        pins_.w.strb = ~std::uint64_t{0};
        memory_.settle(pins_);
    }

    Cost run(std::uint64_t cycles) {
        lines_ = 0;
        const double begin = cpu_seconds();
        for (std::uint64_t i = 0; i < cycles; ++i) cycle();
        const double ns = (cpu_seconds() - begin) * 1e9;
        return {ns / static_cast<double>(cycles), double{kLineBytes} * lines_ / static_cast<double>(cycles)};
    }

  private:
    void cycle() {
        const rtl::AxiSubordinatePins& s = memory_.pins();
        if (s.arready) advance(pins_.ar);
        if (s.awready) advance(pins_.aw);
        if (s.wready) pins_.w.last = !pins_.w.last;
        if (s.b.valid) ++lines_;
        if (s.r.valid && s.r.last) ++lines_;
        memory_.edge();
        memory_.settle(pins_);
    }
    /// The memory has a place for each id.
    static void advance(rtl::AxiAddressPins& channel) {
        channel.id = (channel.id + 1) % rtl::Axi4ChannelBlock::kIds;
        channel.addr = (channel.addr + 2 * kLineBytes) % kFootprint;
    }

    rtl::Axi4ChannelBlock memory_;
    rtl::AxiManagerPins pins_;
    unsigned lines_ = 0;
};

class Initiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<>, public tlm::tlm_mm_interface {
  public:
    explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    }
    tlm::tlm_initiator_socket<> socket;
    unsigned lines = 0; ///< answered

    void start() { send(); }
    void free(tlm::tlm_generic_payload* payload) override { free_.push_back(payload); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        if (phase == tlm::END_REQ) {
            send();
            return tlm::TLM_ACCEPTED;
        }
        ++lines;
        payload.release();
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    /// Until the bridge takes one that it can't end.
    void send() {
        for (tlm::tlm_sync_enum status = tlm::TLM_UPDATED; status == tlm::TLM_UPDATED;) {
            tlm::tlm_generic_payload& payload = make();
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            status = socket->nb_transport_fw(payload, phase, delay);
        }
    }
    tlm::tlm_generic_payload& make() {
        if (free_.empty()) {
            all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
            all_.back()->set_data_ptr(data_.data());
            all_.back()->set_data_length(kLineBytes);
            all_.back()->set_streaming_width(kLineBytes);
            free_.push_back(all_.back().get());
        }
        tlm::tlm_generic_payload& payload = *free_.back();
        free_.pop_back();
        payload.acquire();
        payload.set_command(writes_ ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        writes_ = !writes_;
        payload.set_address(address_);
        address_ = (address_ + kLineBytes) % kFootprint;
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        return payload;
    }

    std::array<unsigned char, kLineBytes> data_{};
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
    std::vector<tlm::tlm_generic_payload*> free_;
    bool writes_ = false;
    std::uint64_t address_ = 0;
};

class BridgeDriver {
  public:
    BridgeDriver() { initiator_.socket.bind(bridge_.socket); }

    Cost run(std::uint64_t cycles) {
        if (bridge_.cycles() == 0) initiator_.start();
        const std::uint64_t before = bridge_.cycles();
        initiator_.lines = 0;
        const double begin = cpu_seconds();
        sc_core::sc_start(sc_core::sc_time::from_value(cycles * 1'000));
        const double ns = (cpu_seconds() - begin) * 1e9;
        const auto passed = static_cast<double>(bridge_.cycles() - before);
        return {ns / passed, double{kLineBytes} * initiator_.lines / passed};
    }

  private:
    static TlmToAxi4Config config() {
        TlmToAxi4Config c;
        c.manager.ids = rtl::Axi4ChannelBlock::kIds;
        return c;
    }
    Clockwork clockwork_{"clockwork"};
    rtl::Axi4ChannelBlock memory_{memory_config()};
    TlmToAxi4 bridge_{"bridge", config(), clockwork_.domain(kClockKhz), memory_};
    Initiator initiator_{"initiator"};
};
} // namespace

nlohmann::ordered_json measure_axi4_bridge(unsigned pairs) {
    PinDriver raw;
    BridgeDriver bridge;
    raw.run(kWarmUp);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bridge.run(kWarmUp);
    nlohmann::ordered_json result;
    result["pairs"] = nlohmann::ordered_json::array();
    for (unsigned i = 0; i < pairs; ++i) {
        const Cost before = raw.run(kCycles);
        const Cost with = bridge.run(kCycles);
        const Cost after = raw.run(kCycles);
        result["pairs"].push_back({before.ns_per_cycle, with.ns_per_cycle, after.ns_per_cycle});
        result["bytes_per_cycle"] = {after.bytes_per_cycle, with.bytes_per_cycle};
    }
    return result;
}

} // namespace numavp

/// The RTL blocks as C++ objects: pins in plain structs, one call per clock edge. No SystemC, no Verilator types.
///
/// rtl/verilated implements them in builds with Verilator, rtl/absent refuses them in others. Each object is a separate
/// instance of the hardware, out of reset after construction. `watch()` adds its internal signals to the waveforms,
/// under a scope: the inputs when they are given, the clock's edge and its effects a cycle later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "rtl/axi4_pins.h"

namespace numavp {
class Waves;
struct WaveClock;
} // namespace numavp

namespace numavp::rtl {

/// Reason why this build has no RTL blocks, as half a sentence; empty if it has them. Without them the constructors
/// below throw a ConfigError with this reason.
std::string_view missing();

/// rtl/lane_balancer.sv.
class LaneBalancerBlock {
  public:
    struct Inputs {
        unsigned saturation_percent = 0; ///< 7 bits
        bool launch = false;
        bool sample = false;
        std::uint64_t busy_out = 0, available_out = 0, busy_in = 0, available_in = 0; ///< 57 bits
        unsigned lanes_out = 0, lanes_in = 0, turning = 0;                            ///< 8 bits
    };
    struct Outputs {
        unsigned launch_out = 0, launch_in = 0;
        unsigned decision = 0; ///< 0: none, 1: turn one out, 2: turn one in
    };
    LaneBalancerBlock();
    ~LaneBalancerBlock();
    /// Puts `inputs` on the pins and gives a rising edge of the clock; returns the outputs after it.
    Outputs edge(const Inputs& inputs);
    void watch(Waves& waves, const std::string& scope, const WaveClock& clock);

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

/// rtl/way_partition.sv, for two kinds of caches.
class WayPartitionBlock {
  public:
    static constexpr std::size_t kCaches = 2;
    struct Inputs {
        bool launch = false;
        bool sample = false;
        std::uint64_t local_bytes = 0, local_capacity_bytes = 0; ///< 57 bits
        std::uint64_t outgoing_reads = 0;                        ///< 48 bits
        unsigned response_bytes = 0;                             ///< 9 bits
        std::uint64_t ingress_capacity_bytes = 0;                ///< 57 bits
    };
    struct Outputs {
        std::array<unsigned, kCaches> local_ways{};
        unsigned decision = 0; ///< 0: none, 1: more remote, 2: more local, 3: toward equal
    };
    /// `ways` of each kind of cache (2 to 255) and the saturation (7 bits) are constant pins.
    WayPartitionBlock(const std::array<unsigned, kCaches>& ways, unsigned saturation_percent);
    WayPartitionBlock(WayPartitionBlock&&) noexcept;
    ~WayPartitionBlock();
    Outputs edge(const Inputs& inputs);
    void watch(Waves& waves, const std::string& scope, const WaveClock& clock);

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

/// rtl/replication_model.sv at its full widths.
class ReplicationModelBlock {
  public:
    /// Counts in both cases: without replication, with full replication.
    using Counts = std::array<unsigned, 2>; ///< 24 bits
    struct Inputs {
        bool start = false;
        Counts lookups{}, hits{}, misses{}, requests{}, local_requests{}, remote_requests{};
        unsigned llc = 0, memory = 0, noc = 0; ///< 24 bits
    };
    struct Outputs {
        bool busy = false;
        bool done = false; ///< the bandwidths stand
        unsigned bandwidth_none = 0, bandwidth_full = 0;
        bool decided = false; ///< so does the decision
        bool replicate = false;
    };
    ReplicationModelBlock();
    ~ReplicationModelBlock();
    Outputs edge(const Inputs& inputs);
    void watch(Waves& waves, const std::string& scope, const WaveClock& clock);

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

/// rtl/axi4_ram.sv: a memory of 1,024 beats from address 0, ids of 4 bits.
class Axi4RamBlock final : public AxiSubordinate {
  public:
    static constexpr std::uint64_t kBytes = 1024 * kAxiBytes;
    static constexpr unsigned kIds = 16;
    /// Each channel stalls in `stall` of 256 cycles.
    explicit Axi4RamBlock(unsigned stall = 0);
    ~Axi4RamBlock() override;
    void edge() override;
    void settle(const AxiManagerPins& pins) override;
    const AxiSubordinatePins& pins() const override;
    unsigned debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override;
    /// In these waveforms the clock rises when edge() is called, and pins that settle after it have the same time.
    /// ConfigError in builds without them (NUMAVP_MEMORY_WAVES is an option since each cycle gets slower).
    void watch(Waves& waves, const std::string& scope, const WaveClock& clock);

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl

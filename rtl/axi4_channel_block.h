/// rtl/axi4_channel.sv as a C++ object: a memory channel behind AXI4 pins with the timing of our C++ channel.
#pragma once

#include <cstdint>
#include <memory>

#include "rtl/axi4_pins.h"

namespace numavp::rtl {

struct Axi4ChannelConfig {
    std::uint64_t bytes_per_s = 24'000'000'000;
    std::uint64_t clock_khz = 1'000'000;
    unsigned latency_cycles = 100; ///< from the end of a burst's transfer slot to the handshake of its last answer
    std::uint64_t bytes = std::uint64_t{1} << 40; ///< size
    bool stores = true;                           ///< false: data is dropped and read as 0, for runs of time alone
    unsigned stall = 0;                           ///< of 256 times each of the five channels holds back
};

class Axi4ChannelBlock final : public AxiSubordinate {
  public:
    static constexpr unsigned kIds = 256;
    static constexpr unsigned kBursts = 256; ///< inside at a time, of reads and of writes

    /// ModelError if bandwidth or clock is 0.
    explicit Axi4ChannelBlock(const Axi4ChannelConfig& config);
    ~Axi4ChannelBlock() override;
    void edge() override;
    void settle(const AxiManagerPins& pins) override;
    const AxiSubordinatePins& pins() const override;
    unsigned debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) override;

    /// Bytes that have passed the channel: the beats of reads, the written sectors of writes.
    std::uint64_t busy_bytes() const;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl

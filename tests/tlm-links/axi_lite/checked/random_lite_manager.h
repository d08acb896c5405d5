/// A manager of AXI4-Lite pins that reads and writes the registers of rtl/axi4_lite_registers.sv at random, holds each
/// channel back at random, and compares every answer with what it has written.
#pragma once

#include <array>
#include <deque>

#include "base/values/rng.h"
#include "rtl/axi4_lite_blocks.h"

namespace numavp::test {

class RandomLiteManager final : public rtl::AxiLiteManager {
  public:
    /// `hurry` of 4 times a channel is not held back.
    RandomLiteManager(unsigned count, unsigned hurry, std::uint64_t seed)
        : count_(count), hurry_(hurry), random_(seed) {}

    void edge() override;
    void settle(const rtl::AxiLiteSubordinatePins& pins) override { in_ = pins; }
    const rtl::AxiLiteManagerPins& pins() const override { return out_; }
    bool idle() const override { return begun_ == count_ && !asks(); }

    unsigned done() const { return done_; }
    unsigned wrong() const { return wrong_; } ///< answers other than expected

  private:
    static constexpr unsigned kRegisters = rtl::AxiLiteRegistersBlock::kRegisters;
    static constexpr std::uint64_t kCounter = 8 * kRegisters; ///< address of the register that counts its reads

    /// Something is to be taken off the pins yet.
    bool asks() const {
        return read_due_ || address_due_ || data_due_ || out_.ar.valid || out_.aw.valid || out_.w.valid;
    }
    bool reads(std::uint64_t address) const;
    bool hurries() { return random_.chance(hurry_, 4); }
    std::uint64_t random_address();
    static unsigned expected_response(std::uint64_t address);
    void begin();
    void end_read();
    void end_write();

    unsigned count_, hurry_;
    Rng random_;
    rtl::AxiLiteSubordinatePins in_;
    rtl::AxiLiteManagerPins out_;
    std::deque<std::uint64_t> reading_; ///< addresses; none of the register that is being written
    bool writing_ = false;
    bool read_due_ = false, address_due_ = false, data_due_ = false; ///< to be shown
    std::uint64_t write_address_ = 0;
    std::array<std::uint64_t, kRegisters + 1> reference_{};
    unsigned begun_ = 0, done_ = 0, wrong_ = 0;
};

} // namespace numavp::test

/// rtl/axi4_master.sv as a C++ object: an RTL manager that sends random bursts and checks the answers.
#pragma once

#include <cstdint>
#include <memory>

#include "rtl/axi4_pins.h"

namespace numavp::rtl {

/// Uses `kBytes` of memory from `base` on, which must be zero at the start and must not be written by others.
class Axi4MasterBlock final : public AxiManager {
  public:
    static constexpr std::uint64_t kBytes = 1024 * kAxiBytes;
    static constexpr unsigned kIds = 16;
    /// Pins that a test bench drives; all but `seed` may change between edges.
    struct Controls {
        std::uint64_t seed = 1;  ///< taken when the object is made
        std::uint64_t base = 0;  ///< a multiple of 4 KB
        unsigned bursts = 0;     ///< to be sent in all; 32 bits
        unsigned rate = 256;     ///< of 256 times a burst is drawn when there is none: 0 to 256
        unsigned stall = 0;      ///< of 256 times each channel holds back: 0 to 255
        unsigned most_beats = 4; ///< 1 to 64
    };
    explicit Axi4MasterBlock(const Controls& controls);
    ~Axi4MasterBlock() override;

    void control(const Controls& controls);
    unsigned answered() const;
    /// Number of answers with other bytes than were written, with another status than OKAY, or without a request.
    unsigned wrong() const;

    void edge() override;
    void settle(const AxiSubordinatePins& pins) override;
    const AxiManagerPins& pins() const override;
    bool idle() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl

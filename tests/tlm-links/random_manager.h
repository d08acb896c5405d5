/// An AXI4 manager in C++ for tests: random bursts in deliberately different, legal ways, and illegal ones if asked
/// for; each answer is checked against a flat memory in the order of the requests.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "base/values/rng.h"
#include "rtl/axi4_pins.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

/// One way to be a manager.
struct ManagerStyle {
    unsigned ids = 16;
    unsigned outstanding = 16; ///< bursts
    unsigned most_beats = 4;
    unsigned stall = 0;           ///< of 256 times each channel holds back
    bool odd = false;             ///< unaligned starts, missing strobes
    unsigned wrong_percent = 0;   ///< bursts beyond the range, which are answered DECERR
    unsigned illegal_percent = 0; ///< FIXED, narrow, across 4 KB: answered SLVERR
};

class RandomManager final : public rtl::AxiManager {
  public:
    RandomManager(const ManagerStyle& style, unsigned count, std::uint64_t seed);
    ~RandomManager() override;

    static constexpr std::uint64_t kBytes = 16 * 1024; ///< that it uses, from address 0
    FlatMemory reference;

    bool finished() const { return answered_ == count_; }
    unsigned answered() const { return answered_; }
    unsigned wrong() const { return wrong_; } ///< answers other than the reference's, or to nobody

    void edge() override;
    void settle(const rtl::AxiSubordinatePins& pins) override { other_ = pins; }
    const rtl::AxiManagerPins& pins() const override { return pins_; }
    bool idle() const override { return finished(); }

  private:
    struct Burst;
    using Queue = std::deque<Burst*>;

    void receive();
    Burst* oldest(bool write, unsigned id);
    void end(Burst& burst);
    void begin();
    void choose(Burst& burst);
    void spoil(Burst& burst);
    void expect(Burst& burst);
    bool must_wait(const Burst& burst) const;
    void show_address(rtl::AxiAddressPins& channel, Queue& queue, bool ready);
    void show_data();
    bool open() { return rng_.below(256) >= style_.stall; }

    ManagerStyle style_;
    unsigned count_;
    Rng rng_;
    rtl::AxiManagerPins pins_;
    rtl::AxiSubordinatePins other_;
    std::vector<std::unique_ptr<Burst>> bursts_; ///< all that were made
    std::vector<Burst*> spare_;
    Burst* next_ = nullptr;   ///< chosen, and not begun yet
    std::vector<Burst*> out_; ///< oldest first
    Queue reads_, writes_;    ///< whose addresses are to be shown
    Queue data_;              ///< writes whose data is
    unsigned begun_ = 0;
    unsigned answered_ = 0;
    unsigned wrong_ = 0;
};

} // namespace numavp::test

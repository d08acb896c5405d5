/// A driver without a processor, which serves faults in turn and moves pages behind the kernels' backs.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <vector>

#include "base/time/clockwork.h"
#include "base/values/rng.h"
#include "models/mmu/fault_port.h"
#include "models/mmu/table_memory.h"
#include "platform/machine/system.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {

struct MovingDriverShape {
    unsigned room = 3; ///< faults that it holds
    unsigned fault_cycles = 150;
    unsigned move_cycles = 100; ///< from one move to the next
    unsigned copy_cycles = 1500;
    unsigned moves = 400; ///< at most, and only while kernels run
};

/// Frames are few and used again at once, so that bytes that a cache has kept of an older page are seen.
class MovingDriver final : public FaultSink {
  public:
    MovingDriver(std::uint64_t seed, const MovingDriverShape& shape) : rng_(seed, 5), shape_(shape) {}
    /// After the system was built, before it runs.
    void attach(System& system);

    bool fault(const PageFault& fault) override;
    void invalidated(SocketId socket, std::uint64_t page) override;
    void access_note(SocketId socket, std::uint64_t page) override;

    unsigned moves = 0, refused = 0, waited = 0;
    std::map<std::pair<unsigned, std::uint64_t>, unsigned> notes; ///< by socket and page
    bool may_move = true;

  private:
    struct Page {
        PhysicalAddress frame = 0;
        bool mapped = false, moving = false;
        unsigned left = 0; ///< sockets that have not answered yet
        bool last = false; ///< its home is asked, after all others
    };
    struct Clocked final : Arbiter {
        Clocked(MovingDriver& owner, ClockDomain& domain)
            : Arbiter(domain, {kSystemRank, kRankControl, 7}), driver(owner) {}
        void arbitrate() override { driver.step(domain_.now()); }
        MovingDriver& driver;
    };
    void step(Cycle now);
    void serve(std::uint64_t page);
    void start_move();
    void advance(std::uint64_t page);
    void copy(std::uint64_t page);
    void finish_move(std::uint64_t page);
    void resolve(std::uint64_t page);
    PhysicalAddress take_frame();
    unsigned home_of(PhysicalAddress frame) const;

    Rng rng_;
    MovingDriverShape shape_;
    System* system_ = nullptr;
    std::unique_ptr<Clocked> clocked_;
    std::map<std::uint64_t, Page> pages_;
    std::vector<std::vector<PhysicalAddress>> free_; ///< by socket, the last is used first
    std::vector<std::uint64_t> used_;
    std::deque<PageFault> queue_;
    std::vector<std::uint64_t> answered_;        ///< all sockets asked have answered
    std::multimap<Cycle, std::uint64_t> copied_; ///< pages by the edge at which they are mapped again
    Cycle next_fault_ = 0, next_move_ = 0;
};

} // namespace numavp::test

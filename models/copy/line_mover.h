/// Moves or clears ranges of memory, line by line.
///
/// Lines are read and written as uncached transactions, which the home's L2 serves: one read and one write a cycle.
/// Several engines may share the port and take turns at it; each has a bounded number of lines under way, and its
/// ranges begin in the order in which they were given, each while the one before is still under way. Lines arrive in
/// any order.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

/// A range to move. Both physical addresses lie in one memory each and at the same offset within a line.
struct MoveRange {
    std::uint64_t from = 0; ///< not of a fill
    std::uint64_t to = 0;
    std::uint64_t bytes = 0;
    bool fill = false;     ///< with zeros
    std::uint32_t tag = 0; ///< the client's own
    unsigned engine = 0;
};

class LineMover final : private Arbiter, private RequesterIf {
  public:
    class Client {
      public:
        /// A line has been written to its target.
        virtual void line_moved(const MoveRange& range, std::uint64_t line) = 0;
        virtual void range_moved(const MoveRange& range) = 0;

      protected:
        ~Client() = default;
    };
    struct Resources {
        ClockDomain& domain;
        Rank rank;
        TxnPool& pool;
        const AddressMap& map;
        SocketId home; ///< where it stands
        Client& client;
        unsigned engines = 1;
    };
    /// `lines_in_flight` of each engine.
    LineMover(const std::string& name, unsigned lines_in_flight, const Resources& resources);

    tlm::tlm_initiator_socket<>& port() { return port_.socket; }
    void move(const MoveRange& range);
    bool busy() const;

  private:
    struct Open {
        MoveRange range;
        std::uint64_t first_line = 0; ///< of the target
        std::uint64_t lines = 0, asked = 0, moved = 0;
    };
    struct Engine {
        std::deque<Open> ranges;
        std::uint64_t first_range = 0; ///< number of the first of them, of all of this engine so far
        std::uint64_t asking = 0;      ///< number of the range whose lines are asked for
        std::vector<std::uint32_t> free_slots;

        Open& open(std::uint64_t number) { return ranges[number - first_range]; }
        bool may_ask() const { return !free_slots.empty() && asking - first_range != ranges.size(); }
    };
    /// A line on its way.
    struct Slot {
        unsigned engine = 0;
        std::uint64_t range = 0; ///< its number
        std::uint64_t index = 0; ///< of the range's lines
    };

    void arbitrate() override;
    bool response(unsigned port, Txn& txn) override;
    Open& open(const Slot& slot) { return engines_[slot.engine].open(slot.range); }
    bool ask_next();
    bool write_next();
    Txn& request(Kind kind, std::uint64_t line, ByteMask mask, std::uint32_t slot);
    void moved(std::uint32_t slot);

    TxnPool& pool_;
    const AddressMap& map_;
    SocketId home_;
    Client& client_;
    InitiatorPort port_;
    std::vector<Engine> engines_;
    unsigned turn_ = 0; ///< of the engine that asks next if it can
    std::vector<Slot> slots_;
    TxnQueue read_; ///< lines that have come and are to be written
};

} // namespace numavp

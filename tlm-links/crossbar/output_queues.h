/// The virtual output queues of a crossbar's input: one queue an output, in the input's places.
///
/// Queues are lists of places, linked by their numbers. A pointer an output would be simpler, but most of a crossbar's
/// inputs times outputs are empty and seldom used, so that each record would touch a line that is not in the caches of
/// the machine that simulates; of these tables it touches the same few lines as the input's last record.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tlm-links/protocol/txn.h"

namespace numavp {

class OutputQueues {
  public:
    static constexpr std::uint16_t kNone = 0xffff;
    struct Place {
        Txn* txn = nullptr;
        std::uint16_t next = kNone; ///< place: of the queue's next record (the last one's: of the first), or a free one
    };
    /// Makes `depth` places, below kNone, for so many outputs.
    void set_size(unsigned outputs, unsigned depth) {
        last_.assign(outputs, kNone);
        places_.resize(depth);
        for (unsigned i = 0; i + 1 < depth; ++i) places_[i].next = static_cast<std::uint16_t>(i + 1);
        free_ = 0;
    }
    bool empty(unsigned output) const { return last_[output] == kNone; }
    /// The queue must not be empty.
    const Place& front(unsigned output) const { return places_[places_[last_[output]].next]; }
    /// A place must be free. What was freed last is used first: it is near.
    void push(unsigned output, Txn& txn) {
        const std::uint16_t at = free_;
        Place& place = places_[at];
        std::uint16_t& last = last_[output];
        free_ = place.next;
        place.txn = &txn;
        place.next = last == kNone ? at : std::exchange(places_[last].next, at);
        last = at;
    }
    /// The queue must not be empty.
    Txn& pop(unsigned output) {
        std::uint16_t& last = last_[output];
        const std::uint16_t at = places_[last].next;
        Place& place = places_[at];
        if (at == last)
            last = kNone;
        else
            places_[last].next = place.next;
        place.next = free_;
        free_ = at;
        return *place.txn;
    }

  private:
    std::vector<std::uint16_t> last_; ///< the place of each output's last record
    std::vector<Place> places_;
    std::uint16_t free_ = kNone;
};

} // namespace numavp

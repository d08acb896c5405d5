/// The inputs of a crossbar's direction: places for records, and in them one queue an output.
///
/// The queues of an input are lists of its places, linked by their numbers. A pointer an output would be simpler, but
/// most of a crossbar's inputs times outputs are empty and seldom used, so that each record would touch a line that is
/// not in the caches of the machine that simulates. All of an input lies side by side, from a cache line's start: its
/// head, its places, the last place of each queue. A record touches the first line and that of its queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "tlm-links/protocol/txn.h"

namespace numavp {

/// One input: the head in front of its places and of the ends of its queues. Made by CrossbarInputs alone.
class CrossbarInput {
  public:
    static constexpr std::uint16_t kNone = 0xffff;
    struct Place {
        Txn* txn = nullptr;
        std::uint16_t next = kNone; ///< place: of the queue's next record (the last one's: of the first), or a free one
    };
    CrossbarInput(const CrossbarInput&) = delete;
    CrossbarInput& operator=(const CrossbarInput&) = delete;

    unsigned depth() const { return depth_; }
    bool empty(unsigned output) const { return last(output) == kNone; }
    /// The queue must not be empty.
    const Place& front(unsigned output) const { return place(place(last(output)).next); }
    /// A place must be free. What was freed last is used first: it is near.
    void push(unsigned output, Txn& txn) {
        const std::uint16_t at = free_;
        Place& mine = place(at);
        std::uint16_t& end = last(output);
        free_ = mine.next;
        mine.txn = &txn;
        mine.next = end == kNone ? at : std::exchange(place(end).next, at);
        end = at;
    }
    /// The queue must not be empty.
    Txn& pop(unsigned output) {
        std::uint16_t& end = last(output);
        const std::uint16_t at = place(end).next;
        Place& mine = place(at);
        if (at == end)
            end = kNone;
        else
            place(end).next = mine.next;
        mine.next = free_;
        free_ = at;
        return *mine.txn;
    }

    std::uint16_t used = 0; ///< places; with input_fifo those of its records behind the first too
    std::uint16_t stalled_output = 0;
    Txn* stalled = nullptr; ///< the record that is kept aside, without a place

  private:
    friend class CrossbarInputs;
    CrossbarInput(unsigned outputs, unsigned depth) : depth_(static_cast<std::uint16_t>(depth)) {
        for (unsigned i = 0; i < depth; ++i) {
            Place* const made = new (places() + i) Place;
            if (i + 1 < depth) made->next = static_cast<std::uint16_t>(i + 1);
        }
        for (unsigned o = 0; o < outputs; ++o) new (ends() + o) std::uint16_t(kNone);
    }
    Place* places() { return reinterpret_cast<Place*>(this + 1); }
    const Place* places() const { return reinterpret_cast<const Place*>(this + 1); }
    std::uint16_t* ends() { return reinterpret_cast<std::uint16_t*>(places() + depth_); }
    const std::uint16_t* ends() const { return reinterpret_cast<const std::uint16_t*>(places() + depth_); }
    Place& place(unsigned i) { return places()[i]; }
    const Place& place(unsigned i) const { return places()[i]; }
    std::uint16_t& last(unsigned output) { return ends()[output]; }
    std::uint16_t last(unsigned output) const { return ends()[output]; }

    std::uint16_t depth_;
    std::uint16_t free_ = 0;
};

class CrossbarInputs {
  public:
    /// Inputs with `depth` places each, the last one with `last_depth`; both below CrossbarInput::kNone.
    CrossbarInputs(unsigned inputs, unsigned outputs, unsigned depth, unsigned last_depth)
        : count_(inputs), stride_(lines_of(outputs, depth)),
          lines_(inputs == 0 ? 0 : (inputs - 1) * stride_ + lines_of(outputs, last_depth)) {
        for (unsigned i = 0; i < inputs; ++i)
            new (&lines_[std::size_t{i} * stride_]) CrossbarInput(outputs, i + 1 < inputs ? depth : last_depth);
    }
    unsigned size() const { return count_; }
    CrossbarInput& operator[](unsigned i) {
        return *std::launder(reinterpret_cast<CrossbarInput*>(lines_.data() + std::size_t{i} * stride_));
    }
    const CrossbarInput& operator[](unsigned i) const {
        return *std::launder(reinterpret_cast<const CrossbarInput*>(lines_.data() + std::size_t{i} * stride_));
    }

  private:
    struct alignas(64) Line {
        std::byte bytes[64]; // NOLINT(modernize-avoid-c-arrays): storage for other objects
    };
    static std::size_t lines_of(unsigned outputs, unsigned depth) {
        const std::size_t bytes =
            sizeof(CrossbarInput) + depth * sizeof(CrossbarInput::Place) + 2 * std::size_t{outputs};
        return (bytes + sizeof(Line) - 1) / sizeof(Line);
    }
    unsigned count_;
    std::size_t stride_; ///< in lines
    std::vector<Line> lines_;
};

} // namespace numavp

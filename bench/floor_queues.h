/// The two event queues of the floors, without SystemC.
#pragma once

#include <array>
#include <queue>
#include <vector>

#include "bench/floor.h"

namespace numavp {

/// F_w: a timing wheel on the clock grid, first in first out within a cycle.
class WheelQueue {
  public:
    explicit WheelQueue(FloorEvent*) {}
    std::uint64_t now() const { return now_; }
    /// `time` is 1 to kSlots - 1 cycles ahead.
    void schedule(std::uint64_t time, FloorEvent& event) {
        Slot& slot = slots_[time % kSlots];
        event.next = nullptr;
        if (slot.tail)
            slot.tail->next = &event;
        else
            slot.head = &event;
        slot.tail = &event;
    }
    void advance() {
        while (!current_) {
            Slot& slot = slots_[++now_ % kSlots];
            current_ = slot.head;
            slot = {};
        }
    }
    FloorEvent* next() {
        FloorEvent* event = current_;
        if (!event) return nullptr;
        current_ = event->next;
        if (current_) __builtin_prefetch(current_);
        return event;
    }

  private:
    static constexpr unsigned kSlots = 1024;
    static_assert(kSlots > 4 * Traffic::kMaxDelay); // and what a port makes wait: a few cycles
    struct Slot {
        FloorEvent* head = nullptr;
        FloorEvent* tail = nullptr;
    };
    std::array<Slot, kSlots> slots_{};
    FloorEvent* current_ = nullptr; ///< what is left of this cycle
    std::uint64_t now_ = 0;
};

/// F_pq: the standard library's binary heap, first in first out within a cycle.
class HeapQueue {
  public:
    explicit HeapQueue(FloorEvent* events) : events_(events) {}
    std::uint64_t now() const { return now_; }
    void schedule(std::uint64_t time, FloorEvent& event) { heap_.push({time, sequence_++, event.index}); }
    void advance() { now_ = heap_.top().time; }
    FloorEvent* next() {
        if (heap_.top().time != now_) return nullptr;
        FloorEvent* event = events_ + heap_.top().event;
        heap_.pop();
        return event;
    }

  private:
    struct Item {
        std::uint64_t time;
        std::uint32_t sequence; ///< first in first out within a time, until it wraps
        std::uint32_t event;    ///< index
        bool operator>(const Item& o) const { return time != o.time ? time > o.time : sequence > o.sequence; }
    };
    std::priority_queue<Item, std::vector<Item>, std::greater<>> heap_;
    std::uint32_t sequence_ = 0;
    std::uint64_t now_ = 0;
    FloorEvent* events_;
};

using WheelFloor = Floor<WheelQueue>;
using HeapFloor = Floor<HeapQueue>;

} // namespace numavp

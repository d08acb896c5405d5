/// What a simulator without SystemC pays for the bench's traffic: the floors F_w and F_pq.
///
/// A hop-event is one timed, arbitrated step, as in the clockwork but at its cheapest. First pass of a cycle: what
/// the event queue `Q` has for it goes to the inputs of the modules. Second pass: the modules act in the order of
/// their numbers; each finds the way of what has come (ports passed are remembered and popped on the way back),
/// gives it its turn at the output port (a packet a cycle), counts packets and bytes and accounts for the time of
/// the hop. No SystemC, no protocol, no bounded queues, no cache state.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "base/stats/histogram.h"
#include "bench/traffic.h"

namespace numavp {

enum class FloorLevel : unsigned { sm, l1, crossbar, slice, memory };

struct FloorModule;

/// A transaction and its place in the queue. Each hop touches its first cache line only; the rest is what any model
/// of a memory system must carry, set when it is issued and answered: a line of data, byte enables, a command.
struct alignas(64) FloorEvent {
    FloorEvent* next = nullptr;
    FloorModule* target = nullptr;
    std::uint64_t born = 0, stamped = 0;
    std::array<std::uint32_t, 3> parts{}; ///< cycles towards the memory, at it, and back
    std::uint32_t index = 0;
    std::uint16_t sm = 0, slice = 0;
    std::array<std::uint16_t, 3> route{};
    std::uint8_t depth = 0;
    bool returning = false;

    std::uint64_t address = 0;
    unsigned char* data_pointer = nullptr;
    unsigned char* enable_pointer = nullptr;
    std::uint32_t length = 0, streaming_width = 0, enable_length = 0;
    std::int32_t status = 0, command = 0;
    std::array<unsigned char, 128> data{}, enables{};
};

struct FloorModule {
    struct Output {
        FloorModule* to = nullptr;
        std::uint64_t free_at = 0, packets = 0, bytes = 0;
    };
    FloorLevel level;
    unsigned number;
    unsigned downs = 0; ///< outputs towards the memory, which come first
    FloorEvent* head = nullptr;
    FloorEvent* tail = nullptr;
    std::vector<Output> outputs;
};

/// The system over a queue Q: `schedule(time, event)`, `advance()` to the next time that has events, `next()` event of
/// this time or null, `now()`.
template <class Q> class Floor {
  public:
    explicit Floor(std::uint64_t seed) : events_(Traffic::kInFlight), queue_(events_.data()), rng_(seed) {
        build();
        for (unsigned i = 0; i < Traffic::kInFlight; ++i) {
            events_[i].index = i;
            events_[i].sm = static_cast<std::uint16_t>(i % Traffic::kSms);
            issue(*modules_[events_[i].sm], events_[i]); // the SMs come first
        }
    }

    /// Runs until that many more transactions have ended.
    TrafficResult run(std::uint64_t transactions) {
        result_ = {};
        const double begin = cpu_seconds();
        while (result_.transactions < transactions) {
            queue_.advance();
            while (FloorEvent* event = queue_.next()) arrive(*event);
            for (unsigned w = 0; w < awake_.size(); ++w)
                for (std::uint64_t bits = std::exchange(awake_[w], 0); bits; bits &= bits - 1)
                    serve(*modules_[w * 64 + static_cast<unsigned>(__builtin_ctzll(bits))]);
        }
        result_.seconds = cpu_seconds() - begin;
        return result_;
    }

  private:
    void arrive(FloorEvent& e) {
        FloorModule& m = *e.target;
        e.next = nullptr;
        (m.tail ? m.tail->next : m.head) = &e;
        m.tail = &e;
        awake_[m.number >> 6] |= 1ULL << (m.number & 63);
    }
    void serve(FloorModule& m) {
        FloorEvent* e = m.head;
        m.head = m.tail = nullptr;
        while (e) {
            FloorEvent* following = e->next;
            m.level == FloorLevel::sm ? retire(m, *e) : send(m, way(m, *e), *e);
            e = following;
        }
    }
    /// The output by which an event leaves. Going down it remembers by which port it came.
    unsigned way(const FloorModule& m, FloorEvent& e) {
        if (e.returning) return m.downs + e.route[--e.depth];
        unsigned came_by = 0;
        if (m.level == FloorLevel::crossbar) came_by = e.sm % Traffic::kSmsPerCrossbar;
        if (m.level == FloorLevel::slice) came_by = e.sm / Traffic::kSmsPerCrossbar;
        if (m.level == FloorLevel::memory) {
            e.returning = true;
            e.status = 1;
            return 0;
        }
        e.route[e.depth++] = static_cast<std::uint16_t>(came_by);
        return m.level == FloorLevel::crossbar ? e.slice : 0;
    }
    void send(FloorModule& from, unsigned output, FloorEvent& e) {
        const std::uint64_t now = queue_.now();
        FloorModule::Output& out = from.outputs[output];
        const std::uint64_t start = std::max(now, out.free_at);
        out.free_at = start + 1;
        ++out.packets;
        out.bytes += e.returning ? 136 : 8;
        e.parts[e.returning + (e.depth == 3)] += static_cast<std::uint32_t>(now - e.stamped);
        e.stamped = now;
        e.target = out.to;
        queue_.schedule(start + rng_.delay(), e);
    }
    void issue(FloorModule& sm, FloorEvent& e) {
        e.slice = static_cast<std::uint16_t>(rng_.below(Traffic::kSlices));
        e.address = std::uint64_t{e.slice} << 7;
        e.command = e.status = 0;
        e.data_pointer = e.data.data();
        e.enable_pointer = nullptr;
        e.length = e.streaming_width = 128;
        e.returning = false;
        e.born = e.stamped = queue_.now();
        e.parts = {};
        send(sm, 0, e);
    }
    void retire(FloorModule& sm, FloorEvent& e) {
        const std::uint64_t latency = queue_.now() - e.born;
        ++result_.transactions;
        result_.latency_sum += latency;
        latency_.add(latency);
        for (unsigned i = 0; i < parts_.size(); ++i) parts_[i] += e.parts[i];
        issue(sm, e);
    }
    void build();

    std::vector<FloorEvent> events_;
    Q queue_;
    TrafficRng rng_;
    TrafficResult result_;
    Histogram latency_;
    std::array<std::uint64_t, 3> parts_{};
    std::array<std::uint64_t, (Traffic::kModules + 63) / 64> awake_{};
    std::vector<std::unique_ptr<FloorModule>> modules_;
};

template <class Q> void Floor<Q>::build() {
    using T = Traffic;
    const auto add = [this](FloorLevel level, unsigned count, unsigned downs, unsigned ups) {
        const auto first = static_cast<unsigned>(modules_.size());
        for (unsigned i = 0; i < count; ++i) {
            modules_.push_back(std::make_unique<FloorModule>());
            modules_.back()->level = level;
            modules_.back()->number = first + i;
            modules_.back()->downs = downs;
            modules_.back()->outputs.resize(downs + ups);
        }
        return first;
    };
    const unsigned sms = add(FloorLevel::sm, T::kSms, 1, 0), l1s = add(FloorLevel::l1, T::kSms, 1, 1);
    const unsigned crossbars = add(FloorLevel::crossbar, T::kCrossbars, T::kSlices, T::kSmsPerCrossbar);
    const unsigned slices = add(FloorLevel::slice, T::kSlices, 1, T::kCrossbars);
    const unsigned memories = add(FloorLevel::memory, T::kSlices, 0, 1);
    const auto both = [this](unsigned upper, unsigned down, unsigned lower, unsigned up) {
        FloorModule &a = *modules_[upper], &b = *modules_[lower];
        a.outputs[down].to = &b;
        b.outputs[b.downs + up].to = &a;
    };
    for (unsigned i = 0; i < T::kSms; ++i) {
        both(sms + i, 0, l1s + i, 0);
        both(l1s + i, 0, crossbars + i / T::kSmsPerCrossbar, i % T::kSmsPerCrossbar);
    }
    for (unsigned s = 0; s < T::kSlices; ++s) {
        for (unsigned x = 0; x < T::kCrossbars; ++x) both(crossbars + x, s, slices + s, x);
        both(slices + s, 0, memories + s, 0);
    }
}

} // namespace numavp

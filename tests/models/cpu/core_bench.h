/// An interval core before a memory that answers after a fixed time, with a bound on its bandwidth.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/cpu/interval_core.h"

namespace numavp::test {

constexpr Slot kLatency = 800; ///< of memory: 200 cycles of four slots

/// Lines come `latency` slots after they were asked for, `spacing` slots apart at least.
class CoreBench final : private IntervalCore::Memory {
  public:
    explicit CoreBench(const HostCoreConfig& config, Slot latency, Slot spacing = 0)
        : caches(config, false), core(config, {static_cast<IntervalCore::Memory&>(*this), caches}), latency_(latency),
          spacing_(spacing) {}

    /// Slots from its beginning to its end, all write-backs left out.
    Slot run(const HostPhase& phase) {
        core.begin(phase, now_, 0);
        const Slot begun = now_;
        while (!core.done()) {
            Slot next = core.advance(now_ + kAhead);
            if (core.done()) break;
            if (!due_.empty()) next = std::min(next, due_.begin()->first);
            if (next == kNever) return kNever; // stuck
            now_ = std::max(now_, next);
            while (!due_.empty() && due_.begin()->first <= now_) {
                const auto [line, write] = due_.begin()->second;
                const Slot at = due_.begin()->first;
                due_.erase(due_.begin());
                if (write) {
                    core.written(at);
                } else {
                    if (caches.arrived(line).again)
                        core.fetch_again(line, at);
                    else
                        core.fill(line, at, nullptr);
                }
            }
        }
        const Slot ended = core.end();
        now_ = std::max(now_, ended);
        for (; !due_.empty(); due_.erase(due_.begin())) core.written(due_.begin()->first); // nothing else is out
        CoreWrite write;
        while (core.clean(write)) {
            cleaned.push_back(write.line);
            core.written(now_);
        }
        return ended - begun;
    }

    HostCaches caches;
    IntervalCore core;
    std::vector<std::uint64_t> cleaned; ///< lines, behind phases
    unsigned most_out = 0;              ///< fetches at a time

  private:
    static constexpr Slot kAhead = 100000;
    void fetch(std::uint64_t line, Slot at) override { answer(line, at, false); }
    void write_back(unsigned, const CoreWrite& write, Slot at) override { answer(write.line, at, true); }
    void answer(std::uint64_t line, Slot at, bool write) {
        free_at_ = std::max(free_at_ + spacing_, at);
        due_.emplace(free_at_ + latency_, std::pair(line, write));
        unsigned out = 0;
        for (const auto& one : due_) out += one.second.second ? 0 : 1;
        most_out = std::max(most_out, out);
    }

    Slot latency_, spacing_, now_ = 0, free_at_ = 0;
    std::multimap<Slot, std::pair<std::uint64_t, bool>> due_;
};

inline HostAccess access_of(std::uint64_t bytes, unsigned element, HostWay way = HostWay::read,
                            HostOrder order = HostOrder::sequential, std::uint64_t base = 1U << 20) {
    HostAccess access;
    access.base = base;
    access.bytes = bytes;
    access.element_bytes = element;
    access.stride_bytes = element;
    access.way = way;
    access.order = order;
    return access;
}

inline HostPhase phase_of(std::uint64_t items, std::uint64_t instructions, std::vector<HostAccess> accesses = {}) {
    HostPhase phase;
    phase.name = "phase";
    phase.items = items;
    phase.instructions = instructions;
    phase.accesses = std::move(accesses);
    return phase;
}

} // namespace numavp::test

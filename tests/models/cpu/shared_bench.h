/// Several cores before one memory with values, each byte of it compared with a flat memory at every access.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/cpu/interval_core.h"
#include "tests/models/cpu/core_bench.h"

namespace numavp::test {

/// Bytes that stores write are drawn, and kept in `flat`; bytes that loads see are compared.
class FlatBytes final : public DataHooks {
  public:
    void produce(std::uint64_t, std::uint64_t line, ByteMask mask, unsigned char* data) override {
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) flat[line + i] = data[i] = static_cast<unsigned char>(rng_.next());
    }
    void consume(std::uint64_t cookie, std::uint64_t line, ByteMask mask, const unsigned char* data) override {
        for (unsigned i = 0; i < kLineBytes; ++i) {
            if (!mask.test(i)) continue;
            ++compared;
            if (data[i] != flat[line + i] && wrong.empty())
                wrong = fmt::format("core {} read {} at {:#x}, where {} was written", IntervalCore::kCookie - cookie,
                                    data[i], line + i, flat[line + i]);
        }
    }
    std::map<std::uint64_t, unsigned char> flat;
    std::string wrong;
    std::uint64_t compared = 0;

  private:
    Rng rng_{3};
};

constexpr std::uint64_t kBase = 1U << 20; ///< of the region that all cores use

/// Elements of a region that all cores use, some across lines, drawn or one after the other.
inline HostPhase drawn_phase(Rng& rng, std::uint64_t bytes) {
    std::vector<HostAccess> accesses;
    for (std::uint64_t a = 0; a <= rng.below(3); ++a) {
        const auto element = static_cast<unsigned>(4 + 4 * rng.below(40));
        accesses.push_back(access_of(bytes / element * element, element, static_cast<HostWay>(rng.below(3)),
                                     static_cast<HostOrder>(rng.below(2)), kBase + 4 * rng.below(16)));
    }
    HostPhase phase = phase_of(200 + rng.below(400), 1 + rng.below(30), std::move(accesses));
    phase.seed = rng.next();
    phase.dependence = static_cast<HostDependence>(rng.below(3));
    phase.flops = phase.chain = phase.dependence == HostDependence::sum ? 1 : 0;
    return phase;
}

class SharedBench final : private IntervalCore::Memory {
  public:
    SharedBench(const HostCoreConfig& config, Slot latency) : caches(config, true), latency_(latency) {
        for (unsigned c = 0; c < config.cores; ++c)
            cores.push_back(std::make_unique<IntervalCore>(
                config, IntervalCore::Resources{static_cast<IntervalCore::Memory&>(*this), caches, &bytes, c}));
    }

    /// A phase on each core, all begun at the same time; slots until the last has ended. Nothing is in the caches alone
    /// then. kNever: they are stuck.
    Slot run(const std::vector<HostPhase>& phases) {
        const Slot begun = now_;
        for (std::size_t c = 0; c < phases.size(); ++c) cores[c]->begin(phases[c], now_, 0);
        for (;;) {
            Slot next = go_on(due_.empty() ? now_ + kAhead : due_.begin()->first);
            check_states();
            if (std::all_of(cores.begin(), cores.end(), [](const auto& core) { return core->done(); })) break;
            if (!due_.empty()) next = std::min(next, due_.begin()->first);
            if (next == kNever) return kNever;
            now_ = std::max(now_, next);
            if (forget_every != 0 && now_ >= next_forget_) {
                caches.forget();
                next_forget_ = now_ + forget_every;
            }
            answer();
        }
        Slot ended = now_;
        for (std::size_t c = 0; c < phases.size(); ++c) ended = std::max(ended, cores[c]->end());
        now_ = ended;
        finish();
        return ended - begun;
    }

    /// Where memory differs from what was written; empty if nowhere.
    std::string memory_fault() const {
        for (const auto& [address, value] : bytes.flat) {
            const auto line = memory_.find(address & ~std::uint64_t{kLineBytes - 1});
            const unsigned char there = line == memory_.end() ? 0 : line->second[address % kLineBytes];
            if (there != value) return fmt::format("memory has {} at {:#x}, not {}", there, address, value);
        }
        return "";
    }
    /// Somebody else writes a byte, with no core at work.
    void poke(std::uint64_t address, unsigned char value) {
        bytes.flat[address] = line_at(address & ~std::uint64_t{kLineBytes - 1})[address % kLineBytes] = value;
    }

    FlatBytes bytes;
    HostCaches caches;
    std::vector<std::unique_ptr<IntervalCore>> cores;
    Slot forget_every = 0;  ///< after so many slots clean lines are dropped again; 0: never
    std::string bad_states; ///< the first states of a line that contradict each other

  private:
    using Line = std::array<unsigned char, kLineBytes>;
    struct Due {
        std::uint64_t line;
        bool write;
        unsigned core;
    };
    static constexpr Slot kAhead = 100000;

    Line& line_at(std::uint64_t line) { return memory_.try_emplace(line, Line{}).first->second; }
    void fetch(std::uint64_t line, Slot at) override { due_.emplace(at + latency_, Due{line, false, 0}); }
    void write_back(unsigned core, const CoreWrite& write, Slot at) override {
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (write.mask.test(i)) line_at(write.line)[i] = write.data[i];
        due_.emplace(at + latency_, Due{write.line, true, core});
        lines_.insert(write.line);
    }
    /// The core whose next operation is the earliest goes first, as in HostCore.
    Slot go_on(Slot until) {
        std::vector<Slot> next(cores.size(), 0);
        for (;;) {
            const auto first = std::min_element(next.begin(), next.end());
            if (*first > until) return *first;
            Slot others = until + 1;
            for (auto other = next.begin(); other != next.end(); ++other)
                if (other != first) others = std::min(others, *other);
            *first = cores[static_cast<std::size_t>(first - next.begin())]->advance(std::max(*first + 1, others) - 1);
        }
    }
    void answer() {
        while (!due_.empty() && due_.begin()->first <= now_) {
            const auto [at, due] = *due_.begin();
            due_.erase(due_.begin());
            if (due.write) {
                cores[due.core]->written(at);
                continue;
            }
            lines_.insert(due.line);
            const HostCaches::Arrived came = caches.arrived(due.line);
            if (came.again) {
                cores[came.cores.front()]->fetch_again(due.line, at);
                continue;
            }
            for (const unsigned core : came.cores) cores[core]->fill(due.line, at, line_at(due.line).data());
        }
    }
    void finish() {
        for (unsigned c = 0; c < cores.size(); ++c) {
            CoreWrite write;
            while (cores[c]->clean(write)) write_back(c, write, now_);
        }
        for (; !due_.empty(); due_.erase(due_.begin())) cores[due_.begin()->second.core]->written(now_);
        check_states();
    }
    void check_states() {
        for (const std::uint64_t line : lines_) {
            unsigned copies = 0, owners = 0, alone = 0;
            for (unsigned c = 0; c < cores.size(); ++c) {
                const LineState state = caches.state(c, line);
                copies += state != LineState::invalid ? 1 : 0;
                owners += state > LineState::shared ? 1 : 0;
                alone += state == LineState::exclusive || state == LineState::modified ? 1 : 0;
            }
            const bool bad = owners > 1 || (alone != 0 && copies != 1) || (copies != 0 && !caches.holds(line));
            if (bad && bad_states.empty())
                bad_states = fmt::format("line {:#x}: {} copies, {} owners, {} alone", line, copies, owners, alone);
        }
    }

    Slot latency_, now_ = 0, next_forget_ = 0;
    std::multimap<Slot, Due> due_;
    std::map<std::uint64_t, Line> memory_;
    std::set<std::uint64_t> lines_; ///< that any core has had
};

} // namespace numavp::test

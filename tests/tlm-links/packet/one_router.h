/// A router by itself: packets that arrive a flit a cycle at each input, and what leaves when.
#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "base/values/error.h"
#include "tlm-links/packet/router_step.h"

namespace numavp::test {

/// A flit that was given the switch.
struct Left {
    Cycle cycle;
    unsigned input, output, vc;
    bool operator==(const Left& o) const {
        return cycle == o.cycle && input == o.input && output == o.output && vc == o.vc;
    }
};
inline void PrintTo(const Left& l, std::ostream* out) {
    *out << "cycle " << l.cycle << ": " << l.input << " to " << l.output << " on " << l.vc;
}

class OneRouter final : private RouterCore::Packets {
  public:
    OneRouter(unsigned ports, unsigned vcs, unsigned buffer_flits)
        : vcs_(vcs), waiting_(static_cast<std::size_t>(ports) * vcs), core_(3, ports, vcs, buffer_flits, *this) {
        for (unsigned p = 0; p < ports; ++p) core_.set_credits(p, 1000);
    }
    RouterCore& core() { return core_; }

    /// A packet whose flits come at an input's virtual channel, one a cycle, after those that were said before.
    void packet(unsigned input, unsigned vc, RouterCore::Route route, unsigned flits) {
        packets_.emplace_back(route, flits);
        const auto number = static_cast<PacketIndex>(packets_.size() - 1);
        for (unsigned i = 0; i < flits; ++i) waiting_[input * vcs_ + vc].push_back(i == 0 ? number : kNoPacket);
    }
    void credit(unsigned output, unsigned vc) { core_.credit(output, vc); }

    /// Some cycles. `both`: an input's virtual channels each get a flit a cycle.
    std::vector<Left> run(unsigned cycles, bool both = false) {
        std::vector<Left> all;
        for (const Cycle end = now_ + cycles; now_ < end; ++now_) {
            for (unsigned q = 0; q < waiting_.size(); ++q) {
                if (waiting_[q].empty() || (!both && q % vcs_ != 0 && !waiting_[q - 1].empty())) continue;
                core_.arrive(q / vcs_, q % vcs_, waiting_[q].front());
                waiting_[q].pop_front();
            }
            core_.step(now_, [&](const RouterCore::Sent& s) {
                all.push_back({now_, s.in_port, s.out_port, s.out_vc});
            });
        }
        return all;
    }

  private:
    RouterCore::Route route(unsigned, PacketIndex packet) override { return packets_[packet].first; }
    unsigned flits(PacketIndex packet) const override { return packets_[packet].second; }

    unsigned vcs_;
    std::vector<std::pair<RouterCore::Route, unsigned>> packets_;
    std::vector<std::deque<PacketIndex>> waiting_;
    RouterCore core_;
    Cycle now_ = 0;
};

} // namespace numavp::test

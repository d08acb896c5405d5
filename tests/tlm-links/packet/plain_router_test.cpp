/// The router beside one in nested loops: the same flits leave at the same cycles, under random packets and credits.
#include <deque>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tests/tlm-links/packet/plain_router.h"
#include "tlm-links/packet/router_step.h"

namespace numavp::test {
namespace {

struct RouterShape {
    unsigned ports, vcs, slow; ///< `slow`: as many outputs take a flit in two and a half cycles
};
std::ostream& operator<<(std::ostream& out, const RouterShape& s) {
    return out << s.ports << " ports, " << s.vcs << " channels, " << s.slow << " slow";
}

class BesideAPlainRouter : public ::testing::TestWithParam<RouterShape>, private RouterCore::Packets {
  protected:
    RouterCore::Route route(unsigned, PacketIndex packet) override { return packets_[packet].route; }
    unsigned flits(PacketIndex packet) const override { return packets_[packet].flits; }

    RouterCore core(unsigned buffer_flits) {
        return {0, GetParam().ports, GetParam().vcs, buffer_flits, static_cast<RouterCore::Packets&>(*this)};
    }
    std::vector<PlainRouter::Packet> packets_;
};

TEST_P(BesideAPlainRouter, TheSameFlitsLeave) {
    constexpr unsigned kBuffer = 6;
    constexpr Cycle kBusy = 1000, kEnd = 3000;
    const auto [ports, vcs, slow] = GetParam();
    RouterCore router = core(kBuffer);
    PlainRouter plain(ports, vcs, kBuffer, packets_);
    for (unsigned p = 0; p < slow; ++p) {
        router.set_interval(p, 5U << 15);
        plain.set_interval(p, 5);
    }
    Rng rng(11, ports * 100 + vcs);
    std::vector<std::deque<PacketIndex>> to_come(std::size_t{ports} * vcs); // flits of an input's channel
    std::vector<unsigned> held(to_come.size(), 0);
    std::deque<std::pair<unsigned, unsigned>> credits; // that a receiver gives back: output, channel
    std::uint64_t gone = 0, came = 0;
    for (Cycle now = 0; now < kEnd; ++now) {
        for (unsigned q = 0; q < to_come.size(); ++q) {
            // Loads change, so that routers are full and empty; few outputs, so that packets meet.
            if (to_come[q].empty() && now < kBusy && rng.below(vcs * (now / 250 % 3 == 0 ? 40 : 6)) == 0) {
                const auto all = static_cast<std::uint32_t>(vcs == 32 ? ~0U : (1U << vcs) - 1);
                auto allowed = static_cast<std::uint32_t>(1 + rng.below(all)) & all;
                if (allowed == 0) allowed = 1;
                const auto out =
                    static_cast<unsigned>(rng.below(2) == 0 ? rng.below(ports) : rng.below(2) * (ports - 1));
                const auto flits = static_cast<unsigned>(1 + rng.below(9));
                packets_.push_back({{out, allowed}, flits});
                for (unsigned f = 0; f < flits; ++f)
                    to_come[q].push_back(f == 0 ? static_cast<PacketIndex>(packets_.size() - 1) : kNoPacket);
            }
            if (to_come[q].empty() || held[q] == kBuffer || rng.below(3) == 0) continue;
            router.arrive(q / vcs, q % vcs, to_come[q].front());
            plain.arrive(now, q / vcs, q % vcs, to_come[q].front());
            to_come[q].pop_front();
            ++held[q];
            ++came;
        }
        while (!credits.empty() && (now >= kBusy || rng.below(3) != 0)) {
            router.credit(credits.front().first, credits.front().second);
            plain.credit(credits.front().first, credits.front().second);
            credits.pop_front();
        }
        std::vector<RouterCore::Sent> sent;
        router.step(now, [&sent](const RouterCore::Sent& s) { sent.push_back(s); });
        const std::vector<PlainRouter::Gone> expected = plain.step(now);
        ASSERT_EQ(sent.size(), expected.size()) << "cycle " << now;
        for (unsigned i = 0; i < sent.size(); ++i) {
            const RouterCore::Sent& s = sent[i];
            const PlainRouter::Gone& e = expected[i];
            ASSERT_TRUE(s.in_port == e.in && s.in_vc == e.in_vc && s.out_port == e.out && s.out_vc == e.out_vc &&
                        s.head == e.head && s.tail == e.tail)
                << "cycle " << now << ": " << +s.in_port << " to " << +s.out_port << " on " << +s.out_vc << ", not "
                << e.in << " to " << e.out << " on " << e.out_vc;
            --held[s.in_port * vcs + s.in_vc];
            credits.emplace_back(s.out_port, s.out_vc);
        }
        gone += sent.size();
    }
    EXPECT_EQ(gone, came);
    EXPECT_EQ(router.held(), 0U);
    EXPECT_GT(gone, 300U);
}

INSTANTIATE_TEST_SUITE_P(Shapes, BesideAPlainRouter,
                         ::testing::Values(RouterShape{2, 1, 0}, RouterShape{3, 4, 1}, RouterShape{5, 12, 0},
                                           RouterShape{12, 6, 3}, RouterShape{4, 32, 2}, RouterShape{64, 2, 5},
                                           RouterShape{70, 1, 2}),
                         [](const auto& i) {
                             return std::to_string(i.param.ports) + "_ports_" + std::to_string(i.param.vcs) +
                                    "_channels_" + std::to_string(i.param.slow) + "_slow";
                         });

} // namespace
} // namespace numavp::test

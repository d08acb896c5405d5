/// Terminals with bounded room: when a packet may leave the network, and that the room they give back is not lost.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tlm-links/packet/network_core.h"
#include "tlm-links/topology/explicit_network.h"

namespace numavp::test {
namespace {

/// Two routers with a terminal each; the second one has room for one packet, and a long channel.
class TwoTerminals {
  public:
    static constexpr unsigned kFlits = 4, kEject = 20, kReceiver = 1;
    TwoTerminals() : topology_(two_routers()), net_(topology_.graph, *topology_.routing, core_config()) {}

    NetworkCore& net() { return net_; }
    /// Cycles from now until a packet's arrival; kNever if it has not arrived after a thousand.
    Cycle send() {
        const Cycle begun = net_.now();
        net_.offer({0, kReceiver, kFlits}, begun);
        return arrival(begun);
    }
    /// The same for a packet that was offered at `begun`.
    Cycle arrival(Cycle begun) {
        for (const Cycle end = net_.now() + 1000; net_.now() < end;) {
            net_.step();
            if (net_.arrivals().empty()) continue;
            net_.release(net_.arrivals().front().packet);
            return net_.now() - 1 - begun;
        }
        return kNever;
    }
    /// The terminal gives back the room of a packet.
    void give_back() { net_.credit_ejection(kReceiver, 0, kFlits); }

  private:
    static Topology two_routers() {
        NetworkGraph made;
        for (unsigned n = 0; n < 2; ++n) {
            made.routers.push_back("r" + std::to_string(n));
            made.endpoints.push_back({made.routers.back(), true, n, {}});
            made.attach(n, n, n == kReceiver ? kEject : 1);
        }
        made.connect(0, 1, 1);
        return make_explicit(std::move(made), 1, Place("graph"));
    }
    static NetworkCoreConfig core_config() {
        NetworkCoreConfig config;
        config.virtual_channels = 1;
        config.eject_flits = kFlits;
        return config;
    }
    Topology topology_;
    NetworkCore net_;
};

TEST(BoundedTerminal, APacketWaitsUntilThereIsRoom) {
    TwoTerminals two;
    const Cycle alone = two.send();
    EXPECT_EQ(alone, 1 + 1 + 4 * 2 + 1 + TwoTerminals::kEject + TwoTerminals::kFlits - 1);
    const Cycle begun = two.net().now();
    EXPECT_EQ(two.send(), kNever);
    two.give_back();
    const Cycle given = two.net().now();
    // The room comes back by the channel; then the last two of the router's four stages, and the channel.
    EXPECT_EQ(two.arrival(begun) - (given - begun), 2 * TwoTerminals::kEject + 2 + TwoTerminals::kFlits - 1);
}

/// The terminal keeps the packet for longer than anything is under way in the network, which then skips the cycles
/// until the room has come back.
TEST(BoundedTerminal, RoomThatComesBackWhileTheNetworkRestsIsThereForTheNextPacket) {
    TwoTerminals two;
    const Cycle alone = two.send();
    for (const Cycle kept : {Cycle{0}, Cycle{1000}, Cycle{1001}}) {
        two.net().skip_to(two.net().now() + kept);
        two.give_back();
        two.net().skip_to(two.net().now() + TwoTerminals::kEject + 1);
        EXPECT_EQ(two.send(), alone) << kept;
    }
}

} // namespace
} // namespace numavp::test

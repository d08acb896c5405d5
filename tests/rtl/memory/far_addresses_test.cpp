/// The memory channel in RTL keeps what is 4 GiB and more apart, through its pins: the bits of an address that a
/// translator of SystemVerilog may cut off are those of a key of its store.
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "rtl/axi4_channel_block.h"
#include "rtl/blocks.h"
#include "tests/support/needs.h"

namespace numavp::test {
namespace {

/// A channel whose pins are driven by hand, a transaction of one beat at a time.
class ChannelByHand {
  public:
    void write(std::uint64_t address, unsigned char value) {
        pins_ = {};
        pins_.aw.valid = pins_.w.valid = pins_.w.last = pins_.bready = true;
        pins_.aw.addr = address;
        pins_.w.strb = ~std::uint64_t{0};
        pins_.w.data.fill(value);
        for (unsigned edges = 0; edges < kMost; ++edges) {
            block_.settle(pins_);
            const rtl::AxiSubordinatePins now = block_.pins();
            block_.edge();
            if (now.awready) pins_.aw.valid = false;
            if (now.wready) pins_.w.valid = false;
            if (now.b.valid) return;
        }
        ADD_FAILURE() << "no answer to a write of " << address;
    }
    std::optional<unsigned> read(std::uint64_t address) {
        pins_ = {};
        pins_.ar.valid = pins_.rready = true;
        pins_.ar.addr = address;
        for (unsigned edges = 0; edges < kMost; ++edges) {
            block_.settle(pins_);
            const rtl::AxiSubordinatePins now = block_.pins();
            block_.edge();
            if (now.arready) pins_.ar.valid = false;
            if (now.r.valid) return now.r.data[0];
        }
        return std::nullopt;
    }
    unsigned backdoor(std::uint64_t address) {
        std::array<unsigned char, 1> byte{};
        EXPECT_EQ(block_.debug(address, byte.data(), 1, false), 1U);
        return byte[0];
    }

  private:
    static constexpr unsigned kMost = 1000; ///< edges, of which an access takes some hundred
    rtl::Axi4ChannelBlock block_{rtl::Axi4ChannelConfig{}};
    rtl::AxiManagerPins pins_;
};

TEST(Axi4ChannelBlock, KeepsAddressesFarApartApart) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    constexpr std::uint64_t kNear = 0x12340; // a beat within a page
    ChannelByHand channel;
    std::vector<std::uint64_t> places{kNear};
    for (unsigned bit = 12; bit < 40; ++bit) places.push_back(kNear ^ std::uint64_t{1} << bit); // 4 KiB to 512 GiB away
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(channel.read(places[i]), 0U) << "never written: " << std::hex << places[i];
        channel.write(places[i], static_cast<unsigned char>(i + 1));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        EXPECT_EQ(channel.read(places[i]), i + 1) << std::hex << places[i];
        EXPECT_EQ(channel.backdoor(places[i]), i + 1) << std::hex << places[i];
    }
}

} // namespace
} // namespace numavp::test

/// Pins that are written to signals and read from them are the same: each field of each channel that is valid.
#include <cstdint>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tlm-links/axi/axi4_signal_pins.h"

namespace numavp::test {
namespace {

template <class T> struct PlainWire {
    void write(const T& v) { value = v; }
    const T& read() const { return value; }
    T value{};
};

struct PlainWires {
    PlainWire<bool> awvalid, awready, wvalid, wready, wlast, bvalid, bready, arvalid, arready, rvalid, rready, rlast;
    PlainWire<std::uint32_t> awid, awlen, awsize, awburst, arid, arlen, arsize, arburst, bid, bresp, rid, rresp;
    PlainWire<std::uint64_t> awaddr, araddr, wstrb;
    PlainWire<Axi4DataSignal> wdata, rdata;
};

rtl::AxiData random_data(Rng& rng) {
    rtl::AxiData data;
    for (unsigned char& byte : data) byte = static_cast<unsigned char>(rng.below(256));
    return data;
}
rtl::AxiAddressPins random_address(Rng& rng) {
    const auto below = [&](unsigned most) { return static_cast<unsigned>(rng.below(most)); };
    return {true, below(256), rng.next(), below(256), below(8), below(4)};
}
void expect_equal(const rtl::AxiAddressPins& a, const rtl::AxiAddressPins& b) {
    EXPECT_EQ(a.valid, b.valid);
    EXPECT_EQ(a.id, b.id);
    EXPECT_EQ(a.addr, b.addr);
    EXPECT_EQ(a.len, b.len);
    EXPECT_EQ(a.size, b.size);
    EXPECT_EQ(a.burst, b.burst);
}

TEST(Axi4SignalPins, OfAManagerComeBackAsTheyWere) {
    Rng rng(3, 1);
    for (unsigned i = 0; i < 50; ++i) {
        rtl::AxiManagerPins sent, got;
        sent.aw = random_address(rng);
        sent.ar = random_address(rng);
        sent.w = {true, rng.below(2) != 0, rng.next(), random_data(rng)};
        sent.bready = rng.below(2) != 0;
        sent.rready = rng.below(2) != 0;
        PlainWires wires;
        write_pins(sent, wires);
        read_pins(wires, got);
        expect_equal(got.aw, sent.aw);
        expect_equal(got.ar, sent.ar);
        EXPECT_EQ(got.w.valid, sent.w.valid);
        EXPECT_EQ(got.w.last, sent.w.last);
        EXPECT_EQ(got.w.strb, sent.w.strb);
        EXPECT_EQ(got.w.data, sent.w.data);
        EXPECT_EQ(got.bready, sent.bready);
        EXPECT_EQ(got.rready, sent.rready);
    }
}

TEST(Axi4SignalPins, OfASubordinateComeBackAsTheyWere) {
    Rng rng(3, 2);
    for (unsigned i = 0; i < 50; ++i) {
        const auto flag = [&] { return rng.below(2) != 0; };
        const auto below = [&](unsigned most) { return static_cast<unsigned>(rng.below(most)); };
        rtl::AxiSubordinatePins sent, got;
        sent.awready = flag();
        sent.wready = flag();
        sent.arready = flag();
        sent.b = {true, below(256), below(4)};
        sent.r = {true, flag(), below(256), below(4), random_data(rng)};
        PlainWires wires;
        write_pins(sent, wires);
        read_pins(wires, got);
        EXPECT_EQ(got.awready, sent.awready);
        EXPECT_EQ(got.wready, sent.wready);
        EXPECT_EQ(got.arready, sent.arready);
        EXPECT_EQ(got.b.valid, sent.b.valid);
        EXPECT_EQ(got.b.id, sent.b.id);
        EXPECT_EQ(got.b.resp, sent.b.resp);
        EXPECT_EQ(got.r.valid, sent.r.valid);
        EXPECT_EQ(got.r.last, sent.r.last);
        EXPECT_EQ(got.r.id, sent.r.id);
        EXPECT_EQ(got.r.resp, sent.r.resp);
        EXPECT_EQ(got.r.data, sent.r.data);
    }
}

} // namespace
} // namespace numavp::test

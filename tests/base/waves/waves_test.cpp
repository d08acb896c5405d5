/// Waveforms by themselves: what is declared, held back, coalesced and cut to a window; VCD, FST and the save file.
#include <array>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/waves/gtkwave_save.h"
#include "base/waves/vcd_stream.h"
#include "base/waves/waves.h"
#include "rtl/fst_file.h"
#include "tests/base/waves/fst.h"
#include "tests/base/waves/vcd.h"
#include "tests/support/needs.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class WavesTest : public ::testing::Test {
  protected:
    std::unique_ptr<Waves> make(std::uint64_t from = 0, std::uint64_t to = kNever) const {
        return std::make_unique<Waves>(make_vcd_file(dir_.path("w.vcd")), from, to);
    }
    Vcd read() const {
        Vcd vcd = read_vcd(dir_.path("w.vcd"));
        EXPECT_THAT(vcd.faults, IsEmpty());
        EXPECT_EQ(vcd.timescale, "1ps");
        return vcd;
    }
    WaveClock clock() {
        return {[this] { return now_; }, [this] { return now_ + 1000; }};
    }
    TempDir dir_;
    std::uint64_t now_ = 0;
};

TEST_F(WavesTest, HaveWhatWasSet) {
    const auto waves = make();
    const auto bit = waves->declare({"top", "bit"});
    const auto bus = waves->declare({"top.inner", "bus", 4});
    waves->set(bit, 0, 1);
    waves->set(bus, 1000, 9);
    waves->advance(5000);
    waves->close();
    const Vcd vcd = read();
    EXPECT_THAT(vcd.signals.at("top.bit"), ElementsAre(Pair(0, "1")));
    EXPECT_THAT(vcd.signals.at("top.inner.bus[3:0]"), ElementsAre(Pair(0, "xxxx"), Pair(1000, "1001")));
    EXPECT_EQ(vcd.end, 5000U);
}

TEST_F(WavesTest, ShowOnceWhatSettlesInSteps) {
    const auto waves = make();
    const auto a = waves->declare({"top", "a", 2});
    for (const std::uint64_t value : {0U, 1U, 2U, 0U}) waves->set(a, 1000, value);
    waves->advance(2000);
    waves->set(a, 2000, 3U);
    waves->set(a, 2000, 0U); // as before: no change
    waves->close();
    EXPECT_THAT(read().signals.at("top.a[1:0]"), ElementsAre(Pair(0, "xx"), Pair(1000, "00")));
}

TEST_F(WavesTest, HoldBackWhatIsToCome) {
    const auto waves = make();
    const auto clk = waves->declare({"top", "clk"});
    const auto other = waves->declare({"top", "other"});
    waves->set(clk, 1000, 1);
    waves->set(clk, 1500, 0);
    waves->advance(1200);
    waves->set(other, 1200, 1); // between the two
    waves->advance(9000);
    waves->close();
    const Vcd vcd = read();
    EXPECT_THAT(vcd.signals.at("top.clk"), ElementsAre(Pair(0, "x"), Pair(1000, "1"), Pair(1500, "0")));
    EXPECT_THAT(vcd.signals.at("top.other"), ElementsAre(Pair(0, "x"), Pair(1200, "1")));
}

TEST_F(WavesTest, BeginAndEndWithinAWindow) {
    const auto waves = make(2000, 3000);
    const auto a = waves->declare({"top", "a", 4});
    for (std::uint64_t ps = 0; ps < 6000; ps += 1000) {
        waves->advance(ps);
        waves->set(a, ps + 500, ps / 1000);
    }
    waves->close();
    const Vcd vcd = read();
    EXPECT_THAT(vcd.signals.at("top.a[3:0]"), ElementsAre(Pair(2000, "0001"), Pair(2500, "0010")));
    EXPECT_EQ(vcd.begin, 2000U);
    EXPECT_EQ(vcd.end, 3000U);
}

TEST_F(WavesTest, ShowTheFirstAndTheLastInstantOfAWindow) {
    const auto waves = make(2000, 3000);
    const auto a = waves->declare({"top", "a", 4});
    for (const std::uint64_t ps : {1999U, 2000U, 3000U, 3001U}) waves->set(a, ps, ps % 16);
    waves->advance(9000);
    waves->close();
    EXPECT_THAT(read().signals.at("top.a[3:0]"), ElementsAre(Pair(2000, "0000"), Pair(3000, "1000")));
}

TEST_F(WavesTest, AreWholeWithNothingInTheirWindow) {
    const auto waves = make(2000);
    const auto a = waves->declare({"top", "a"});
    waves->set(a, 0, 1);
    waves->advance(1000);
    waves->close();
    EXPECT_THAT(read().signals.at("top.a"), ElementsAre(Pair(2000, "1")));
}

TEST_F(WavesTest, RefuseWhatBreaksTheirContract) {
    const auto waves = make();
    const auto a = waves->declare({"top", "a"});
    EXPECT_THROW(waves->declare({"top", "a"}), ModelError);
    waves->set(a, 0, 1);
    EXPECT_THROW(waves->declare({"top", "b"}), ModelError);
    waves->advance(2000);
    EXPECT_THROW(waves->set(a, 1999, 0), ModelError);
    EXPECT_THROW(waves->set(a, 2000, "01"), ModelError);
    EXPECT_THROW(waves->advance(1999), ModelError);
}

TEST_F(WavesTest, OfAGroupHaveNumbersBytesAndTexts) {
    const auto waves = make();
    WaveGroup group(*waves, clock(), "g");
    std::uint64_t number = 5;
    std::array<unsigned char, 2> bytes = {0x34, 0x12};
    group.add("top", "number", 3, [&] { return number; });
    group.add_bytes("top", "bytes", bytes.data(), 2);
    group.add_text("top", "text", 2, [] { return std::string("xAB"); });
    group.sample();
    now_ = 1000;
    number = 2;
    group.sample();
    waves->close();
    const Vcd vcd = read();
    EXPECT_THAT(vcd.signals.at("top.number[2:0]"), ElementsAre(Pair(0, "101"), Pair(1000, "010")));
    EXPECT_THAT(vcd.signals.at("top.bytes[15:0]"), ElementsAre(Pair(0, "0001001000110100")));
    EXPECT_THAT(vcd.signals.at("top.text[15:0]"), ElementsAre(Pair(0, "0100000101000010"))); // "AB"
}

TEST_F(WavesTest, TakeTheVcdOfAnother) {
    const auto waves = make();
    VcdStream stream(*waves, "mine", "clk", WaveRadix::hexadecimal);
    const std::string text = "$timescale 1ps $end\n $scope module top $end\n $var wire 1 ! clk $end\n"
                             "$scope module dut $end\n$var wire 1 ! clk $end\n$var wire 3 \" a [5:3] $end\n"
                             "$scope module in $end\n$var wire 3 \" b [2:0] $end\n$upscope $end\n$upscope $end\n"
                             "$upscope $end\n$enddefinitions $end\n#0\n1!\nb101 \"\n";
    for (const char c : text) stream.take(&c, 1); // in pieces
    stream.at(1000);
    stream.take("b011 \"\n", 7);
    stream.pulse(1000, 1500);
    waves->advance(3000);
    waves->close();
    const Vcd vcd = read();
    EXPECT_THAT(vcd.signals.at("mine.dut.a[5:3]"), ElementsAre(Pair(0, "101"), Pair(1000, "011")));
    EXPECT_EQ(vcd.signals.at("mine.dut.in.b[2:0]"), vcd.signals.at("mine.dut.a[5:3]"));
    EXPECT_THAT(vcd.signals.at("mine.dut.clk"), ElementsAre(Pair(0, "x"), Pair(1000, "1"), Pair(1500, "0")));
    EXPECT_THROW(stream.take("1?\n", 3), ModelError);
}

TEST_F(WavesTest, AreTheSameInBothFormats) {
    NUMAVP_NEEDS(kHasFst, rtl::fst_missing());
    const auto fill = [](Waves& waves) {
        std::vector<Waves::Signal> signals;
        for (unsigned bits : {1U, 7U, 64U, 65U, 512U})
            signals.push_back(waves.declare({"top.s" + std::to_string(bits), "v", bits}));
        waves.declare({"a", "first", 7, WaveRadix::decimal, "", 0, 1}); // declared before what it is the same as
        for (std::uint64_t ps = 0; ps < 100'000; ps += 1000) {
            waves.advance(ps);
            for (const auto s : signals)
                if (ps / 1000 % (s + 1) == 0) waves.set(s, ps + s * 100, ps * 0x9e3779b97f4a7c15);
        }
        waves.close();
    };
    Waves vcd(make_vcd_file(dir_.path("w.vcd")));
    Waves fst(rtl::make_fst_file(dir_.path("w.fst")));
    fill(vcd);
    fill(fst);
    ASSERT_TRUE(vcd_of_fst(dir_.path("w.fst"), dir_.path("again.vcd")));
    const Vcd again = read_vcd(dir_.path("again.vcd"));
    EXPECT_EQ(again.signals, read().signals);
    EXPECT_EQ(again.end, read().end);
    EXPECT_GT(again.signals.at("top.s512.v[511:0]").size(), 10U);
}

TEST_F(WavesTest, SayWhyTheyCannotBeWritten) {
    EXPECT_THROW(make_vcd_file(dir_.path("none/w.vcd")), ConfigError);
    EXPECT_THROW(rtl::make_fst_file(dir_.path("none/w.fst")), ConfigError); // or that there is no FST
}

TEST_F(WavesTest, AreListedForGtkwaveInGroups) {
    std::vector<WaveSignal> signals = {{"s", "a", 1, WaveRadix::decimal, "one"},
                                       {"s", "b", 8, WaveRadix::hexadecimal, "two"},
                                       {"s.t", "c", 8, WaveRadix::decimal, "one"},
                                       {"s.t", "d", 8, WaveRadix::decimal, "one", 0, 2}};
    const std::string save = gtkwave_save(signals, "w.vcd", 1'000'000);
    EXPECT_THAT(save, HasSubstr("[dumpfile] \"w.vcd\"\n"));
    EXPECT_THAT(save, HasSubstr("@800200\n-one\n@200\n-s\n@24\ns.a\n@200\n-s.t\n@24\ns.t.c[7:0]\n@1000200\n-one\n"
                                "@800200\n-two\n@200\n-s\n@22\ns.b[7:0]\n@1000200\n-two\n"));
    EXPECT_EQ(save.find("s.t.d"), std::string::npos); // another name for what is listed
}

} // namespace
} // namespace numavp::test

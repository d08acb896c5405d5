/// GDB's packets over a target without a simulation: what each answers, and what malformed ones do.
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/riscv/gdb_protocol.h"
#include "tests/models/riscv/gdb/fake_target.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class GdbProtocolTest : public ::testing::Test {
  protected:
    /// What the bytes are answered, as it goes over the wire.
    std::string bytes(std::string_view sent) {
        std::string out;
        action = protocol.receive(sent, out);
        return out;
    }
    /// Payload of the one answer to a packet; "(none)" if there is none.
    std::string ask(std::string_view payload) {
        const std::string out = bytes(gdb::frame(payload));
        if (out == "+") return "(none)";
        const std::size_t hash = out.rfind('#');
        if (out.substr(0, 2) != "+$" || hash == std::string::npos) return "(no frame) " + out;
        std::string answer = out.substr(2, hash - 2);
        EXPECT_EQ(out, "+" + gdb::frame(answer));
        return answer;
    }
    std::string stop(GdbStop::Why why, unsigned core = 0, std::uint64_t address = 0) {
        std::string out;
        protocol.stopped({why, core, address}, out);
        return out;
    }
    void expect_answers(const std::vector<std::pair<std::string, std::string>>& rows) {
        for (const auto& [packet, answer] : rows) EXPECT_EQ(ask(packet), answer) << packet;
        EXPECT_EQ(target.breaches, "");
        EXPECT_EQ(target.resumed, 0U);
    }

    FakeTarget target;
    GdbProtocol protocol{target};
    GdbAction action = GdbAction::none;
};

TEST_F(GdbProtocolTest, FramesAreAcknowledgedAndSentAgain) {
    EXPECT_EQ(bytes("+$?#3f"), "+$T05thread:1;#d7");
    EXPECT_EQ(bytes("$?#40"), "-") << "wrong checksum";
    EXPECT_EQ(bytes("$?#zz"), "-");
    EXPECT_EQ(bytes("-"), "$T05thread:1;#d7") << "the last answer again";
    EXPECT_EQ(bytes("noise$q"), "");
    EXPECT_EQ(bytes("C#b"), "") << "a packet comes in pieces";
    EXPECT_EQ(bytes("4"), "+" + gdb::frame("QC1"));
    EXPECT_EQ(bytes("$half a pac$?#3f"), "+$T05thread:1;#d7") << "a packet that was cut short is begun anew";
    EXPECT_EQ(bytes("$?#3f$qC#b4"), "+$T05thread:1;#d7+" + gdb::frame("QC1")) << "two at once";
}

TEST_F(GdbProtocolTest, WithoutAcknowledgementsABadPacketIsAnErrorNotAnAction) {
    EXPECT_EQ(ask("QStartNoAckMode"), "OK");
    EXPECT_EQ(bytes("$?#3f"), "$T05thread:1;#d7");
    EXPECT_EQ(bytes("-"), "");
    EXPECT_EQ(bytes("$M80000000,1:ff#00"), gdb::frame("E84"));
    EXPECT_EQ(target.ram[0], 0);
}

TEST_F(GdbProtocolTest, APacketThatIsTooLongIsAnError) {
    const std::string most(GdbCommands::kPacketBytes, 'a');
    EXPECT_EQ(ask(most), "");
    EXPECT_EQ(ask(most + "a"), "E90");
    EXPECT_EQ(ask("?"), "T05thread:1;");
}

TEST_F(GdbProtocolTest, SaysWhatItIsAndCan) {
    EXPECT_EQ(ask("qSupported:multiprocess+;swbreak+"),
              "PacketSize=4000;QStartNoAckMode+;qXfer:features:read+;vContSupported+");
    expect_answers({{"qC", "QC1"},
                    {"qfThreadInfo", "m1,2"},
                    {"qsThreadInfo", "l"},
                    {"qThreadExtraInfo,2", gdb::to_hex("core 1")},
                    {"qThreadExtraInfo,3", "E22"},
                    {"qAttached", "1"},
                    {"qSymbol::", "OK"},
                    {"vCont?", "vCont;c;C;s;S"},
                    {"vMustReplyEmpty", ""},
                    {"vRun;", ""},
                    {"qTStatus", ""},
                    {"!", ""},
                    {"R00", ""},
                    {"x", ""},
                    {"", ""}});
}

TEST_F(GdbProtocolTest, DescribesItsRegisters) {
    const std::string xml = gdb_description(target.csrs());
    EXPECT_THAT(xml, HasSubstr("</architecture>\n<osabi>none</osabi>\n")) << "gdb would take the target for Linux";
    EXPECT_THAT(xml, HasSubstr("org.gnu.gdb.riscv.cpu"));
    EXPECT_THAT(xml, HasSubstr(R"(<reg name="mcause" bitsize="64" regnum="899" type="int"/>)"));
    const std::string first = ask("qXfer:features:read:target.xml:0,10");
    EXPECT_EQ(first, "m" + xml.substr(0, 16));
    const std::string length = (std::ostringstream() << std::hex << xml.size()).str();
    EXPECT_EQ(ask("qXfer:features:read:target.xml:0,ffffffffffffffff"), "l" + xml);
    EXPECT_EQ(ask("qXfer:features:read:target.xml:" + length + ",10"), "l");
    expect_answers({{"qXfer:features:read:target.xml:ffffffffffffffff,10", "E22"},
                    {"qXfer:features:read:target.xml:10000,10", "E22"},
                    {"qXfer:features:read:target.xml:0", "E22"},
                    {"qXfer:features:read:target.xml:", "E22"},
                    {"qXfer:features:read:other.xml:0,10", "E02"},
                    {"qXfer:features:write:target.xml:0:", ""}});
}

TEST_F(GdbProtocolTest, ReadsAndWritesRegisters) {
    target.x[0][1] = 0x0123456789abcdef;
    target.x[1][2] = 7;
    std::string all = ask("g");
    EXPECT_EQ(all.size(), 33U * 16);
    EXPECT_EQ(all.substr(16, 16), "efcdab8967452301");
    expect_answers({{"p1", "efcdab8967452301"},
                    {"p20", "0000000000000000"},
                    {"p383", "0b00000000000000"}, // mcause
                    {"p21", "E22"},
                    {"p382f", "E22"},
                    {"pffffffffffffffff", "E22"},
                    {"p100000001", "E22"}, // not x1
                    {"p", "E22"},
                    {"p1,2", "E22"},
                    {"P382=1000008000000000", "OK"},
                    {"P20=2000008000000000", "OK"},
                    {"P20=20", "E22"},
                    {"P20=2000008000000000ff", "E22"},
                    {"P20", "E22"},
                    {"P21=2000008000000000", "E22"},
                    {"Hg2", "OK"},
                    {"p2", "0700000000000000"},
                    {"Hc1", "OK"},
                    {"p2", "0700000000000000"}}); // that was for going on
    EXPECT_EQ(target.csr[1], 0x80000010U);
    EXPECT_EQ(target.x[0][kGdbPc], 0x80000020U);
    all.replace(3 * 16, 2, "42");
    expect_answers({{"G" + all, "OK"}, {"G" + all + "00", "E22"}, {"G", "E22"}, {"Gx" + all.substr(1), "E22"}});
    EXPECT_EQ(target.x[1][3], 0x42U);
}

TEST_F(GdbProtocolTest, ReadsAndWritesMemoryWithinItsBounds) {
    target.ram[0xffff] = 0x5a;
    target.top[63] = 0xa5;
    expect_answers({{"M80000000,3:01fF7d", "OK"},
                    {"m80000000,4", "01ff7d00"},
                    {"m8000ffff,1", "5a"},
                    {"m8000ffff,2", "E14"},
                    {"m7fffffff,2", "E14"},
                    {"mfffffffffffffffc,4", "000000a5"},
                    {"mfffffffffffffffc,5", "E14"}, // a + len wraps
                    {"mffffffffffffffff,ffffffffffffffff", "E14"},
                    {"m80000000,ffffffffffffffff", "E14"},
                    {"m0,ffffffffffffffff", "E14"},
                    {"m80000000,0", "E14"},
                    {"m80000000", "E22"},
                    {"m80000000,", "E22"},
                    {"m,4", "E22"},
                    {"m180000000000000000,4", "E22"}, // 17 digits and more
                    {"m80000000,4,", "E22"},
                    {"M80000000,2:01", "E22"},
                    {"M80000000,1:0", "E22"},
                    {"M80000000,1:xy", "E22"},
                    {"M80000000,1", "E22"},
                    {"Mfffffffffffffffe,4:00000000", "E14"},
                    {"Mffffffffffffffff,1:77", "OK"},
                    {"X80000000,0:", "OK"}, // how GDB asks for the packet
                    {std::string("X80000001,4:}\x03}]\0a", 18), "OK"},
                    {"m80000000,6", "01237d006100"},
                    {"X80000000,1:}", "E22"}, // cut within an escape
                    {"X80000000,2:a", "E22"},
                    {"Xfffffffffffffffe,4:abcd", "E14"}});
    EXPECT_EQ(target.top[63], 0x77);
    EXPECT_EQ(ask("m80000000,8000").size(), GdbCommands::kPacketBytes) << "no more than a packet holds";
}

TEST_F(GdbProtocolTest, SetsAndRemovesPoints) {
    using Kind = GdbPoint::Kind;
    expect_answers({{"Z0,80000004,2", "OK"},
                    {"Z1,80000004,4", "OK"}, // the same place
                    {"Z2,80000100,8", "OK"},
                    {"Z3,80000108,4", "OK"},
                    {"Z4,fffffffffffffff8,8", "OK"}});
    EXPECT_EQ(target.points, (std::vector<GdbPoint>{{Kind::instruction, 0x80000004, 0},
                                                    {Kind::write, 0x80000100, 8},
                                                    {Kind::read, 0x80000108, 4},
                                                    {Kind::access, 0xfffffffffffffff8, 8}}));
    expect_answers({{"Z4,fffffffffffffff8,9", "E22"},
                    {"Z4,0,ffffffffffffffff", "E22"},
                    {"Z2,80000100,0", "E22"},
                    {"Z5,80000100,4", ""},
                    {"Z2,80000100", "E22"},
                    {"Z2", "E22"},
                    {"Z", "E22"},
                    {"Z0,80000004,2;X1,22", "E22"}, // a condition, which was not offered
                    {"z1,80000004,4", "OK"},
                    {"z1,80000004,4", "OK"}, // again
                    {"z2,80000100,8", "OK"},
                    {"z3,80000108,4", "OK"},
                    {"z4,fffffffffffffff8,8", "OK"}});
    EXPECT_TRUE(target.points.empty());
    for (std::size_t i = 0; i < GdbCommands::kMostPoints; ++i) EXPECT_EQ(ask("Z0," + std::to_string(i) + ",4"), "OK");
    expect_answers({{"Z0,ffff,4", "E28"}});
}

TEST_F(GdbProtocolTest, KnowsItsThreads) {
    expect_answers({{"T1", "OK"},
                    {"T2", "OK"},
                    {"T3", "E22"},
                    {"T0", "E22"},
                    {"T-1", "E22"},
                    {"T", "E22"},
                    {"Hg0", "OK"},
                    {"Hc-1", "OK"},
                    {"Hg2", "OK"},
                    {"qC", "QC2"},
                    {"Hg3", "E22"},
                    {"Hgp1.1", "E22"},
                    {"Hx1", "E22"},
                    {"H", "E22"}});
}

TEST_F(GdbProtocolTest, GoesOnAndSteps) {
    const std::vector<std::pair<std::string, std::optional<unsigned>>> rows = {
        {"c", std::nullopt},          {"s", 0U},
        {"C05", std::nullopt},        {"S05", 0U},
        {"vCont;c", std::nullopt},    {"vCont;s", 0U},
        {"vCont;s:2;c", 1U},          {"vCont;s:2", 1U},
        {"vCont;c:1;s:2;c", 1U},      {"vCont;S00:1;c", 0U},
        {"vCont;c:-1", std::nullopt}, {"vCont;c;s", std::nullopt}};
    for (const auto& [packet, step] : rows) {
        EXPECT_EQ(ask(packet), "(none)") << packet;
        EXPECT_EQ(action, GdbAction::resume) << packet;
        EXPECT_EQ(target.stepped, step) << packet;
        EXPECT_EQ(stop(GdbStop::Why::stepped), gdb::frame("T05thread:1;"));
    }
    EXPECT_EQ(target.resumed, rows.size());
    EXPECT_EQ(ask("c80000040"), "(none)");
    EXPECT_EQ(target.x[0][kGdbPc], 0x80000040U);
    stop(GdbStop::Why::breakpoint, 1);
    EXPECT_EQ(ask("S05;80000044"), "(none)");
    EXPECT_EQ(target.x[1][kGdbPc], 0x80000044U);
    EXPECT_EQ(target.stepped, 1U);
}

TEST_F(GdbProtocolTest, RefusesToGoOnWhereItIsNotSaidHow) {
    expect_answers({{"cx", "E22"},
                    {"c80000040,", "E22"},
                    {"C", "E22"},
                    {"S05,", "E22"},
                    {"vCont;", "E22"},
                    {"vCont;;", "E22"},
                    {"vCont;x", "E22"},
                    {"vCont;t:1", "E22"},
                    {"vCont;c:3", "E22"},
                    {"vCont;c:0", "E22"},
                    {"vCont;c:1:2", "E22"},
                    {"vCont;c:1;s:9", "E22"},
                    {"vCont;r80000000,80000010:1", "E22"}});
    EXPECT_EQ(action, GdbAction::none);
}

TEST_F(GdbProtocolTest, SaysWhyItStopped) {
    using Why = GdbStop::Why;
    const std::vector<std::pair<GdbStop, std::string>> rows = {
        {{Why::interrupted, 0, 0}, "T02thread:1;"},
        {{Why::breakpoint, 1, 0}, "T05thread:2;"},
        {{Why::write_watch, 1, 0x80000100}, "T05watch:80000100;thread:2;"},
        {{Why::read_watch, 0, 0x80000108}, "T05rwatch:80000108;thread:1;"},
        {{Why::access_watch, 0, ~std::uint64_t{0}}, "T05awatch:ffffffffffffffff;thread:1;"}};
    for (const auto& [reason, reply] : rows) {
        ask("c");
        EXPECT_EQ(stop(reason.why, reason.core, reason.address), gdb::frame(reply));
        EXPECT_EQ(ask("?"), reply);
        EXPECT_EQ(stop(reason.why, reason.core, reason.address), "") << "nobody waits for it";
    }
}

TEST_F(GdbProtocolTest, HearsCtrlCWhileItRunsAlone) {
    EXPECT_EQ(bytes("\x03"), "");
    EXPECT_EQ(action, GdbAction::none) << "it stands already";
    EXPECT_EQ(bytes(gdb::frame("c") + "\x03"), "+");
    EXPECT_EQ(action, GdbAction::resume);
    EXPECT_EQ(bytes(""), "");
    EXPECT_EQ(action, GdbAction::interrupt) << "bytes behind the resumption wait";
    EXPECT_EQ(stop(GdbStop::Why::interrupted), gdb::frame("T02thread:1;"));
    ask("c");
    for (const char* packet : {"g", "m80000000,4", "c", "Z0,0,2", "qC", ""}) EXPECT_EQ(ask(packet), "E16") << packet;
}

TEST_F(GdbProtocolTest, AnswersMonitor) {
    const std::string text = gdb::frame("O" + gdb::to_hex("the queue is empty\n"));
    EXPECT_EQ(bytes(gdb::frame("qRcmd," + gdb::to_hex(" faults "))), "+" + text + gdb::frame("OK"));
    const auto console = [this](const std::string& line) {
        std::string out = bytes(gdb::frame("qRcmd," + gdb::to_hex(line)));
        std::string said;
        for (std::size_t at = out.find("$O"); out.compare(at, 3, "$OK") != 0; at = out.find("$O", at + 1)) {
            const std::size_t end = out.find('#', at);
            EXPECT_LE(end - at, GdbCommands::kPacketBytes);
            said += gdb::from_hex(out.substr(at + 2, end - at - 2)).value();
        }
        return said;
    };
    EXPECT_EQ(console("help"), "help: the commands of monitor\nfaults: the fault queue\n");
    EXPECT_EQ(console(""), console("help"));
    EXPECT_EQ(console("fault"),
              "unknown monitor command 'fault', the nearest is 'faults'; allowed are 'help', 'faults'\n");
    EXPECT_EQ(console("long"), std::string(20000, 'x') + "\n");
    expect_answers({{"qRcmd,6", "E22"}, {"qRcmd,xx", "E22"}});
}

TEST_F(GdbProtocolTest, DetachingTakesAllPointsAlong) {
    ask("Z0,80000004,2");
    ask("Z2,80000100,8");
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(action, GdbAction::detach);
    EXPECT_TRUE(target.points.empty());
    EXPECT_EQ(target.stepped, std::nullopt);
    EXPECT_EQ(target.breaches, "");
    EXPECT_EQ(ask("D;1"), "OK");
    EXPECT_EQ(action, GdbAction::detach);
}

TEST_F(GdbProtocolTest, DetachesAndEndsWhileItRunsToo) {
    ask("s");
    EXPECT_EQ(ask("D"), "OK");
    EXPECT_EQ(action, GdbAction::detach);
    EXPECT_EQ(target.stepped, std::nullopt) << "nobody is there to be told of the step";
    EXPECT_EQ(ask("vKill;1"), "OK");
    EXPECT_EQ(action, GdbAction::kill);
    EXPECT_EQ(ask("k"), "(none)");
    EXPECT_EQ(action, GdbAction::kill);
}

TEST_F(GdbProtocolTest, TellsTheEndToThoseWhoWait) {
    std::string out;
    protocol.ended(0, out);
    EXPECT_EQ(out, "") << "it stands: GDB expects no news";
    ask("c");
    protocol.ended(0, out);
    EXPECT_EQ(out, gdb::frame("W00"));
    ask("c");
    out.clear();
    protocol.ended(3, out);
    EXPECT_THAT(out, StartsWith("$W03#"));
}

} // namespace
} // namespace numavp::test

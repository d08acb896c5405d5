/// `numavp memory`: results, errors, and that a generated stream and its file are the same.
#include <algorithm>
#include <fstream>
#include <string>

#include <sys/stat.h>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;

class CliMemory : public Cli {
  protected:
    ordered_json measured(Args words) const {
        words.insert(words.begin(), "memory");
        words.emplace_back("--json");
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        ordered_json result = ordered_json::parse(ended.out);
        EXPECT_GT(result.at("requests_per_s").get<double>(), 0.0);
        result.erase("requests_per_s"); // of the machine
        return result;
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(dir_.path(name), std::ios::binary) << text;
    }
    void expect_bad(const std::string& text, const std::string& part) const {
        write("bad.txt", text);
        expect_fault_keeping_inputs({"memory", "hbm-nuba", "bad.txt"}, part);
    }
    void expect_fault_keeping_inputs(const Args& words, const std::string& part) const {
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 2) << ended.out;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, HasSubstr(part));
        EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    }
};

TEST_F(CliMemory, MeasuresAGeneratedStreamAndItsFileAlike) {
    const ordered_json made = measured({"hbm-nuba", "rand_rw50", "--requests", "3000", "--write", "stream.txt"});
    EXPECT_EQ(made, measured({"hbm-nuba", "stream.txt"}));
    EXPECT_EQ(made.at("reads").get<unsigned>() + made.at("writes").get<unsigned>(), 3'000U);
    for (const char* key : {"bandwidth_gbytes_per_s", "latency_mean_ns", "latency_p50_ns", "latency_p99_ns",
                            "latency_min_ns", "row_hits", "activations"})
        EXPECT_TRUE(made.contains(key)) << key;
    const ordered_json narrow = measured({"hbm-nuba", "stream.txt", "--window-reads", "1", "--window-writes", "1"});
    EXPECT_LT(narrow.at("bandwidth_gbytes_per_s"), made.at("bandwidth_gbytes_per_s"));
}

TEST_F(CliMemory, SaysWhatAFileDoesNotHold) {
    const Ended written = numavp({"memory", "ddr4-2400", "chase", "--requests", "100", "--write", "s.txt", "--json"});
    EXPECT_THAT(written.err, HasSubstr("s.txt: a file has no windows; --window-reads 1 "));
    ordered_json chase = ordered_json::parse(written.out),
                 read = measured({"ddr4-2400", "s.txt", "--window-reads", "1"});
    EXPECT_EQ(read.at("latency_mean_ns"), chase.at("latency_mean_ns"));
}

TEST_F(CliMemory, TakesAFileOfLines) {
    write("two.txt", "R 0x0\nR 0x40\r\nW 0x1FFFFFC0"); // hit behind a closed bank, and the last block
    const ordered_json two = measured({"hbm-nuba", "two.txt", "--window-reads", "1"});
    EXPECT_EQ(two.at("reads"), 2);
    EXPECT_EQ(two.at("writes"), 1);
    EXPECT_NEAR(two.at("latency_mean_ns").get<double>(), (16 + 9) / 2.0 / 0.35, 1e-6);
    EXPECT_NEAR(two.at("latency_min_ns").get<double>(), 9 / 0.35, 1e-6);
    EXPECT_THAT(numavp({"memory", "hmc-cube", "two.txt"}).out, HasSubstr("2 reads and 1 writes"));
}

TEST_F(CliMemory, ListsDevicesAndChangesThem) {
    for (const char* name : {"hbm-nuba", "hmc-vault", "hmc-cube", "ddr4-2400"})
        EXPECT_THAT(numavp({"list", "devices"}).out, HasSubstr(name));
    const ordered_json plain = measured({"hbm-nuba", "seq_r", "--requests", "5000"});
    EXPECT_EQ(plain.at("refreshes"), 0);
    EXPECT_GT(measured({"hbm-nuba", "seq_r", "--requests", "5000", "--set", "refresh=all_bank"}).at("refreshes"), 1);
}

TEST_F(CliMemory, BadStreamsAreNamedWithTheirLine) {
    expect_bad("R 0x0\nX 0x40\n", "bad.txt:2: 'X 0x40' is no request");
    expect_bad("R 64\n", "bad.txt:1: 'R 64' is no request");
    expect_bad("R 0x\n", "bad.txt:1");
    expect_bad("R0x40\n", "bad.txt:1");
    expect_bad("R 0x40 0x80\n", "bad.txt:1");
    expect_bad("R 0x0\n\nR 0x40\n", "bad.txt:2: '' is no request");
    expect_bad("R 0x10000000000000000\n", "bad.txt:1: 'R 0x10000000000000000' is no request");
    expect_bad("R 0xfffffffffffffffffffffffffffffffffffff\n", "is no request");
    expect_bad("LD 18446744073709551616\n", "is no request");
    expect_bad("R 0,0,0,1,2,3\n", "bad.txt:1: 'R 0,0,0,1,2,3' is no request; a file of lines such as 'R 0x1fc0', ");
    expect_bad("3 20734016\n", "is no request");
    expect_bad("0x40 READ x\n", "is no request");
    expect_bad("0x40 READ 10\n0x80 READ 5\n", "bad.txt:2: its time is 5, before 10 of the request before it");
    expect_bad("0x40 READ 10\n0x80 READ\n", "bad.txt:2: '0x80 READ' has no time, unlike the lines before");
    expect_bad("0x40 READ\n0x80 READ 7\n", "bad.txt:2: '0x80 READ 7' has a time, unlike the lines before");
    expect_bad("0x40 READ 1000000000001\n", "bad.txt:1: its time is 1000000000001; at most 1000000000000 is allowed");
    expect_bad("10: (0) read 0x40\n", "is no request");
    expect_bad("# nothing else\n", "bad.txt: it has no request");
    expect_bad(std::string("R 0x0\n\0\x7f"
                           "ELF\n",
                           12),
               "bad.txt:2");
    expect_bad("", "bad.txt: it is empty");
}

/// The same two reads and a write, as each simulator has them.
TEST_F(CliMemory, ReadsTheFilesOfOtherSimulators) {
    write("own.txt", "R 0x1fc0\nR 0x2000\nW 0x40\n");
    ordered_json own = measured({"hbm-nuba", "own.txt"});
    for (const char* text :
         {"LD 0x1fc0\nLD 8192\nST 0x40\n", "0x1fc0 R\n0x2000 R\n0x40 W\n",
          "# DRAMsim3\n0x1FC0 READ 0\n0x2000 READ 0\n40 WRITE 0\n",
          "0x1fc0 P_MEM_RD 0\n0x2000 P_FETCH 0\n0x40 P_MEM_WR 0\n", "0x1fc0 READ 0\n0x2000 READ 0\n0x40 BOFF 0\n",
          "0 0x1fc0 READ\n0 0x2000 READ\n0 0x40 WRITE\n",
          "0: read 0x1fc0\n0:\t(64) read 0x2000\n0: write 0x40 00ff\n"}) {
        write("other.txt", text);
        EXPECT_EQ(measured({"hbm-nuba", "other.txt"}), own) << text;
    }
    write("bytes.stl", "0: (128) read 0x1fc0\n0: (3) write 0x41 00ff11\n");
    const ordered_json bytes = measured({"hbm-nuba", "bytes.stl"});
    EXPECT_EQ(bytes.at("reads"), 2);
    EXPECT_EQ(bytes.at("writes"), 1);
}

/// No request comes before its time, on a channel and on a cube, and the time that passes is that of the file.
TEST_F(CliMemory, RequestsComeAtTheirTimes) {
    write("late.trc", "0x0 READ 0\n0x40 READ 1000\n0x80 WRITE 350000\n");
    write("soon.trc", "0x0 READ 0\n0x40 READ 0\n0x80 WRITE 0\n");
    for (const char* device : {"hbm-nuba", "hmc-cube", "ddr4-2400"}) {
        const double late = measured({device, "late.trc"}).at("time_ns").get<double>();
        const double soon = measured({device, "soon.trc"}).at("time_ns").get<double>();
        EXPECT_GT(late, soon + 100'000.0) << device;
    }
    EXPECT_NEAR(measured({"hbm-nuba", "late.trc"}).at("time_ns").get<double>(), 350'000 / 0.35, 100.0);
    const Ended said = numavp({"memory", "hbm-nuba", "late.trc", "--write", "again.trc", "--json"});
    EXPECT_EQ(said.err,
              "numavp: late.trc: times are cycles of the device's clock: no request is offered before its own\n");
    EXPECT_EQ(text_of("again.trc"), text_of("late.trc"));
}

/// Addresses of a program need not fit the device: the block that holds them is accessed, and a note says so.
TEST_F(CliMemory, AddressesBecomeThoseOfBlocksOfTheDevice) {
    write("odd.txt", "R 0x1004\nR 0x20001000\nW 0xffffffffffffffff\n");
    write("even.txt", "R 0x1000\nR 0x1000\nW 0x1fffffc0\n");
    const Ended odd = numavp({"memory", "hbm-nuba", "odd.txt"});
    EXPECT_EQ(odd.status, 0);
    EXPECT_EQ(odd.err, "numavp: odd.txt: 2 requests within a block of 64 B: the block is accessed\n"
                       "numavp: odd.txt: 2 requests beyond the device: addresses are taken modulo 0x20000000\n");
    EXPECT_EQ(measured({"hbm-nuba", "odd.txt"}), measured({"hbm-nuba", "even.txt"}));
    EXPECT_EQ(numavp({"memory", "hbm-nuba", "even.txt"}).err, "");
}

/// Bytes that are no text do not reach a terminal as they are.
TEST_F(CliMemory, BinaryInputIsQuotedAsText) {
    for (const std::string& bytes : {std::string("\xfd"
                                                 "7zXZ\0\0\x04\xe6\xd6\xff",
                                                 11),
                                     std::string("R 0x\x80\n"),
                                     std::string("\xc2\x9b"
                                                 "31m\n"),
                                     std::string("\xed\xa0\x80\n"), std::string("\xff\xfe\n")}) {
        write("bad.txt", bytes);
        const Ended ended = numavp({"memory", "hbm-nuba", "bad.txt"});
        EXPECT_EQ(ended.status, 2);
        for (const char c : ended.err) EXPECT_TRUE((c >= ' ' && c <= '~') || c == '\n') << ended.err;
        EXPECT_THAT(ended.err, HasSubstr("bad.txt:1: '"));
    }
    write("t.txt.xz", "this is no archive at all");
    expect_fault_keeping_inputs({"memory", "hbm-nuba", "t.txt.xz"}, "t.txt.xz: is not an xz file");
    const Ended odd = numavp({"memory", "hbm-nuba", "\xff\xfe.txt"});
    EXPECT_THAT(odd.err, HasSubstr("\\xff\\xfe.txt: it can't be read"));
}

TEST_F(CliMemory, WrongWordsAreNamed) {
    write("one.txt", "R 0x0\n");
    expect_fault_keeping_inputs({"memory", "hbm-nubs", "one.txt"}, "the nearest is 'hbm-nuba'");
    expect_fault_keeping_inputs({"memory", "hbm-nuba", "nothing.txt"}, "nothing.txt: it can't be read");
    expect_fault_keeping_inputs({"memory", "hbm-nuba", "."}, "this is no regular file");
    ASSERT_EQ(::mkfifo(dir_.path("fifo").c_str(), 0600), 0);
    expect_fault_keeping_inputs({"memory", "hbm-nuba", "fifo"}, "fifo: this is no regular file");
    for (const char* bad : {"0", "-1", "1.5", "1000001", "99999999999999999999", "x", ""})
        if (*bad != '\0')
            expect_fault_keeping_inputs({"memory", "hbm-nuba", "one.txt", std::string("--window-reads=") + bad},
                                        "--window-reads");
    expect_fault_keeping_inputs({"memory", "hbm-nuba", "one.txt", "--requests", "5"}, "--requests");
    expect_fault_keeping_inputs({"memory", "hbm-nuba", "seq_r", "--set", "timing.fav=5"}, "fav");
    expect_fault_keeping_inputs({"memory", "hbm-nuba"}, "STREAM");
}

} // namespace
} // namespace numavp::test

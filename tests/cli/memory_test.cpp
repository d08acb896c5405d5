/// `numavp memory`: results, errors, and that a generated stream and its file are the same.
#include <algorithm>
#include <fstream>
#include <string>

#include <sys/stat.h>

#include "tests/cli/cli_fixture.h"

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
    expect_bad("R 0x0\nR 0x41\n", "bad.txt:2: 0x41 is not aligned; multiples of 64 bytes are allowed");
    expect_bad("R 0x20000000\n", "bad.txt:1: 'R 0x20000000' is beyond the device");
    expect_bad("R 0x10000000000000000\n", "is beyond the device");
    expect_bad("R 0xfffffffffffffffffffffffffffffffffffff\n", "is beyond the device");
    expect_bad(std::string("R 0x0\n\0\x7f"
                           "ELF\n",
                           12),
               "bad.txt:2");
    expect_bad("", "bad.txt: it is empty");
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

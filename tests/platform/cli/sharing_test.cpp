/// `numavp check WORKLOAD --sharing`: the table, the keys of its JSON, options that can't be meant.
#include <algorithm>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CliSharing : public Cli {
  protected:
    void SetUp() override {
        // Each of 128 blocks stores a page of its own, all read one word.
        dir_.write("own.json", R"({"kernels": [{"pattern": "grid_loop", "name": "k", "parameters": {
            "grid_x": 128, "block_x": 1024, "accesses": [{"array": "table", "elements": 1, "thread_x": 0},
            {"array": "own", "kind": "store", "elements": 131072, "block_x": 1024}]}}]})");
    }
    ordered_json counted(Args more) const {
        more.insert(more.begin(), {"check", "own.json", "--sharing", "--json"});
        const Ended ended = numavp(more);
        EXPECT_EQ(ended.status, 0) << ended.err;
        EXPECT_EQ(ended.err, "");
        return ordered_json::parse(ended.out);
    }
    void expect_refused(const Args& more, const std::string& part) const {
        Args words{"check", "own.json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 2) << ended.out;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, HasSubstr(part));
        EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    }
};

TEST_F(CliSharing, TakesAScale) {
    const Args triad{"check", "stream-triad", "--sharing", "--json", "--scale"};
    const auto pages = [&](const std::string& scale) {
        Args words = triad;
        words.push_back(scale);
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        const ordered_json said = ordered_json::parse(ended.out);
        EXPECT_EQ(said.at("scale"), std::stod(scale));
        return said.at("pages").get<unsigned>();
    };
    EXPECT_NEAR(pages("0.1"), 2.0 * pages("0.05"), 8);
    expect_refused({"--sharing", "--scale", "0"}, "--scale");
    expect_refused({"--scale", "0.5"}, "--scale requires --sharing");
}

TEST_F(CliSharing, JsonHasFlatKeys) {
    const ordered_json all = counted({});
    EXPECT_EQ(all.at("workload"), "own");
    EXPECT_EQ(all.at("sms"), 64);
    EXPECT_EQ(all.at("split"), "contiguous");
    EXPECT_EQ(all.at("page_bytes"), 4096);
    EXPECT_EQ(all.at("thread_instructions_limit"), 1000000000);
    EXPECT_GT(all.at("thread_instructions").get<unsigned>(), 128U * 1024U);
    EXPECT_EQ(all.at("whole"), true);
    EXPECT_EQ(all.at("launches"), 1);
    EXPECT_EQ(all.at("launches_in_all"), 1);
    EXPECT_EQ(all.at("footprint_bytes"), 131072 * 4 + 4);
    EXPECT_EQ(all.at("pages"), 129);
    EXPECT_EQ(all.at("pages_by_1_sm"), 128);
    EXPECT_EQ(all.at("pages_by_2_to_10_sms"), 0);
    EXPECT_EQ(all.at("pages_by_11_to_25_sms"), 0);
    EXPECT_EQ(all.at("pages_by_26_sms_or_more"), 1);
    EXPECT_EQ(all.at("pages_shared"), 1);
    EXPECT_EQ(all.at("pages_written"), 128);
    EXPECT_EQ(all.at("pages_read_only_shared"), 1);
    EXPECT_EQ(all.at("read_only_shared_bytes"), 4096);
    EXPECT_EQ(all.at("pages_read_only_shared_in_launch"), 1);
    EXPECT_EQ(all.at("read_only_shared_in_launch_bytes"), 4096);
    EXPECT_EQ(all.at("array.k.table.pages"), 1);
    EXPECT_EQ(all.at("array.k.own.pages_by_1_sm"), 128);
    for (const auto& [key, value] : all.items()) EXPECT_TRUE(value.is_primitive()) << key;
}

TEST_F(CliSharing, OptionsChangeTheWalk) {
    EXPECT_EQ(counted({"--sms", "1"}).at("pages_by_1_sm"), 129);
    EXPECT_EQ(counted({"--sms", "2"}).at("pages_by_2_to_10_sms"), 1);
    const ordered_json large = counted({"--page-bytes", "2097152", "--split", "round_robin"});
    EXPECT_EQ(large.at("split"), "round_robin");
    EXPECT_EQ(large.at("pages"), 2);
    EXPECT_EQ(large.at("pages_by_26_sms_or_more"), 2);
    EXPECT_EQ(large.at("read_only_shared_bytes"), 2097152);
    const ordered_json cut = counted({"--instructions", "1000"});
    EXPECT_EQ(cut.at("whole"), false);
    EXPECT_EQ(cut.at("thread_instructions"), 1000);
    EXPECT_LT(cut.at("pages"), 129);
}

TEST_F(CliSharing, TheTableHasARowForEachArray) {
    const Ended ended = numavp({"check", "own.json", "--sharing"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out,
                AllOf(HasSubstr("own: 64 SMs, split contiguous, pages of 4 KiB: 1 of 1 launches, "),
                      HasSubstr("the whole workload\n"), HasSubstr("read-only shared"),
                      ::testing::ContainsRegex("k.table +1 +0.0 % +0.0 % +0.0 % +100.0 % +0 +4 KiB +4 KiB\n"),
                      ::testing::ContainsRegex("k.own +128 +100.0 %"), ::testing::ContainsRegex("all +129 +99.2 %")));
}

TEST_F(CliSharing, TakesNamesAndTraces) {
    EXPECT_EQ(numavp({"check", "compute", "--sharing"}).status, 0);
    const Ended trace = numavp({"check", source_dir() + "/tests/data/traces/kernelslist.g", "--sharing", "--json"});
    EXPECT_EQ(trace.status, 0) << trace.err;
    EXPECT_GT(ordered_json::parse(trace.out).at("pages"), 0);
}

TEST_F(CliSharing, BadOptionsGetASentence) {
    expect_refused({"--sharing", "--sms", "0"}, "--sms: '0' is not a whole number from 1 to 4096");
    expect_refused({"--sharing", "--sms", "4097"}, "--sms: '4097' is not a whole number from 1 to 4096");
    expect_refused({"--sharing", "--split", "modulo"},
                   "--split: unknown split of blocks over SMs 'modulo'; allowed are 'contiguous', 'round_robin'");
    expect_refused({"--sharing", "--page-bytes", "2048"},
                   "--page-bytes: '2048' is not a power of two from 4096 to 2097152");
    expect_refused({"--sharing", "--page-bytes", "12288"},
                   "--page-bytes: '12288' is not a power of two from 4096 to 2097152");
    expect_refused({"--sharing", "--instructions", "1e9"},
                   "--instructions: '1e9' is not a whole number from 1 to 1000000000000000");
    expect_refused({"--json"}, "--json requires --sharing");
    expect_refused({"--sms", "4"}, "--sms requires --sharing");
    expect_refused({"--sharing", "--json=yes"}, "--json takes no value");
    const Ended none = numavp({"check", "no-such-workload", "--sharing"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("unknown workload 'no-such-workload'"));
    const Ended system = numavp({"check", "configs/systems/numa-aware-4.json", "--sharing"});
    EXPECT_EQ(system.status, 2);
    EXPECT_EQ(std::count(system.err.begin(), system.err.end(), '\n'), 1) << system.err;
}

} // namespace
} // namespace numavp::test

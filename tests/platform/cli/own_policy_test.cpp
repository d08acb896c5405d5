/// Placement policies of the user's: a shared object, the same source as firmware, and what goes wrong with them.
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OwnPolicy : public Cli {
  protected:
    static std::string built(const std::string& name) {
        return (std::filesystem::path(firmware_file()).parent_path() / name).string();
    }
    static std::string object(const std::string& policy) { return built("policies/" + policy + ".so"); }

    /// Faults of socket 0, far enough apart that the driver idles between them: six loads, then two stores.
    void write_faults() const {
        std::string faults = "ps,page,socket,write\n";
        for (unsigned i = 0; i < 8; ++i)
            faults +=
                std::to_string((i + 1) * 50000000ULL) + "," + std::to_string(i) + ",0," + (i < 6 ? "0" : "1") + "\n";
        dir_.write("faults.csv", faults);
    }
    static Args replay_words(const std::string& policy, const Args& more) {
        Args words = {"replay-faults",        "faults.csv", "numa-aware-4", "--json",
                      "--page-table",         "pages.csv",  "--set",        "driver.policy=" + policy,
                      "translation.mode=full"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    ordered_json replay(const std::string& policy, const Args& more) const {
        write_faults();
        const Ended ended = numavp(replay_words(policy, more));
        EXPECT_EQ(ended.status, 0) << ended.err;
        return ended.status == 0 ? ordered_json::parse(ended.out) : ordered_json();
    }
    /// Memories of the pages of the last replay, in the order of pages.
    std::vector<unsigned> homes() const {
        std::istringstream lines(text_of("pages.csv"));
        std::vector<unsigned> homes;
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);)
            homes.push_back(static_cast<unsigned>(std::stoul(line.substr(line.find(',') + 1))));
        return homes;
    }
    static Args run_words(const std::string& policy, const Args& more) {
        Args words = {"run",
                      "numa-aware-2",
                      "stream-triad",
                      "--scale",
                      "0.01",
                      "--quiet",
                      "--out",
                      "out",
                      "--set",
                      "socket.sms=4",
                      "translation.mode=full",
                      "placement.page_kib=4",
                      "driver.execution=native",
                      "driver.policy=" + policy};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
};

/// One router between any two sockets: a page goes elsewhere when socket 0 has two more pages that were read first.
TEST_F(OwnPolicy, ExampleSpreadsWhatIsReadAndKeepsWhatIsWritten) {
    replay(object("writers_keep"), {"driver.execution=native"});
    EXPECT_THAT(homes(), ElementsAre(0, 0, 1, 2, 3, 0, 0, 0));
}

/// The host is a part of the ring too: two routers are between sockets 0 and 1, and three between 0 and 2 or 3.
TEST_F(OwnPolicy, ExampleSeesDistances) {
    replay(object("writers_keep"), {"driver.execution=native", "network.topology=ring"});
    EXPECT_THAT(homes(), ElementsAre(0, 0, 0, 1, 0, 1, 0, 0));
}

TEST_F(OwnPolicy, SameSourceGivesTheSamePagesInAllExecutions) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    const ordered_json native = replay(object("writers_keep"), {"driver.execution=native", "network.topology=ring"});
    const std::string pages = text_of("pages.csv");
    const ordered_json ideal = replay(object("writers_keep"), {"driver.execution=ideal", "network.topology=ring"});
    EXPECT_EQ(text_of("pages.csv"), pages);
    const ordered_json riscv = replay("own", {"driver.execution=riscv", "network.topology=ring",
                                              "driver.riscv.firmware=" + built("writers_keep.elf")});
    EXPECT_EQ(text_of("pages.csv"), pages);
    EXPECT_EQ(native.at("page_table_digest"), riscv.at("page_table_digest"));
    EXPECT_EQ(native.at("device_write_digest"), riscv.at("device_write_digest"));
    EXPECT_EQ(native.at("homes_digest"), ideal.at("homes_digest"));
    for (const ordered_json& one : {native, riscv})
        EXPECT_THAT(one.at("console").get<std::string>(), HasSubstr("driver: writers_keep, 4 sockets"));
}

TEST_F(OwnPolicy, IsNamedWithItsHash) {
    const std::string file = object("writers_keep");
    ASSERT_EQ(numavp(run_words(file, {})).status, 0);
    const ordered_json own = json_of("out/run.json").at("own");
    ASSERT_EQ(own.size(), 1U);
    EXPECT_EQ(own[0].at("replaces"), "placement_policy");
    EXPECT_EQ(own[0].at("path"), file);
    EXPECT_EQ(own[0].at("sha1").get<std::string>().size(), 40U);
    EXPECT_EQ(json_of("out/results.json").at("configuration").at("driver").at("policy"), file);
    const Ended told = numavp({"explain", "numa-aware-2", "--set", "translation.mode=full", "driver.execution=native",
                               "driver.policy=" + file});
    EXPECT_THAT(told.out, HasSubstr(own[0].at("sha1").get<std::string>()));
}

/// The first page faults before anything has crossed a link.
TEST_F(OwnPolicy, SeesThatLinksAreInUse) {
    ASSERT_EQ(numavp(run_words(object("by_links"), {"link.sample_cycles=200"})).status, 0);
    const ordered_json sockets = json_of("out/results.json").at("statistics");
    EXPECT_GT(sockets.at("socket0").at("memory").at("allocated_bytes"), 0);
    EXPECT_GT(sockets.at("socket1").at("memory").at("allocated_bytes"), 0);
}

/// The driver has not started then, and the policy's state has no room yet.
TEST_F(OwnPolicy, StaysThroughAChangeAtTheFirstLaunch) {
    for (const char* const as : {"driver.execution=native", "driver.execution=ideal"}) {
        const std::string file = object("writers_keep");
        ASSERT_EQ(numavp(run_words(file, {as, "link.balancer=static"})).status, 0);
        const ordered_json built = json_of("out/results.json");
        const Ended changed = numavp(run_words(file, {as, "--change", "1:link.balancer=static"}));
        ASSERT_EQ(changed.status, 0) << changed.err;
        EXPECT_EQ(json_of("out/results.json").at("cycles"), built.at("cycles")) << as;
    }
}

TEST_F(OwnPolicy, ThatCantBeLoadedIsRefused) {
    const auto refuse = [this](const std::string& policy, const std::string& part) {
        expect_fault(run_words(policy, {}), part);
    };
    refuse("./none.so", "driver.policy: './none.so' is no file; a shared object with the symbol numavp_policy is");
    refuse("none.so", "driver.policy: 'none.so' is no file");
    dir_.write("text.so", "no object");
    refuse("text.so", "driver.policy: 'text.so' can't be loaded (");
    refuse(object("no_policy"), "has no symbol numavp_policy; a struct Policy of sw/driver/policy.h is expected");
    refuse(object("other_version"), "has a policy for version 2 of the interface; version 1 is expected");
    refuse(object("too_large"), "has a policy that can't be used: it asks for more than 4096 words of state");
}

TEST_F(OwnPolicy, OfAnotherExecutionIsRefused) {
    expect_fault(run_words(object("writers_keep"), {"driver.execution=riscv"}),
                 "is code of this machine, and the riscv execution has other code; native and ideal are allowed");
    expect_fault(run_words("own", {}), "own is the policy of a firmware image of yours");
    expect_fault(run_words("own", {"driver.execution=riscv"}), "own is the policy of a firmware image of yours");
    expect_fault(run_words("first_touch", {"--change", "1:driver.policy=./other.so"}),
                 "a shared object is loaded when the machine is built");
}

TEST_F(OwnPolicy, ThatIsNotInTheImageIsSaid) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    expect_fault(run_words("own", {"driver.execution=riscv", "driver.riscv.firmware=" + firmware_file()}),
                 "has no symbol numavp_policy; an image that was built with a policy is expected");
}

TEST_F(OwnPolicy, AnswerBeyondTheSocketsEndsTheRun) {
    const Ended ended = numavp(run_words(object("beyond_sockets"), {}));
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("the policy wants a socket that doesn't exist"));
    EXPECT_FALSE(exists("out"));
}

} // namespace
} // namespace numavp::test

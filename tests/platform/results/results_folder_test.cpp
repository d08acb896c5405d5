#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config_file.h"
#include "base/values/error.h"
#include "platform/results/results_folder.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Folder : public ::testing::Test {
  protected:
    std::vector<std::string> names(const std::string& folder = "") const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(dir_.path(folder)))
            all.push_back(entry.path().filename().string());
        std::sort(all.begin(), all.end());
        return all;
    }
    std::string text(const std::string& name) const {
        std::ifstream in(dir_.path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::string results(const std::string& content) { return "{\"format\": 1, \"is\": \"" + content + "\"}"; }
    /// What a run writes, with the list of its files.
    static void fill(ResultsFolder& folder, const std::string& content) {
        folder.write("results.json", results(content));
        json run = {{"program", "numavp"}, {"is", content}, {"files", folder.files()}};
        folder.write("run.json", run.dump());
    }
    void run(const std::string& content) const {
        ResultsFolder folder(dir_.path("out"), false);
        fill(folder, content);
        folder.commit();
    }
    bool has(const std::string& name) const { return fs::exists(fs::symlink_status(dir_.path(name))); }
    TempDir dir_;
};

TEST_F(Folder, IsNotThereBeforeItIsWhole) {
    ResultsFolder folder(dir_.path("out"), false);
    EXPECT_THAT(names(), IsEmpty());
    fill(folder, "one");
    EXPECT_FALSE(fs::exists(dir_.path("out")));
    EXPECT_EQ(folder.commit(), dir_.path("out"));
    EXPECT_THAT(names(), ElementsAre("out"));
    EXPECT_EQ(text("out/results.json"), results("one"));
}

TEST_F(Folder, LeavesNothingIfItIsNotCommitted) {
    {
        ResultsFolder folder(dir_.path("out"), false);
        fill(folder, "one");
        EXPECT_EQ(names().size(), 1U);
    }
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Folder, ReplacesWhatTheEarlierRunWroteAndNothingElse) {
    {
        ResultsFolder folder(dir_.path("out"), false);
        folder.write("report.html", "of one");
        fill(folder, "one");
        folder.commit();
    }
    dir_.write("out/notes.txt", "mine");
    dir_.write("out/plots/run.json", "mine");
    fs::create_symlink("nowhere", dir_.path("out/link"));
    {
        ResultsFolder folder(dir_.path("out"), false);
        fill(folder, "two");
        EXPECT_EQ(text("out/results.json"), results("one")) << "the new ones are not complete";
        folder.commit();
    }
    EXPECT_THAT(names(), ElementsAre("out"));
    EXPECT_THAT(names("out"), ElementsAre("link", "notes.txt", "plots", "results.json", "run.json"));
    EXPECT_EQ(text("out/results.json"), results("two"));
    EXPECT_EQ(text("out/notes.txt") + text("out/plots/run.json"), "minemine");
    EXPECT_EQ(fs::read_symlink(dir_.path("out/link")), "nowhere");
}

TEST_F(Folder, DoesNotBelieveNamesThatLeadOutOfIt) {
    dir_.write("mine", "x");
    dir_.write("out/results.json", results("one"));
    dir_.write("out/run.json", R"({"program": "numavp", "files": ["../mine", ")" + dir_.path("mine") + "\", 7]}");
    run("two");
    EXPECT_EQ(text("mine"), "x");
}

TEST_F(Folder, StaysALink) {
    dir_.write("disk/old/results.json", results("one"));
    dir_.write("disk/old/run.json", R"({"program": "numavp"})");
    for (const char* target : {"disk/old", "disk/new"}) { // the second is not there yet
        fs::remove(dir_.path("out"));
        fs::create_symlink(target, dir_.path("out"));
        run("two");
        EXPECT_EQ(fs::read_symlink(dir_.path("out")), target);
        EXPECT_EQ(text(std::string(target) + "/results.json"), results("two"));
    }
    EXPECT_THAT(names("disk"), ElementsAre("new", "old"));
}

TEST_F(Folder, RefusesResultsThatAreNotItsOwn) {
    dir_.write("other/results.json", R"({"score": 1})");
    dir_.write("other/run.json", R"({"wall": 1})");
    EXPECT_THROW(ResultsFolder(dir_.path("other"), false), ConfigError);
    run("one");
    fs::rename(dir_.path("out/results.json"), dir_.path("kept"));
    fs::create_symlink("../kept", dir_.path("out/results.json"));
    EXPECT_THROW(ResultsFolder(dir_.path("out"), false), ConfigError) << "the link would be replaced";
}

TEST_F(Folder, TakesFilesThatLieInIt) {
    for (const char* content : {"one", "two"}) {
        const std::string waves = dir_.path("out/./w/run.vcd"), faults = dir_.path("elsewhere.csv");
        ResultsFolder folder(dir_.path("out"), false, {waves, faults});
        EXPECT_EQ(folder.place_of(faults), faults);
        const std::string place = folder.place_of(waves);
        EXPECT_NE(place, waves);
        fs::create_directories(fs::path(place).parent_path());
        std::ofstream(place) << content;
        fill(folder, content);
        folder.commit();
        EXPECT_EQ(text("out/w/run.vcd"), content);
    }
    EXPECT_THAT(names("out"), ElementsAre("results.json", "run.json", "w"));
    run("three");
    EXPECT_THAT(names("out"), ElementsAre("results.json", "run.json")) << "waves of another run";
    EXPECT_THROW(ResultsFolder(dir_.path("out"), false, {dir_.path("out/run.json")}), ConfigError);
}

TEST_F(Folder, KeepsFilesOfARunThatFailedAndIsFreeForTheNext) {
    {
        ResultsFolder folder(dir_.path("out"), false, {dir_.path("out/run.vcd")});
        std::ofstream(folder.place_of(dir_.path("out/run.vcd"))) << "until then";
        folder.commit();
    }
    EXPECT_EQ(text("out/run.vcd"), "until then");
    EXPECT_THROW(ResultsFolder(dir_.path("out"), false), ConfigError);
    EXPECT_NO_THROW(ResultsFolder(dir_.path("out"), false, {dir_.path("out/run.vcd")}));
}

/// The program was killed after it had begun to move complete files to their places.
TEST_F(Folder, GoesOnWithWhatAKilledRunBegan) {
    run("one");
    dir_.write("out/notes.txt", "mine");
    dir_.write("out/results.json", results("two"));
    dir_.write("out/.results.complete/timeline.json", "two");
    dir_.write("out/.results.complete/run.json", R"({"program": "numavp", "is": "two"})");
    finish_replacing(dir_.path("out"));
    EXPECT_THAT(names("out"), ElementsAre("notes.txt", "results.json", "run.json", "timeline.json"));
    EXPECT_EQ(text("out/results.json"), results("two"));
    EXPECT_EQ(json::parse(text("out/run.json"))["is"], "two");
}

TEST_F(Folder, NumbersThoseThatExist) {
    for (const char* expected : {"out", "out-2", "out-3"}) {
        ResultsFolder folder(dir_.path("out"), true);
        fill(folder, expected);
        EXPECT_EQ(folder.commit(), dir_.path(expected));
    }
    EXPECT_EQ(json::parse(text("out-2/run.json"))["is"], "out-2");
}

TEST_F(Folder, RefusesWhatIsNotResults) {
    dir_.write("mine/notes", "x");
    dir_.write("file", "x");
    EXPECT_THROW(ResultsFolder(dir_.path("mine"), false), ConfigError);
    EXPECT_THROW(ResultsFolder(dir_.path("file"), false), ConfigError);
    EXPECT_THROW(ResultsFolder(dir_.path("file/out"), false), ConfigError);
    EXPECT_THROW(ResultsFolder("/", false), ConfigError);
    EXPECT_THROW(ResultsFolder("", false), ConfigError);
}

TEST_F(Folder, StandsBesideWhatCameInTheMeantime) {
    ResultsFolder folder(dir_.path("out"), false);
    fill(folder, "one");
    dir_.write("out/notes", "x");
    EXPECT_EQ(folder.commit(), dir_.path("out-2"));
    EXPECT_THAT(names("out"), ElementsAre("notes"));
    EXPECT_EQ(text("out-2/results.json"), results("one"));
}

TEST_F(Folder, RemovesWhatAKilledRunLeftButNotWhatALivingOneWrites) {
    dir_.write(".out.partial-dead", "a file is not a folder of ours");
    dir_.write(".out.partial-killed/results.json", "{");
    ResultsFolder living(dir_.path("out"), false);
    fill(living, "living");
    EXPECT_FALSE(fs::exists(dir_.path(".out.partial-killed")));
    ResultsFolder other(dir_.path("out"), false);
    fill(other, "other");
    living.commit();
    other.commit();
    EXPECT_EQ(text("out/results.json"), results("other"));
    EXPECT_THAT(names(), ElementsAre(".out.partial-dead", "out"));
    dir_.write("out/.results.partial-killed/results.json", "{");
    run("last");
    EXPECT_THAT(names("out"), ElementsAre("results.json", "run.json"));
}

} // namespace
} // namespace numavp::test

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "platform/results_folder.h"
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
    static void fill(ResultsFolder& folder, const std::string& content) {
        folder.write("results.json", content);
        folder.write("run.json", content);
    }
    TempDir dir_;
};

TEST_F(Folder, IsNotThereBeforeItIsWhole) {
    ResultsFolder folder(dir_.path("out"), false);
    EXPECT_THAT(names(), IsEmpty());
    fill(folder, "one");
    EXPECT_FALSE(fs::exists(dir_.path("out")));
    EXPECT_EQ(folder.commit(), dir_.path("out"));
    EXPECT_THAT(names(), ElementsAre("out"));
    EXPECT_EQ(text("out/results.json"), "one");
}

TEST_F(Folder, LeavesNothingIfItIsNotCommitted) {
    {
        ResultsFolder folder(dir_.path("out"), false);
        fill(folder, "one");
        EXPECT_EQ(names().size(), 1U);
    }
    EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Folder, ReplacesEarlierResultsWhole) {
    for (const char* content : {"one", "two"}) {
        ResultsFolder folder(dir_.path("out"), false);
        fill(folder, content);
        if (std::string(content) == "one") folder.write("more", "x");
        folder.commit();
    }
    EXPECT_THAT(names(), ElementsAre("out"));
    EXPECT_THAT(names("out"), ElementsAre("results.json", "run.json"));
    EXPECT_EQ(text("out/results.json"), "two");
}

TEST_F(Folder, NumbersThoseThatExist) {
    for (const char* expected : {"out", "out-2", "out-3"}) {
        ResultsFolder folder(dir_.path("out"), true);
        fill(folder, expected);
        EXPECT_EQ(folder.commit(), dir_.path(expected));
    }
    EXPECT_EQ(text("out-2/run.json"), "out-2");
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

TEST_F(Folder, RefusesWhatCameInTheMeantime) {
    ResultsFolder folder(dir_.path("out"), false);
    fill(folder, "one");
    dir_.write("out/notes", "x");
    EXPECT_THROW(folder.commit(), ConfigError);
    EXPECT_EQ(text("out/notes"), "x");
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
    EXPECT_EQ(text("out/results.json"), "other");
    EXPECT_THAT(names(), ElementsAre(".out.partial-dead", "out"));
}

} // namespace
} // namespace numavp::test

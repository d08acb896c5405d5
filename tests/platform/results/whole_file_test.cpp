/// Files that are there whole or not at all.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "common/files/whole_file.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

class WholeFileTest : public ::testing::Test {
  protected:
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(dir_.path("")), {}));
    }
    void write(const std::string& text, bool keep) {
        WholeFile file(dir_.path("f"), "test");
        file.out() << text;
        if (keep) file.keep();
    }
    std::string content(const std::string& name) const {
        std::ifstream in(dir_.path(name));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    TempDir dir_;
};

TEST_F(WholeFileTest, IsReplacedWhenItIsKeptAndNotBefore) {
    write("one", true);
    EXPECT_EQ(content("f"), "one");
    write("half of tw", false);
    EXPECT_EQ(content("f"), "one");
    write("two", true);
    EXPECT_EQ(content("f"), "two");
    EXPECT_EQ(files(), 1U); // nothing hidden is left
}

TEST_F(WholeFileTest, RemovesWhatAKilledRunLeftButNotWhatALivingOneWrites) {
    dir_.write(".f.partial-killed", "half");
    WholeFile living(dir_.path("f"), "test");
    living.out() << "living";
    EXPECT_EQ(files(), 1U);
    write("other", true);
    living.keep();
    EXPECT_EQ(content("f"), "living");
    EXPECT_EQ(files(), 1U);
}

TEST_F(WholeFileTest, StaysALink) {
    namespace fs = std::filesystem;
    fs::create_directory(dir_.path("d"));
    fs::create_symlink("d/g", dir_.path("f"));
    for (const char* text : {"one", "two"}) { // the first time it leads to nothing
        write(text, true);
        EXPECT_TRUE(fs::is_symlink(dir_.path("f")));
        EXPECT_EQ(content("d/g"), text);
    }
}

TEST_F(WholeFileTest, ReplacesNoPipe) {
    ASSERT_EQ(::mkfifo(dir_.path("f").c_str(), 0600), 0);
    EXPECT_THROW(write("one", true), ConfigError);
    EXPECT_EQ(std::filesystem::status(dir_.path("f")).type(), std::filesystem::file_type::fifo);
}

TEST_F(WholeFileTest, MakesFoldersOnItsWay) {
    WholeFile file(dir_.path("a/b/f"), "test");
    file.keep();
    EXPECT_EQ(content("a/b/f"), "");
}

TEST_F(WholeFileTest, SaysWhyItCannotBeWritten) {
    write("one", true);
    const auto message = [this](const std::string& path) -> std::string {
        try {
            WholeFile(dir_.path(path), "test");
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(message(""), HasSubstr("test: this is a folder; a file is expected"));
    EXPECT_THAT(message("f/g"), HasSubstr("test: it can't be written: Not a directory; a path that"));
}

} // namespace
} // namespace numavp::test

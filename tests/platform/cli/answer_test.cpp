/// The way from a topology file and a recording to an answer: the commands of docs/use/APPLICATION_GRAPHS.md, as they
/// stand.
#include <fstream>
#include <memory>
#include <sqlite3.h>
#include <sstream>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kTopology =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\nGPU0\t X \tNV1\tNV1\tSYS\t0-7\nGPU1\tNV1\t X \tSYS\tNV1\t0-7\n"
    "GPU2\tNV1\tSYS\t X \tNV1\t8-15\nGPU3\tSYS\tNV1\tNV1\t X \t8-15\n";

/// 64 MiB to GPU 0, a kernel of 2 ms, 64 MiB back: the columns that are read, in Nsight Systems' names.
const char* const kRecording = R"(
    CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);
    INSERT INTO StringIds VALUES (1, 'scale');
    CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT, srcDeviceId INT,
        dstDeviceId INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1000, 9000000, 0, 1, 7, 1, 9, 67108864, 1, 0, 2, NULL, NULL);
    INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (12000000, 21000000, 0, 1, 7, 3, 9, 67108864, 2, 2, 0, NULL, NULL);
    CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, deviceId INT, contextId INT, streamId INT,
        correlationId INT, globalPid INT, demangledName INT, shortName INT);
    INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (9500000, 11500000, 0, 1, 7, 2, 9, 1, 1);)";

class Answer : public Cli {
  protected:
    void SetUp() override {
        dir_.write("topo.txt", kTopology);
        struct Closer {
            void operator()(sqlite3* opened) const { sqlite3_close(opened); }
        };
        sqlite3* opened = nullptr;
        ASSERT_EQ(sqlite3_open(dir_.path("app.sqlite").c_str(), &opened), SQLITE_OK);
        const std::unique_ptr<sqlite3, Closer> closer(opened);
        ASSERT_EQ(sqlite3_exec(opened, kRecording, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(opened);
    }
    /// Words of each command of the section, and how many lines of commands it has.
    static std::vector<Args> commands(std::size_t& lines) {
        std::ifstream file(source_dir() + "/docs/use/APPLICATION_GRAPHS.md");
        std::vector<Args> found;
        bool inside = false;
        for (std::string line; std::getline(file, line);) {
            if (line.rfind("## ", 0) == 0) inside = line == "## From a machine and a recording to an answer";
            if (!inside || line.rfind("    ", 0) != 0) continue;
            ++lines;
            std::istringstream words(line);
            std::string word;
            words >> word;
            if (word != "./numavp") continue;
            found.emplace_back();
            while (words >> word) {
                if (word.size() > 1 && word.front() == '\'' && word.back() == '\'')
                    word = word.substr(1, word.size() - 2);
                found.back().push_back(word);
            }
        }
        return found;
    }
};

TEST_F(Answer, TheCommandsOfTheDocsLeadToIt) {
    std::size_t lines = 0;
    const std::vector<Args> all = commands(lines);
    EXPECT_LE(lines, 10U);
    ASSERT_GE(all.size(), 4U);
    Ended last;
    for (const Args& words : all) {
        last = numavp(words);
        EXPECT_EQ(last.status, 0) << words[0] << ": " << last.err;
    }
    EXPECT_TRUE(exists("what-if.html"));
    EXPECT_THAT(last.out, AllOf(HasSubstr("(as it is, on "), HasSubstr("copies=pinned"), HasSubstr("the best within "),
                                ::testing::Not(HasSubstr("refused"))));
}

} // namespace
} // namespace numavp::test

/// What the commands that do not simulate print.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include <sys/stat.h>

#include "base/values/error.h"
#include "common/system/load_system.h"
#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class CliWords : public Cli {
  protected:
    std::vector<std::string> lines(const Args& words) const {
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        EXPECT_EQ(ended.err, "");
        std::vector<std::string> all;
        std::istringstream in(ended.out);
        for (std::string line; std::getline(in, line);) all.push_back(line);
        return all;
    }
    Ended apply_schema(const std::vector<std::string>& files) const {
        std::vector<std::string> words{"/usr/bin/python3", source_dir() + "/tests/platform/cli/apply_schema.py",
                                       dir_.path("schema.json")};
        words.insert(words.end(), files.begin(), files.end());
        return run_process(words);
    }
    /// Fails unless the schema that `schema what` prints holds for the files.
    void expect_valid(const std::string& what, const std::vector<std::string>& files) const {
        ASSERT_FALSE(files.empty()) << what;
        dir_.write("schema.json", numavp({"schema", what}).out);
        const Ended applied = apply_schema(files);
        EXPECT_EQ(applied.status, 0) << applied.out << applied.err;
    }
    /// Fails unless `check` has one line for each of the files, which calls it a `what` of its name.
    void expect_checked(const std::string& what, const std::vector<std::string>& files) const {
        Args words{"check"};
        words.insert(words.end(), files.begin(), files.end());
        const std::vector<std::string> said = lines(words);
        ASSERT_EQ(said.size(), files.size());
        for (std::size_t i = 0; i < files.size(); ++i)
            EXPECT_THAT(said[i], HasSubstr(": " + what + " " + std::filesystem::path(files[i]).stem().string()));
    }
    static std::vector<std::string> files(const std::string& kind) {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/configs/" + kind))
            if (entry.path().extension() == ".json") all.push_back(entry.path().string());
        std::sort(all.begin(), all.end());
        return all;
    }
};

TEST_F(CliWords, VersionHasNumberAndCompiler) {
    EXPECT_THAT(lines({"--version"}).at(0), MatchesRegex("numavp [0-9]+\\.[0-9]+\\.[0-9]+, .+"));
    EXPECT_EQ(numavp({"version"}).out, numavp({"--version"}).out);
}

TEST_F(CliWords, HelpNamesEveryCommand) {
    const std::string help = numavp({"help"}).out;
    for (const char* command : {"run", "study", "list", "explain", "report", "check", "import", "characterize", "graph",
                                "correlate", "predict", "what-if", "schema", "completion", "version"}) {
        EXPECT_THAT(help, HasSubstr(command));
        EXPECT_EQ(numavp({"help", command}).out, numavp({command, "--help"}).out);
        EXPECT_THAT(numavp({"help", command}).out, HasSubstr(std::string("numavp ") + command));
    }
    EXPECT_EQ(numavp({}).out, numavp({"--help"}).out);
}

TEST_F(CliWords, ListsHaveNamesAndSentences) {
    EXPECT_THAT(lines({"list", "systems"}), Contains(MatchesRegex("numa-aware-4 +The 4-socket .*")));
    EXPECT_THAT(lines({"list", "workloads"}), Contains(MatchesRegex("stream-triad +[A-Z].*")));
    EXPECT_THAT(lines({"list", "patterns"}), Contains(MatchesRegex("bfs +.+")));
    EXPECT_THAT(lines({"list", "policies"}), Contains(MatchesRegex("first_touch +placement.policy +.+")));
    EXPECT_THAT(lines({"list", "settings"}), Contains(MatchesRegex("socket.l2.ways +16 +1 to 64 ways +.+")));
    EXPECT_THAT(lines({"list", "values", "socket.l2.organisation"}), Contains(MatchesRegex("memory_side +.+")));
    EXPECT_THAT(lines({"list", "values", "socket.l2.ways"}),
                Contains(MatchesRegex("16 +the default; allowed: 1 to 64 ways")));
    EXPECT_THAT(lines({"list", "values", "driver.policy"}), Contains(MatchesRegex("lab +.+")));
    expect_fault({"list", "values", "socket.l2.wayz"},
                 "unknown setting 'socket.l2.wayz', the nearest is 'socket.l2.ways'");
    expect_fault({"list", "values"}, "there is no setting");
}

TEST_F(CliWords, ListsAsJsonHaveTheSameNames) {
    for (const char* what : {"systems", "workloads", "patterns", "policies", "settings"}) {
        const auto rows = nlohmann::ordered_json::parse(numavp({"list", what, "--json"}).out);
        const std::vector<std::string> names = lines({"list", what, "--names"});
        ASSERT_EQ(rows.size(), names.size()) << what;
        for (std::size_t i = 0; i < names.size(); ++i) {
            EXPECT_EQ(rows[i].begin().value(), names[i]);
            EXPECT_NE(rows[i]["description"], "") << names[i];
        }
    }
}

TEST_F(CliWords, PatternsHaveParameters) {
    EXPECT_THAT(lines({"list", "patterns", "bfs"}), Contains(MatchesRegex("threads +256 +32 to 1024 threads +.+")));
    const auto patterns = nlohmann::ordered_json::parse(numavp({"list", "patterns", "--json"}).out);
    for (const auto& pattern : patterns) {
        const std::string name = pattern["pattern"];
        const Ended ended = numavp({"list", "patterns", name, "--json"});
        ASSERT_EQ(ended.status, 0) << name << ": " << ended.err;
        const auto rows = nlohmann::ordered_json::parse(ended.out);
        EXPECT_GT(rows.size(), 1U) << name;
        for (const auto& row : rows) EXPECT_NE(row["allowed"], "") << name << ": " << row;
    }
}

TEST_F(CliWords, AnAxisNeedsANameForProgramAndSchema) {
    const std::string study = R"({"workloads": ["compute"], "systems": [{"system": "numa-4"}], "axes": [{AXIS"path":
        "link.lanes_out", "values": [8]}], "metrics": [{"name": "cycles", "path": "cycles"}]})";
    const auto with = [&study](const std::string& axis) {
        return std::string(study).replace(study.find("AXIS"), 4, axis);
    };
    dir_.write("good.json", with(R"("name": "lanes", )"));
    EXPECT_EQ(numavp({"check", "good.json"}).err, "");
    expect_valid("study", {dir_.path("good.json")});
    for (const char* axis : {"", R"("name": "", )"}) {
        dir_.write("bad.json", with(axis));
        expect_fault({"check", "bad.json"}, "bad.json: $.axes[0].name: it is missing; an axis needs a name");
        const Ended applied = apply_schema({dir_.path("bad.json")});
        EXPECT_EQ(applied.status, 1) << applied.out << applied.err;
    }
}

TEST_F(CliWords, NumbersThatTheSchemaTakesForWholeAreTaken) {
    dir_.write("s.json", R"({"extends": "numa-aware-4", "sockets": 2.0})");
    expect_valid("system", {dir_.path("s.json")});
    EXPECT_THAT(lines({"check", "s.json"}).at(0), HasSubstr("2 sockets"));
}

TEST_F(CliWords, NothingThatIsReadWaitsForAWriter) {
    for (const char* name : {"p.json", "kernelslist.g", "p.traceg", "p.traceg.xz"}) {
        ASSERT_EQ(::mkfifo(dir_.path(name).c_str(), 0600), 0);
        expect_fault({"check", name}, std::string(name) + ":");
    }
    expect_fault({"run", "p.json"}, "p.json: this is a pipe; a JSON file is expected");
    expect_fault({"run", "numa-4", "kernelslist.g"}, "kernelslist.g: this is a pipe");
    expect_fault({"replay-faults", "p.json"}, "p.json: this is a pipe");
}

TEST_F(CliWords, NamesDoNotActOnTheTerminal) {
    dir_.write("s.json", R"({"extends": "numa-4", "name": "a\u001b[2Jb\u009bc"})");
    for (const Args& words : {Args{"check", "s.json"}, Args{"explain", "s.json"}}) {
        const Ended ended = numavp(words);
        ASSERT_EQ(ended.status, 0) << ended.err;
        EXPECT_THAT(ended.out, AllOf(HasSubstr("a\\x1b[2Jb\\x9bc"), Not(HasSubstr("\033"))));
    }
}

TEST_F(CliWords, CheckSaysWhichOpcodesAreNotKnown) {
    std::string trace = dir_.write("t.traceg", "");
    std::ifstream in(source_dir() + "/tests/data/traces/kernel-1.traceg");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    std::size_t changed = 0;
    for (std::size_t at = text.find(" MOV "); at != std::string::npos; at = text.find(" MOV ", at + 1), ++changed)
        text.replace(at, 5, " FROB ");
    ASSERT_GT(changed, 0U);
    dir_.write("t.traceg", text);
    const std::string sentence =
        "opcodes that are not known count as arithmetic of the default latency: FROB (" + std::to_string(changed);
    EXPECT_THAT(numavp({"check", "t.traceg"}).out, HasSubstr(sentence));
    const Ended ended = numavp({"run", "numa-aware-2", "t.traceg", "--quiet", "--out", "out"});
    EXPECT_EQ(ended.status, 0);
    EXPECT_THAT(ended.err, HasSubstr("numavp: t.traceg: " + sentence));
    EXPECT_THAT(numavp({"check", source_dir() + "/tests/data/traces/kernel-1.traceg"}).out,
                Not(HasSubstr("not known")));
}

TEST_F(CliWords, EverySettingCanBeSet) {
    unsigned unused = 0;
    for (const auto& row : nlohmann::ordered_json::parse(numavp({"list", "settings", "--json"}).out)) {
        const std::string path = row["setting"];
        if (path == "name") continue;
        try {
            load_system("numa-aware-4", {path + "=" + row["default"].dump()});
        } catch (const ConfigError& error) { // of what this system does not have
            EXPECT_THAT(error.what(), HasSubstr("this changes nothing"));
            ++unused;
        }
    }
    EXPECT_GT(unused, 20U);
    EXPECT_LT(unused, 200U);
}

TEST_F(CliWords, EverySystemIsExplainedAndSound) {
    unsigned systems = 0;
    for (const std::string& name : lines({"list", "systems", "--names"})) {
        if (!kFastBuild && systems++ % 12 != 0) continue;
        const Ended text = numavp({"explain", name});
        EXPECT_EQ(text.status, 0) << text.err;
        EXPECT_THAT(text.out, HasSubstr("Modules")) << name;
        const auto json = nlohmann::json::parse(numavp({"explain", name, "--json"}).out);
        EXPECT_EQ(json["system"], name);
        EXPECT_GT(json["parts"].size(), 4U);
    }
    expect_checked("system", files("systems"));
    for (const char* folder : {"systems", "systems/memory-networks", "systems/networks", "systems/nuba", "systems/real",
                               "systems/today", "systems/topologies"})
        expect_valid("system", files(folder));
}

TEST_F(CliWords, EveryWorkloadIsSound) {
    expect_checked("workload", files("workloads"));
    expect_valid("workload", files("workloads"));
}

TEST_F(CliWords, CheckTakesNamesAsRunDoes) {
    EXPECT_THAT(numavp({"check", "gpu-1"}).out, HasSubstr("gpu-1.json: system gpu-1: 1 socket"));
    EXPECT_THAT(numavp({"check", "stream-triad"}).out, HasSubstr("stream-triad.json: workload stream-triad: 1 kernel"));
}

TEST_F(CliWords, CheckTakesAFolderOfSystems) {
    const Ended nuba = numavp({"check", "configs/systems/nuba"});
    EXPECT_EQ(nuba.status, 0) << nuba.err;
    EXPECT_EQ(std::count(nuba.out.begin(), nuba.out.end(), '\n'), 16);
    EXPECT_THAT(nuba.out, HasSubstr("nuba-mcm.json: system"));
    dir_.write("mixed/a.json", R"({"sockets": 2})");
    dir_.write("mixed/b.json", "{");
    const Ended mixed = numavp({"check", dir_.path("mixed")});
    EXPECT_EQ(mixed.status, 2);
    EXPECT_THAT(mixed.out, HasSubstr("a.json: system"));
    EXPECT_THAT(mixed.err, HasSubstr("b.json"));
}

TEST_F(CliWords, EveryStudyIsSound) {
    expect_valid("study", files("studies/numa-aware-gpus"));
    for (const std::string& file : files("studies")) EXPECT_THAT(lines({"check", file}).at(0), HasSubstr(": study "));
    expect_valid("study", files("studies"));
}

TEST_F(CliWords, EveryGraphIsSound) {
    for (const std::string& file : files("graphs"))
        EXPECT_THAT(lines({"check", file}).at(0), HasSubstr(": application graph "));
    expect_valid("graph", files("graphs"));
}

TEST_F(CliWords, DrawsLinksOnlyWhereThereAreSeveralSockets) {
    EXPECT_THAT(numavp({"explain", "numa-aware-4"}).out, HasSubstr("socket 3"));
    EXPECT_THAT(numavp({"explain", "numa-aware-4"}).out, HasSubstr("128 cycles one way"));
    EXPECT_THAT(numavp({"explain", "numa-aware-4", "--set", "link.lanes_out=12"}).out, HasSubstr("96 GB/s out"));
    EXPECT_THAT(numavp({"explain", "gpu-4x"}).out, Not(HasSubstr("switch")));
}

TEST_F(CliWords, CheckSaysWhatTracesHold) {
    const std::string folder = source_dir() + "/tests/data/traces/";
    const Ended ended =
        numavp({"check", folder + "kernelslist.g", folder + "kernel-1.traceg", folder + "kernel-2.traceg.xz"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.out, HasSubstr("kernelslist.g: SASS traces: 4 kernels"));
    EXPECT_THAT(ended.out, HasSubstr("kernel-1.traceg: SASS trace: 1 kernel, 3 thread blocks (2 in the files), 20 warp"
                                     " instructions"));
}

TEST_F(CliWords, CheckGoesOnAfterAFault) {
    dir_.write("bad.json", "{");
    dir_.write("good.json", R"({"sockets": 2})");
    const Ended ended = numavp({"check", "bad.json", "none.json", "good.json", "bad.json"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 3);
    EXPECT_EQ(std::count(ended.out.begin(), ended.out.end(), '\n'), 1);
    EXPECT_THAT(ended.out, HasSubstr("good.json: system good: 2 sockets"));
}

TEST_F(CliWords, CheckKnowsResults) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const std::string what = "results of a run, format 1: spmv-powerlaw on numa-aware-2, ";
    EXPECT_THAT(lines({"check", "out"}).at(0),
                AllOf(HasSubstr("out: " + what), HasSubstr("timeline of a run"), HasSubstr("what a run cost")));
    EXPECT_THAT(lines({"check", "out/results.json"}).at(0), HasSubstr(what));
    EXPECT_THAT(lines({"check", "out/timeline.json"}).at(0), HasSubstr("timeline of a run, "));
    EXPECT_THAT(lines({"check", "out/run.json"}).at(0), HasSubstr("what a run cost"));
}

TEST_F(CliWords, CheckKnowsBrokenResults) {
    ASSERT_EQ(small_run({"--out", "out"}).status, 0);
    const std::string good = text_of("out/results.json");
    const auto said = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
        auto results = nlohmann::ordered_json::parse(good);
        change(results);
        dir_.write("out/results.json", results.dump());
        const Ended ended = numavp({"check", "out"});
        EXPECT_EQ(ended.status, 2) << ended.out;
        return ended.err;
    };
    EXPECT_THAT(said([](auto& r) { r = nlohmann::ordered_json::object(); }), HasSubstr("the key 'format' is missing"));
    EXPECT_THAT(said([](auto& r) { r["format"] = 2; }), HasSubstr("$.format: is 2; format 1 is allowed"));
    EXPECT_THAT(said([](auto& r) { r.erase("statistics"); }), HasSubstr("the key 'statistics' is missing"));
    EXPECT_THAT(said([](auto& r) { r["configuration"]["sockets"] = 999; }), HasSubstr("$.configuration.sockets"));
    EXPECT_THAT(said([](auto& r) { r["statistics"]["socket0"]["l2"]["hots"] = 1; }),
                HasSubstr("$.statistics.socket0.l2.hots: 'units' does not have it"));
    EXPECT_THAT(said([](auto& r) { r["series"]["columns"].begin().value()["values"].push_back(1); }),
                HasSubstr("one for each of the"));
    EXPECT_THAT(said([](auto& r) { r["ratios"].begin().value().erase("factor"); }), HasSubstr("'factor' is missing"));
    EXPECT_THAT(said([](auto& r) { r["ratios"].begin().value()["per"] = "mile"; }),
                HasSubstr("'mile' divides nothing; whole, ns or cycle is expected"));
    EXPECT_THAT(said([](auto& r) { r["more"] = 1; }), HasSubstr("$.more: is not a key of results"));
    dir_.write("out/results.json", good.substr(0, good.size() / 2));
    EXPECT_THAT(numavp({"check", "out"}).err, HasSubstr("out/results.json: line "));
    dir_.write("half/run.json", "{}");
    EXPECT_THAT(numavp({"check", "half"}).err, HasSubstr("half/results.json: there is no such file"));
}

/// 2^38 blocks of which the trace has one.
TEST_F(CliWords, CheckOfALargeGridWithFewBlocksIsQuick) {
    dir_.write("k.traceg", "-kernel name = k\n-grid dim = (65536,256,1)\n-block dim = (32,1,1)\n-nregs = 8\n"
                           "-accelsim tracer version = 5\n#\n#BEGIN_TB\nthread block = 7,0,0\nwarp = 0\ninsts = 1\n"
                           "0000 ffffffff 0 EXIT 0 0\n#END_TB\n");
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(lines({"check", "k.traceg"}).at(0),
                HasSubstr("1 kernel, 16,777,216 thread blocks (1 in the files), 1 warp instruction,"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(CliWords, AFileMayExtendASystemByItsName) {
    dir_.write("mine.json", R"({"extends": "numa-aware-2", "socket": {"sms": 7}})");
    EXPECT_THAT(lines({"check", "mine.json"}).at(0), HasSubstr("system mine: 2 sockets"));
    EXPECT_EQ(nlohmann::json::parse(numavp({"explain", "mine.json", "--json"}).out)["configuration"]["socket"]["sms"],
              7);
    dir_.write("numa-aware-2.json", R"({"sockets": 3})"); // a file beside it comes first
    EXPECT_THAT(lines({"check", "mine.json"}).at(0), HasSubstr("system mine: 3 sockets"));
    dir_.write("wrong.json", R"({"extends": "numa-unaware"})");
    EXPECT_THAT(numavp({"check", "wrong.json"}).err,
                HasSubstr("a file beside this one, or a name that numavp lists, is expected"));
}

TEST_F(CliWords, AnEmptyNameIsThatOfTheFile) {
    dir_.write("s.json", R"({"name": "", "sockets": 2})");
    dir_.write("w.json", R"({"name": "", "kernels": [{"pattern": "compute", "parameters": {"blocks": 2}}]})");
    EXPECT_THAT(lines({"check", "s.json"}).at(0), HasSubstr("system s: 2 sockets"));
    EXPECT_THAT(lines({"check", "w.json"}).at(0), HasSubstr("workload w: 1 kernel launch"));
    ASSERT_EQ(numavp({"run", "s.json", "w.json", "--quiet"}).status, 0);
    EXPECT_EQ(json_of("results/s-w/results.json")["workload"]["name"], "w");
    EXPECT_EQ(json_of("results/s-w/results.json")["configuration"]["name"], "s");
}

TEST_F(CliWords, CompletionScriptsAreShell) {
    dir_.write("numavp.bash", numavp({"completion", "bash"}).out);
    EXPECT_EQ(run_process({"bash", "-n", dir_.path("numavp.bash")}).status, 0);
    const std::string ask = "source numavp.bash; COMP_WORDS=(numavp \"$@\"); COMP_CWORD=$#; compopt() { :; }; "
                            "PATH=" +
                            std::filesystem::path(program_file()).parent_path().string() +
                            ":$PATH; "
                            "_numavp; echo \"${COMPREPLY[@]}\"";
    const auto completed = [&](Args words) {
        Args all = {"bash", "-c", ask, "bash"};
        all.insert(all.end(), words.begin(), words.end());
        return run_process(all, environment(), dir_.path("")).out;
    };
    EXPECT_EQ(completed({"ex"}), "explain\n");
    EXPECT_EQ(completed({"list", "pol"}), "policies\n");
    EXPECT_EQ(completed({"run", "numa-aware-1"}), "numa-aware-16 numa-aware-16-torus numa-aware-16-torus-link-down\n");
    EXPECT_EQ(completed({"run", "--set", "sockets=2", "gpu-1", "stream"}), "stream-triad\n");
    EXPECT_EQ(completed({"run", "--int"}), "--interval\n");
    EXPECT_EQ(completed({"run", "--set", "socket.l2.wa"}), "socket.l2.ways=\n");
    EXPECT_EQ(completed({"run", "--set", "socket.l2.organisation=mem"}), "socket.l2.organisation=memory_side\n");
    EXPECT_EQ(completed({"run", "--set", "socket.l2.organisation", "=", "mem"}), "memory_side\n") << "broken at =";
    EXPECT_EQ(completed({"run", "--set", "checks.protocol", "="}), "true false\n");
    EXPECT_EQ(completed({"schema", "study-st"}), "study-status\n");
    EXPECT_EQ(completed({"study", "sh"}), "show\n");
    EXPECT_EQ(completed({"study", "show", "numavp.b"}), "numavp.bash\n");
    EXPECT_EQ(completed({"study", "run", "--db", "x", "numavp.b"}), "numavp.bash\n");
    EXPECT_THAT(numavp({"completion", "zsh"}).out, HasSubstr("#compdef numavp"));
}

TEST_F(CliWords, ConfigurationsOfOnesOwn) {
    dir_.write("mine/systems/own.json", R"({"description": "My system.", "sockets": 2})");
    dir_.write(
        "mine/workloads/tiny.json",
        R"({"name": "tiny", "description": "d", "kernels": [{"pattern": "compute", "parameters": {"blocks": 2}}]})");
    const Args mine = {"NUMAVP_CONFIGS=" + dir_.path("mine") + ":" + source_dir() + "/configs"};
    const Ended listed = run_process(program({"list", "systems", "--names"}), mine, dir_.path(""));
    EXPECT_THAT(listed.out, HasSubstr("own\n"));
    EXPECT_THAT(listed.out, HasSubstr("numa-4\n"));
    const Ended ran = run_process(program({"run", "own", "tiny", "--quiet"}), mine, dir_.path(""));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_TRUE(exists("results/own-tiny/results.json"));
}

} // namespace
} // namespace numavp::test

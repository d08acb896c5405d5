/// What --json prints fits the schema that `numavp schema` has for it, and text for people fits their terminal.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "common/words/fit_width.h"
#include "platform/cli/json_output.h"
#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;

bool has_type(const ordered_json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == value.type_name();
}

/// The first place where a value does not fit a schema of the kinds that outputs have; empty if it fits.
std::string misfit(const ordered_json& schema, const ordered_json& value, const std::string& place) {
    if (schema.contains("const") && value != schema["const"]) return place + " is not " + schema["const"].dump();
    if (schema.contains("type")) {
        bool fits = false;
        const ordered_json& types = schema["type"];
        for (const ordered_json& type : types.is_array() ? types : ordered_json::array({types}))
            fits = fits || has_type(value, type.get<std::string>());
        if (!fits) return fmt::format("{} is {} and no {}", place, value.dump().substr(0, 40), types.dump());
    }
    if (value.is_array() && schema.contains("items"))
        for (std::size_t i = 0; i < value.size(); ++i)
            if (std::string fault = misfit(schema["items"], value[i], fmt::format("{}[{}]", place, i)); !fault.empty())
                return fault;
    if (!value.is_object() || !schema.contains("properties")) return "";
    for (const ordered_json& name : schema["required"])
        if (!value.contains(name.get<std::string>()))
            return fmt::format("{} has no {}", place, name.get<std::string>());
    for (const auto& [name, member] : value.items()) {
        const std::string here = fmt::format("{}.{}", place, name);
        const bool known = schema["properties"].contains(name);
        const ordered_json& others = schema["additionalProperties"];
        if (!known && others.is_boolean()) return here + " is in no schema";
        const ordered_json& own = known ? schema["properties"][name] : others;
        if (std::string fault = misfit(own, member, here); !fault.empty()) return fault;
    }
    return "";
}

class JsonOutputs : public Cli {
  protected:
    /// Runs the words with --json and holds what they print to the schema of that name.
    void expect_fits(const std::string& name, Args words) const {
        words.emplace_back("--json");
        const Ended ended = numavp(words);
        ASSERT_EQ(ended.status, 0) << name << ": " << ended.err;
        const ordered_json printed = ordered_json::parse(ended.out);
        const JsonOutput* output = find_json_output(name);
        ASSERT_NE(output, nullptr) << name;
        EXPECT_EQ(misfit(json_output_schema(*output), printed, name), "");
        if (printed.is_array()) return;
        EXPECT_EQ(printed.begin().key(), "format") << "the first member";
    }
};

TEST_F(JsonOutputs, OfMachinesAndTools) {
    for (const char* system : {"numa-4", "gmn-4-sfbfly"}) expect_fits("explain", {"explain", system});
    for (const char* what : {"systems", "policies", "settings"}) expect_fits("list", {"list", what});
    expect_fits("list", {"list", "values", "link.balancer"});
    dir_.write("requests.txt", "R 0x100\nW 0x200\n");
    expect_fits("memory", {"memory", "hmc-cube", "requests.txt"});
    expect_fits("sharing", {"check", "spmv-mesh", "--sharing"});
    expect_fits("network", {"network", "sfbfly-4g16h", "--rates", "0.05", "--packets", "10000", "--requests"});
    dir_.write("topo.txt",
               "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV1\t0-7\t0\nGPU1\tNV1\t X \t0-7\t0\n");
    expect_fits("import", {"import", "topo.txt", "--quiet"});
    expect_fits("characterize", {"characterize", "s822lc", "--largest", "1"});
    expect_fits("characterize-gpu", {"characterize", "h200", "--latency", "--footprints", "64"});
    expect_fits("predict", {"predict", "stencil-4", "dgx-1"});
    expect_fits("what-if", {"what-if", "stencil-4", "dgx-1", "--change", "copies=pinned"});
}

TEST_F(JsonOutputs, OfRuns) {
    const Args tiny = {"spmv-mesh", "--scale", "0.004", "--set", "socket.sms=2", "--quiet"};
    const auto run = [&](const char* system, const char* out) {
        Args words = {"run", system};
        words.insert(words.end(), tiny.begin(), tiny.end());
        words.insert(words.end(), {"--out", out});
        return words;
    };
    expect_fits("run", run("numa-aware-2", "a"));
    expect_fits("run", run("gpu-1", "b"));
    expect_fits("compare", {"compare", "a", "b"});
    Args branches = run("numa-aware-2", "c");
    branches.front() = "branch";
    branches.insert(branches.end(), {"--at", "1", "--change", "link.balancer=static"});
    expect_fits("branch", branches);
}

TEST_F(JsonOutputs, OfStudies) {
    dir_.write("s.json", R"({"workloads": ["spmv-mesh"], "scale": 0.004, "set": {"socket.sms": 2},
        "systems": [{"system": "gpu-1"}], "metrics": [{"name": "time"}]})");
    expect_fits("study-run", {"study", "run", "s.json", "--quiet"});
    expect_fits("study-status", {"study", "status", "s.json"});
    expect_fits("study-show", {"study", "show", "s.json"});
}

TEST_F(JsonOutputs, OfLiveRuns) {
    dir_.write("lib/echarts.min.js", "var echarts = {};");
    Args place = environment();
    place.push_back("NUMAVP_ECHARTS=" + dir_.path("lib/echarts.min.js"));
    const auto expect_live = [&](const std::string& name, const Args& words) {
        const Process run(program(words), place, dir_.path(""));
        std::string said;
        for (int i = 0; i < 10000 && said.find('\n') == std::string::npos; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            said = run.errors_so_far();
        }
        ASSERT_NE(said.find("http"), std::string::npos) << said;
        expect_fits(name, {"attach", said.substr(said.find("http"), said.find('\n') - said.find("http"))});
    };
    expect_live("attach", {"run", "numa-aware-2", "--set", "socket.sms=4", "--quiet", "--out", "a", "--live"});
    dir_.write("s.json", R"({"workloads": ["spmv-powerlaw"], "set": {"socket.sms": 4}, "seeds": [1, 2],
        "systems": [{"system": "numa-aware-2"}], "metrics": [{"name": "time"}]})");
    expect_live("attach-study", {"study", "run", "s.json", "--jobs", "1", "--quiet", "--live"});
}

/// Every output has a schema by its name, and a wrong name says which there are.
TEST_F(JsonOutputs, SchemasByName) {
    for (const JsonOutput& output : json_outputs()) {
        const Ended ended = numavp({"schema", std::string(output.name)});
        ASSERT_EQ(ended.status, 0) << output.name;
        const ordered_json schema = ordered_json::parse(ended.out);
        EXPECT_EQ(schema["title"], fmt::format("numavp {}", output.command));
        if (schema["type"] == "object")
            EXPECT_EQ(schema["properties"]["format"]["const"], output.format);
        else
            EXPECT_EQ(schema["x-format"], output.format);
    }
    expect_fault({"schema", "study-shaw"}, "the nearest is 'study-show'");
}

TEST(JsonShapes, OptionalMembersListsAndOthers) {
    const ordered_json schema =
        schema_of_shape(ordered_json::parse(R"({"a": "count", "b?": ["number?"], "*": "text"})"));
    EXPECT_EQ(misfit(schema, {{"a", 1}, {"b", {1.5, nullptr}}, {"c", "x"}}, "$"), "");
    EXPECT_EQ(misfit(schema, {{"b", {1}}}, "$"), "$ has no a");
    EXPECT_EQ(misfit(schema, {{"a", 1}, {"c", 2}}, "$"), R"($.c is 2 and no "string")");
    EXPECT_EQ(misfit(schema, {{"a", 1.5}}, "$"), R"($.a is 1.5 and no "integer")");
    // A new member leaves the format's number, so that the schema of an earlier version admits it.
    const ordered_json closed = schema_of_shape(ordered_json::parse(R"({"a": "count"})"));
    EXPECT_EQ(closed.at("additionalProperties"), true);
    EXPECT_EQ(misfit(closed, {{"a", 1}, {"new", 2}}, "$"), "$.new is in no schema") << "this test names what is new";
}

TEST(FitWidth, BreaksBelowTheLastColumn) {
    const std::string row = "numa-4      one two three four five six seven eight nine\n";
    EXPECT_EQ(fit_width(row, 40), "numa-4      one two three four five six\n            seven eight nine\n");
    EXPECT_EQ(fit_width(row, 0), row) << "no terminal";
    EXPECT_EQ(fit_width(row, 80), row);
    EXPECT_EQ(fit_width("  a sentence of some words that is too long", 30),
              "  a sentence of some words\n  that is too long");
}

TEST(FitWidth, LeavesDrawingsAndColours) {
    const std::string drawing =
        "   +----------+  +----------+  +----------+\n   | socket 0 |  | socket 1 |  | socket 2 |\n";
    EXPECT_EQ(fit_width(drawing, 20), drawing);
    EXPECT_EQ(fit_width("a sentence with --json and a|b in it", 26), "a sentence with --json and\n    a|b in it");
    EXPECT_EQ(fit_width("\033[1mtwelve words\033[0m\n", 12), "\033[1mtwelve words\033[0m\n");
    EXPECT_EQ(fit_width("\xc3\xa4\xc3\xb6\xc3\xbc abc", 7), "\xc3\xa4\xc3\xb6\xc3\xbc abc") << "columns, not bytes";
    EXPECT_EQ(fit_width("a          narrow last column of words here", 24),
              "a          narrow last\n    column of words here");
}

} // namespace
} // namespace numavp::test

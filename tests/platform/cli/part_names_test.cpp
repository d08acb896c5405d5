/// What a part is follows from its kind and never from its name: a machine of any names gives what one of the usual
/// names gives.
#include <regex>
#include <utility>

#include <fmt/format.h>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

class NamesOfParts : public Cli {
  protected:
    /// A machine of two GPUs behind a bridge and a CPU, by these names.
    void write_machine(const std::string& file, const std::string& gpu, const std::string& cpu,
                       const std::string& bridge) const {
        std::string text = R"({"extends": "numa-aware-2", "name": "m", "sockets": null,
            "parts": [{"name": "GPU", "count": 2, "kind": "gpu"}, {"name": "CPU", "count": 1, "kind": "cpu"},
                      {"name": "BRIDGE", "count": 1, "kind": "router"}],
            "GPU": {"sms": 8}, "CPU": {"sms": 0, "l2": {"size_kib": 0, "organisation": "memory_side"}},
            "network": {"topology": "wires", "wires": [{"from": "CPU", "to": "BRIDGE"}, {"from": "BRIDGE", "to": "GPU"},
                                                       {"all": "GPU"}]}})";
        for (const auto& [word, name] : {std::pair{"GPU", gpu}, {"CPU", cpu}, {"BRIDGE", bridge}})
            text = std::regex_replace(text, std::regex(word), name);
        dir_.write(file, text);
    }

    /// Output for the usual names, with the others in their place; of both outputs without kinds, which stay.
    static std::string renamed(std::string text) {
        text = std::regex_replace(text, std::regex(R"("kind": ?"\w+")"), "");
        for (const auto& [usual, other] : {std::pair{"gpu", "alpha"}, {"cpu", "xeon"}, {"pcie", "b"}})
            text = std::regex_replace(text, std::regex(fmt::format("\\b{}\\b", usual)), other);
        return text;
    }

    /// MACHINE stands for the folder of one of the two.
    void expect_same(const Args& before, const Args& after, const std::vector<std::string>& files = {}) const {
        const auto output = [&](const std::string& machine) {
            Args words = before;
            words.push_back(machine + "/m.json");
            const std::regex folder("MACHINE");
            for (const std::string& word : after) words.push_back(std::regex_replace(word, folder, machine));
            const Ended ended = numavp(words);
            EXPECT_EQ(ended.status, 0) << ended.err;
            std::string all = ended.out;
            for (const std::string& file : files) {
                const std::string text = text_of(std::regex_replace(file, folder, machine));
                EXPECT_NE(text, "") << file;
                all += text;
            }
            return renamed(std::regex_replace(all, std::regex(machine + "/"), ""));
        };
        const std::string usual = output("usual"), other = output("other");
        EXPECT_NE(usual, "");
        EXPECT_EQ(usual, other);
    }
};

TEST_F(NamesOfParts, SayNothing) {
    write_machine("usual/m.json", "gpu", "cpu", "pcie");
    write_machine("other/m.json", "alpha", "xeon", "b");
    expect_same({"check"}, {});
    expect_same({"explain"}, {"--json"});
    expect_same({"characterize"}, {"--largest", "1", "--quiet", "--csv", "MACHINE/c.csv"}, {"MACHINE/c.csv"});
    expect_same({"predict", "vector-add"}, {"--json"});
    expect_same(
        {"run"},
        {"spmv-powerlaw", "--scale", "0.01", "--quiet", "--set", "dispatch.launch_cycles=100", "--out", "MACHINE/out"},
        {"MACHINE/out/results.json", "MACHINE/out/timeline.json"});
}

} // namespace
} // namespace numavp::test

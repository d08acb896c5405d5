/// What a part is follows from its kind and never from its name: a machine of any names gives what one of the usual
/// names gives.
#include <cctype>
#include <utility>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

class NamesOfParts : public Cli {
  protected:
    using Words = std::vector<std::pair<std::string, std::string>>;

    /// Whole words of a text replaced.
    static std::string replaced(std::string text, const Words& words) {
        const auto inside = [&text](std::size_t i) { // a name
            return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
        };
        for (const auto& [word, by] : words)
            for (std::size_t at = text.find(word); at != std::string::npos;) {
                const bool whole = !(at != 0 && inside(at - 1)) && !inside(at + word.size());
                if (whole) text.replace(at, word.size(), by);
                at = text.find(word, at + (whole ? by : word).size());
            }
        return text;
    }

    /// A machine of two GPUs behind a bridge and a CPU, by these names.
    void write_machine(const std::string& file, const std::string& gpu, const std::string& cpu,
                       const std::string& bridge) const {
        const char* const text = R"({"extends": "numa-aware-2", "name": "m", "sockets": null,
            "parts": [{"name": "GPU", "count": 2, "kind": "gpu"}, {"name": "CPU", "count": 1, "kind": "cpu"},
                      {"name": "BRIDGE", "count": 1, "kind": "router"}],
            "GPU": {"sms": 8}, "CPU": {"sms": 0, "l2": {"size_kib": 0, "organisation": "memory_side"}},
            "network": {"topology": "wires", "wires": [{"from": "CPU", "to": "BRIDGE"}, {"from": "BRIDGE", "to": "GPU"},
                                                       {"all": "GPU"}]}})";
        dir_.write(file, replaced(text, {{"GPU", gpu}, {"CPU", cpu}, {"BRIDGE", bridge}}));
    }

    /// Output for the usual names, with the others in their place; of both outputs without kinds, which stay.
    static std::string renamed(const std::string& text) {
        const Words words = {{R"("kind":"gpu")", R"("kind":"GPU")"},
                             {R"("kind":"cpu")", R"("kind":"CPU")"},
                             {R"("kind": "gpu")", R"("kind":"GPU")"},
                             {R"("kind": "cpu")", R"("kind":"CPU")"},
                             {"gpu", "alpha"},
                             {"cpu", "xeon"},
                             {"pcie", "b"}};
        return replaced(text, words);
    }

    static std::string in_folder(const std::string& text, const std::string& machine) {
        return replaced(text, {{"MACHINE", machine}});
    }

    /// MACHINE stands for the folder of one of the two.
    void expect_same(const Args& before, const Args& after, const std::vector<std::string>& files = {}) const {
        const auto output = [&](const std::string& machine) {
            Args words = before;
            words.push_back(machine + "/m.json");
            for (const std::string& word : after) words.push_back(in_folder(word, machine));
            const Ended ended = numavp(words);
            EXPECT_EQ(ended.status, 0) << ended.err;
            std::string all = ended.out;
            for (const std::string& file : files) {
                const std::string text = text_of(in_folder(file, machine));
                EXPECT_NE(text, "") << file;
                all += text;
            }
            return renamed(replaced(all, {{machine, "folder"}}));
        };
        const std::string usual = output("machine_a"), other = output("machine_b");
        EXPECT_NE(usual, "");
        EXPECT_EQ(usual, other);
    }
};

TEST_F(NamesOfParts, SayNothing) {
    write_machine("machine_a/m.json", "gpu", "cpu", "pcie");
    write_machine("machine_b/m.json", "alpha", "xeon", "b");
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

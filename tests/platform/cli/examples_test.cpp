/// Examples of commands, the man page and the fish completion: from the parser, and understood by it.
#include <memory>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/cli/cli_completion.h"
#include "platform/cli/cli_examples.h"
#include "platform/cli/cli_words.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> commands_of_parser() {
    Words words;
    std::vector<std::string> names;
    const std::unique_ptr<CLI::App> parser = make_parser(words);
    for (const CLI::App* command : parser->get_subcommands({})) names.push_back(command->get_name());
    return names;
}

/// Each command has examples, and the parser takes them.
TEST(Examples, AreUnderstood) {
    for (const std::string& command : commands_of_parser()) {
        std::istringstream lines(examples_of(command));
        std::string line;
        unsigned examples = 0;
        while (std::getline(lines, line)) {
            if (line.rfind("  numavp ", 0) != 0) continue;
            ++examples;
            std::istringstream split(line);
            std::vector<std::string> typed;
            for (std::string word; split >> word;) typed.push_back(word);
            std::vector<const char*> argv;
            for (const std::string& word : typed) argv.push_back(word.c_str());
            Words words;
            EXPECT_NO_THROW(EXPECT_TRUE(parse_words(static_cast<int>(argv.size()), argv.data(), words))) << line;
            EXPECT_EQ(words.command, command) << line;
        }
        EXPECT_GE(examples, 1U) << command;
        EXPECT_THAT(help_of(command), HasSubstr(examples_of(command)));
    }
}

TEST(Examples, TheManPageHasAllCommands) {
    const std::string page = man_page();
    EXPECT_THAT(page, StartsWith(".TH NUMAVP 1"));
    for (const std::string& command : commands_of_parser())
        if (command.find('-') == std::string::npos) {
            EXPECT_THAT(page, HasSubstr(".SS " + command + "\n"));
        }
    EXPECT_THAT(page, HasSubstr(".SS what\\-if\n"));
    EXPECT_THAT(page, HasSubstr(".B \\-\\-scale X\n"));
    EXPECT_EQ(page.find("\n'"), std::string::npos); // would be a request
}

TEST(Examples, FishCompletesCommandsOptionsAndNames) {
    const std::string script = completion_script("fish");
    for (const std::string& command : commands_of_parser())
        EXPECT_THAT(script, HasSubstr("complete -c numavp -n __fish_use_subcommand -a " + command + " -d '"));
    EXPECT_THAT(script, HasSubstr("'__fish_seen_subcommand_from run' -Fa '(numavp list systems --names)'"));
    EXPECT_THAT(script, HasSubstr("'__fish_seen_subcommand_from schema' -fa 'system workload study graph results run "
                                  "attach attach-study branch compare "));
    EXPECT_THAT(script, HasSubstr("'__fish_seen_subcommand_from run' -l set -d "));
    EXPECT_THAT(script, HasSubstr("-r -fa '(__numavp_settings)'"));
    EXPECT_THAT(script, HasSubstr("numavp list values $path --names"));
    EXPECT_THAT(script, HasSubstr("workload\\'s"));
}

/// A port may follow --live, and need not: what stands behind it without one is a system.
TEST(Examples, CompletionKnowsAnOptionWhoseValueMayBeMissing) {
    EXPECT_THAT(completion_script("bash"),
                HasSubstr("--live) [[ \"${COMP_WORDS[i + 1]}\" == [0-9]* ]] && i=$((i + 1)) ;;"));
    EXPECT_THAT(completion_script("zsh"), HasSubstr("::\\[PORT\\]: '"));
    const std::string fish = completion_script("fish");
    const std::size_t at = fish.find("from run' -l live -d ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(fish.substr(at, fish.find('\n', at) - at).find(" -r"), std::string::npos);
}

} // namespace
} // namespace numavp::test

/// Descriptions of settings, of members of files and of results: a list or an editor shows each without its neighbours,
/// so that it begins with the quantity. "Of what routers draw" is refused, "Seed of the random draws of routers" is
/// not.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/config/config.h"
#include "common/system/system_config.h"
#include "communication/characterize/calibration.h"
#include "communication/graph/graph_file.h"
#include "platform/cli/cli_settings.h"
#include "platform/results/results_schema.h"
#include "platform/study/study_file.h"
#include "sw/workloads/pattern_table.h"
#include "sw/workloads/workload_file.h"
#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

/// Words that continue a sentence or ask a question: no quantity begins with them.
const char* const kNoBeginnings[] = {
    "after", "and",      "as",    "at",    "before", "behind", "beside", "between", "by",   "during",  "for",
    "from",  "how",      "if",    "in",    "it",     "its",    "not",    "of",      "on",   "one way", "so",
    "that",  "the same", "their", "there", "these",  "they",   "this",   "those",   "to",   "until",   "what",
    "when",  "where",    "which", "while", "who",    "whom",   "whose",  "why",     "with", "without"};
constexpr std::size_t kShortest = 12;

bool description_begins_with(const std::string& text, std::string_view words) {
    if (text.size() <= words.size() || std::isalnum(static_cast<unsigned char>(text[words.size()])) != 0) return false;
    return std::equal(words.begin(), words.end(), text.begin(),
                      [](char word, char c) { return word == std::tolower(static_cast<unsigned char>(c)); });
}

/// Why the description can't be read alone; empty if it can.
std::string description_fault(const std::string& text) {
    for (const std::string_view words : kNoBeginnings)
        if (description_begins_with(text, words)) return "begins with '" + std::string(words) + "'";
    if (text.size() < kShortest || text.find(' ') == std::string::npos) return "is too short";
    return "";
}

/// Every member "description" of a schema, by its path; a property of that name is not one.
void expect_descriptions(const ordered_json& schema, const std::string& path) {
    if (schema.is_array())
        for (const ordered_json& element : schema) expect_descriptions(element, path);
    if (!schema.is_object()) return;
    for (const auto& [name, value] : schema.items()) {
        if (name == "description" && value.is_string())
            EXPECT_EQ(description_fault(value.get<std::string>()), "") << path << ": " << value;
        else
            expect_descriptions(value, std::string(path).append(".").append(name));
    }
}

TEST(Descriptions, WithoutAQuantityAtTheirBeginningAreRefused) {
    for (const char* text :
         {"Of what routers (ugal) draw.", "That a channel adds to each packet.", "The same, both ways.",
          "what the kernel reads", "One way, socket to switch.", "Switch.", "Its associativity."})
        EXPECT_NE(description_fault(text), "") << text;
    for (const char* text : {"Seed of the random draws of routers (ugal).", "Bytes that a channel adds to each packet.",
                             "Offset of the first element.", "threads of a block"})
        EXPECT_EQ(description_fault(text), "") << text;
}

TEST(Descriptions, OfSettingsBeginWithTheQuantity) {
    for (const Setting& setting : system_settings()) {
        EXPECT_EQ(description_fault(setting.doc), "") << setting.path << ": " << setting.doc;
        // `explain` shows the sentence of the chosen value alone.
        for (const auto& [name, doc] : setting.choices)
            for (const char* words : {"as", "of", "that", "the same"})
                EXPECT_FALSE(description_begins_with(doc, words)) << setting.path << ", " << name << ": " << doc;
    }
}

TEST(Descriptions, OfFilesAndResultsBeginWithTheQuantity) {
    expect_descriptions(file_schema_of<SystemConfig>("system"), "system");
    expect_descriptions(file_schema_of<Calibration>("calibration"), "calibration");
    expect_descriptions(workload_schema(), "workload");
    expect_descriptions(study_schema(), "study");
    expect_descriptions(graph_schema(), "graph");
    expect_descriptions(results_schema(), "results");
}

class DescriptionsOfARun : public Cli {};

TEST_F(DescriptionsOfARun, BeginWithTheQuantity) {
    const Ended ended = small_run({"--set", "translation.mode=full", "--out", "run"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    const ordered_json results = json_of("run/results.json");
    for (const auto& [name, unit] : results.at("units").items())
        EXPECT_EQ(description_fault(unit.at("doc").get<std::string>()), "") << name << ": " << unit;
    for (const auto& [name, ratio] : results.at("ratios").items())
        EXPECT_EQ(description_fault(ratio.at("doc").get<std::string>()), "") << name << ": " << ratio;
    for (const auto& [name, column] : results.at("series").at("columns").items())
        EXPECT_EQ(description_fault(column.at("doc").get<std::string>()), "") << name << ": " << column.at("doc");
}

TEST(Descriptions, OfPatternsParametersBeginWithTheQuantity) {
    for (const PatternEntry& pattern : patterns()) expect_descriptions(pattern.schema(), std::string(pattern.name));
}

} // namespace
} // namespace numavp::test

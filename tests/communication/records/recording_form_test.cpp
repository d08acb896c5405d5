/// What a recording is, told by its beginning.
#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "communication/records/recording_form.h"

namespace numavp::test {
namespace {

using Form = std::optional<RecordingForm>;

Form form_of(const std::string& text) {
    std::istringstream in(text);
    return recording_form(in);
}

const std::string kRecord = R"({"val":{"id":1}})";

TEST(RecordingForm, IsToldByContent) {
    EXPECT_EQ(form_of(std::string("SQLite format 3\0...", 19)), RecordingForm::database);
    EXPECT_EQ(form_of(kRecord), RecordingForm::records);
    EXPECT_EQ(form_of(" { \"api\" : {\"id\""), RecordingForm::records) << "cut";
    EXPECT_EQ(form_of(R"({"name": "x", "values": [)"), RecordingForm::graph);
    EXPECT_EQ(form_of(R"({"a": {"phases": 1}, "steps": 3})"), RecordingForm::graph);
    EXPECT_EQ(form_of(R"({"a": {"steps": 1}, "phases": 3})"), RecordingForm::workload);
    EXPECT_EQ(form_of(R"({"kernels": [)"), RecordingForm::workload);
    EXPECT_EQ(form_of(std::string("\x07\x0a\x05"
                                  "0.0.4\x02\x08\x01")),
              RecordingForm::chakra);
}

TEST(RecordingForm, OtherTextIsNone) {
    for (const char* text : {"", " \n", "text", "[1]", "{}", R"({"kernels": {"rows": [1]}})", R"({"valu":{"id":1}})",
                             R"({"name": "values"})", R"({"extends": "x.json"})", "{\"a\": ]"})
        EXPECT_EQ(form_of(text), Form()) << text;
    std::string deep;
    for (unsigned i = 0; i < 100'000; ++i) deep += R"({"a":)";
    EXPECT_EQ(form_of(deep), Form());
}

/// A damaged record does not hide the others, whose reader names its line.
TEST(RecordingForm, OneDamagedLineIsNotAll) {
    for (const char* line : {"{\"api\":{\"id\":1,", "\x01\x02", "{", "}{"}) {
        std::string text = line;
        text += '\n';
        text += kRecord;
        EXPECT_EQ(form_of(text), RecordingForm::records) << line;
    }
}

/// Files of gigabytes are told as quickly as small ones.
TEST(RecordingForm, LittleIsRead) {
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    const std::string much(8 * kMiB, ' ');
    for (const std::string begin : {R"({"name": "x", "values": [)", "{\"phases\": [", "text"}) {
        std::istringstream in(begin + much);
        recording_form(in);
        EXPECT_LE(in.tellg(), static_cast<std::streamoff>(kMiB)) << begin;
    }
    std::string records;
    while (records.size() < 8 * kMiB) records += kRecord + "\n";
    std::istringstream in(records);
    EXPECT_EQ(recording_form(in), RecordingForm::records);
    EXPECT_LE(in.tellg(), static_cast<std::streamoff>(kMiB));
}

} // namespace
} // namespace numavp::test

/// The report's page as text: what it holds, what can't break out of it, and what it says when a part is missing.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/files/json_file.h"
#include "platform/report/report_page.h"
#include "platform/report/run_report.h"
#include "platform/report/study_report.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Page : public ::testing::Test {
  protected:
    ReportFiles files() const {
        return {source_dir() + "/platform/report/web",
                dir_.write("echarts.min.js", "var echarts = '</script>@TITLE@';")};
    }
    static std::string text_of(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }
    /// The data that a page holds.
    static ordered_json data_of(const std::string& page) {
        const std::string begin = "<script type=\"application/json\" id=\"data\">";
        const std::size_t at = page.find(begin) + begin.size();
        return ordered_json::parse(page.substr(at, page.find("</script>", at) - at));
    }
    static std::size_t count_of(const std::string& text, const std::string& what) {
        std::size_t count = 0;
        for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
        return count;
    }
    static ordered_json row() {
        return {{"figure", "Figure 3"}, {"section", "3"}, {"metric", "speedup"}, {"mean", "arithmetic"},
                {"workload", ""},       {"paper", 1.5},   {"measured", 1.2},     {"difference", -0.2}};
    }
    static std::string fault_of(const ordered_json& rows) {
        try {
            study_report("s", rows);
        } catch (const ConfigError& fault) {
            return fault.what();
        }
        return "";
    }
    TempDir dir_;
};

TEST_F(Page, HoldsItsDataExactly) {
    ReportPage page{
        "t", {"base.js"}, {{"numbers", {0.1, 1.0 / 3.0, 5e-324, 123456789.125, ~0ULL}}, {"z", 1}, {"a", 2}}};
    EXPECT_EQ(data_of(report_html(page, files())), page.data);
}

TEST_F(Page, NothingBreaksOutOfIt) {
    const std::string hostile = "</script><script>alert(1)</script><!-- \" & @DATA@";
    const std::string html = report_html({hostile, {"base.js"}, {{"name", hostile}}}, files());
    EXPECT_EQ(data_of(html)["name"], hostile);
    EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(html, Not(HasSubstr("<!--")));
    EXPECT_THAT(html, HasSubstr("<title>&lt;/script&gt;"));
    EXPECT_EQ(count_of(html, "</script>"), 3U) << "the data, the library, our scripts";
    EXPECT_THAT(html, HasSubstr("'<\\/script>@TITLE@'")) << "what comes in is not filled in again";
}

TEST_F(Page, NamesNoOtherPlace) {
    const std::string folder = source_dir() + "/platform/report/web";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string text = text_of(entry.path().string());
        for (const char* word : {"http://", "https://", "@import", "url(", "<link", "src=\"http"})
            EXPECT_THAT(text, Not(HasSubstr(word))) << entry.path();
        if (entry.path().filename() != "live_page.js") { // which asks its own server
            EXPECT_THAT(text, Not(HasSubstr("fetch("))) << entry.path();
        }
    }
}

TEST_F(Page, SaysWhichPartIsMissing) {
    ReportFiles files = this->files();
    files.library = dir_.path("none.js");
    try {
        report_html({"t", {}, {}}, files);
        FAIL();
    } catch (const ConfigError& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("none.js"));
    }
}

TEST_F(Page, IsWrittenWholeOrNotAtAll) {
    write_report_file(dir_.path("a/b.html"), "one");
    write_report_file(dir_.path("a/b.html"), "two");
    EXPECT_EQ(text_of(dir_.path("a/b.html")), "two");
    EXPECT_THROW(write_report_file(dir_.path("a"), "x"), ConfigError);
    EXPECT_THROW(write_report_file(dir_.path("a/b.html/c"), "x"), ConfigError);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.path("a")), {}), 1) << "nothing is left behind";
}

TEST_F(Page, OfAStudyTakesItsRows) {
    const ordered_json rows = ordered_json::array({row()});
    const ReportPage page = study_report("name", rows);
    EXPECT_EQ(page.title, "name");
    EXPECT_EQ(data_of(report_html(page, files()))["rows"], rows);
    ordered_json bare = row();
    bare["paper"] = nullptr;
    bare.erase("difference");
    EXPECT_EQ(fault_of(ordered_json::array({bare})), "");
}

TEST_F(Page, OfAStudyRefusesWhatIsNoRow) {
    const auto changed = [](const char* name, ordered_json value) {
        ordered_json rows = ordered_json::array({row(), row()});
        rows[1][name] = std::move(value);
        return rows;
    };
    EXPECT_THAT(fault_of({{"figure", 1}}), HasSubstr("list of rows"));
    EXPECT_THAT(fault_of(ordered_json::array({1})), HasSubstr("$[0]"));
    EXPECT_THAT(fault_of(changed("metric", 7)), HasSubstr("$[1].metric"));
    EXPECT_THAT(fault_of(changed("paper", "1.5")), HasSubstr("$[1].paper"));
    EXPECT_THAT(fault_of(changed("mean", "quadratic")), HasSubstr("'geometric'"));
    EXPECT_THAT(fault_of(changed("kind", "lie")), HasSubstr("'claim'"));
    EXPECT_THAT(fault_of(changed("verdict", 1)), HasSubstr("$[1].verdict"));
}

TEST_F(Page, OfARunRefusesOtherFiles) {
    const auto fault = [](const ordered_json& results) -> std::string {
        try {
            run_report(results, {}, {});
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(fault({{"format", 2}}), HasSubstr("format 1 is allowed"));
    EXPECT_THAT(fault({{"format", 1}}), HasSubstr("a folder that numavp run wrote is expected"));
    for (const ordered_json& foreign : {ordered_json{{"format", 1}}, ordered_json::array({1}), ordered_json("text"),
                                        ordered_json{{"format", 1}, {"workload", 7}}})
        EXPECT_THAT(fault(foreign), AllOf(Not(HasSubstr("json.exception")), HasSubstr("is expected"))) << foreign;
    dir_.write("broken.json", "{");
    EXPECT_THROW(read_ordered_json(dir_.path("broken.json")), ConfigError);
    EXPECT_THROW(read_ordered_json(dir_.path("none.json")), ConfigError);
}

} // namespace
} // namespace numavp::test

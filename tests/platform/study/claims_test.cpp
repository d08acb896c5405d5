/// The pages of claims against the study files: each number of a paper's text that a study has is a row of its page,
/// and the page's count of claims is that of its rows.
#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "platform/study/study_verdict.h"
#include "tests/platform/study/study_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

struct ClaimRow {
    std::string study, section, metric, paper, ours, verdict;
    std::string other; ///< number and verdict with the alternative of the page; empty on pages that have none
};

struct ClaimPage {
    std::string text;
    std::vector<ClaimRow> rows;
    std::string alternative; ///< the heading of its column; empty without one
};

std::string stripped(const std::string& cell) {
    const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    return first == std::string::npos ? "" : cell.substr(first, last - first + 1);
}

ClaimPage page_of(const std::string& name) {
    ClaimPage page;
    std::ifstream file(source_dir() + "/docs/papers/claims/" + name);
    for (std::string line; std::getline(file, line);) {
        page.text += line;
        page.text += '\n';
        if (line.rfind("| ", 0) != 0) continue;
        std::istringstream cells(line.substr(1));
        std::vector<std::string> found;
        for (std::string cell; std::getline(cells, cell, '|');) found.push_back(stripped(cell));
        found.resize(7);
        if (found[0] != "study")
            page.rows.push_back({found[0], found[1], found[2], found[3], found[4], found[5],
                                 page.alternative.empty() ? std::string() : found[6]});
        else if (found[6].rfind("reading", 0) != 0)
            page.alternative = found[6];
    }
    return page;
}

/// The number as the pages write it.
std::string written(const StudyPaper& paper) {
    if (paper.value.value) return fmt::format("{:g}", *paper.value.value);
    if (paper.above.value && paper.below.value)
        return fmt::format("{:g} to {:g}", *paper.above.value, *paper.below.value);
    return paper.above.value ? fmt::format("> {:g}", *paper.above.value) : fmt::format("< {:g}", *paper.below.value);
}

/// How often a number stands in a study's rows, by "study number kind".
using Tally = std::map<std::string, int>;

Tally tally_of(const Study& study) {
    Tally tally;
    for (const StudyFigure& figure : study.figures)
        for (const StudyPaper& paper : figure.file.paper)
            if (!paper.input) ++tally[fmt::format("{} {} {}", figure.file.name, written(paper), kind_of(paper))];
    return tally;
}

std::string kind_of_row(const ClaimRow& row) {
    for (const char* const kind : {"again", "derived"})
        if (row.verdict.find(kind) != std::string::npos) return kind;
    return "claim";
}

Tally tally_of(const ClaimPage& page) {
    Tally tally;
    for (const ClaimRow& row : page.rows)
        if (row.study != "—") ++tally[fmt::format("{} {} {}", row.study, row.paper, kind_of_row(row))];
    return tally;
}

struct PageOfStudy {
    const char* study;
    const char* page;
};

class Claims : public ::testing::TestWithParam<PageOfStudy> {};

TEST_P(Claims, EachNumberOfTheStudiesIsARow) {
    const Study study = load_study(source_dir() + "/configs/studies/" + GetParam().study);
    const ClaimPage page = page_of(GetParam().page);
    ASSERT_FALSE(page.rows.empty());
    EXPECT_EQ(tally_of(page), tally_of(study));
}

/// Of a cell with a number and a verdict; all of it if there is none.
std::string verdict_in(const std::string& cell) {
    for (const char* const verdict : {"agrees", "differs", "open"})
        if (cell.find(verdict) != std::string::npos) return verdict;
    return cell;
}

TEST_P(Claims, TheCountIsThatOfTheRows) {
    const ClaimPage page = page_of(GetParam().page);
    std::map<std::string, int> verdicts, others;
    int claims = 0;
    for (const ClaimRow& row : page.rows) {
        if (row.study == "—" || kind_of_row(row) != "claim") continue;
        ++claims;
        ++verdicts[row.verdict];
        ++others[verdict_in(row.other)];
    }
    const auto counts = [claims](std::map<std::string, int>& of) {
        EXPECT_EQ(of["agrees"] + of["differs"] + of["open"], claims) << "another word is no verdict";
        return fmt::format("{} agree, {} differ and {} are open.", of["agrees"], of["differs"], of["open"]);
    };
    EXPECT_THAT(page.text, ::testing::HasSubstr(fmt::format("Of {} claims {}", claims, counts(verdicts))));
    if (page.alternative.empty()) return;
    EXPECT_THAT(page.text, ::testing::HasSubstr(fmt::format("With {} {}", page.alternative, counts(others))));
}

/// A plain number beside a plain number is judged as the studies judge it. Rows whose value has words are read by eye.
TEST_P(Claims, VerdictsFollowTheRule) {
    const Study study = load_study(source_dir() + "/configs/studies/" + GetParam().study);
    std::size_t judged = 0, others = 0;
    const ClaimPage page = page_of(GetParam().page);
    for (const ClaimRow& row : page.rows) {
        const StudyFigure* const figure = study.find(row.study);
        if (figure == nullptr) continue;
        const auto paper = std::find_if(figure->file.paper.begin(), figure->file.paper.end(), [&](const StudyPaper& p) {
            return !p.input && written(p) == row.paper && row.metric.rfind(p.metric, 0) == 0;
        });
        ASSERT_NE(paper, figure->file.paper.end()) << row.study << ": " << row.metric;
        const auto metric = std::find_if(figure->file.metrics.begin(), figure->file.metrics.end(),
                                         [&](const StudyMetric& m) { return m.name == paper->metric; });
        if (metric->above.value) continue; // a share, written as a number of workloads
        const bool ratio = metric->relation != MetricRelation::none || paper->is_quotient();
        const auto judge = [&](const std::string& ours, const std::string& verdict) -> std::size_t {
            char* end = nullptr;
            const double number = std::strtod(ours.c_str(), &end);
            if (end == ours.c_str() || verdict == "open") return 0;
            EXPECT_EQ(verdict, verdict_of(*paper, ratio, number))
                << row.study << ": " << row.metric << ", " << row.paper << " and " << ours;
            return 1;
        };
        judged += judge(row.ours, verdict_in(row.verdict));
        others += judge(row.other, verdict_in(row.other));
    }
    EXPECT_GE(judged, 20U);
    if (!page.alternative.empty()) {
        EXPECT_GE(others, 20U);
    }
}

INSTANTIATE_TEST_SUITE_P(Papers, Claims,
                         ::testing::Values(PageOfStudy{"numa-aware-gpus", "NUMA_AWARE_GPUS.md"},
                                           PageOfStudy{"memory-networks", "MEMORY_NETWORKS.md"},
                                           PageOfStudy{"nuba", "NUBA.md"}),
                         [](const auto& param) {
                             std::string name = param.param.study;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

} // namespace
} // namespace numavp::test

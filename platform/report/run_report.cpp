#include "platform/report/run_report.h"

#include <filesystem>
#include <fstream>

#include "models/base/config.h"
#include "platform/explain.h"
#include "platform/results.h"
#include "platform/summary.h"

namespace numavp {
namespace {

/// Spans and instants of the timeline as {what, name, cycle, cycles, socket}: the page has the counters as series.
ordered_json events_of(const ordered_json& timeline) {
    constexpr int kFirstSocket = 2; // process of socket 0
    ordered_json events = ordered_json::array();
    for (const ordered_json& event : timeline.at("traceEvents")) {
        const std::string phase = event.at("ph").get<std::string>();
        if (phase != "X" && phase != "i") continue;
        events.push_back({{"what", event.at("cat")},
                          {"name", event.at("name")},
                          {"cycle", event.at("args").at("cycle")},
                          {"cycles", event.at("args").value("cycles", 0)},
                          {"socket", event.at("pid").get<int>() - kFirstSocket}});
    }
    return events;
}

} // namespace

ordered_json read_ordered_json(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw ConfigError(path, "it can't be read; a file of results is expected");
    try {
        return ordered_json::parse(in);
    } catch (const ordered_json::exception&) {
        throw ConfigError(path, "this is not JSON; a file that numavp wrote is expected");
    }
}

ReportPage run_report(const ordered_json& results, const ordered_json& timeline, const ordered_json& run) {
    try {
        if (results.at("format") != kResultsFormat)
            throw ConfigError("results.json: $.format", "is not 1; format 1 is allowed");
        const auto config = read_config<SystemConfig>(json(results.at("configuration")),
                                                      Place{"results.json", "$.configuration", nullptr});
        ReportPage page;
        page.title = results.at("workload").at("name").get<std::string>() + " on " + config.name;
        page.scripts = {"base.js",       "figure.js", "time_figure.js", "link_figure.js",
                        "bar_figure.js", "table.js",  "topology.js",    "run.js"};
        page.data["kind"] = "run";
        page.data["results"] = results;
        page.data["run"] = run;
        page.data["summary"] = summary_json(summarise(config, results));
        page.data["paths"] = explain_json(config).at("paths");
        page.data["events"] = events_of(timeline);
        return page;
    } catch (const ordered_json::exception& fault) {
        throw ConfigError("results", std::string("something is not where a run puts it: ") + fault.what() +
                                         "; a folder that numavp run wrote is expected");
    }
}

ReportPage run_report(const std::string& folder) {
    const std::filesystem::path place = folder;
    return run_report(read_ordered_json((place / "results.json").string()),
                      read_ordered_json((place / "timeline.json").string()),
                      read_ordered_json((place / "run.json").string()));
}

} // namespace numavp

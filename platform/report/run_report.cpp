#include "platform/report/run_report.h"

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/files/json_file.h"
#include "common/files/results_format.h"
#include "common/system/recorded_system.h"
#include "platform/explain/explain.h"
#include "platform/report/run_network.h"
#include "platform/results/kernel_figures.h"
#include "platform/results/ratio_values.h"
#include "platform/results/results_check.h"
#include "platform/summary/summary.h"

namespace numavp {
namespace {

/// Events of the timeline that the page draws, as {what, name, cycle, cycles, socket, args}; its counters come from the
/// series.
ordered_json events_of(const ordered_json& timeline) {
    constexpr int kFirstSocket = 2; // process of socket 0
    ordered_json events = ordered_json::array();
    for (const ordered_json& event : timeline.at("traceEvents")) {
        const std::string phase = event.at("ph").get<std::string>();
        if (phase != "X" && phase != "i") continue;
        const std::string what = event.at("cat").get<std::string>();
        if (what != "kernel" && what != "flush" && what != "lanes") continue;
        events.push_back({{"what", what},
                          {"name", event.at("name")},
                          {"cycle", event.at("args").at("cycle")},
                          {"cycles", event.at("args").value("cycles", 0)},
                          {"socket", event.at("pid").get<int>() - kFirstSocket},
                          {"args", event.at("args")}});
    }
    return events;
}

ordered_json figures_json(const std::vector<KernelFigure>& figures) {
    ordered_json list = ordered_json::array();
    for (const KernelFigure& figure : figures)
        list.push_back({{"name", figure.name},
                        {"unit", figure.unit},
                        {"doc", figure.doc},
                        {"detail", figure.detail},
                        {"values", figure.values}});
    return list;
}

/// Checks that the members which the page reads exist for each socket.
void check_sockets(const SystemConfig& config, const ordered_json& results) {
    const ordered_json& statistics = results.at("statistics");
    for (unsigned s = 0; s < config.sockets; ++s) {
        const std::string socket = fmt::format("socket{}", s);
        std::vector<std::string> groups = {"l2", "memory", "load_latency"};
        if (config.socket_at(s).sms != 0) groups.insert(groups.begin(), "l1");
        for (const std::string& group : groups)
            if (!statistics.contains(socket) || !statistics.at(socket).contains(group))
                throw ConfigError("results.json: $.statistics." + socket,
                                  fmt::format("'{}' is missing; statistics of all {} sockets of the configuration are "
                                              "expected",
                                              group, config.sockets));
    }
}

} // namespace

ReportPage run_report(const ordered_json& results, const ordered_json& timeline, const ordered_json& run) {
    try {
        if (results.at("format") != kResultsFormat)
            throw ConfigError("results.json: $.format", "is not 1; format 1 is allowed");
        const auto config =
            recorded_config(json(results.at("configuration")), Place{"results.json", "$.configuration", nullptr});
        check_sockets(config, results);
        ReportPage page;
        page.title = results.at("workload").at("name").get<std::string>() + " on " + config.name;
        page.scripts = {"base.js",           "figure.js",         "time_figure.js",  "link_figure.js",
                        "bar_figure.js",     "matrix_figure.js",  "table.js",        "topology.js",
                        "latency_figure.js", "network_figure.js", "slot_causes.js",  "run_time.js",
                        "run_host.js",       "run_verdict.js",    "run_roofline.js", "run.js"};
        page.data["kind"] = "run";
        page.data["results"] = results;
        page.data["run"] = run;
        page.data["run"].erase("files"); // not written yet where a run makes its own report
        page.data["summary"] = summary_json(summarise(config, results));
        page.data["ratios"] = shown_ratios(RatioValues(results));
        page.data["paths"] = explain_json(config).at("paths");
        add_network(page.data, config, results);
        page.data["events"] = events_of(timeline);
        if (results.contains("kernels")) page.data["kernel_figures"] = figures_json(kernel_figures(results));
        return page;
    } catch (const ordered_json::exception&) {
        throw ConfigError("results",
                          "a member that a run writes is missing or of another kind; a folder that numavp run "
                          "wrote is expected");
    }
}

ReportPage run_report(const std::string& folder) {
    const std::filesystem::path place = folder;
    const ordered_json results = read_ordered_json((place / "results.json").string());
    const ordered_json timeline = read_ordered_json((place / "timeline.json").string());
    const ordered_json run = read_ordered_json((place / "run.json").string());
    try {
        return run_report(results, timeline, run);
    } catch (const ConfigError& fault) {
        check_results_folder(folder); // says where something is wrong, if it finds it
        throw ConfigError(folder, fault.what());
    }
}

} // namespace numavp

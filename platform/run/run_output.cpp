#include "platform/run/run_output.h"

#include "common/files/json_file.h"
#include "common/system/derived.h"
#include "platform/results/results.h"
#include "platform/results/results_timeline.h"
#include "platform/results/run_record.h"

namespace numavp {

RunOutput run_output(const System& system, const NamedWorkload& workload, const RunFacts& facts) {
    const SystemConfig& config = system.config();
    RunOutput output;
    output.results = results_json(system, workload.record);
    output.summary = summarise(config, output.results);
    output.cost = facts.cost;
    output.cost.transactions = output.summary.completed;
    output.timeline =
        timeline_json(system.timeline(), output.results.at("series"), socket_names(config), config.clock_khz,
                      config.link.lane_gbps, output.results, output.results.at("slots"));
    if (facts.followed != nullptr) add_accesses(output.timeline, *facts.followed, config.sockets);
    output.run = run_json(output.cost, facts.command_line);
    if (!facts.own.empty()) output.run["own"] = facts.own;
    output.run["record"] = run_record(workload);
    return output;
}

ReportText report_of(const RunOutput& output, const ReportFiles& files) {
    try {
        return {report_html(run_report(output.results, output.timeline, output.run), files), ""};
    } catch (const std::exception& fault) {
        return {"", fault.what()};
    }
}

std::string write_run(ResultsFolder& folder, const RunOutput& output, const std::string& report,
                      const std::function<void()>& check) {
    folder.write("results.json", json_text(output.results));
    check();
    folder.write("timeline.json", output.timeline.dump() + "\n");
    if (!report.empty()) folder.write("report.html", report);
    ordered_json run = output.run;
    run["files"] = folder.files();
    run["files"].push_back("run.json");
    folder.write("run.json", json_text(run));
    check();
    return folder.commit();
}

} // namespace numavp

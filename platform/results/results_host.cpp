#include "platform/results/results_host.h"

#include <ctime>
#include <fstream>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "common/files/json_file.h"
#include "common/files/program.h"
#include "common/files/results_format.h"

namespace numavp {
namespace {

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        const std::size_t colon = line.find(": ");
        if (line.compare(0, 10, "model name") == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

} // namespace

ordered_json run_json(const RunCost& cost, const std::vector<std::string>& command_line) {
    ordered_json run;
    run["format"] = kResultsFormat;
    run["program"] = "numavp";
    run["version"] = program_version();
    run["compiler"] = compiler_name();
    run["date"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    run["command_line"] = ordered_json::array();
    for (const std::string& word : command_line) run["command_line"].push_back(printable(word));
    run["host"] = printable(host_name());
    run["processor"] = processor();
    run["processors"] = std::thread::hardware_concurrency();
    run["workers"] = cost.workers;
    if (!cost.why_one_worker.empty()) run["one_worker"] = cost.why_one_worker;
    run["load_seconds"] = cost.load_seconds;
    run["wall_seconds"] = cost.wall_seconds;
    run["peak_memory_bytes"] = peak_memory_bytes();
    run["events"] = cost.events;
    run["events_per_second"] = cost.per_second(cost.events);
    run["cycles_per_second"] = cost.per_second(cost.cycles);
    run["warp_instructions_per_second"] = cost.per_second(cost.warp_instructions);
    run["transactions_per_second"] = cost.per_second(cost.transactions);
    return run;
}

} // namespace numavp

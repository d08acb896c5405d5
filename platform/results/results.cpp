#include "platform/results/results.h"

#include "base/config/config.h"
#include "common/files/results_format.h"
#include "platform/accesses/results_latency.h"
#include "platform/machine/slot_series.h"
#include "platform/replay/replay_json.h"

namespace numavp {
namespace {

ordered_json json_of(const WorkloadRecord& workload) {
    ordered_json json = {{"name", workload.name},
                         {"description", workload.description},
                         {"seed", workload.seed ? ordered_json(*workload.seed) : ordered_json()},
                         {"scale", workload.scale},
                         {"footprint_bytes", workload.footprint_bytes},
                         {"launches", workload.launches},
                         {"blocks", workload.blocks}};
    if (!workload.kernels.empty()) json["kernels"] = workload.kernels;
    return json;
}

ordered_json json_of(const DriverResult& driver) {
    return {{"page_table_digest", digest_text(driver.record.page_table_digest)},
            {"homes_digest", digest_text(driver.record.homes_digest)},
            {"device_writes", driver.record.device_writes},
            {"device_write_digest", digest_text(driver.record.device_write_digest)},
            {"console", driver.console}};
}

} // namespace

double time_ns(std::uint64_t cycles, std::uint64_t clock_khz) {
    return static_cast<double>(cycles) * 1e6 / static_cast<double>(clock_khz);
}

ordered_json results_json(const System& system, const WorkloadRecord& workload) {
    ordered_json results;
    results["format"] = kResultsFormat;
    results["configuration"] = dump_config(system.config());
    results["workload"] = json_of(workload);
    results["seed"] = results["workload"]["seed"];
    results["cycles"] = system.cycles();
    results["time_ns"] = time_ns(system.cycles(), system.config().clock_khz);
    if (const std::optional<DriverResult> driver = system.driver()) results["driver"] = json_of(*driver);
    results["statistics"] = system.stats().values();
    results["units"] = system.stats().units();
    for (const auto& [name, ratio] : system.stats().ratios()) results["ratios"][name] = json_of(ratio);
    results["series"] = system.series().json();
    results["kernels"] = system.kernels();
    results["slots"] = system.slots().json();
    results["access_latency"] = access_latency_json(system);
    return results;
}

} // namespace numavp

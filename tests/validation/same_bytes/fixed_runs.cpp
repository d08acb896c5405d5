#include "tests/validation/same_bytes/fixed_runs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "base/values/digest.h"
#include "base/values/error.h"
#include "base/values/natural_order.h"
#include "common/inputs/named_workload.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "platform/results/results_timeline.h"
#include "tests/support/kernel_sums.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"

namespace numavp::test {

namespace {
namespace fs = std::filesystem;
using Numbers = std::map<std::string, std::uint64_t, NaturalLess>;
using Texts = std::map<std::string, std::string, NaturalLess>;

const fs::path kFolder = fs::path(source_dir()) / "tests/validation/same_bytes";

std::string digest(const std::string& text) {
    Digest digest;
    for (const char c : text) digest.add(static_cast<unsigned char>(c));
    return fmt::format("{:016x}", digest.value());
}

/// "socket3.l2.slice7.reads" is "socket*.l2.slice*.reads".
std::string pattern_of(const std::string& path) {
    static const std::regex indexed("(socket|slice|channel|port|from|to)[0-9]+");
    return std::regex_replace(path, indexed, "$1*");
}

void add_up(const ordered_json& node, const std::string& path, Numbers& sums) {
    if (node.is_number_unsigned() && node != 0) sums[pattern_of(path)] += node.get<std::uint64_t>();
    if (!node.is_object()) return;
    for (const auto& [key, value] : node.items())
        add_up(value, path.empty() ? key : fmt::format("{}.{}", path, key), sums);
}

std::string text_of(const System& system) {
    const ordered_json statistics = system.stats().values(), series = system.series().json();
    const SystemConfig& c = system.config();
    const ordered_json timeline =
        timeline_json(system.timeline(), series, socket_names(c), c.clock_khz, c.link.lane_gbps);
    std::string text = fmt::format("cycles {}\nstatistics {}\nseries {}\ntimeline {}\n", system.cycles(),
                                   digest(statistics.dump()), digest(series.dump()), digest(timeline.dump()));
    Numbers sums;
    add_up(statistics, "", sums);
    for (const auto& [name, value] : sums) text += fmt::format("{} {}\n", name, value);
    Texts columns, events;
    for (const auto& [name, column] : series.at("columns").items())
        columns[pattern_of(name)] += column.at("values").dump();
    for (const auto& [name, values] : columns) text += fmt::format("column {} {}\n", name, digest(values));
    for (const TimelineEvent& e : system.timeline())
        events[e.what] += fmt::format("{} {} {} {}\n", e.cycle, e.end, e.socket, e.name);
    for (const auto& [what, lines] : events)
        text += fmt::format("event {} {} {}\n", what, std::count(lines.begin(), lines.end(), '\n'), digest(lines));
    return text;
}

fs::path expected_file(const FixedRun& run) { return kFolder / "expected" / (run.name + ".txt"); }
} // namespace

std::vector<FixedRun> fixed_runs() {
    std::vector<FixedRun> runs;
    for (const auto& file : fs::directory_iterator(fs::path(source_dir()) / "configs/systems"))
        if (file.path().extension() == ".json") runs.push_back({file.path().stem().string(), file.path().string(), {}});
    std::sort(runs.begin(), runs.end(), [](const FixedRun& a, const FixedRun& b) { return a.name < b.name; });
    const auto small = [&](const std::string& name, const std::vector<std::string>& settings) {
        runs.push_back({"small-" + name, (kFolder / "system.json").string(), settings});
    };
    const std::string full = "translation.mode=full";
    const std::vector<std::string> driven = {full, "driver.register_cycles=20", "driver.pages=64",
                                             "driver.migration_threshold=32"};
    const auto driver = [&](const std::string& execution) {
        std::vector<std::string> settings = driven;
        settings.push_back("driver.execution=" + execution);
        return settings;
    };
    small("numa-aware", {});
    small("memory-side", {"socket.l2.organisation=memory_side"});
    small("static", {"socket.l2.organisation=static", "socket.l2.write_policy=write_through"});
    small("directory", {"sockets=2", "socket.l2.organisation=coherent", "socket.l2.coherence=directory",
                        "socket.l2.directory_lines=64"});
    small("round-robin", {"placement.policy=round_robin", "dispatch.split=fine_grained"});
    small("stealing", {"dispatch.split=stealing"});
    small("ugal", {"network.topology=flattened_butterfly", "routing=ugal", "network.ugal_threshold=0",
                   "network.noc_khz=100000", "network.traffic_matrix=true"});
    small("torus", {"network.topology=torus", "network.noc_khz=900000"});
    small("depth-1", {"socket.sm.l1.queue_depth=1", "socket.sm.l1.wire_depth=1", "socket.noc.queue_depth=1",
                      "socket.noc.wire_depth=1", "socket.l2.queue_depth=1", "socket.l2.wire_depth=1",
                      "socket.memory.queue_depth=1", "link.queue_depth=1", "link.wire_depth=1", "switch.queue_depth=1",
                      "switch.wire_depth=1"});
    small("sectors", {"sector_bytes=32"});
    small("clocks", {"clock_khz=1400000", "socket.clocks_khz.noc=1250000", "socket.clocks_khz.l2=700000",
                     "socket[1].clocks_khz.noc=700000", "socket[1].clocks_khz.sm=900000"});
    small("cut", {"link.cut=flits"});
    small("own-cut", {"socket[1].link.cut=flits"});
    small("ideal-translation", {"translation.mode=ideal"});
    small("walks", {full});
    small("shared-walkers", {full, "translation.shared=true", "translation.shared_at=2"});
    small("tables-on-host", {full, "translation.tables=host"});
    small("ideal-driver", {full, "driver.execution=ideal", "driver.latency_us=1"});
    small("native-driver", driver("native"));
    small("riscv-driver", driver("riscv"));
    const std::vector<std::string> few = {"socket.sms=2", "dispatch.launch_cycles=50", "results.interval_cycles=500"};
    for (const char* name : {"pcie", "gmn-zc", "gmn-4-sfbfly"}) runs.push_back({name, name, few, "program.json"});
    std::vector<std::string> cores = few;
    cores.insert(cores.end(), {"cpu.sms=0", "host_core.cores=2"});
    for (const char* name : {"cmn-cpu", "umn-cpu"}) runs.push_back({name, name, cores, "program.json"});
    for (const char* name : {"nuba", "uba-sm-side"}) runs.push_back({name, name, {}, "program.json"});
    return runs;
}

bool has_firmware(const FixedRun& run) {
    return std::find(run.settings.begin(), run.settings.end(), "driver.execution=riscv") != run.settings.end();
}

std::string outcome_of(const FixedRun& run, std::optional<std::uint64_t> seed, unsigned workers) {
    const nlohmann::json outcome = run_apart([&] {
        const SystemConfig config = load_system(run.system, run.settings);
        const NamedWorkload loaded = load_named_workload((kFolder / run.workload).string(), "7", "", "");
        SystemOptions options;
        options.shuffle_seed = seed;
        options.order_seed = seed.value_or(0);
        options.workers = std::min(workers, config.sockets);
        options.worker_seed = seed;
        System system(config, loaded.workload, options);
        system.run();
        if (const std::string wrong = wrong_sums(system); !wrong.empty())
            throw ModelError("kernels do not sum to the statistics: " + wrong);
        return nlohmann::json(text_of(system));
    });
    return outcome.get<std::string>();
}

std::string expected_outcome(const FixedRun& run) {
    std::stringstream text;
    text << std::ifstream(expected_file(run)).rdbuf();
    return text.str();
}

void commit_outcome(const FixedRun& run, const std::string& outcome) {
    fs::create_directories(expected_file(run).parent_path());
    std::ofstream(expected_file(run)) << outcome;
}

} // namespace numavp::test

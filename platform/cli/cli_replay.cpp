#include "platform/cli/cli_replay.h"

#include <fmt/format.h>

#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "platform/cli/json_output.h"
#include "platform/replay/fault_replay.h"
#include "platform/replay/replay_json.h"

namespace numavp {

namespace {
std::string page_table_csv(const std::vector<MappedPage>& pages, unsigned socket_shift) {
    std::string text = "page,memory,entry\n";
    for (const MappedPage& p : pages)
        text += fmt::format("{},{},{:#x}\n", p.page, p.leaf.address() >> socket_shift, p.leaf.bits);
    return text;
}

std::string text_of(const ordered_json& r) {
    const auto number = [&](const char* key) { return r.at(key).get<std::uint64_t>(); };
    const double faults = static_cast<double>(number("faults"));
    std::string text = fmt::format("{} faults on {} pages, served by the driver ({}, {}) in {:g} us\n",
                                   number("faults"), number("pages"), r.at("execution").get<std::string>(),
                                   r.at("policy").get<std::string>(), r.at("time_ns").get<double>() / 1000);
    const ordered_json& latency = r.at("fault_latency_ps");
    text += fmt::format("latency    mean {:g} ns, half at most {:g} ns, longest {:g} ns\n",
                        latency.at("mean").get<double>() / 1000, latency.at("p50").get<double>() / 1000,
                        latency.at("max").get<double>() / 1000);
    text += fmt::format("a fault    {:.1f} instructions, {:.1f} bus accesses\n",
                        static_cast<double>(number("instructions")) / faults,
                        static_cast<double>(number("bus_accesses")) / faults);
    text += fmt::format("digests    page table {}, homes {}, {} device writes {}\n",
                        r.at("page_table_digest").get<std::string>(), r.at("homes_digest").get<std::string>(),
                        number("device_writes"), r.at("device_write_digest").get<std::string>());
    return text;
}
} // namespace

std::string replay_command(const ReplayWords& words) {
    std::vector<std::string> assignments = words.set;
    if (!words.execution.empty()) assignments.push_back("driver.execution=" + words.execution);
    const SystemConfig config = load_system(words.system, assignments);
    if (!words.page_table.empty()) {
        refuse_unwritable(words.page_table, "--page-table");
        refuse_to_replace({"--page-table", words.page_table}, {words.file, words.system});
    }
    FaultReplay replay(config, read_faults(words.file, config.sockets));
    replay.run();
    if (!words.page_table.empty()) {
        WholeFile file(words.page_table, "--page-table");
        file.out() << page_table_csv(replay.pages(), address_map(config).socket_shift);
        file.keep();
    }
    const ordered_json result = replay_json(config, replay);
    return words.json ? json_line("replay-faults", result) : text_of(result);
}

} // namespace numavp

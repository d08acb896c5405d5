#include "platform/replay/replay_json.h"

#include <fmt/format.h>

#include "models/fault_server/fault_ledger.h"

namespace numavp {

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

ordered_json replay_json(const SystemConfig& config, FaultReplay& replay) {
    const Host& host = replay.host();
    const FaultLedger& ledger = host.faults().ledger();
    const BusCounts& bus = host.devices().counts;
    const DriverRecord record = replay.record();
    const Histogram& h = ledger.latency();
    const double mean = static_cast<double>(h.sum()) / static_cast<double>(h.count());
    ordered_json r;
    r["execution"] = kDriverExecutions.name(config.driver.execution);
    r["policy"] = config.driver.policy;
    r["faults"] = ledger.counts.done;
    r["merged"] = ledger.counts.merged;
    r["waited_for_room"] = replay.waited();
    r["pages"] = replay.pages().size();
    r["time_ns"] = static_cast<double>(replay.end_ps()) / 1000;
    r["page_table_digest"] = digest_text(record.page_table_digest);
    r["homes_digest"] = digest_text(record.homes_digest);
    r["device_writes"] = record.device_writes;
    r["device_write_digest"] = digest_text(record.device_write_digest);
    r["instructions"] = host.core().instructions();
    r["bus_accesses"] = bus.reads + bus.writes + bus.memory_reads + bus.memory_writes;
    r["fault_latency_ps"] = {{"mean", mean}, {"p50", h.percentile(50)}, {"p99", h.percentile(99)}, {"max", h.max()}};
    for (unsigned p = 0; p < kFaultParts; ++p)
        r["fault_latency_ps"]["parts"][kFaultPartNames[p]] =
            static_cast<double>(ledger.part_ps(p)) / static_cast<double>(h.count());
    r["console"] = host.registers().console();
    return r;
}

} // namespace numavp

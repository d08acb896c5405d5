/// How much of what each kind of part could do a kernel asked of it, from counters of results.json.
///
/// docs/use/RESULTS.md ("What limits a run") has the formulas. A use is that of the busiest part of its kind. Not
/// known, and so not here: miss entries, queues, walkers and other places that are held for a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "base/values/name_table.h"
#include "common/system/system_config.h"
#include "models/socket/socket_config.h"
#include "platform/verdict/kernel_rows.h"
#include "platform/verdict/kernel_slots.h"

namespace numavp {

struct NetworkSystem;
class PhaseCounts;

/// Share of the slots that found their unit busy; less makes no unit a limit.
inline constexpr double kBusyUnits = 0.2;

/// Kinds of parts that can be full.
enum class FullPart : std::uint8_t { issue, units, l1, crossbar, l2, link, the_switch, network, memory };

/// Names, and what a use is a share of.
inline constexpr NameTable<FullPart> kFullParts{
    "part",
    {{FullPart::issue, "issue", "of the schedulers' slots issued an instruction"},
     {FullPart::units, "units", "of the schedulers' slots issued, or found the execution unit busy"},
     {FullPart::l1, "l1", "of the look-ups that the L1s could make"},
     {FullPart::crossbar, "crossbar", "of what the crossbar could carry"},
     {FullPart::l2, "l2", "of what the slices could serve"},
     {FullPart::link, "link", "of what the lanes could carry"},
     {FullPart::the_switch, "switch", "of what the switch could carry"},
     {FullPart::network, "network", "of what the channel could carry"},
     {FullPart::memory, "memory", "of the memory's bandwidth"}}};

/// The busiest part of a kind.
struct PartUse {
    FullPart kind{};
    std::string part;               ///< "link out of socket 0"
    double use = 0.0;               ///< a share of what it could do in the kernel's time
    std::optional<unsigned> socket; ///< none: all sockets use it
};

class PartUses {
  public:
    /// All must outlive this object.
    PartUses(const SystemConfig& config, const KernelRows& kernels);
    ~PartUses();
    PartUses(const PartUses&) = delete;
    PartUses& operator=(const PartUses&) = delete;

    /// Of each kind that the machine has and that was counted, the busiest part, the most used kind first. `slots` are
    /// those of the phase; without any the kinds that are seen by slots alone are left out.
    std::vector<PartUse> of(const KernelPhase& phase, const SlotWindow& slots) const;

  private:
    std::vector<PartUse> of_socket(unsigned s, const PhaseCounts& counts, const SlotWindow& slots) const;
    std::vector<PartUse> of_machine(const PhaseCounts& counts) const;
    double memory_use(unsigned s, const PhaseCounts& counts) const;

    const SystemConfig& config_;
    const KernelRows& kernels_;
    std::vector<GpuSocketConfig> sockets_;
    std::vector<std::string> names_;
    std::unique_ptr<NetworkSystem> network_; ///< null: no routers
};

} // namespace numavp

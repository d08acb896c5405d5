/// Recorded page faults, fed to the page-fault unit and its driver without sockets: open-loop, so that the same faults
/// come at the same times whatever the driver does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/machine/host_build.h"
#include "platform/replay/driver_record.h"
#include "platform/replay/fault_list.h"

namespace numavp {

/// One a process (SystemC allows one elaboration).
class FaultReplay {
  public:
    /// Page tables lie in the host's memory, whatever the configuration says. ConfigError if the configuration asks
    /// for what needs sockets: filled pages, migration.
    FaultReplay(const SystemConfig& config, std::vector<TimedFault> faults);
    ~FaultReplay();

    /// Until the driver has completed all faults. ConfigError if it does something wrong, ModelError if it hangs.
    void run();

    Host& host();
    std::vector<MappedPage> pages() const;
    DriverRecord record() const;
    /// Faults that a walker had to hold, since the queue was full.
    std::uint64_t waited() const;
    std::uint64_t end_ps() const; ///< when the last fault was completed

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace numavp

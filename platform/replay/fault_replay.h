/// Replay of recorded page faults on the page-fault unit and its driver, without sockets. Open-loop: faults come at
/// their recorded times, independent of the driver.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/machine/driver_record.h"
#include "platform/machine/fault_list.h"
#include "platform/machine/host_build.h"

namespace numavp {

/// A replay. One per process (SystemC allows one elaboration).
class FaultReplay {
  public:
    /// Page tables lie in the host's memory even if the configuration says otherwise. ConfigError if the configuration
    /// needs sockets: filled pages, migration.
    FaultReplay(const SystemConfig& config, std::vector<TimedFault> faults);
    ~FaultReplay();

    /// Runs until the driver has completed all faults. ConfigError if it does something wrong, ModelError if it hangs.
    void run();

    Host& host();
    std::vector<MappedPage> pages() const;
    DriverRecord record() const;
    /// Number of faults that a walker had to hold because the queue was full.
    std::uint64_t waited() const;
    std::uint64_t end_ps() const; ///< when the last fault was completed

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace numavp

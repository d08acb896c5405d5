/// The host as a part of a machine: its fault unit and its driver. Where the driver takes time, or the page tables are
/// there, it has a memory at the switch or network.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "models/fault_server/host.h"
#include "models/fault_server/policy_object.h"
#include "platform/machine/machine_part.h"

namespace numavp {

/// What a host did, for results and the timeline.
struct HostRecord {
    struct Served {
        std::uint64_t page;
        SocketId first;
        FaultTimes times;
    };
    struct Copy {
        std::uint64_t since_ps, until_ps, bytes;
        SocketId from, to;
    };
    std::vector<TimedFault> faults; ///< in the order in which they were raised
    std::set<std::uint64_t> pages;  ///< of these
    std::vector<Served> served;     ///< in the order in which they ended
    std::vector<Copy> copies;
    std::string image; ///< name of the driver's image on RISC-V
};

class HostPart final : public MachinePart {
  public:
    HostPart(unsigned number, const PartResources& resources);
    ~HostPart() override;

    void connect() override;
    void list(PartList& shown) override { host_->list_parts(shown); }
    void change(const SystemConfig& now) override;
    const Link* link() const override { return host_->link.get(); }
    bool foreign() const override { return host_->driver_port != nullptr; }

  private:
    void show_links();

    const PartResources& r_;
    unsigned number_;
    std::unique_ptr<ElfImage> image_;             ///< of the driver, on RISC-V
    std::unique_ptr<PolicyObject> policy_object_; ///< of the user's, in C; null: none
    std::unique_ptr<Host> host_;
};

} // namespace numavp

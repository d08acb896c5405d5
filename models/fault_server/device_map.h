/// The devices on the bus of the driver's core, by address. Accesses take no time here.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/digest.h"
#include "models/fault_server/register_block.h"

namespace numavp {

struct BusRequest {
    std::uint64_t address = 0;
    unsigned bytes = 8;
    bool write = false;
    std::uint64_t value = 0;
};
struct BusReply {
    bool error = false;
    std::uint64_t value = 0;
};

struct BusCounts {
    std::uint64_t reads = 0, writes = 0; ///< of registers
    std::uint64_t memory_reads = 0, memory_writes = 0;
    std::uint64_t errors = 0;
};

class DeviceMap {
  public:
    void attach(const MappedDevice& device) { devices_.push_back(device); }
    /// Performs an access; a bus error if the register map does not allow it.
    BusReply access(const BusRequest& request);
    /// Reads without side effects.
    BusReply peek(std::uint64_t address) const;

    /// Adds a write to a recorded device or to memory to the digest.
    void record(const BusRequest& request) {
        written_.add(request.address);
        written_.add(request.value);
        ++recorded_;
    }
    std::uint64_t recorded() const { return recorded_; }
    std::uint64_t digest() const { return written_.value(); } ///< of the recorded writes: address, value, in order
    BusCounts counts;

  private:
    const MappedDevice* at(std::uint64_t address) const;
    std::vector<MappedDevice> devices_;
    Digest written_;
    std::uint64_t recorded_ = 0;
};

} // namespace numavp

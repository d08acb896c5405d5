#include "models/fault_server/device_map.h"

namespace numavp {

const MappedDevice* DeviceMap::at(std::uint64_t address) const {
    for (const MappedDevice& d : devices_)
        if (d.covers(address)) return &d;
    return nullptr;
}

BusReply DeviceMap::access(const BusRequest& request) {
    const MappedDevice* d = at(request.address);
    const RegisterDecision decision = d ? decide(*d->map, request.address - d->map->base, request.bytes, request.write)
                                        : RegisterDecision{RegisterError::outside};
    if (decision.error != RegisterError::none) {
        ++counts.errors;
        return {true, 0};
    }
    if (!request.write) {
        ++counts.reads;
        return {false, d->device->read_register(decision.index)};
    }
    ++counts.writes;
    if (d->recorded) record(request);
    d->device->write_register(decision.index, request.value);
    return {};
}

BusReply DeviceMap::peek(std::uint64_t address) const {
    const MappedDevice* d = at(address);
    if (!d) return {true, 0};
    const RegisterDecision decision = decide(*d->map, address - d->map->base, kRegisterBytes, false);
    if (decision.error != RegisterError::none) return {true, 0};
    return {false, d->device->peek_register(decision.index)};
}

} // namespace numavp

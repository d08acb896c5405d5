/// A block of registers on the driver's bus: the register map defines which registers exist and which accesses are
/// allowed; the device implements them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sw/driver/register_map.h> // made by the build

namespace numavp {

/// The device behind a block. `index` is the register's number in the map's table; only allowed accesses get here.
class RegisterDevice {
  public:
    virtual std::uint64_t read_register(std::size_t index) = 0;
    virtual void write_register(std::size_t index, std::uint64_t value) = 0;
    /// Reads a register without side effects.
    virtual std::uint64_t peek_register(std::size_t index) const = 0;

  protected:
    ~RegisterDevice() = default;
};

/// A device at its place on the bus.
struct MappedDevice {
    const RegisterBlock* map;
    RegisterDevice* device;
    bool recorded; ///< its writes belong to the digest of device writes

    bool covers(std::uint64_t address) const { return address >= map->base && address - map->base < map->bytes; }
};

} // namespace numavp

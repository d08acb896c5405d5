/// Commands of a DRAM channel, and those who watch them.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace numavp {

enum class DramCommand : std::uint8_t {
    activate,
    precharge,
    precharge_all,
    read,
    write,
    read_precharge, ///< with auto-precharge
    write_precharge,
    refresh ///< of all banks
};

struct IssuedCommand {
    Cycle cycle = 0;
    DramCommand command = DramCommand::refresh;
    unsigned bank = 0;     ///< without a meaning for precharge_all and refresh
    std::uint32_t row = 0; ///< of activates and column commands
};

/// Told of every command in the order in which they are given.
class CommandObserver {
  public:
    virtual ~CommandObserver() = default;
    virtual void observe(const IssuedCommand& command) = 0;
};

} // namespace numavp

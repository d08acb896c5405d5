/// Commands of a DRAM channel, and the interface of observers that receive them.
#pragma once

#include <cstdint>

#include "base/values/types.h"

namespace numavp {

enum class DramCommand : std::uint8_t {
    activate,
    precharge,
    precharge_all,
    read,
    write,
    read_precharge, ///< with auto-precharge
    write_precharge,
    refresh, ///< of all banks
    refresh_bank
};

struct IssuedCommand {
    Cycle cycle = 0;
    DramCommand command = DramCommand::refresh;
    unsigned bank = 0;     ///< without a meaning for precharge_all and refresh
    std::uint32_t row = 0; ///< of activates and column commands
};

/// Receives every command of a channel in the order of issue.
class CommandObserver {
  public:
    virtual ~CommandObserver() = default;
    virtual void observe(const IssuedCommand& command) = 0;
};

} // namespace numavp

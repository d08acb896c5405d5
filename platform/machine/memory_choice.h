/// Which memories hold what: arrays of kernels, and the host's buffers that are copied to and from them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/config.h"
#include "models/base/types.h"

namespace numavp {

struct SystemConfig;
class PagePlacement;

/// Memories, by their numbers.
struct MemoryChoice {
    std::vector<SocketId> of_arrays, of_buffers;
    bool all_alike = true; ///< arrays may lie anywhere, and there are no buffers
};
MemoryChoice memory_choice(const SystemConfig& config);
/// ConfigError at the place of what can't be.
void check_memory_choice(const SystemConfig& config, const Place& place);
std::unique_ptr<PagePlacement> system_placement(const SystemConfig& config);
/// Memories of sockets, or of groups of them, by the number of each socket: of that socket's, or the ones near it.
std::vector<std::vector<SocketId>> near_memories(const SystemConfig& config);
/// The sockets that have a copy engine.
std::vector<SocketId> copying_sockets(const SystemConfig& config);

} // namespace numavp

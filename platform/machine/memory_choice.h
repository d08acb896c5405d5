/// Which memories hold what: arrays of kernels, and the host's buffers that are copied to and from them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/base/config.h"
#include "models/base/types.h"

namespace numavp {

struct SystemConfig;
struct Workload;
class PagePlacement;

/// Memories, by their numbers.
struct MemoryChoice {
    std::vector<SocketId> of_arrays, of_buffers;
    bool all_alike = true; ///< arrays may lie anywhere, and there are no buffers
};
MemoryChoice memory_choice(const SystemConfig& config);
/// ConfigError at the place of what can't be.
void check_memory_choice(const SystemConfig& config, const Place& place);
/// Arrays that the workload gives to a GPU lie in the memories near it, of those that hold arrays.
std::unique_ptr<PagePlacement> system_placement(const SystemConfig& config, const Workload& workload);
/// ConfigError if an array is given to a GPU that is none, or if the system can't place it there.
void check_given_arrays(const SystemConfig& config, const Workload& workload);
/// Memories of sockets, or of groups of them, by the number of each socket: of that socket's, or the ones near it.
std::vector<std::vector<SocketId>> near_memories(const SystemConfig& config);
/// The sockets with SMs.
std::vector<SocketId> gpus_of(const SystemConfig& config);
/// Those that have a copy engine.
std::vector<SocketId> copying_sockets(const SystemConfig& config);

} // namespace numavp

/// Decides which memories hold the arrays of kernels, and which the host's buffers that are copied to and from them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "base/values/types.h"

namespace numavp {

struct SystemConfig;
struct Workload;
class PagePlacement;

/// The memories for arrays and for buffers.
struct MemoryChoice {
    std::vector<MemoryId> of_arrays, of_buffers;
    bool all_alike = true; ///< arrays may lie anywhere, and there are no buffers
};
MemoryChoice memory_choice(const SystemConfig& config);
/// ConfigError, at the place in question, if the settings name no suitable memories.
void check_memory_choice(const SystemConfig& config, const Place& place);
/// Memories may differ in size where pages, and not lines, are given to them; ConfigError at the one that may not.
void check_memory_sizes(const SystemConfig& config, const Place& place);
/// The place of a socket's size of memory.
Place capacity_place(const SystemConfig& config, unsigned socket, const Place& place);
/// Arrays that the workload gives to a GPU lie in the memories near it, of those that hold arrays.
std::unique_ptr<PagePlacement> system_placement(const SystemConfig& config, const Workload& workload);
/// ConfigError if an array is given to a GPU that does not exist, or that the system can't place there.
void check_given_arrays(const SystemConfig& config, const Workload& workload);
/// For each socket the numbers of its memory (or that of its group), or else of the memories near it.
std::vector<std::vector<MemoryId>> near_memories(const SystemConfig& config);
/// The sockets with SMs.
std::vector<SocketId> gpus_of(const SystemConfig& config);
/// The sockets that have a copy engine.
std::vector<SocketId> copying_sockets(const SystemConfig& config);

} // namespace numavp

/// Values of a graph in the driver's memory: what it does when steps touch them (sw/driver/unified_memory.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/config/config_place.h"
#include "communication/characterize/host_machine.h"
#include "communication/graph/app_graph.h"
#include "communication/predict/unified_moves.h"
#include "sw/driver/unified_memory.h"

namespace numavp {

class UnifiedValues {
  public:
    /// What the driver did, with bytes of values.
    struct Work {
        UnifiedKind kind = kUnifiedMove;
        unsigned value = 0;
        AppPlace from, to;
        std::uint64_t bytes = 0;
    };
    /// Works of one step, those of the same kind, value and places together, in the order in which they began.
    struct Works {
        void add(const Work& work);
        std::vector<Work> list;
        double nap_ns = 0; ///< that the step slept before, since pages went to and fro
    };

    /// ConfigError as `unified_moves` has it.
    UnifiedValues(const AppGraph& graph, const HostMachine& machine, const Place& place);
    UnifiedValues(const UnifiedValues&) = delete; // the driver keeps addresses
    UnifiedValues& operator=(const UnifiedValues&) = delete;

    /// Whether the time matters: some values are touched so often that they may go to and fro.
    bool watches() const { return !watched_.empty(); }
    /// Since the beginning; what follows happens then.
    void set_time(double ns) { memory_.now = 1 + static_cast<std::uint64_t>(ns); }
    void allocate(unsigned value, AppPlace at, Works& works);
    void free(unsigned value);
    void read(unsigned value, AppPlace by, Works& works, std::vector<RemoteAccess>& remote);
    /// A value that comes into being.
    void write(unsigned value, AppPlace by, Works& works, std::vector<RemoteAccess>& remote);
    /// Memory that is not unified; false if it does not fit.
    bool reserve(AppPlace at, std::uint64_t bytes, Works& works);
    void release(AppPlace at, std::uint64_t bytes);

  private:
    template <class Do> void each_block(unsigned value, Do what);
    std::uint64_t bytes_in(std::uint32_t block, std::uint32_t leaves) const;
    void collect(Works& works) const;
    void add_remote(std::uint32_t block, std::uint32_t leaves, bool writes, std::vector<RemoteAccess>& remote) const;
    void set_places();
    void set_rule();
    void advise(unsigned value);
    void watch();

    // The places of a machine as the driver numbers them: CPUs, then GPUs.
    unsigned places() const { return machine_.cpus() + machine_.gpus(); }
    unsigned number(AppPlace place) const { return place.gpu ? machine_.cpus() + place.index : place.index; }
    AppPlace place(unsigned number) const {
        return number < machine_.cpus() ? AppPlace{false, number} : AppPlace{true, number - machine_.cpus()};
    }
    bool reaches(AppPlace from, AppPlace to) const;
    bool is_fast(AppPlace from, AppPlace to) const;

    const AppGraph& graph_;
    const HostMachine& machine_;
    std::vector<std::uint32_t> first_; ///< block of each value
    std::vector<unsigned> value_of_;   ///< of each block
    std::vector<UnifiedBlock> blocks_;
    std::vector<UnifiedChunk> chunks_;
    std::vector<ThrashingBlock> watched_; ///< of the blocks of values that are touched often
    UnifiedMemory memory_{};
};

} // namespace numavp

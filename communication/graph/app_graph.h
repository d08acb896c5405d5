/// An application as a graph: values that lie somewhere, and steps that read some and write others. C. Pearson's
/// dynamic value dependence graph (thesis, University of Illinois 2018, section 6.3).
///
/// A value is written once, by a step or before the graph begins, so that dependences follow from the values.
/// Steps of one stream run one after the other in the order of the list. Memory that is used again is not modelled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/values/name_table.h"

namespace numavp {

/// A CPU or a GPU with its memory: where values lie and steps compute. CPUs are numbered from 0, not by NUMA id.
struct AppPlace {
    bool gpu = false;
    unsigned index = 0;

    std::string name() const { return (gpu ? "gpu" : "cpu") + std::to_string(index); }
    bool operator==(const AppPlace& o) const { return gpu == o.gpu && index == o.index; }
    bool operator!=(const AppPlace& o) const { return !(*this == o); }
    bool operator<(const AppPlace& o) const { return gpu != o.gpu ? !gpu : index < o.index; }
};

/// How a host's memory was allocated.
enum class HostMemory : std::uint8_t { pageable, pinned, write_combined, managed, prefetched };
inline constexpr NameTable<HostMemory> kHostMemories{
    "memory",
    {{HostMemory::pageable, "pageable", "malloc(): copies go through the driver's buffers"},
     {HostMemory::pinned, "pinned", "cudaMallocHost(): copied by DMA"},
     {HostMemory::write_combined, "write_combined", "cudaHostAlloc() for writing: the same, past the CPU's caches"},
     {HostMemory::managed, "managed", "cudaMallocManaged(): moves by faults to who reads it"},
     {HostMemory::prefetched, "prefetched", "cudaMallocManaged(): moved by cudaMemPrefetchAsync() before it is read"}}};
/// True for unified memory, whose pages move.
inline bool moves(HostMemory memory) { return memory == HostMemory::managed || memory == HostMemory::prefetched; }

enum class AppStepKind : std::uint8_t { copy, kernel, host };
inline constexpr NameTable<AppStepKind> kAppStepKinds{
    "kind of step",
    {{AppStepKind::copy, "copy", "moves a value: what it writes is what it reads, elsewhere"},
     {AppStepKind::kernel, "kernel", "computes on a GPU"},
     {AppStepKind::host, "host", "computes on a CPU"}}};

/// Advice of cudaMemAdvise() for a value in unified memory.
struct AppAdvice {
    bool read_mostly = false;          ///< readers get copies
    std::optional<AppPlace> preferred; ///< pages that lie there stay if the accessing part can reach it
    std::vector<AppPlace> accessed_by; ///< places that access the pages where they lie

    bool empty() const { return !read_mostly && !preferred && accessed_by.empty(); }
};

struct AppValue {
    std::string name;
    AppPlace place;
    std::uint64_t bytes = 0;
    HostMemory memory = HostMemory::pageable; ///< of a CPU's, or unified
    bool given = false;                       ///< there before the graph begins
    AppAdvice advice{};                       ///< of unified memory
};

/// How long a step computes: `time_us`, or, if that is negative, all bytes that it reads and writes over a rate.
struct AppTime {
    double time_us = -1, gbytes_per_s = 0;
    bool simulated = false; ///< `time_us` comes from a run of numavp's own machine
};

/// Where the time of a kernel or host step comes from.
enum class AppTimeSource : std::uint8_t { measured, scaled, simulated };
inline constexpr NameTable<AppTimeSource> kAppTimeSources{
    "source of a time",
    {{AppTimeSource::measured, "measured", "the graph has it: of a recording, or as somebody wrote it"},
     {AppTimeSource::scaled, "scaled", "all bytes that the step reads and writes, over the graph's rate"},
     {AppTimeSource::simulated, "simulated", "a run of numavp's own machine, with its SMs and caches"}}};

struct AppTimeOn {
    AppPlace place;
    AppTime time;
};

struct AppStep {
    std::string name;
    AppStepKind kind = AppStepKind::copy;
    AppPlace place; ///< where it computes; of a copy unused
    std::vector<unsigned> reads, writes;
    std::string kernel{}; ///< of a kernel: its name in results of runs; empty: the step's
    std::string stream;   ///< empty: of none, it waits for its values alone
    AppTime time;
    std::vector<AppTimeOn> time_on; ///< places for which the time is another
    std::vector<unsigned> after;    ///< steps that must have ended, by events; their values need not be read
};

struct AppGraph {
    std::string name, description;
    std::vector<AppValue> values;
    std::vector<AppStep> steps;

    static constexpr unsigned kNone = ~0U;
    /// The step that writes each value; kNone if it is given.
    std::vector<unsigned> writers() const;
    /// For each step the one before it in its stream; kNone if it is the first, or has no stream.
    std::vector<unsigned> before_in_stream() const;
    /// The steps that each step waits for, by its values, its stream or events; no step is listed twice.
    std::vector<std::vector<unsigned>> waits_for() const;
    /// All steps, each behind those that it waits for, else in list order; some are missing if they wait in a circle.
    std::vector<unsigned> order() const;
    std::uint64_t bytes_touched(unsigned step) const;
    /// Nanoseconds that a kernel or host step computes at a place; negative if the graph does not say.
    double compute_ns(unsigned step, AppPlace at) const;
    /// The source of that time.
    AppTimeSource time_source(unsigned step, AppPlace at) const;

  private:
    AppTime time_at(unsigned step, AppPlace at) const;
};

/// "cpu0", "gpu3"; false if the text is no place.
bool parse_place(const std::string& text, AppPlace& place);

} // namespace numavp

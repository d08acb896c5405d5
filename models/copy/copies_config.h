/// Copies between host and devices as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>
#include <string>

#include "base/values/name_table.h"

namespace numavp {

enum class CopyMode : std::uint8_t { free, into_l2, engines, none };

inline constexpr NameTable<CopyMode> kCopyModes{
    "way of copying",
    {{CopyMode::free, "free", "Copies take no time: their bytes are counted, and kernels find their data."},
     {CopyMode::into_l2, "into_l2",
      "Copies take no time, and lines copied to devices are in the L2 of their home afterwards, except where the next "
      "victim is "
      "dirty (Accel-Sim's gpgpu_perf_sim_memcpy)."},
     {CopyMode::engines, "engines",
      "Copy engines (copies.engines) of each socket with SMs move lines between the host's memories and those of "
      "arrays, over the links and networks between them."},
     {CopyMode::none, "none",
      "Nothing is copied between host and devices; placement.memories says which memory host and kernels share (zero "
      "copy, unified memory). Engines do copies between arrays."}}};

struct CopiesConfig {
    CopyMode mode = CopyMode::free;
    std::string host; ///< parts
    unsigned engines = 2, lines_in_flight = 256;
    bool between_arrays = false; ///< the workload has such copies; filled in when a machine is built
};

template <class V> void describe(V& v, CopiesConfig& c) {
    v.choice("mode", c.mode, kCopyModes, "Mechanism of a workload's copies between host and devices.");
    v.parts("host", c.host, "Parts whose memories are the host's, with engines, such as \"host_cube\".");
    v.integer("engines", c.engines, 1, 2, "engines",
              "Copy engines of each socket with SMs: 2 are one for copies to it and one for others (CUDA's "
              "asyncEngineCount of 2), and both may be under way at once; 1 does all in order.");
    v.integer("lines_in_flight", c.lines_in_flight, 1, 65536, "lines",
              "Lines that each engine reads or writes at a time. A choice: with four engines more than PCIe 3.0 x16 "
              "carries in 2 us.");
}

/// Virtual address of the byte in the host's buffer that belongs to the array's byte at `address`.
inline std::uint64_t host_buffer(std::uint64_t address, unsigned address_bits) {
    return address | std::uint64_t{1} << (address_bits - 1);
}

} // namespace numavp

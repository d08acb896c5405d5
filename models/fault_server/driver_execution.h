/// Names in the driver's configuration; the values for filling pages are those of its register.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class DriverExecution : std::uint8_t { none, ideal, native, riscv, foreign };
enum class PageFill : std::uint8_t { nothing, zeros, copy };

inline constexpr NameTable<DriverExecution> kDriverExecutions{
    "driver execution",
    {{DriverExecution::none, "none", "placement.policy places a page in no time; nothing faults"},
     {DriverExecution::ideal, "ideal", "the driver's policy at a fixed latency"},
     {DriverExecution::native, "native", "the driver's C code, compiled for this machine, instructions charged"},
     {DriverExecution::riscv, "riscv", "the driver's image on an instruction-set simulator"},
     {DriverExecution::foreign, "foreign",
      "a driver of the program around the library, in RTL or software, at the bus"}}};
inline constexpr NameTable<PageFill> kPageFills{
    "page fill",
    {{PageFill::nothing, "nothing", "what the frame held before; takes no time"},
     {PageFill::zeros, "zeros", "zeros, by the copy engine"},
     {PageFill::copy, "copy", "the page's frame on the host, by the copy engine, as when memory starts there"}}};

} // namespace numavp

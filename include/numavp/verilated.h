/// Your own Verilated memory behind AXI4, its waveforms, and the care that any Verilated model needs. Needs its
/// headers.
#pragma once

#include "rtl/model_waves.h"
#include "rtl/verilated/axi4_subordinate.h"
#include "rtl/verilated/clocked.h"

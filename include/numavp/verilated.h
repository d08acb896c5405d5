/// Classes for a user's Verilated memory behind AXI4, its waveforms, and what every Verilated model needs. Requires
/// Verilator's headers.
#pragma once

#include "rtl/model_waves.h"
#include "rtl/verilated/axi4_subordinate.h"
#include "rtl/verilated/clocked.h"

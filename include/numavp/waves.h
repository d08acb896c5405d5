/// Waveforms: a user's signals beside those of the platform, as VCD or FST, and a save file for GTKWave.
#pragma once

#include "base/waves/gtkwave_save.h"
#include "base/waves/waves.h"
#include "rtl/fst_file.h"
#include "tlm-links/axi/axi4_waves.h"

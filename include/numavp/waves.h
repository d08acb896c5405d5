/// Waveforms: a user's signals beside those of the platform, as VCD or FST, and a save file for GTKWave.
#pragma once

#include "models/base/gtkwave_save.h"
#include "models/base/waves.h"
#include "rtl/fst_file.h"
#include "tlm-links/axi/axi4_waves.h"

/// The save file with which GTKWave shows waveforms: signals in groups, each as what it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/wave_file.h"

namespace numavp {

/// Names each signal once, in the groups' order of appearance; long groups are folded. `dump` is the file with the
/// waveforms, seen from the folder of the save file; they end at `end_ps`.
std::string gtkwave_save(const std::vector<WaveSignal>& signals, const std::string& dump, std::uint64_t end_ps);

} // namespace numavp

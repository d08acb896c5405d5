/// Save file for GTKWave: which signals of a waveform file it shows, in which groups and formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/waves/wave_file.h"

namespace numavp {

/// Text of the save file. Each signal is listed once, in the order in which groups first appear; long groups are
/// folded. `dump` is the path of the waveform file, relative to the save file's folder; the waveforms end at `end_ps`.
std::string gtkwave_save(const std::vector<WaveSignal>& signals, const std::string& dump, std::uint64_t end_ps);

} // namespace numavp

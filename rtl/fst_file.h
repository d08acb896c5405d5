/// Waveforms as FST, GTKWave's compressed format, by the writer that comes with Verilator.
///
/// rtl/fst has it where Verilator's include folder and zlib are there, rtl/no_fst what stands for it elsewhere.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "models/base/wave_file.h"

namespace numavp::rtl {

/// Why this build can't write FST, as half a sentence; empty if it can.
std::string_view fst_missing();

/// Times in ps. While it is written there is a second file, `path` and ".hier". ConfigError if it can't be written, or
/// in a build without it.
std::unique_ptr<WaveFile> make_fst_file(const std::string& path);

} // namespace numavp::rtl

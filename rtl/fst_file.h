/// Waveforms as FST, GTKWave's compressed format, by the writer that comes with Verilator.
///
/// rtl/fst implements it in builds with Verilator's include folder and zlib, rtl/no_fst refuses it in others.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/waves/wave_file.h"

namespace numavp::rtl {

/// Reason why this build can't write FST, as half a sentence; empty if it can.
std::string_view fst_missing();

/// Times are in ps. Until it is closed there is a second file, `path` and ".hier". ConfigError if the file can't be
/// written, or in a build without FST.
std::unique_ptr<WaveFile> make_fst_file(const std::string& path);

} // namespace numavp::rtl

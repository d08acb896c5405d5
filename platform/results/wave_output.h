/// The waveforms of a run: one file, FST or VCD by its name, and a save file for GTKWave beside it. Both appear
/// completely or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/waves/waves.h"
#include "common/files/hidden_folder.h"

namespace numavp {

class WaveOutput {
  public:
    /// ConfigError if the name ends in neither .fst nor .vcd, if this build lacks FST, or if it can't be written.
    /// Follows a link: both files are written beside its target.
    WaveOutput(const std::string& path, std::uint64_t from_ps, std::uint64_t to_ps);
    ~WaveOutput(); ///< deletes the temporary files unless `keep()` was called

    Waves& waves() { return *waves_; }
    /// Completes the waveforms and moves both files to their destinations; earlier ones are replaced.
    void keep();

  private:
    std::string path_, name_;
    std::unique_ptr<HiddenFolder> hidden_;
    std::unique_ptr<Waves> waves_;
};

/// Path of the save file that belongs to `waves`.
std::string gtkwave_path(const std::string& waves);

} // namespace numavp

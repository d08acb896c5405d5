/// The waveforms of a run: one file, FST or VCD by its name, and a save file for GTKWave beside it; both whole or not
/// there at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/base/waves.h"
#include "platform/files/hidden_folder.h"

namespace numavp {

class WaveOutput {
  public:
    /// ConfigError if the name ends in neither .fst nor .vcd, this build lacks FST, or it can't be written. A link is
    /// followed: both files lie where it leads.
    WaveOutput(const std::string& path, std::uint64_t from_ps, std::uint64_t to_ps);
    ~WaveOutput(); ///< forgets what was not kept

    Waves& waves() { return *waves_; }
    /// Ends the waveforms and puts both files into their places; earlier ones are replaced.
    void keep();

  private:
    std::string path_, name_;
    std::unique_ptr<HiddenFolder> hidden_;
    std::unique_ptr<Waves> waves_;
};

/// The save file beside the waveforms.
std::string gtkwave_path(const std::string& waves);

} // namespace numavp

#include "platform/results/wave_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "base/values/error.h"
#include "base/waves/gtkwave_save.h"
#include "common/files/descriptor.h"
#include "common/files/output_paths.h"
#include "rtl/fst_file.h"

namespace numavp {

namespace {

namespace fs = std::filesystem;
constexpr const char* kPlace = "--waves";

bool is_fst(const fs::path& path) {
    const fs::path kind = path.extension();
    if (kind != ".fst" && kind != ".vcd")
        throw ConfigError(kPlace, "'" + path.string() +
                                      "' does not say the format; a name that ends in .fst or .vcd is "
                                      "expected");
    if (kind == ".fst" && !rtl::fst_missing().empty())
        throw ConfigError(kPlace, std::string(rtl::fst_missing()) + "; a name that ends in .vcd is allowed");
    return kind == ".fst";
}

/// On the disk, then in its place.
void move_into_place(const std::string& from, const std::string& to) {
    const Descriptor file(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.value() < 0 || ::fsync(file.value()) != 0 || std::rename(from.c_str(), to.c_str()) != 0)
        throw ConfigError(kPlace, to + " can't be written: " + std::strerror(errno));
}

} // namespace

WaveOutput::WaveOutput(const std::string& path, std::uint64_t from_ps, std::uint64_t to_ps)
    : path_(behind_links(path)), name_(fs::path(path_).filename().string()) {
    const bool fst = is_fst(path);
    refuse_no_file(path, kPlace);
    hidden_ = std::make_unique<HiddenFolder>(path_, kPlace);
    const std::string file = hidden_->file(name_);
    waves_ = std::make_unique<Waves>(fst ? rtl::make_fst_file(file) : make_vcd_file(file), from_ps, to_ps);
}

WaveOutput::~WaveOutput() = default;

void WaveOutput::keep() {
    if (!hidden_) return; // kept
    try {
        waves_->close();
    } catch (const ConfigError&) { // it names the temporary file, and a path that could be opened
        throw ConfigError(kPlace, path_ + " can't be written whole; the disk or a quota may be full");
    }
    const std::string save = gtkwave_path(name_);
    std::ofstream out(hidden_->file(save), std::ios::binary);
    out << gtkwave_save(waves_->signals(), name_, waves_->end_ps());
    out.close();
    if (!out) throw ConfigError(kPlace, save + " can't be written: " + std::strerror(errno));
    move_into_place(hidden_->file(name_), path_);
    move_into_place(hidden_->file(save), gtkwave_path(path_));
    hidden_.reset();
    sync_folder(folder_of(path_));
}

std::string gtkwave_path(const std::string& waves) { return fs::path(waves).replace_extension(".gtkw").string(); }

} // namespace numavp

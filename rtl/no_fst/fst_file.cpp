// A build without the writer of FST says so.
#include "rtl/fst_file.h"

#include "base/values/error.h"

namespace numavp::rtl {

std::string_view fst_missing() {
    return "this build can't write FST: install verilator (version 5) and zlib1g-dev, configure afresh and build again";
}

std::unique_ptr<WaveFile> make_fst_file(const std::string& path) {
    throw ConfigError(path, std::string(fst_missing()));
}

} // namespace numavp::rtl

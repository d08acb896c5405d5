#include "base/config/file_kind.h"

#include <filesystem>
#include <system_error>

#include "base/values/error.h"

namespace numavp {

std::string odd_file_kind(const std::string& path) {
    using std::filesystem::file_type;
    std::error_code ignored;
    switch (std::filesystem::status(path, ignored).type()) {
    case file_type::directory: return "folder";
    case file_type::fifo: return "pipe";
    case file_type::socket: return "socket";
    case file_type::block:
    case file_type::character: return "device";
    default: return "";
    }
}

void refuse_odd_file(const std::string& path, const std::string& expected) {
    const std::string kind = odd_file_kind(path);
    if (!kind.empty()) throw ConfigError(path, "this is a " + kind + "; " + expected + " is expected");
}

} // namespace numavp

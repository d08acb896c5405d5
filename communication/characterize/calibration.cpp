#include "communication/characterize/calibration.h"

#include <algorithm>
#include <filesystem>

#include "common/files/config_folders.h"

namespace numavp {

namespace fs = std::filesystem;

namespace {
/// 8 GT/s, 128 of 130 bits (PCI Express Base Specification 3.0).
constexpr double kPcie3LaneGbytesPerS = 8.0 * 128 / 130 / 8;
} // namespace

LinkFormat CalibrationFormat::format() const {
    LinkFormat made;
    made.read = {read_payload_bytes, read_overhead_bytes};
    made.write = {write_payload_bytes, write_overhead_bytes};
    made.request_payload_bytes = request_payload_bytes;
    made.request_bytes = request_bytes;
    made.efficiency = efficiency;
    return made;
}

CalibrationFormat Calibration::format_of(const std::string& link) const {
    const CalibrationFormat* others = nullptr;
    for (const CalibrationFormat& format : formats) {
        if (format.link == link) return format;
        if (format.link.empty()) others = &format;
    }
    if (others) return *others;
    CalibrationFormat assumed;
    if (link.find("pcie") != std::string::npos) { // as docs/papers/REAL_MACHINES.md derives it
        assumed.read_payload_bytes = 64;
        assumed.read_overhead_bytes = 20;
        assumed.write_overhead_bytes = assumed.request_bytes = 24;
        assumed.lane_gbytes_per_s = kPcie3LaneGbytesPerS;
    }
    return assumed;
}

double CalibrationHostCopy::ns(std::uint64_t offset, std::uint64_t bytes, std::uint64_t whole) const {
    double time = 0;
    std::uint64_t begin = 0; // of the level
    const std::uint64_t end = offset + bytes;
    for (const CalibrationLevel& level : levels) {
        const std::uint64_t last = begin + std::uint64_t{level.kib} * 1024;
        if (!level.kept && whole > last) continue;
        const std::uint64_t from = std::max(offset, begin), to = std::min(end, last);
        if (to > from) time += static_cast<double>(to - from) / level.gbytes_per_s;
        begin = last;
    }
    if (end > begin) time += static_cast<double>(end - std::max(offset, begin)) / gbytes_per_s;
    return time;
}

std::string calibration_file(const std::string& machine) {
    std::error_code ignored;
    if (machine.empty() || machine.find('/') != std::string::npos) return "";
    for (const std::string& folder : config_folders())
        if (const fs::path path = fs::path(folder) / "calibrations" / (machine + ".json");
            fs::is_regular_file(path, ignored))
            return path.string();
    return "";
}

Calibration load_calibration(const std::string& path, const std::vector<std::string>& assignments) {
    ConfigDocument document = load_document(path, {});
    for (const std::string& assignment : assignments) set_path(document, assignment);
    auto calibration = read_config<Calibration>(document);
    if (calibration.name.empty()) calibration.name = fs::path(path).stem().string();
    if (calibration.system.empty()) calibration.system = calibration.name;
    return calibration;
}

} // namespace numavp

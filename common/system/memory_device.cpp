#include "common/system/memory_device.h"

#include <filesystem>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/system/load_system.h"

namespace numavp {

namespace fs = std::filesystem;

namespace {
/// The file of a device's name in the folders of configurations; empty if there is none.
std::string memory_device_file(const std::string& name) {
    std::error_code ignored;
    if (name.find('/') != std::string::npos) return "";
    for (const std::string& folder : config_folders())
        if (const fs::path path = fs::path(folder) / "parts" / "memory" / (name + ".json");
            fs::is_regular_file(path, ignored))
            return path.string();
    return "";
}

std::string find_memory_device(const std::string& name_or_path) {
    if (name_or_path.find('/') != std::string::npos || fs::path(name_or_path).extension() == ".json")
        return name_or_path;
    if (std::string file = memory_device_file(name_or_path); !file.empty()) return file;
    const std::vector<NamedFile> devices = list_memory_devices();
    std::vector<std::string_view> names;
    for (const NamedFile& device : devices) names.emplace_back(device.name);
    throw ConfigError("memory device",
                      unknown_name("memory device", name_or_path, names) + ", and the path of a JSON file");
}
} // namespace

std::vector<NamedFile> list_memory_devices() { return list_systems(config_folders("parts/memory")); }

MemoryDeviceConfig load_memory_device(const std::string& name_or_path, const std::vector<std::string>& assignments) {
    const std::string path = find_memory_device(name_or_path);
    ConfigDocument document = load_document(path, memory_device_file);
    if (document.value.is_object() && !load_json_file(path).contains("name"))
        document.value["name"] = fs::path(path).stem().string();
    for (const std::string& assignment : assignments) set_path(document, assignment);
    return read_config<MemoryDeviceConfig>(document);
}

} // namespace numavp

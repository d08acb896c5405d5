#include "platform/results/run_key.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numavp_model_hash.h> // made by the build
#include <sstream>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/program.h"
#include "common/system/driver_policy.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

void forget(json& object, std::initializer_list<const char*> keys) {
    if (!object.is_object()) return;
    for (const char* key : keys) object.erase(key);
}

void forget_notes(json& object, const char* list) {
    const auto found = object.is_object() ? object.find(list) : object.end();
    if (!object.is_object() || found == object.end() || !found->is_array()) return;
    for (json& element : *found) {
        forget(element, {"notes"});
        forget_notes(element, "kernels");
    }
}

std::string content_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw ConfigError(path.string(), "the file can't be read; a trace is expected");
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

std::string model_version() { return program_version() + "+" NUMAVP_MODEL_HASH; }

std::string content_key(const std::string& text) {
    return to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(text));
}

std::string canonical_workload(json workload) {
    forget(workload, {"description", "notes", "source", "budget"});
    forget_notes(workload, "kernels");
    forget_notes(workload, "phases");
    return workload.dump();
}

std::string canonical_system(ordered_json system) {
    system.erase("name");
    system.erase("description");
    const auto text_at = [&system](const char* path) {
        const json::json_pointer place(path);
        return system.contains(place) ? system.at(place).get<std::string>() : std::string();
    };
    const std::string policy = text_at("/driver/policy");
    std::string text = system.dump();
    std::error_code ignored;
    for (const std::string& file : {text_at("/driver/riscv/firmware"), is_policy_object(policy) ? policy : ""})
        if (fs::is_regular_file(file, ignored)) // else none, or one of which the point says that it is not there
            text += " " + content_key(content_of(file));
    return text;
}

std::string canonical_trace(const std::string& path) {
    const std::string content = content_of(path);
    std::string text = content_key(content);
    std::istringstream words(fs::path(path).filename().string().compare(0, 11, "kernelslist") == 0 ? content : "");
    std::error_code ignored;
    for (std::string word; words >> word;) // the list's lines are commands and names of files beside it
        if (const fs::path file = fs::path(path).parent_path() / word; fs::is_regular_file(file, ignored))
            text += " " + content_key(content_of(file));
    return text;
}

} // namespace numavp

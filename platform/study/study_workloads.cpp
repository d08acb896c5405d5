#include "platform/study/study_workloads.h"

#include <algorithm>
#include <filesystem>

#include "base/values/natural_order.h"
#include "common/files/config_folders.h"
#include "common/files/document_kind.h"
#include "common/inputs/workload_names.h"
#include "platform/results/run_key.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> json_files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
        return compare_natural(a.filename().string(), b.filename().string()) < 0;
    });
    return files;
}

/// The files of "folder/*": of the first place that has such a folder.
std::vector<fs::path> files_in(const std::string& folder, const std::vector<fs::path>& places, const Place& where) {
    std::string looked;
    for (const fs::path& place : places) {
        std::vector<fs::path> files = json_files_in(place / folder);
        if (!files.empty()) return files;
        looked += (looked.empty() ? "" : ", ") + (place / folder).string();
    }
    throw ConfigError(where, "no workload is in " + looked + "; a folder of workloads and /* is expected");
}

/// The file of a name or path.
fs::path file_of(const std::string& word, const std::vector<fs::path>& places, const Place& where) {
    std::error_code ignored;
    for (const fs::path& place : places)
        for (const char* extension : {"", ".json"})
            if (fs::path path = (place / word).string() + extension; fs::is_regular_file(path, ignored)) return path;
    std::vector<std::string> names;
    for (std::size_t i = 1; i < places.size(); ++i) {
        for (const auto& entry : fs::directory_iterator(places[i], ignored))
            if (fs::path path = entry.path() / (word + ".json"); fs::is_regular_file(path, ignored)) return path;
        for (const fs::path& path : json_files_in(places[i])) names.push_back(path.stem().string());
    }
    throw ConfigError(where, unknown_name("workload", word, {names.begin(), names.end()}) +
                                 " (numavp list workloads), a path, or folder/* for all of a folder");
}

/// `instructions` takes the place of the file's own member; 0: as the file says.
StudyWorkload read(const fs::path& path, std::uint64_t instructions) {
    StudyWorkload workload;
    workload.path = path.string();
    check_utf8(workload.path, workload.path);
    workload.trace = is_trace(workload.path);
    workload.name = path.stem().string();
    if (workload.trace) {
        workload.text = canonical_trace(workload.path);
        return workload;
    }
    const ConfigDocument document = load_document(workload.path);
    refuse_other_kind(document, DocumentKind::workload);
    const auto file = read_config<WorkloadFile>(document);
    workload.seed = file.seed;
    workload.value = document.value;
    if (file.name.empty()) workload.value["name"] = workload.name;
    if (instructions != 0) workload.value["instructions"] = instructions;
    workload.text = canonical_workload(workload.value);
    return workload;
}

} // namespace

std::vector<StudyWorkload> study_workloads(const StudyFigure& figure) {
    std::vector<fs::path> places = {fs::path(figure.path).parent_path()};
    for (const std::string& folder : config_folders("workloads")) places.emplace_back(folder);
    std::vector<StudyWorkload> found;
    const std::vector<std::string>& words = figure.file.workloads.words;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Place where = Place(figure.path).at("workloads").at(i);
        const bool all = words[i].size() > 2 && words[i].compare(words[i].size() - 2, 2, "/*") == 0;
        const std::vector<fs::path> files = all ? files_in(words[i].substr(0, words[i].size() - 2), places, where)
                                                : std::vector<fs::path>{file_of(words[i], places, where)};
        for (const fs::path& file : files) {
            const auto same =
                std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.name == file.stem().string(); });
            std::error_code ignored;
            if (same == found.end())
                found.push_back(read(file, figure.file.instructions));
            else if (!fs::equivalent(same->path, file, ignored))
                throw ConfigError(where, "two workloads have the name '" + quotable(same->name) + "', " + same->path +
                                             " and " + file.string() + "; names that differ are expected");
        }
    }
    return found;
}

} // namespace numavp

#include "common/inputs/named_workload.h"

#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

#include "base/config/config.h"
#include "common/files/document_kind.h"
#include "common/inputs/workload_names.h"
#include "common/words/number.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

WorkloadOptions options_of(const std::string& seed, const std::string& scale, const std::string& prefix) {
    WorkloadOptions options;
    if (!seed.empty())
        options.seed =
            number_of<std::uint64_t>((prefix + "seed").c_str(), seed, 0, std::numeric_limits<std::uint64_t>::max(),
                                     "a whole number from 0 to 18446744073709551615");
    if (!scale.empty())
        options.scale =
            number_of<double>((prefix + "scale").c_str(), scale, 1e-6, 1e3, "a number from 0.000001 to 1000");
    return options;
}

std::string absolute(const std::string& path) {
    std::error_code ignored;
    return fs::absolute(path, ignored).lexically_normal().string();
}

/// Makes the workload of a document; faults name what wrote the wrong value.
NamedWorkload made_of(const ConfigDocument& document, const std::string& seed, const std::string& scale,
                      const std::string& prefix) {
    const WorkloadOptions options = options_of(seed, scale, prefix);
    NamedWorkload made;
    made.workload = read_workload(document.value, document.place(), options);
    if (made.workload.name.empty()) made.workload.name = fs::path(document.file).stem().string();
    const auto written = read_config<WorkloadFile>(document);
    made.record = record_of(made.workload, options.seed.value_or(written.seed), written.scale * options.scale);
    made.path = absolute(document.file);
    made.source = document.value;
    made.seed = seed;
    made.scale = scale;
    return made;
}

} // namespace

NamedWorkload load_named_workload(const std::string& name_or_path, const std::string& seed, const std::string& scale,
                                  const std::string& prefix) {
    const WorkloadOptions options = options_of(seed, scale, prefix);
    const std::vector<std::string> folders = workload_folders(name_or_path);
    const std::string file = workload_json(name_or_path, folders);
    if (is_trace(name_or_path) && !(seed.empty() && scale.empty()))
        throw ConfigError(prefix + (seed.empty() ? "scale" : "seed"),
                          "a trace is what it is: nothing in it is drawn by a seed or made larger or smaller; leave it "
                          "out, or name another workload");
    if (!file.empty()) {
        const ConfigDocument document = load_document(file);
        refuse_other_kind(document, DocumentKind::workload);
        return made_of(document, seed, scale, prefix);
    }
    NamedWorkload loaded;
    loaded.workload = load_workload(name_or_path, folders, options);
    loaded.record = record_of(loaded.workload, std::nullopt, 1.0);
    loaded.path = absolute(name_or_path);
    return loaded;
}

void choose_kernels(NamedWorkload& workload, const KernelChoice& choice) {
    workload.record.kernels = choose_kernels(workload.workload, choice);
    workload.record.launches = workload.workload.launches.size();
    workload.record.blocks = workload.workload.total_blocks();
}

NamedWorkload described_workload(const std::string& path, const json& source, const std::string& seed,
                                 const std::string& scale, const std::string& prefix) {
    return made_of(ConfigDocument{path, source, {}}, seed, scale, prefix);
}

} // namespace numavp

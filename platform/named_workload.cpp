#include "platform/named_workload.h"

#include <limits>
#include <optional>

#include "models/base/config.h"
#include "platform/cli_number.h"
#include "platform/locate.h"

namespace numavp {

NamedWorkload load_named_workload(const std::string& name_or_path, const std::string& seed, const std::string& scale,
                                  const std::string& prefix) {
    WorkloadOptions options;
    if (!seed.empty())
        options.seed =
            number_of<std::uint64_t>((prefix + "seed").c_str(), seed, 0, std::numeric_limits<std::uint64_t>::max(),
                                     "a whole number from 0 to 18446744073709551615");
    if (!scale.empty())
        options.scale =
            number_of<double>((prefix + "scale").c_str(), scale, 1e-6, 1e3, "a number from 0.000001 to 1000");
    const std::vector<std::string> folders = workload_folders(name_or_path);
    const std::string file = workload_json(name_or_path, folders);
    if (file.empty() && !(seed.empty() && scale.empty()))
        throw ConfigError(prefix + (seed.empty() ? "scale" : "seed"),
                          "a trace is what it is: nothing in it is drawn by a seed or made larger or smaller; leave it "
                          "out, or name another workload");
    NamedWorkload loaded{load_workload(name_or_path, folders, options), {}};
    if (file.empty()) {
        loaded.record = record_of(loaded.workload, std::nullopt, 1.0);
    } else {
        const auto written = read_config<WorkloadFile>(load_document(file));
        loaded.record = record_of(loaded.workload, options.seed.value_or(written.seed), written.scale * options.scale);
    }
    return loaded;
}

} // namespace numavp

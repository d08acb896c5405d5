#include "common/inputs/kernel_choice.h"

#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/words/number.h"

namespace numavp {
namespace {

constexpr const char* kNumber = "the number of a launch: a whole number from 1";
constexpr const char* kRange = "a range of launches: 3..7, 3.., ..7 or 3, where numbers begin with 1";

std::uint64_t launch_number(const std::string& option, const std::string& text, const std::string& whole,
                            const char* allowed) {
    const auto number = number_in<std::uint64_t>(text);
    if (!number || *number == 0) throw ConfigError(option, fmt::format("'{}' is not {}", quotable(whole), allowed));
    return *number;
}

} // namespace

KernelChoice kernel_choice(const std::string& kernels, const std::string& until, const std::string& skip_to) {
    KernelChoice choice;
    if (!kernels.empty()) {
        choice.option = "--kernels";
        if (!until.empty() || !skip_to.empty())
            throw ConfigError("--kernels", fmt::format("it says both ends; without {} it is allowed",
                                                       until.empty() ? "--skip-to" : "--until-kernel"));
        const std::size_t dots = kernels.find("..");
        const std::string from = kernels.substr(0, dots),
                          to = dots == std::string::npos ? from : kernels.substr(dots + 2);
        if (from.empty() && to.empty()) launch_number(choice.option, "", kernels, kRange);
        if (!from.empty()) choice.first = launch_number(choice.option, from, kernels, kRange);
        if (!to.empty()) choice.last = launch_number(choice.option, to, kernels, kRange);
    }
    if (!skip_to.empty()) {
        choice.option = "--skip-to";
        choice.first = launch_number(choice.option, skip_to, skip_to, kNumber);
    }
    if (!until.empty()) {
        choice.option = "--until-kernel";
        choice.last = launch_number(choice.option, until, until, kNumber);
    }
    if (choice.last && choice.first > *choice.last)
        throw ConfigError(choice.option, fmt::format("launch {} comes after launch {}; a range that ascends is allowed",
                                                     choice.first, *choice.last));
    return choice;
}

std::string choose_kernels(Workload& workload, const KernelChoice& choice) {
    if (choice.all()) return "";
    std::uint64_t kernels = 0;
    const std::uint64_t end = choice.last.value_or(std::numeric_limits<std::uint64_t>::max());
    std::vector<Launch> left;
    for (Launch& launch : workload.launches) {
        if (launch.kernel) launch.number = ++kernels;
        const bool between = kernels >= choice.first && kernels <= end;
        const bool chosen = launch.what == Launch::What::copy_to_device ? kernels < end : between;
        if (chosen) left.push_back(launch);
    }
    if (choice.first > kernels || choice.last.value_or(0) > kernels)
        throw ConfigError(choice.option,
                          fmt::format("the workload {} has {} launch{} of kernels; numbers from 1 to {} "
                                      "are allowed",
                                      quotable(workload.name), kernels, kernels == 1 ? "" : "es", kernels));
    if (choice.first <= 1 && choice.last.value_or(kernels) == kernels) return ""; // all of them
    workload.launches = std::move(left);
    return fmt::format("{}..{}", choice.first, choice.last.value_or(kernels));
}

} // namespace numavp

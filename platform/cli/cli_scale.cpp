#include "platform/cli/cli_scale.h"

#include <cstdio>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/inputs/named_workload.h"
#include "common/system/load_system.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/cli/cli_words.h"
#include "platform/results/run_record.h"
#include "platform/run/interrupt.h"
#include "platform/study/scale_search.h"

namespace numavp {

std::string scale_of_run(const RunWords& words) {
    if (words.scale != "auto") {
        for (const auto& [option, word] : {std::pair("--over", &words.over), std::pair("--within", &words.within)})
            if (!word->empty()) throw ConfigError(option, "it belongs to --scale auto, which is not given");
        return words.scale;
    }
    if (is_recorded_run(words.system))
        throw ConfigError("--scale",
                          "a recorded run is repeated at its own scale, or at a number; auto is for a system");
    if (!words.kernels.empty() || !words.until.empty() || !words.skip_to.empty())
        throw ConfigError("--scale", "auto looks at whole runs; it goes with none of --kernels, --until and --skip-to");
    ScaleQuestion question;
    question.system = load_system(words.system, words.set);
    if (!words.over.empty()) question.over = load_system(words.over, {});
    question.workload =
        load_named_workload(words.workload.empty() ? kDefaultWorkload : words.workload, words.seed, "", "--");
    if (!words.within.empty())
        question.bound =
            number_of<double>("--within", words.within, 0.01, 100.0, "a number of percent from 0.01 to 100") / 100.0;

    LocalWorkers workers(question.over ? 2 : 1);
    const InterruptGuard guard; // so that no process is left
    const auto step = [&](const ScaleStep& one) {
        if (!words.quiet) fmt::print(stderr, "numavp: scale {:g}: {:.3g}\n", one.scale, one.speed);
    };
    const FoundScale found = find_scale(question, workers, step, [&guard] { guard.check(); });
    if (!words.quiet) fmt::print(stderr, "numavp: {}", escaped(scale_text(found, question), true));
    return fmt::format("{}", found.scale());
}

} // namespace numavp

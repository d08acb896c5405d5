/// The bench program: every bar beside its floor.
///
/// numavp_bench [--json] [--quick] [--only TEXT]; `--point CORE POINT...` is how it calls itself.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <systemc>

#include "base/values/huge_heap.h"
#include "bench/bars.h"
#include "bench/points.h"
#include "bench/runner.h"

namespace {

const char kUsage[] = R"(usage: numavp bench [--json] [--quick] [--only TEXT]

Measures the speed of the simulator beside floors that are run just before and after on the same core.
  --json       one JSON object instead of the table: a number for each bar, and all runs under "runs"
  --quick      medians of 3 pairs instead of 7
  --only TEXT  only the bars whose names contain TEXT
Exit status: 0 if all bars hold, 1 if one does not, 2 for a wrong argument.
)";

struct Arguments {
    bool json = false, quick = false, help = false;
    std::string only;
};

bool parse(const std::vector<std::string>& words, Arguments& out) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& w = words[i];
        if (w == "--json")
            out.json = true;
        else if (w == "--quick")
            out.quick = true;
        else if (w == "--help" || w == "-h")
            out.help = true;
        else if (w == "--only" && i + 1 < words.size())
            out.only = words[++i];
        else
            return false;
    }
    return true;
}

void print_json(const std::vector<numavp::Bar>& bars) {
    nlohmann::ordered_json all, limits, runs;
    bool holds = true;
    for (const numavp::Bar& b : bars) {
        all[b.key] = b.value;
        if (b.limit) limits[b.key][b.at_least ? "min" : "max"] = *b.limit;
        limits[b.key].update({{"holds", b.holds()}, {"note", b.note}});
        runs[b.key] = b.runs;
        holds = holds && b.holds();
    }
    all["holds"] = holds;
    all["bars"] = limits;
    all["runs"] = runs;
    std::puts(all.dump(1).c_str());
}

void print_table(const std::vector<numavp::Bar>& bars) {
    fmt::print("{:<24} {:>9} {:>9}  {:<6} {}\n", "", "measured", "bar", "", "");
    for (const numavp::Bar& b : bars) {
        const std::string limit = b.limit ? fmt::format("{} {:>6.4g}", b.at_least ? ">=" : "<=", *b.limit) : "none";
        fmt::print("{:<24} {:>9.2f} {:>9}  {:<6} {}\n{:<24} {}\n", b.key, b.value, limit, b.holds() ? "ok" : "MISSED",
                   b.what, "", b.note);
    }
}

int bench(const Arguments& arguments) {
    numavp::BarOptions options;
    options.pairs = arguments.quick ? 3 : 7;
    options.core = numavp::bench_core();
    options.progress = [](const std::string& what) { fmt::print(stderr, "numavp bench: {}\n", what); };
    const std::vector<numavp::Bar> bars = numavp::measure_bars(options, arguments.only);
    if (arguments.json)
        print_json(bars);
    else
        print_table(bars);
    for (const numavp::Bar& b : bars)
        if (!b.holds()) return 1;
    return 0;
}

} // namespace

int sc_main(int argc, char* argv[]) {
    std::vector<std::string> words(argv + 1, argv + argc);
    try {
        if (words.size() > 2 && words[0] == "--point") {
            numavp::pin_to(std::atoi(words[1].c_str()));
            const std::string line = numavp::measure_point({words.begin() + 2, words.end()}).dump();
            std::puts(line.c_str());
            return 0;
        }
        Arguments arguments;
        if (!parse(words, arguments)) {
            std::fputs(kUsage, stderr);
            return 2;
        }
        if (arguments.help) {
            std::fputs(kUsage, stdout);
            return 0;
        }
        return bench(arguments);
    } catch (const std::exception& e) {
        fmt::print(stderr, "numavp bench: {}\n", e.what());
        return 1;
    }
}

int main(int argc, char* argv[]) {
    numavp::grow_heap_in_huge_pages();                         // floors and platform alike
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE", 1); // standard output is ours
    return sc_core::sc_elab_and_sim(argc, argv);
}

/// Fuzz target of measurements and of counters of links as CSV: any bytes are refused by a sentence, or are rows that
/// can be compared, and moves that have links.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "communication/characterize/counted_paths.h"
#include "communication/characterize/measured_comparison.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

void read_all(const std::string& input) {
    static const HostMachine machine = load_host_machine(NUMAVP_SOURCE_DIR "/configs/systems/real/s822lc.json", {}, "");
    std::istringstream in(input);
    if (input.compare(0, 8, "src,dst,") == 0) {
        const std::vector<CountedMove> moves = parse_counted(in, "fuzz", machine);
        if (moves.empty() || counted_paths_text(machine, moves).empty()) std::abort();
        return;
    }
    const std::vector<MeasuredRow> rows = parse_measured(in, "fuzz");
    if (rows.empty()) std::abort();
    constexpr std::uint64_t kLargest = 1 << 24;
    for (const ComparedSeries& series : compare_measured(machine, rows, "fuzz", "", kLargest).series)
        for (const ComparedPoint& point : series.points)
            if (!(point.ns > 0) || !(point.measured_ns > 0)) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, read_all);
}

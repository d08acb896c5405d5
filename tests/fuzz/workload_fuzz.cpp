/// Fuzz target of workloads: any text is refused by a sentence, or is a workload whose record makes the same one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "common/inputs/named_workload.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

/// Small, so that a kernel's tables are.
constexpr const char* kScale = "0.001";

void load_twice(const std::string& input) {
    const std::string path = test::input_file("workload.json", input);
    const NamedWorkload loaded = load_named_workload(path, "", kScale, "--");
    const NamedWorkload again = described_workload(loaded.path, loaded.source, "", kScale, "--");
    if (loaded.workload.launches.size() != again.workload.launches.size()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, load_twice);
}

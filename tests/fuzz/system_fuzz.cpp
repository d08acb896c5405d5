/// Fuzz target of systems: any text is refused by a sentence, or is a system whose dump is read as the same system.
/// Events of links, lanes and routers that fail are among their settings.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "common/system/load_system.h"
#include "common/system/recorded_system.h"
#include "common/system/system_config.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

void load_and_read_again(const std::string& input) {
    const SystemConfig config = load_system(test::input_file("system.json", input));
    const ordered_json dump = dump_config(config);
    if (dump_config(recorded_config(json::parse(dump.dump()), Place("dump"))) != dump) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, load_and_read_again);
}

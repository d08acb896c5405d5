/// Fuzz target of memory requests in the forms of several simulators: any bytes are refused by a sentence, or are
/// requests within the device whose file is read as the same requests.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "common/inputs/memory_stream_file.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

void read_stream(const std::string& input) {
    const MemoryDeviceConfig device;
    const MemoryStreamFile read = read_memory_stream(test::input_file("requests.trc", input), device);
    const std::uint64_t capacity = device.decoder().capacity();
    for (const std::uint64_t request : read.requests)
        if ((request & ~kStreamWrite) >= capacity || (request & ~kStreamWrite) % device.access_bytes != 0) std::abort();
    if (!read.arrivals.empty() && read.arrivals.size() != read.requests.size()) std::abort();
    constexpr std::size_t kMostWritten = 10000; // a line may be 16,384 requests
    if (read.requests.size() > kMostWritten) return;
    const std::string again = test::input_file("again.trc", "");
    write_memory_stream(again, read.requests, read.arrivals);
    if (read_memory_stream(again, device).requests != read.requests) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, read_stream);
}

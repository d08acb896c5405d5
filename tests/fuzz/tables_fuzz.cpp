/// Fuzz target of tables and measurements that the program reads: page faults of a replay, latencies by footprint,
/// flows of a network, kernels of a machine that `correlate` reads. The input's begin says which; any bytes are refused
/// by a sentence.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "platform/correlate/correlation.h"
#include "platform/latency/measured_latency.h"
#include "platform/machine/fault_list.h"
#include "platform/network/traffic.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

NetworkGraph two_ends() {
    NetworkGraph graph;
    graph.routers = {"router"};
    graph.endpoints.resize(2);
    graph.endpoints[0].name = "gpu[0]";
    graph.endpoints[1].name = "cube[0]";
    graph.endpoints[1].requester = false;
    for (unsigned e = 0; e < 2; ++e) graph.attach(e, 0, 1);
    return graph;
}

void read_faults_again(const std::string& path) {
    const std::vector<TimedFault> faults = read_faults(path, 4);
    const std::string text = faults_csv(faults);
    if (faults_csv(read_faults(test::input_file("again.csv", text), 4)) != text) std::abort();
}

void read_table(const std::string& input) {
    const std::string path = test::input_file("table", input);
    if (begins(input, "ps,")) {
        read_faults_again(path);
    } else if (begins(input, "system,kib")) {
        for (const MeasuredLatency& point : read_measured_latency(path, "gpu"))
            if (point.bytes == 0 || !(point.cycles > 0)) std::abort();
    } else if (begins(input, "{")) {
        const Measurements measured = read_measurements(path);
        for (const MeasuredKernel& kernel : measured.kernels)
            if (!(kernel.time > 0) || measured.find(kernel.name) == nullptr) std::abort();
    } else {
        for (const Flow& flow : read_flows(path, two_ends()))
            if (flow.from != 0 || flow.to > 1 || !(flow.weight >= 0)) std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, read_table);
}

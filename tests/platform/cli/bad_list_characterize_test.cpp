/// A list of bad inputs of characterize, and their sentences.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

const std::string kColumnsOfMeasured = "system,benchmark,exec_numa,src,dst,x_kind,x,median_ns,stddev_ns,GBps\n";
const std::string kRow = "S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,256,11800,10,0.02\n";

TEST_F(BadList, MeasurementsOfCharacterize) {
    const auto bad = [](const std::string& text, const std::string& sentence) {
        return BadEntry{{"characterize", "s822lc", "--against", "m.csv"}, "m.csv: " + sentence, {{"m.csv", text}}};
    };
    const auto row = [&](const std::string& text, const std::string& sentence) {
        return bad(kColumnsOfMeasured + kRow + text + "\n", "line 3: " + sentence);
    };
    expect_sentences({
        {{"characterize", "s822lc", "--against", "none.csv"}, "none.csv: it can't be read; measurements as CSV"},
        {{"characterize", "s822lc", "--against", "."}, ".: it "},
        row("S822LC,NUMAUM_Latency_HostToGPU,0,cpu0,gpu0,strides,4294967295,11800,10,",
            "x is 4294967295; a whole number up to 1000000 is expected"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,300.5,11800,10,0.02", "x is 300.5; a whole number"),
        bad("", "it is empty; measurements as CSV are expected"),
        bad("hello\n", "line 1: the header is 'hello'; 'system,benchmark,"),
        bad("{\"a\": 1}\n", "line 1: the header is '{\"a\": 1}'"),
        bad(kColumnsOfMeasured, "it has no rows behind its header; one or more are expected"),
        bad(kColumnsOfMeasured + kRow + "S822LC,NUMA_Memcpy_Pin", "line 3: the line has no end; the file is cut off"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,512,11800,10", "the row has 9 cells; 10 are expected"),
        row("", "the row has 1 cells; 10 are expected"),
        row("S822LC,NUMA_Memcpy_PinToGPU,0,cpu0,gpu0,bytes,512,11800,10,1",
            "unknown benchmark 'NUMA_Memcpy_PinToGPU', the nearest is 'NUMA_Memcpy_PinnedToGPU'; allowed are "),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,pages,512,11800,10,1",
            "x_kind 'pages' is not known; bytes and strides are allowed"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,strides,512,11800,10,1",
            "x_kind strides does not go with NUMA_Memcpy_PinnedToGPU; bytes is expected"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,many,11800,10,1", "x 'many' is no number from 1 to 1e18"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,0,11800,10,1", "x '0' is no number from 1 to 1e18"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,512,nan,10,1", "median_ns 'nan' is no number"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,512,-5,10,1", "median_ns '-5' is no number"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,512,118x,10,1", "median_ns '118x' is no number"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,512,11800,-1,1", "stddev_ns '-1' is no number"),
        row("S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu0,bytes,512,11800,,x", "GBps 'x' is no number"),
        row(kRow.substr(0, kRow.size() - 1), "the point is there twice; one row for each is allowed"),
        row(std::string(5000, 'a'), "the line is longer than 4096 characters"),
        bad(kColumnsOfMeasured + "AC922" + kRow.substr(6), "it has no rows of S822LC; its systems are AC922"),
        bad(kColumnsOfMeasured + "S822LC,NUMA_Memcpy_PinnedToGPU,0,cpu0,gpu9,bytes,256,11800,10,0.02\n",
            "it has no rows that S822LC can be compared with"),
        {{"characterize", "s822lc", "--against", "m.csv", "--benchmark", "UM_Latency_GPUToGPU"},
         "m.csv: it has no rows that S822LC can be compared with: none of UM_Latency_GPUToGPU",
         {{"m.csv", kColumnsOfMeasured + kRow}}},
    });
}

TEST_F(BadList, MachinesOfCharacterize) {
    const std::string calibration = R"({"name": "x", "calls": {"peer_us": -1}})";
    const std::string wires =
        R"({"extends": "s822lc", "parts": [{"name": "gpu", "count": 4}, {"name": "node", "count": 2}],)"
        R"("cpu": null, "node": {"sms": 0}, "network": {"wires": [{"all": "gpu"}, )"
        R"({"from": "node", "to": "gpu"}], "links": []}})";
    const std::string no_gpus =
        R"({"extends": "s822lc", "parts": [{"name": "cpu", "count": 2, "kind": "cpu"}], "gpu": null, )"
        R"("cpu": {"sms": 1}, "network": {"wires": [{"all": "cpu"}], "links": []}})";
    expect_sentences({
        {{"characterize"}, "command line: SYSTEM is required"},
        {{"characterize", "s822l"}, "system: unknown system 's822l', the nearest is 's822lc'"},
        {{"characterize", "numa-aware-4", "--largest", "1"},
         "numa-aware-4: its parts are not joined by wires; a machine with "},
        {{"characterize", "mesh-8x8", "--largest", "1"},
         "mesh-8x8: its parts are not joined by wires; a machine with "},
        {{"characterize", "m.json", "--largest", "1"},
         "m: no part of the machine has the kind cpu (parts[0].kind); one with CPUs and GPUs is expected",
         {{"m.json", wires}}},
        {{"characterize", "m.json"},
         "m: the machine has no GPUs, parts with SMs; one with CPUs and GPUs is expected",
         {{"m.json", no_gpus}}},
        {{"characterize", "s822lc", "--benchmark", "Copies"}, "--benchmark: unknown benchmark 'Copies'"},
        {{"characterize", "s822lc", "--largest", "0"}, "--largest: "},
        {{"characterize", "s822lc", "--largest", "9000"}, "--largest: "},
        {{"characterize", "s822lc", "--against", "m.csv", "--beyond", "10", "--json"},
         "--beyond: it lists points below the tables; neither --json nor --quiet is allowed beside it"},
        {{"characterize", "s822lc", "--beyond", "10"}, "--beyond: there are no measurements; --against FILE is "},
        {{"characterize", "s822lc", "--against", "m.csv", "--beyond", "x"}, "--beyond: 'x' is not a number of percent"},
        {{"characterize", "s822lc", "--csv", "o", "--report", "./o"}, "--report: './o' gets in the way of --csv 'o'"},
        {{"characterize", "s822lc", "--calibration", "none.json"}, "none.json: "},
        {{"characterize", "s822lc", "--calibration", "c.json"}, "c.json: $.calls.peer_us: ", {{"c.json", calibration}}},
        {{"characterize", "s822lc", "--csv", "a.csv", "--csv", "b.csv"}, "command line: --csv is there 2 times"},
        {{"characterize", "s822lc", "--set", "network.links[7].gbytes_per_s=5"}, "--set network.links[7]"},
    });
}

} // namespace
} // namespace numavp::test

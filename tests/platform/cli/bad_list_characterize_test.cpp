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
        {{"characterize", "s822lc", "--stride", "100"}, "--stride: 100 KiB are not whole leaves of the driver's tree"},
        {{"characterize", "s822lc", "--stride", "page"},
         "--stride: 'page' is not a number of KiB from 64 to 2048, nor"},
        {{"characterize", "s822lc", "--threads", "0"}, "--threads: '0' is not a number of threads from 1 to 1024"},
        {{"characterize", "dgx-h100", "--threads", "2"},
         "dgx-h100: it has no calibration whose constants could be set"},
        {{"characterize", "s822lc", "--latency", "--stride", "64"}, "--stride: it is about copies, and latencies are"},
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

TEST_F(BadList, CountersOfLinks) {
    const auto bad = [](const std::string& text, const std::string& sentence) {
        return BadEntry{{"characterize", "s822lc", "--counters", "c.csv"}, "c.csv: " + sentence, {{"c.csv", text}}};
    };
    const std::string header = "src,dst,bytes,link_from,link_to,link,counted_bytes\n";
    const std::string row = "cpu0,gpu2,1000,cpu[0],cpu[1],x_bus,1200\n";
    expect_sentences({
        bad("", "it is empty; counters of links as CSV are expected"),
        bad("src,dst\n", "line 1: the header is 'src,dst'; 'src,dst,bytes,link_from"),
        bad(header, "it has no rows behind its header"),
        bad(header + "cpu0,gpu2\n", "line 2: the row has 2 cells; 7 are expected"),
        bad(header + row + "cpu0,gpu9,1000,cpu[0],cpu[1],x_bus,1200\n", "line 3: S822LC has no 'gpu9'; cpuN with the"),
        bad(header + "gpu2,gpu2,1000,cpu[0],cpu[1],x_bus,1\n", "line 2: 'gpu2' is both source and destination"),
        bad(header + "cpu0,gpu2,0,cpu[0],cpu[1],x_bus,1\n", "line 2: bytes '0' is no whole number from 1 to 1e15"),
        bad(header + "cpu0,gpu2,1,cpu[0],cpu[1],x_bus,nan\n", "line 2: counted_bytes 'nan' is no whole number from 0"),
        bad(header + row + "cpu0,gpu2,1001,cpu[1],gpu[2],nvlink_cpu,1\n",
            "line 3: the move from cpu0 to gpu2 has 1001 bytes here and 1000 above; one number is expected"),
        bad(header + row + row, "line 3: the counter from cpu[0] to cpu[1] is there twice for this move"),
        bad(header + "cpu0,gpu2,1000,cpu[0],gpu[2],,1\n", "line 2: no link joins 'cpu[0]' with 'gpu[2]'; parts of the"),
        bad(header + "cpu0,gpu2,1000,cpu[0],cpu[1],pcie,1\n",
            "line 2: no link of kind 'pcie' joins cpu[0] with cpu[1]"),
        {{"characterize", "s822lc", "--counters", "none.csv"}, "none.csv: it can't be read; counters of links as CSV"},
        {{"characterize", "s822lc", "--counters", "c.csv", "--json"}, "--json: it is about benchmarks, and --counters"},
        {{"characterize", "s822lc", "--counters", "c.csv", "--threads", "2"}, "--threads: it is about benchmarks, and"},
        {{"characterize", "s822lc", "--counters", "c.csv", "--latency"},
         "--counters: it is about copies, and latencies"},
    });
}

} // namespace
} // namespace numavp::test

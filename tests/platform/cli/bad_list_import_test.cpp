/// A list of bad topology files, and their sentences.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

/// A version 2 file around `objects`, which begin on line 4.
std::string hwloc(const std::string& objects, const std::string& behind = "") {
    return "<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n<object type=\"Machine\" cpuset=\"0xf\">\n" + objects +
           "\n</object>\n" + behind + "</topology>\n";
}

const std::string kTwo = "GPU0 GPU1 CPU Affinity\n";

TEST_F(BadList, TopologyFilesOfHwloc) {
    const Args import{"import", "m.xml"};
    const auto bad = [&](const std::string& text, const std::string& sentence) {
        return BadEntry{import, "m.xml: " + sentence, {{"m.xml", text}}};
    };
    const std::string matrix = "<object type=\"Package\" gp_index=\"1\"/>";
    const auto nvlink = [](const std::string& inside) {
        return "<distances2hetero nbobjs=\"2\" kind=\"25\" name=\"NVLinkBandwidth\">" + inside +
               "</distances2hetero>\n";
    };
    std::string deep, many = "<topology version=\"2.0\">";
    for (int i = 0; i < 300; ++i) deep += "<object type=\"Group\">";
    for (int i = 0; i < 500'001; ++i) many += "<a/>";
    expect_sentences({
        bad("",
            "it is empty; hwloc XML, NCCL's topology XML, what nvidia-smi topo -m, rocm-smi --showtopo or numactl -H "
            "prints, or a network file of BookSim's anynet is expected"),
        bad("hello\n", "its format is not known; hwloc XML"),
        bad(std::string("GPU\0X", 5), "it is no text; hwloc XML"),
        bad("<topology version=\"2.0\">\n<object type=\"Machine\"",
            "line 2: the XML ends too early; a whole file is expected"),
        bad("<topology version=\"2.0\">\n<object type=\"Machine\">\n", "line 3: the XML ends too early"),
        bad("<topology>\n<object>\n</topology>\n", "line 3: this is no sound XML (mismatched tag)"),
        bad("<topology a=\"1\" a=\"2\"/>", "line 1: this is no sound XML (duplicate attribute)"),
        bad("<topology/>\n<topology/>\n", "line 2: this is no sound XML (junk after document element)"),
        bad("<topology>\xff</topology>", "line 1: this is no sound XML (not well-formed (invalid token))"),
        bad("<!DOCTYPE t [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]>\n<t>&b;</t>",
            "line 1: the DOCTYPE has declarations of its own, such as entities"),
        bad("<!DOCTYPE t SYSTEM \"file:///etc/passwd\" [<!ENTITY % p SYSTEM \"x\"> %p;]>\n<t/>",
            "line 1: the DOCTYPE has declarations of its own"),
        bad("<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology>\n<object type=\"&x;\"/></topology>",
            "line 3: '&x' is an entity of the file's own; &amp;"),
        bad("<topology>&x;</topology>", "line 1: this is no sound XML (undefined entity)"),
        bad("<svg/>", "line 1: the root element is <svg>; <topology> is expected"),
        bad("<topology version=\"9.0\"/>", "line 1: the topology has version '9.0'; 1, 2 and 3 are read"),
        bad("<topology version=\"2.0\"/>", "line 1: the topology has no objects"),
        bad("<topology version=\"2.0\">" + deep, "line 1: elements lie more than 200 deep"),
        bad(many, "line 1: there are more than 500000 elements"),
        bad(hwloc("<object os_index=\"0\"/>"), "line 4: an object has no type; one such as Package is expected"),
        bad(hwloc("<object type=\"Package\" os_index=\"-1\"/>"), "line 4: os_index '-1' is no number"),
        bad(hwloc("<object type=\"Package\" cpuset=\"0xq\"/>"), "line 4: the CPU set '0xq' can't be read"),
        bad(hwloc("<object type=\"NUMANode\" os_index=\"0\" local_memory=\"much\"/>"),
            "line 4: local_memory 'much' is no number of bytes"),
        bad(hwloc("<object type=\"NUMANode\" os_index=\"0\"/>\n<object type=\"NUMANode\" os_index=\"0\"/>"),
            "line 5: NUMA node 0 is there twice"),
        bad(hwloc("<object type=\"Package\"/>\n<object type=\"PCIDev\" pci_busid=\"0000:03:00.0\" pci_type=\"0200 "
                  "[8086:1] "
                  "[0:0] 01\">\n<object type=\"OSDev\" name=\"eth0\" osdev_type=\"2\"/>\n<object type=\"OSDev\" "
                  "name=\"eth0\" osdev_type=\"2\"/></object>"),
            "line 7: the device eth0@03:00.0 is there twice; names of one PCI device must differ"),
        bad(hwloc("<object type=\"Core\" gp_index=\"7\"/>\n<object type=\"Core\" gp_index=\"7\"/>"),
            "line 5: gp_index 7 is there twice"),
        bad(hwloc("<object type=\"PCIDev\" pci_busid=\"0000:01:00.0\" pci_type=\"0302 [10de:15f9]\" "
                  "pci_link_speed=\"-3\"/>"),
            "line 4: pci_link_speed '-3' is no bandwidth"),
        bad(hwloc(matrix, nvlink("<indexes>Package:1</indexes>")),
            "line 6: the matrix NVLinkBandwidth of 2 objects has 1 indexes and 0 values; 2 and 4 are expected"),
        bad(hwloc(matrix, nvlink("<indexes>Package:1 OSDev:9</indexes><u64values>0 1 1 0</u64values>")),
            "line 6: the matrix NVLinkBandwidth names the object 'OSDev:9', which is not there"),
        bad(hwloc(matrix, nvlink("<indexes>Package:1 Package:1</indexes><u64values>0 1 x 0</u64values>")),
            "line 6: 'x' is no value of a matrix"),
        bad(hwloc(matrix, "<distances2 type=\"NUMANode\" nbobjs=\"many\" kind=\"5\" name=\"NUMALatency\"/>"),
            "line 6: the matrix NUMALatency is of nbobjs 'many'"),
        bad(hwloc(matrix, nvlink("<indexes>Package:1 Package:1</indexes><u64values>0 400 400 0</u64values>")),
            "line 6: the matrix NVLinkBandwidth has values up to 400, too small for bandwidths of links; MB/s are"),
        bad(hwloc("<object type=\"NUMANode\" os_index=\"0\" gp_index=\"3\"/>",
                  "<memattr name=\"Bandwidth\">\n<memattr_value target_obj_type=\"NUMANode\" "
                  "target_obj_gp_index=\"3\" value=\"99999999999999999999\"/></memattr>\n"),
            "line 7: '99999999999999999999' is no value of a memory attribute; MiB/s from 0 to 1000000000"),
        bad(hwloc("<object type=\"NUMANode\" os_index=\"0\" local_memory=\"99999999999999999999\"/>"),
            "line 4: local_memory '99999999999999999999' is no number of bytes"),
        bad(hwloc("<object type=\"PCIDev\" pci_busid=\"0000:01:00.0\" pci_type=\"0302 [10de:15f9]\">\n<object "
                  "type=\"OSDev\" name=\"cuda0\"><info name=\"CUDAGlobalMemorySize\" "
                  "value=\"99999999999999999999\"/></object></object>"),
            "line 5: CUDAGlobalMemorySize '99999999999999999999' is no size in KiB"),
    });
}

TEST_F(BadList, TopologyFilesOfOtherTools) {
    const auto bad = [](const std::string& text, const std::string& sentence) {
        return BadEntry{{"import", "t.txt"}, "t.txt: " + sentence, {{"t.txt", text}}};
    };
    expect_sentences({
        bad(kTwo, "the row of GPU0 is missing; the whole of what nvidia-smi topo -m prints is expected"),
        bad(kTwo + "GPU0 X NV1 0-1\n", "the row of GPU1 is missing"),
        bad(kTwo + "GPU0 X\n", "line 2: the row of GPU0 has 1 entries; 2 are expected, one for each column"),
        bad(kTwo + "GPU0 X NV1 0-1 0 0 0 0\n", "line 2: the row of GPU0 has 8 words; at most 6 are expected"),
        bad(kTwo + "GPU0 X NEAR 0-1\n", "line 2: 'NEAR' is no word of the matrix; X, NV#, PIX"),
        bad(kTwo + "GPU0 X NV0 0-1\n", "line 2: 'NV0' is no word of the matrix"),
        bad(kTwo + "GPU0 X NV1 5-1\n", "line 2: '5-1' is no list of CPUs or NUMA nodes"),
        bad(kTwo + "GPU0 X NV1 0-1\nGPU1 SYS X 0-1\n", "line 2: GPU0 to GPU1 is NV1, and back it is SYS"),
        bad(kTwo + "GPU0 SYS X 0-1\nGPU1 X SYS 0-1\n", "line 2: GPU0 to GPU0 is SYS; X is expected of each to itself"),
        bad(kTwo + "GPU0 X NV1 0-1\nGPU0 X NV1 0-1\n", "line 3: the row of GPU0 is there twice"),
        bad(kTwo + "GPU0 X NV1 0-1\nGPU2 NV1 X 0-1\n", "line 3: the row 'GPU2' has no column"),
        bad("GPU0 GPU0 CPU Affinity\n", "line 1: the column GPU0 is there twice"),
        bad("GPU0 GPU1 N0 CPU Affinity\nGPU0 X SYS PHB 0-1\nGPU1 SYS X PHB 2-3\nN0 PHB PHB X\n",
            "line 3: GPU1 and GPU0 are SYS, and yet others are at the host bridge of both"),
        bad(kTwo + "GPU0 X PIX 0-1\nGPU1 PIX X 2-3\n", "line 3: GPU1 and GPU0 are at one host bridge, and their CPU"),
        bad("available: 2 nodes (0-1)\nnode 0 cpus: 0\n", "2 nodes are available, and lines of 1 are there"),
        bad("available: some nodes\n", "line 1: the number of nodes can't be read"),
        bad("available: 1 nodes (0-x)\n", "line 1: '(0-x)' is no list of NUMA nodes"),
        bad("available: 1 nodes (0)\n", "there are no nodes; the whole of what numactl -H prints is expected"),
        bad("node 0 cpus: 0 one\n", "line 1: 'one' is no number of a CPU"),
        bad("node 0 cpus: 0\nnode 0 cpus: 1\n", "line 2: the CPUs of node 0 are there twice"),
        bad("node 0 cpus: 0\nnode 1 cpus: 0\n", "nodes 0 and 1 have the same CPUs"),
        bad("node 0 cpus: 0\nnode 0 size: big\n", "line 2: the size of node 0 can't be read"),
        bad("node 0 cpus: 0\nnode 0 size: 99999999999999999999 MB\n", "line 2: the size of node 0 can't be read"),
        bad("node 0 cpus: 0-3 (5)\n", "line 1: node 0 has 4 CPUs, and the line counts 5"),
        bad("node 0 cpus: 0\nnode 0 colour: red\n", "line 2: 'colour:' is nothing that numactl -H says of a node"),
        bad("node 0 size: 100 MB\n", "the line of node 0 with its CPUs is missing"),
        bad("node 0 cpus:\n", "no node has CPUs; one at least is expected"),
        bad("node 0 cpus: 0\nnode distances:\nnode 0 1\n0: 10 20\n", "the distances of 1 nodes have 2 values"),
        bad("node 0 cpus: 0\nnode distances:\nnode 0\n0: 10 20\n", "line 4: the row of node 0 has 2 distances; 1 are"),
        bad("node 0 cpus: 0\nnode distances:\nnode 0\n0: far\n", "line 4: 'far' is no distance"),
    });
}

TEST_F(BadList, WordsOfImport) {
    const std::string one = "GPU0 CPU Affinity\nGPU0 X 0-1\n", two = kTwo + "GPU0 X NV1 0-1\nGPU1 NV1 X 0-1\n";
    expect_sentences({
        {{"import"},
         "command line: import names no file; files of hwloc, NCCL, nvidia-smi, rocm-smi or numactl are expected, or "
         "--here"},
        {{"import", "none.xml"}, "none.xml: it can't be opened; a topology file is expected"},
        {{"import", "."}, ".: "},
        {{"import", "a", "--gpu", "Voodoo"},
         "--gpu: 'Voodoo' is none of the GPUs that are known; a name with P100",
         {{"a", one}}},
        {{"import", "a", "--cpu", "Z80"}, "--cpu: 'Z80' is none of the CPUs that are known", {{"a", one}}},
        {{"import", "a", "--out", "no/such\n/"}, "--out: ", {{"a", one}}},
        {{"import", "a", "--graph", "--paths"},
         "command line: --graph, --paths and --json do not go together",
         {{"a", one}}},
        {{"import", "a", "b"},
         "b: its 2 GPUs contradict a, which has 1; files of one machine are expected",
         {{"a", one}, {"b", two}}},
        {{"import", "a", "b"},
         "b: line 2: GPU0 and GPU1 have 0 NVLinks here, which, with 1 there, contradicts a",
         {{"a", two}, {"b", kTwo + "GPU0 X PIX 0-1\nGPU1 PIX X 0-1\n"}}},
    });
}

} // namespace
} // namespace numavp::test

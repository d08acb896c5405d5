#include "tests/communication/import/samples.h"

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp::test {

std::string hwloc_gpu(const SampleGpu& g, bool version3) {
    const unsigned gp = 100 * (g.number + 1);
    const std::string type = version3 ? "12" : "5", unit = version3 ? "KiB" : "";
    return fmt::format(
        R"(<object type="Bridge" gp_index="{0}" bridge_type="0-1" depth="0" bridge_pci="{2}:[00-01]">
<object type="Bridge" gp_index="{1}" bridge_type="1-1" depth="1" bridge_pci="{2}:[01-01]" pci_busid="{2}:00:00.0" pci_type="0604 [1014:03dc] [0000:0000] 00" pci_link_speed="7.876923">
<object type="PCIDev" gp_index="{3}" pci_busid="{2}:01:00.0" pci_type="0302 [10de:15f9] [10de:116b] a1" pci_link_speed="15.753846">
<object type="OSDev" gp_index="{4}" name="cuda{5}" subtype="CUDA" osdev_type="{6}"><info name="GPUModel" value="{7}"/>
<info name="CUDAGlobalMemorySize" value="16671616{8}"/><info name="CUDAMultiProcessors" value="56"/></object>
<object type="OSDev" gp_index="{9}" name="nvml{5}" subtype="NVML" osdev_type="{6}"><info name="GPUModel" value="{7}"/></object>
</object></object></object>
)",
        gp + 1, gp + 2, g.domain, gp + 3, gp + 4, g.number, type, g.model, unit, gp + 5);
}

std::string hwloc_package(unsigned number, const std::string& inside, const std::string& model) {
    return fmt::format(
        R"(<object type="Package" os_index="{0}" cpuset="{1:#x}" gp_index="{2}"><info name="CPUModel" value="{3}"/>
<object type="NUMANode" os_index="{0}" cpuset="{1:#x}" nodeset="{4:#x}" gp_index="{5}" local_memory="17179869184"/>
<object type="Core" os_index="{0}" cpuset="{1:#x}" gp_index="{6}">
<object type="PU" os_index="{7}" cpuset="{8:#x}" gp_index="{9}"/><object type="PU" os_index="{10}" cpuset="{11:#x}" gp_index="{12}"/>
</object>
{13}</object>
)",
        number, 3U << (2 * number), 10 * number + 1, model, 1U << number, 10 * number + 2, 10 * number + 3, 2 * number,
        1U << (2 * number), 10 * number + 4, 2 * number + 1, 2U << (2 * number), 10 * number + 5, inside);
}

std::string hwloc_file(const std::string& version, const std::string& objects, const std::string& behind) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology" +
           (version.empty() ? "" : " version=\"" + version + "\"") +
           ">\n<object type=\"Machine\" os_index=\"0\" cpuset=\"0xffff\" gp_index=\"99\">"
           "<info name=\"PlatformModel\" value=\"Test 1\"/>\n" +
           objects + "</object>\n" + behind + "</topology>\n";
}

std::string power_matrices() {
    return R"(<distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os">
<indexes length="4">0 1 </indexes><u64values length="12">10 40 40 10 </u64values></distances2>
<distances2hetero nbobjs="4" kind="25" name="NVLinkBandwidth">
<indexes length="18">OSDev:105 OSDev:205 </indexes><indexes length="21">Package:1 Package:11 </indexes>
<u64values length="36">1000000 0 40000 0 0 1000000 0 40000 </u64values>
<u64values length="36">40000 0 1000000 0 0 40000 0 1000000 </u64values></distances2hetero>
)";
}

std::string power_file(const std::string& version) {
    const bool third = version.substr(0, 1) == "3";
    return hwloc_file(version,
                      hwloc_package(0, hwloc_gpu({"0002", 0}, third)) + hwloc_package(1, hwloc_gpu({"000a", 1}, third)),
                      power_matrices());
}

std::string topo_file() {
    return R"(	GPU0	GPU1	GPU2	GPU3	NIC0	NIC1	CPU Affinity	NUMA Affinity	GPU NUMA ID
GPU0	 X 	NV4	NV4	NV4	PXB	SYS	0-7	0		N/A
GPU1	NV4	 X 	NV4	NV4	PXB	SYS	0-7	0		N/A
GPU2	NV4	NV4	 X 	NV4	SYS	NODE	8-15	1		N/A
GPU3	NV4	NV4	NV4	 X 	SYS	PIX	8-15	1		N/A
NIC0	PXB	PXB	SYS	SYS	 X 	SYS
NIC1	SYS	SYS	NODE	PIX	SYS	 X

Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)

NIC Legend:

  NIC0: mlx5_0
  NIC1: mlx5_1
)";
}

std::string numactl_file() {
    return R"(available: 2 nodes (0-1)
node 0 cpus: 0 1 2 3 4 5 6 7
node 0 size: 16384 MB
node 0 free: 1000 MB
node 1 cpus: 8 9 10 11 12 13 14 15
node 1 size: 16384 MB
node 1 free: 1000 MB
node distances:
node   0   1
  0:  10  21
  1:  21  10
)";
}

std::string numactl_text(const std::vector<SampleNode>& nodes, const std::string& distances) {
    std::string text = fmt::format("available: {} nodes\n", nodes.size()), ids;
    for (const SampleNode& node : nodes) {
        text += fmt::format("node {0} cpus:{1}{2}\nnode {0} size: {3} MB\nnode {0} free: {4} MB\n", node.id,
                            node.cpus.empty() ? "" : " ", node.cpus, node.megabytes, node.megabytes / 2);
        ids += fmt::format(" {}", node.id);
    }
    return distances.empty() ? text : text + "node distances:\nnode" + ids + "\n" + distances;
}

FoundMachine machine_of_texts(const std::vector<std::string>& texts, const AssumedModels& models) {
    std::vector<ImportSource> sources;
    for (std::size_t i = 0; i < texts.size(); ++i)
        sources.push_back(read_source(texts[i], std::string(1, static_cast<char>('a' + i))));
    return join_sources(sources, models);
}

std::string edges_of(const std::vector<std::string>& texts) { return edge_list(machine_of_texts(texts)); }

std::string refusal_of(const std::vector<std::string>& texts) {
    try {
        machine_of_texts(texts);
    } catch (const ConfigError& refused) {
        return refused.what();
    }
    return {};
}

} // namespace numavp::test

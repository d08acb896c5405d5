/// A list of bad host cores in systems and bad phases of the host in workloads, and their sentences.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

TEST_F(BadList, HostCoresOfSystems) {
    expect_sentences({
        {{"explain", "numa-4", "--set", "host_core.part=socket"},
         "--set host_core.part: socket are 4 parts; the one that is the core's is expected"},
        {{"explain", "numa-4", "--set", "host_core.part=cpu"}, "--set host_core.part: unknown part 'cpu'"},
        {{"explain", "numa-4", "--set", "host_core.part=socket[1]"},
         "--set host_core.part: socket[1] has SMs; a socket that is the core's alone is allowed, with sms 0 and "
         "memory.capacity_gib 0"},
        {{"explain", "pcie", "--set", "host_core.part=cpu"},
         "--set host_core.part: cpu[0] is a router alone, at which nothing begins; a socket is allowed"},
        {{"explain", "pcie-cpu", "--set", "host_core.part=host_cube[1]"},
         "--set host_core.part: host_cube[1] has a memory; a socket that is the core's alone is allowed"},
        {{"explain", "pcie-cpu", "--set", "host_core.miss_registers=0"},
         "--set host_core.miss_registers: 0 is out of range; allowed are whole numbers from 1 to 1024 (registers)"},
        {{"explain", "pcie-cpu", "--set", "host_core.cores=33"},
         "--set host_core.cores: 33 is out of range; allowed are whole numbers from 1 to 32 (cores)"},
        {{"explain", "pcie-cpu", "--set", "host_core.l2_kib=1"},
         "--set host_core.l2_kib: 1 KiB in 16 ways are no whole sets of 128-byte lines; a multiple of 2048 bytes is "
         "allowed"},
        {{"explain", "pcie-cpu", "--set", "host_core.l3_kib=7"}, "--set host_core.l3_kib: unknown"},
    });
}

TEST_F(BadList, HostPhasesOfWorkloads) {
    const auto with = [](const std::string& entry) {
        return std::map<std::string, std::string>{
            {"w.json",
             R"({"name": "w", "kernels": [{"pattern": "stream_triad", "arrays": {"a": "a"}}, )" + entry + "]}"}};
    };
    const auto host = [&with](const std::string& members) { return with(R"({"host": {)" + members + "}}"); };
    const std::string reads = R"("accesses": [{"array": "a"}], )";
    const std::string at = "w.json: $.kernels[1].host";
    expect_sentences({
        {{"check", "w.json"},
         at + ": 68719476736 items of 1073741824 instructions in 1 passes are more than",
         host(R"("accesses": [{"array": "a"}], "items": 68719476736, "instructions": 1073741824)")},
        {{"check", "w.json"}, at + ".instructions: an item has no instructions; 1 or more are expected", host("")},
        {{"check", "w.json"},
         at +
             ".items: a phase without accesses has no array that says how many items there are; 1 or more are expected",
         host(R"("instructions": 1)")},
        {{"check", "w.json"},
         at + ".accesses[0].array: unknown array of this workload 'bb'",
         host(R"("accesses": [{"array": "bb"}], "instructions": 1)")},
        {{"check", "w.json"},
         at + ".accesses[0]: an access has no 'array', which it must have",
         host(R"("accesses": [{"way": "read"}], "instructions": 1)")},
        {{"check", "w.json"},
         at + ".accesses[0].way: unknown way of an access 'modify'",
         host(R"("accesses": [{"array": "a", "way": "modify"}], "instructions": 1)")},
        {{"check", "w.json"},
         at + ".accesses[0].stride_bytes: 2 bytes are less than an element of 4; as many are allowed, or more, or 0",
         host(R"("accesses": [{"array": "a", "stride_bytes": 2}], "instructions": 1)")},
        {{"check", "w.json"},
         at + ".accesses[0].element_bytes: 70000 is out of range",
         host(R"("accesses": [{"array": "a", "element_bytes": 70000}], "instructions": 1)")},
        {{"check", "w.json"},
         at + ".instructions: 1 instructions of an item with 2 loads and stores; as many are allowed, or more",
         host(R"("accesses": [{"array": "a", "way": "update"}], "instructions": 1)")},
        {{"check", "w.json"},
         at + ".flops: 3 flops in 2 instructions of an item; as many are allowed, or fewer",
         host(reads + R"("instructions": 2, "flops": 3)")},
        {{"check", "w.json"},
         at + ".chain: 2 of 1 flops of an item; as many are allowed with dependence sum, or fewer, and 0 else",
         host(reads + R"("instructions": 2, "flops": 1, "chain": 2, "dependence": "sum")")},
        {{"check", "w.json"},
         at + ".dependence: a sum is a chain of flops, and items have none; 1 or more are expected",
         host(reads + R"("instructions": 2, "dependence": "sum")")},
        {{"check", "w.json"},
         at + ".dependence: a chase follows what its first access reads; one that reads is expected first",
         host(R"("accesses": [{"array": "a", "way": "write"}], "instructions": 2, "dependence": "chase")")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].copy: belongs to a kernel or a copy, and this entry is the host's",
         with(R"({"copy": "to_host", "host": {"items": 1, "instructions": 1}})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].pattern: belongs to a kernel or a copy, and this entry is the host's",
         with(R"({"pattern": "reduction", "host": {"items": 1, "instructions": 1}})")},
    });
}

} // namespace
} // namespace numavp::test

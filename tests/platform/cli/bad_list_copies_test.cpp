/// A list of bad copies between host and devices, in systems and in workloads, and their sentences.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

TEST_F(BadList, CopiesOfSystems) {
    expect_sentences({
        {{"explain", "numa-4", "--set", "copies.mode=dma"},
         "--set copies.mode: unknown way of copying 'dma'; allowed are 'free', 'into_l2', 'engines', 'none'"},
        {{"explain", "numa-4", "--set", "copies.mode=engines"},
         "--set copies.mode: $.copies.host: engines copy from and to the host's memories; parts that "
         "have memory are expected"},
        {{"explain", "pcie", "--set", "copies.host=gpu"},
         "--set copies.host: gpu[0] has no memory; parts that have some are allowed"},
        {{"explain", "pcie", "--set", "copies.host=pcie"},
         "--set copies.host: pcie[0] has no memory; parts that have some are allowed"},
        {{"explain", "pcie", "--set", "copies.host=host_cub"}, "--set copies.host: unknown part 'host_cub'"},
        {{"explain", "pcie", "--set", "copies.host=host_cube[0..1]"},
         "--set copies.host: host_cube[0..1] are 2 of the 4 sockets of a memory; whole memories are allowed"},
        {{"explain", "pcie", "--set", "placement.memories=cube[2..5]"},
         "--set placement.memories: cube[2..5] are 2 of the 4 sockets of a memory; whole memories are allowed"},
        {{"explain", "pcie", "--set", "placement.memories=cube[16]"},
         "--set placement.memories: there is no cube[16]; cube[0] to cube[15] are allowed"},
        {{"explain", "pcie", "--set", "copies.lines_in_flight=0"},
         "--set copies.lines_in_flight: 0 is out of range; allowed are whole numbers from 1 to 65536 (lines)"},
        {{"explain", "numa-4", "--set", "placement.memories=socket[0]", "--set", "placement.policy=line_interleave"},
         "--set placement.policy: line_interleave spreads pages over all memories, and not all serve arrays here "
         "(placement.memories, copies.mode); another policy is allowed"},
        {{"explain", "numa-4", "--set", "copies.mode=engines", "--set", "copies.host=socket[0]", "--set",
          "placement.policy=first_touch", "--set", "translation.mode=full"},
         "--set copies.mode: copy engines use physical addresses; translation.mode off is allowed, or free copies"},
        {{"explain", "numa-4", "--set", "copies.mode=into_l2", "--set", "placement.policy=first_touch", "--set",
          "translation.mode=full"},
         "--set copies.mode: L2 holds lines of physical addresses; translation.mode off is allowed, or free copies"},
        {{"explain", "gmn-4-sfbfly", "--set", "copies.mode=into_l2"},
         "--set copies.mode: no memory of arrays lies behind an L2 of its own socket (l2.size_kib), so that no copied "
         "line would be kept; free is allowed, which takes no time either"},
        {{"explain", "ac922", "--set", "copies.mode=into_l2", "--set", "placement.memories=cpu"},
         "--set copies.mode: no memory of arrays lies behind an L2 of its own socket (l2.size_kib), so that no copied "
         "line would be kept; free is allowed, which takes no time either"},
        {{"explain", "numa-4", "--set", "copies.mode=into_l2", "--set", "copies.engines=1"},
         "--set copies.engines: this changes nothing: copies.mode is free or into_l2: copies take no time"},
        {{"explain", "numa-4", "--set", "placement.memories=socket[0]", "--set", "placement.policy=first_touch",
          "--set", "translation.mode=full", "--set", "driver.execution=native"},
         "--set placement.memories: a driver places pages in all memories; no parts are allowed, or driver.execution "
         "none"},
        {{"explain", "pcie", "--set", "parts[0].terminals=0"},
         "--set parts[0].terminals: 0 is out of range; allowed are whole numbers from 1 to 48 (terminals)"},
        {{"explain", "pcie", "--set", "parts[4].terminals=2"},
         "--set parts[4].terminals: a router alone has no terminals; leave it out"},
        {{"explain", "pcie", "--set", "network.links[0].buffer_bytes=256"},
         "--set network.links[0].buffer_bytes: 256 B are less than the 512 B of network.buffer_bytes; as many are "
         "allowed, or more"},
    });
}

const char* const kKernel = R"({"pattern": "stream_triad", "arrays": {"a": "a"}})";

TEST_F(BadList, CopiesOfWorkloads) {
    const auto with = [](const std::string& copy) {
        return std::map<std::string, std::string>{
            {"w.json", R"({"name": "w", "kernels": [)" + std::string(kKernel) + ", " + copy + "]}"}};
    };
    expect_sentences({
        {{"check", "w.json"},
         "w.json: $.kernels[1]: a copy has no 'array', which it must have",
         with(R"({"copy": "to_device"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].array: unknown array of this workload 'aa'",
         with(R"({"copy": "to_host", "array": "aa"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].copy: unknown kind of copy 'back'",
         with(R"({"copy": "back", "array": "a"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].pattern: belongs to a pattern, and this entry is a copy",
         with(R"({"copy": "to_host", "array": "a", "pattern": "reduction"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].parameters: belongs to a pattern, and this entry is a copy",
         with(R"({"copy": "to_host", "array": "a", "parameters": {"n": 1}})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].name: belongs to a pattern, and this entry is a copy",
         with(R"({"copy": "to_host", "array": "a", "name": "back"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].share: 0 is out of range",
         with(R"({"copy": "to_host", "array": "a", "share": 0})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].array: belongs to a copy, and this entry has no 'copy'; to_device, to_host or "
         "peer is expected there",
         with(R"({"pattern": "reduction", "array": "a"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[1].share: 1.5 is out of range",
         with(R"({"copy": "to_host", "array": "a", "share": 1.5})")},
    });
}

TEST_F(BadList, CopiesBetweenArrays) {
    const auto with = [](const std::string& copy, const std::string& more = "") {
        return std::map<std::string, std::string>{
            {"w.json", R"({"name": "w", )" + more +
                           R"("kernels": [{"pattern": "stream_triad", "arrays": {"a": "a", "b": "b"}}, )"
                           R"({"pattern": "element_loop", "parameters": {"items": 64, "accesses": [{"array": "a"}]}, )"
                           R"("arrays": {"a": "small"}}, )" +
                           copy + "]}"}};
    };
    const char* const peer = R"({"copy": "peer", "array": "a", "to": "b"})";
    expect_sentences({
        {{"check", "w.json"},
         "w.json: $.kernels[2]: a copy between arrays has no 'to', the array that is written, which it must have",
         with(R"({"copy": "peer", "array": "a"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[2].to: is the array that is copied; another array is expected",
         with(R"({"copy": "peer", "array": "a", "to": "a"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[2].to: unknown array of this workload 'bb'",
         with(R"({"copy": "peer", "array": "a", "to": "bb"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[2].to: array 'small' has 256 bytes, and ",
         with(R"({"copy": "peer", "array": "a", "to": "small"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[2].to: belongs to a copy between arrays, and this one is to_host; peer is expected there",
         with(R"({"copy": "to_host", "array": "a", "to": "b"})")},
        {{"check", "w.json"},
         "w.json: $.kernels[2].to: belongs to a copy, and this entry has no 'copy'; to_device, to_host or peer is "
         "expected there",
         with(R"({"pattern": "reduction", "to": "b"})")},
        {{"check", "w.json"},
         "w.json: $.on_gpu.c2: unknown array of this workload 'c2'",
         with(peer, R"("on_gpu": {"c2": 1}, )")},
        {{"check", "w.json"},
         "w.json: $.on_gpu.a: is not the number of a GPU; a whole number from 0 is expected",
         with(peer, R"("on_gpu": {"a": -1}, )")},
        {{"check", "w.json"},
         "w.json: $.on_gpu: is not an object; an object { } is expected",
         with(peer, R"("on_gpu": [1], )")},
        {{"run", "pcie", "w.json", "--out", "out"},
         "w.json: $.on_gpu.b: pcie has no GPU 4; 0 to 3 are allowed",
         with(peer, R"("on_gpu": {"a": 0, "b": 4}, )")},
        {{"run", "gpu-1", "w.json", "--out", "out"},
         "w.json: $.on_gpu.b: gpu-1 has no GPU 1; 0 is allowed",
         with(peer, R"("on_gpu": {"b": 1}, )")},
        {{"run", "pcie", "w.json", "--out", "out", "--scale", "300", "--set", "placement.memories=cube"},
         "workload w: on_gpu gives ",
         with(peer, R"("on_gpu": {"b": 1}, )")},
        {{"run", "numa-4", "w.json", "--out", "out", "--set", "placement.policy=line_interleave"},
         "w.json: $.on_gpu.b: line_interleave spreads pages over all memories; a system with another placement.policy "
         "is allowed",
         with(peer, R"("on_gpu": {"b": 1}, )")},
        {{"run", "numa-4", "w.json", "--out", "out", "--set", "placement.policy=first_touch", "translation.mode=full",
          "driver.execution=native"},
         "w.json: $.on_gpu.b: a driver places pages in all memories; a system with driver.execution none is allowed",
         with(peer, R"("on_gpu": {"b": 1}, )")},
        {{"run", "numa-4", "w.json", "--out", "out", "--set", "placement.policy=first_touch", "translation.mode=full",
          "copies.mode=none"},
         "workload w: copy engines use physical addresses, and it copies between arrays; translation.mode off is "
         "allowed, or free copies",
         with(peer)},
    });
}

} // namespace
} // namespace numavp::test

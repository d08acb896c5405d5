/// A list of bad inputs of predict, and their sentences.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

const std::string kValues = R"({"name": "a", "place": "cpu0", "bytes": 8, "given": true},)"
                            R"({"name": "b", "place": "gpu0", "bytes": 8}, {"name": "c", "place": "gpu0", "bytes": 8},)"
                            R"({"name": "d", "place": "gpu1", "bytes": 9})";
const std::string kCopyAToB = R"({"name": "in", "reads": ["a"], "writes": ["b"]})";

std::string graph_with(const std::string& values, const std::string& steps) {
    return R"({"values": [)" + values + R"(], "steps": [)" + steps + "]}";
}

/// A fault of a file's steps, behind a sound one.
BadEntry bad_step(const std::string& step, const std::string& sentence) {
    return {{"predict", "g.json", "dgx-1"},
            "g.json: $.steps[1]" + sentence,
            {{"g.json", graph_with(kValues, kCopyAToB + "," + step)}}};
}

TEST_F(BadList, StepsOfGraphs) {
    const auto kernel = [](const std::string& more) { return R"({"name": "k", "kind": "kernel", )" + more + "}"; };
    expect_sentences({
        bad_step(R"({"reads": ["a"], "writes": ["c"]})", ".name: it is missing; the name of the step is expected"),
        bad_step(R"({"name": "in", "reads": ["a"], "writes": ["c"]})", ".name: the step 'in' is there twice"),
        bad_step(R"({"name": "x", "reads": ["aa"], "writes": ["c"]})",
                 ".reads[0]: unknown value 'aa'; allowed are 'a', 'b'"),
        bad_step(R"({"name": "x", "reads": ["a", "b"], "writes": ["c"]})",
                 ".reads: a copy names one value here, not 2"),
        bad_step(R"({"name": "x", "reads": ["a"]})", ".writes: a copy names one value here, not 0"),
        bad_step(R"({"name": "x", "reads": "a", "writes": ["c"]})", ".reads: this is not a list; a list of names"),
        bad_step(R"({"name": "x", "reads": [1], "writes": ["c"]})", ".reads[0]: this is not a name"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["d"]})",
                 ": it copies 'a' of 8 B to 'd' of 9 B; equal sizes are expected"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["c"], "from": "cpu1"})",
                 ".from: 'a' is not on cpu1; it lies on cpu0"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["c"], "to": "gpu1"})",
                 ".to: 'c' is not on gpu1; it lies on gpu0"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["c"], "time_us": 4})", ": a copy has a place or a time"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["a"]})",
                 ".writes[0]: 'a' is there before the graph begins"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["b"]})", ".writes[0]: 'b' is written twice"),
        bad_step(R"({"name": "x", "reads": ["c"], "writes": ["c"]})",
                 ": it waits for itself, by way of 'x'; values, streams and events without a cycle are expected"),
        bad_step(R"({"name": "x", "reads": ["a"], "writes": ["c"], "kernel": "k"})",
                 ".kernel: only a kernel has it, and this step is a copy"),
        bad_step(R"({"name": "x", "kind": "move", "reads": ["a"], "writes": ["c"]})", ".kind: unknown kind of step"),
        bad_step(kernel(R"("reads": ["b"], "writes": ["c"], "time_us": 1)"), ".place: it is missing; a place such as"),
        bad_step(kernel(R"("place": "tpu0", "reads": ["b"], "writes": ["c"], "time_us": 1)"), ".place: 'tpu0' is no "),
        bad_step(kernel(R"("place": "cpu0", "reads": ["a"], "time_us": 1)"), ".place: a kernel is on cpu0; a GPU is "),
        bad_step(kernel(R"("place": "gpu0", "reads": ["b"], "writes": ["c"])"), ": one of time_us and gbytes_per_s"),
        bad_step(kernel(R"("place": "gpu0", "reads": ["b"], "time_us": 1, "gbytes_per_s": 2)"), ": one of time_us and"),
        bad_step(kernel(R"("place": "gpu0", "reads": ["b"], "time_us": -2)"), ".time_us: "),
        bad_step(kernel(R"("place": "gpu0", "reads": ["b"], "time_us": 1, "time_on": [{"place": "gpu1"}])"),
                 ".time_on[0]: one of time_us and gbytes_per_s is expected"),
        bad_step(kernel(R"("place": "gpu0", "reads": ["d"], "time_us": 1)"),
                 ".reads[0]: 'd' is on gpu1, the step on gpu0; a copy between them is expected"),
        bad_step(kernel(R"("place": "gpu0", "reads": ["c"], "time_us": 1)"),
                 ".reads[0]: nothing writes 'c', and it is not given; a value that is there is expected"),
        bad_step(kernel(R"("place": "gpu0", "from": "cpu0", "time_us": 1)"), ".from: only a copy has it"),
        bad_step(kernel(R"("place": "gpu0", "speed": 1)"), ".speed: "),
        bad_step(kernel(R"("place": "gpu0", "time_us": 1, "after": ["inn"])"), ".after[0]: unknown step 'inn'"),
        bad_step(kernel(R"("place": "gpu0", "time_us": 1, "after": ["k"])"), ": it waits for itself, by way of 'k'"),
    });
}

TEST_F(BadList, GraphsOfPredict) {
    const auto bad = [](const std::string& values, const std::string& steps, const std::string& sentence) {
        return BadEntry{{"predict", "g.json", "dgx-1"}, "g.json: " + sentence, {{"g.json", graph_with(values, steps)}}};
    };
    const std::string ring =
        R"({"name": "p", "kind": "kernel", "place": "gpu0", "reads": ["c"], "writes": ["b"], "time_us": 1},)"
        R"({"name": "q", "kind": "kernel", "place": "gpu0", "reads": ["b"], "writes": ["c"], "time_us": 1})";
    const auto managed = [](const std::string& advice) {
        return R"({"name": "m", "place": "cpu0", "bytes": 8, "given": true, "memory": "managed", "advice": )" + advice +
               "}";
    };
    const std::string read_m = R"({"name": "k", "kind": "kernel", "place": "gpu0", "reads": ["m"], "time_us": 1})";
    const std::string late =
        R"({"name": "p", "kind": "kernel", "place": "gpu0", "reads": ["b"], "writes": ["c"], "time_us": 1, "stream": "s"},)"
        R"({"name": "q", "reads": ["a"], "writes": ["b"], "stream": "s"})";
    expect_sentences({
        {{"predict"}, "command line: GRAPH is required"},
        {{"predict", "vector-add"}, "command line: SYSTEM is required"},
        {{"predict", "vector-ad", "dgx-1"}, "graph: unknown graph 'vector-ad', the nearest is 'vector-add'; allowed"},
        {{"predict", "none.json", "dgx-1"}, "none.json: "},
        {{"predict", "vector-add", "dgx1"}, "system: unknown system 'dgx1', the nearest is 'dgx-1'"},
        {{"predict", "vector-add", "numa-aware-4"}, "numa-aware-4: its parts are not joined by wires"},
        {{"predict", "g.json", "dgx-1"}, "g.json: ", {{"g.json", "[1]"}}},
        {{"predict", "g.json", "dgx-1"}, "g.json: $.links: ", {{"g.json", R"({"links": []})"}}},
        {{"predict", "g.json", "dgx-1"}, "g.json: $.steps: there are no steps; one or more", {{"g.json", "{}"}}},
        bad("", "", "$.steps: there are no steps"),
        bad(R"({"place": "cpu0", "bytes": 8})", kCopyAToB, "$.values[0].name: it is missing; the name of the value"),
        bad(kValues + R"(,{"name": "a", "place": "cpu0", "bytes": 8})", kCopyAToB,
            "$.values[4].name: the value 'a' is "),
        bad(R"({"name": "a", "bytes": 8})", kCopyAToB, "$.values[0].place: it is missing; a place such as cpu0"),
        bad(R"({"name": "a", "place": "gpu-1", "bytes": 8})", kCopyAToB, "$.values[0].place: 'gpu-1' is no place"),
        bad(R"({"name": "a", "place": "cpu0"})", kCopyAToB, "$.values[0].bytes: it is missing; 1 B or more"),
        bad(R"({"name": "a", "place": "cpu0", "bytes": 0})", kCopyAToB, "$.values[0].bytes: "),
        bad(R"({"name": "a", "place": "cpu0", "bytes": 8, "memory": "paged"})", kCopyAToB,
            "$.values[0].memory: unknown"),
        bad(R"({"name": "a", "place": "cpu0", "bytes": 8, "given": true}, {"name": "b", "place": "gpu9", "bytes": 8})",
            kCopyAToB, "$.values[1].place: 'b' lies on gpu9; dgx-1 has gpu0 to gpu7"),
        bad(R"({"name": "m", "place": "cpu0", "bytes": 8, "memory": "managed"})",
            R"({"name": "k", "kind": "kernel", "place": "gpu0", "writes": ["m"], "time_us": 1})",
            "$.steps[0].writes[0]: 'm' is on cpu0, the step on gpu0; a copy between them is expected"),
        bad(R"({"name": "m", "place": "cpu0", "bytes": 8, "memory": "managed"})",
            R"({"name": "k", "kind": "kernel", "place": "gpu0", "reads": ["m"], "time_us": 1})",
            "$.steps[0].reads[0]: nothing writes 'm', and it is not given"),
        bad(R"({"name": "a", "place": "cpu0", "bytes": 8, "given": true, "advice": {"read_mostly": true}})", kCopyAToB,
            "$.values[0].advice: 'a' is not in unified memory; memory managed or prefetched is expected"),
        bad(managed(R"({"preferred": "host"})"), read_m, "$.values[0].advice.preferred: 'host' is no place"),
        bad(managed(R"({"preferred": "gpu8"})"), read_m,
            "$.values[0].advice.preferred: 'm' prefers gpu8; dgx-1 has gpu0 to gpu7"),
        bad(managed(R"({"accessed_by": ["gpu0", "cpu2"]})"), read_m,
            "$.values[0].advice.accessed_by[1]: 'm' is accessed by cpu2; dgx-1 has cpu0 to cpu1"),
        bad(managed(R"({"accessed_by": "gpu0"})"), read_m, "$.values[0].advice.accessed_by: this is not a list; "),
        bad(R"({"name": "m", "place": "gpu0", "bytes": 17179869185, "given": true})", read_m,
            "$.values[0]: 'm' of 17179869185 B does not fit into what is left of gpu0's memory"),
        bad(R"({"name": "m", "place": "cpu0", "bytes": 1099511627777, "given": true, "memory": "managed"})", read_m,
            "$.values[0].bytes: with it more than 1 TiB is in unified memory"),
        bad(kValues, ring, "$.steps[0]: it waits for itself, by way of 'p', 'q'; values, streams and events"),
        bad(kValues, late, "$.steps[0]: it waits for itself, by way of 'p', 'q'; values, streams and events"),
        {{"predict", "vector-add", "dgx-1", "--set", "network.links[7].gbytes_per_s=5"}, "--set network.links[7]"},
        {{"predict", "vector-add", "dgx-1", "--report", "a.html", "--report", "b.html"},
         "command line: --report is there 2 times"},
    });
}

} // namespace
} // namespace numavp::test

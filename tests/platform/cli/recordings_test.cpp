/// numavp graph on records of the thesis' tracer, on Chakra's traces and on host programs.
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/platform/cli/bad_list.h"
#include "tests/support/chakra_bytes.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Recordings : public BadList {
  protected:
    nlohmann::json graph(const std::vector<std::string>& words) const {
        std::vector<std::string> all{"graph", "--out", "g.json"};
        all.insert(all.end(), words.begin(), words.end());
        const Ended made = numavp(all);
        EXPECT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(made.out, "");
        notes_ = made.err;
        return made.status == 0 ? nlohmann::json::parse(text_of("g.json")) : nlohmann::json{};
    }
    nlohmann::json prediction() const {
        const Ended run = numavp({"predict", "g.json", "dgx-1", "--json"});
        EXPECT_EQ(run.status, 0) << run.err;
        return nlohmann::json::parse(run.out);
    }
    /// `words` after "graph" end with a sentence that begins with a file.
    void expect_sentence(const std::vector<std::string>& words, const std::string& sentence) const {
        std::vector<std::string> all{"graph"};
        all.insert(all.end(), words.begin(), words.end());
        const Ended ended = numavp(all);
        EXPECT_EQ(ended.status, 2) << sentence;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, HasSubstr("numavp: " + sentence));
    }
    mutable std::string notes_;
};

// Figure 6.1 of the thesis: numbers are texts and places JSON in texts, as one version of the tracer writes them.
const std::string kHost =
    R"("addrsp":"{\"type\":\"host\"}\n","mem":"pageable","loc":"{\"type\":\"host\",\"id\":\"8\"}")";
const std::string kDevice = R"("addrsp":{"type":"uva"},"mem":{"type":"unknown"},"loc":{"type":"cuda","id":1})";
std::string allocation(int id, const std::string& where) {
    return R"({"allocation":{"id":")" + std::to_string(id) + R"(","pos":"4096","size":"1024",)" + where + "}}\n";
}
std::string value(int id, int of) {
    return R"({"val":{"id":")" + std::to_string(id) + R"(","pos":"4096","size":"1024","allocation_id":")" +
           std::to_string(of) + R"(","initialized":"1"}})" + "\n";
}
std::string api(const std::string& name, const std::string& inputs, const std::string& outputs,
                const std::string& more = "") {
    return R"({"api":{"id":"1","name":")" + name + R"(","device":"1","symbolname":"_Z7vec_addPfS_S_",)" +
           R"("start":"1000","end":"3500","inputs":)" + inputs + R"(,"outputs":)" + outputs + more + "}}\n";
}
std::string vector_addition() {
    std::string text = api("cudaMalloc", "\"\"", "\"\"");
    for (const int id : {1, 2, 3}) text += allocation(id, kHost) + value(id, id);
    for (const int id : {4, 5, 6}) text += allocation(id, kDevice) + value(id, id);
    return text + api("cudaMemcpy", "[\"1\"]", "[\"4\"]", R"(,"dstCount":"1024")") +
           R"({"dep":{"dst_id":"1","src_id":"4"}})" + "\n" + api("cudaMemcpy", "[\"2\"]", "[\"5\"]") +
           api("cudaLaunch", "[4,5,6]", "[6]", R"(,"correlation_id":7)") + api("cudaMemcpy", "[6]", "[3]");
}

TEST_F(Recordings, TheVectorAdditionOfTheThesis) {
    dir_.write("app.cprof", vector_addition() +
                                R"({"compute":{"correlation_id":7,"stream_id":2,"dur":900,"kind":"cupti_kernel3"}})");
    const auto made = graph({"app.cprof"});
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(made.at("name"), "app");
    EXPECT_EQ(steps[2].at("name"), "vec_add 3");
    EXPECT_EQ(steps[2].at("place"), "gpu1");
    EXPECT_EQ(steps[2].at("time_us"), 0.9);
    EXPECT_EQ(steps[2].at("stream"), "gpu1.2");
    EXPECT_EQ(steps[2].at("reads")[0], steps[0].at("writes")[0]);
    EXPECT_EQ(steps[2].at("reads")[1], steps[1].at("writes")[0]);
    EXPECT_EQ(steps[3].at("reads"), steps[2].at("writes"));
    EXPECT_EQ(notes_, "numavp: NUMA node 8 is cpu0\n");
    EXPECT_EQ(prediction().at("steps").size(), 4U);
}

/// Without a record of the kernel its call has to do; a part of a value waits for the whole; what lies elsewhere is
/// copied.
TEST_F(Recordings, RecordsThatSayLess) {
    dir_.write("app.cprof", vector_addition() + api("cudaMemcpy", "[6]", "[3]", R"(,"dstCount":256)") +
                                api("cudnnAdd", "[1]", "[6]"));
    const auto made = graph({"app.cprof"});
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 7U);
    EXPECT_EQ(steps[2].at("time_us"), 2.5);
    EXPECT_FALSE(steps[2].contains("stream")) << "no record says it";
    EXPECT_EQ(steps[0].at("stream"), "gpu1.0") << "a copy that waits";
    EXPECT_EQ(steps[4].at("after"), nlohmann::json::array({"vec_add 3"}));
    EXPECT_EQ(steps[5].at("kind"), "copy");
    EXPECT_EQ(steps[6].at("reads"), steps[5].at("writes"));
    EXPECT_THAT(notes_,
                AllOf(HasSubstr("2 kernels have no compute record"),
                      HasSubstr("2 launches and copies have no record that says their stream"),
                      HasSubstr("1 copies read some of a value"), HasSubstr("1 values that a kernel reads elsewhere")));
}

/// Two copies of a half each are what a kernel reads; a third takes the place of the first.
TEST_F(Recordings, PartsMakeAValueUp) {
    const std::string half = R"(,"dstCount":512)";
    const std::string copies = allocation(1, kHost) + value(1, 1) + allocation(4, kDevice) + value(4, 4) +
                               api("cudaMemcpy", "[1]", "[4]", half) + api("cudaMemcpy", "[1]", "[4]", half);
    for (const std::size_t parts : {2U, 3U}) {
        dir_.write("app.cprof", copies + (parts == 3 ? api("cudaMemcpy", "[1]", "[4]", half) : "") +
                                    api("cudaLaunch", "[4]", "[4]"));
        const auto steps = graph({"app.cprof"}).at("steps");
        ASSERT_EQ(steps.size(), parts + 1);
        const auto& reads = steps[parts].at("reads");
        ASSERT_EQ(reads.size(), 2U);
        for (const std::size_t part : {0U, 1U}) EXPECT_EQ(reads[part], steps[parts - 2 + part].at("writes")[0]);
    }
}

/// C's names stay; of C++ the name, with its templates, is left.
TEST_F(Recordings, NamesOfKernels) {
    for (const auto& [symbol, name] : std::vector<std::pair<std::string, std::string>>{
             {"f", "f"},
             {"_Z7vec_addPfS_S_", "vec_add"},
             {"_ZN12_GLOBAL__N_16kernelEPf", "(anonymous namespace)::kernel"},
             {"_Z1kIfEvPT_", "k<float>"},
             {"_Z1kIiPFvfEEvT_", "k<int, void (*)(float)>"},
             {"_Zbad", "_Zbad"}}) {
        std::string text = vector_addition();
        text.replace(text.find("_Z7vec_addPfS_S_", text.find("cudaLaunch")), 16, symbol);
        dir_.write("app.cprof", text);
        EXPECT_EQ(graph({"app.cprof"}).at("steps")[2].at("name"), name + " 3");
    }
}

TEST_F(Recordings, BadRecords) {
    const std::string known = allocation(1, kHost) + value(1, 1);
    const std::vector<std::pair<std::string, std::string>> bad{
        {known, "bad.cprof: it has no api that copies or computes"},
        {known + "{\"api\":", "bad.cprof, line 3: "},
        {known + "[1]", "bad.cprof, line 3: a record is expected"},
        {known + R"({"call":{}})", "bad.cprof, line 3: 'call' is no record of the tracer"},
        {R"({"val":{"id":"one"}})", "bad.cprof, line 1: id of val is \"one\"; a whole number is expected"},
        {R"({"val":{"id":1}})", "bad.cprof, line 1: val has no size"},
        {known + api("cudaMemcpy", "[9]", "[1]"), "bad.cprof, line 3: no val has the id 9"},
        {value(1, 7) + value(2, 7) + api("cudaMemcpy", "[1]", "[2]"), "bad.cprof, line 3: no allocation has the id 7"},
        {known + api("cudaMemcpy", "[1,1]", "[1]"), "bad.cprof, line 3: a copy has 2 inputs and 1 outputs"},
        {known + api("cudaMemcpy", "[1]", "[1]", R"(,"dstCount":0)"), "bad.cprof, line 3: one of its values has 0 B"},
        {known + api("cudaLaunch", "[1]", "[1]"), "bad.cprof, line 3: it runs on gpu1 and writes on cpu0"},
        {known + api("cudaLaunch", "1", "[1]"), "bad.cprof, line 3: inputs of api is no list"},
        {known + R"({"api":{"name":"k","device":5000,"start":2,"end":3,"inputs":[1],"outputs":[]}})",
         "bad.cprof, line 3: it is on device 5000"},
        {known + R"({"api":{"name":"k","start":3,"end":2,"inputs":[1],"outputs":[]}})",
         "bad.cprof, line 3: it ends before it begins"},
        {allocation(1, R"("loc":"numa0")"),
         R"(bad.cprof, line 1: loc 'numa0' is not {"type": "cuda" or "host", "id": N})"},
        {allocation(1, R"("loc":{"type":"gpu0"})"), "bad.cprof, line 1: loc 'gpu0' is not {"},
        {allocation(1, R"("addrsp":"gpu0")"), "bad.cprof, line 1: addrsp 'gpu0' is not {"}};
    for (const auto& [text, sentence] : bad) {
        dir_.write("bad.cprof", text);
        expect_sentence({"bad.cprof"}, sentence);
    }
}

using namespace chakra;

/// Loads, computes on the CPU and the GPU, and sends to the second rank, which receives and stores.
TEST_F(Recordings, ChakraTracesOfTwoRanks) {
    dir_.write("t.0.et", kMetadata + node(0, metadata, "") + node(1, load, attribute("tensor_size", 4096)) +
                             node(2, compute, lasts(7) + attribute("is_cpu_op", 0, 27), {1}) +
                             node(3, compute, attribute("is_cpu_op", 1, 27) + lasts(3), {0}) +
                             node(4, send, attribute("comm_dst", 1) + attribute("comm_size", 8192), {2, 3}));
    dir_.write("t.1.et", kMetadata + node(8, receive, attribute("comm_src", 0)) +
                             node(9, store, attribute("tensor_size", 64), {8}));
    const auto made = graph({"t.1.et", "t.0.et"});
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 5U);
    EXPECT_EQ(steps[1].at("place"), "gpu0");
    EXPECT_EQ(steps[1].at("time_us"), 7.0);
    EXPECT_EQ(steps[1].at("after"), nlohmann::json::array({"n1 1"}));
    EXPECT_EQ(steps[2].at("place"), "cpu0");
    EXPECT_EQ(steps[3].at("after"), nlohmann::json::array({"n2 2", "n3 3"}));
    EXPECT_EQ(steps[4].at("after"), nlohmann::json::array({"n4 4"}));
    EXPECT_EQ(made.at("values")[3].at("bytes"), 8192);
    EXPECT_EQ(prediction().at("steps").size(), 5U);
}

/// A ring of three: an all-reduce has 2 x 2 rounds of a third each, an all-gather 2 of a whole share, an all-to-all one
/// copy a pair; behind a barrier waits what was before it on any rank.
TEST_F(Recordings, ChakraCollectivesAreRings) {
    const auto rank = [](unsigned kind, unsigned before) {
        return kMetadata + node(1, compute, lasts(before)) +
               node(2, collective, attribute("comm_type", kind, 9) + attribute("comm_size", 3000), {1}) +
               node(3, collective, attribute("comm_type", 9, 9), {2}) + node(4, compute, lasts(1), {3});
    };
    for (const auto& [kind, copies, bytes] :
         {std::tuple{0U, 12U, 1000}, {2U, 6U, 3000}, {6U, 6U, 1000}, {7U, 6U, 1000}}) {
        for (const unsigned r : {0U, 1U, 2U}) dir_.write("t." + std::to_string(r) + ".et", rank(kind, r + 1));
        const auto made = graph({"t.0.et", "t.1.et", "t.2.et"});
        EXPECT_EQ(made.at("steps").size(), copies + 6U) << kind;
        EXPECT_EQ(made.at("values")[0].at("bytes"), bytes) << kind;
        EXPECT_THAT(notes_, HasSubstr("1 collectives are rings of copies"));
        // All of the ring has ended for the last kernels: its last copies wait for the others by their values.
        EXPECT_EQ(made.at("steps")[1].at("after").size(), kind == 6 ? 6U : 3U) << kind;
        prediction();
    }
}

TEST_F(Recordings, BadTraces) {
    dir_.write("cut.et", kMetadata + node(1, compute, lasts(1)) + "\x20");
    expect_sentence({"cut.et"}, "cut.et: it ends within node 2");
    dir_.write("field.et", kMetadata + sized("\x0b"));
    expect_sentence({"field.et"}, "field.et: node 1 is cut");
    dir_.write("idle.et", kMetadata + node(1, metadata, ""));
    expect_sentence({"idle.et"}, "idle.et: no node computes or communicates");
    std::string chain = kMetadata;
    for (unsigned id = 3000; id > 1; --id) chain += node(id, metadata, "", {id - 1});
    dir_.write("chain.et", chain + node(1, metadata, ""));
    expect_sentence({"chain.et"}, "chain.et: node 1999 ('n1999'): more than 1000 nodes without a step wait");
    const std::string sends = attribute("comm_dst", 1) + attribute("comm_size", 64);
    const std::vector<std::pair<std::string, std::string>> bad{
        {node(1, compute, "", {7}),
         "t.0.et: node 1 ('n1'): it waits for data of node 7, which the trace does not have"},
        {node(1, compute, "") + node(1, compute, ""), "t.0.et: node 1 ('n1'): another node has its id"},
        {node(1, send, sends), "t.0.et: node 1 ('n1'): no rank receives it"},
        {node(1, receive, attribute("comm_src", 1)), "t.0.et: node 1 ('n1'): no rank sends it"},
        {node(1, send, attribute("comm_dst", 9)), "t.0.et: node 1 ('n1'): it goes from rank 0 to rank 9"},
        {node(1, load, ""), "t.0.et: node 1 ('n1'): it moves 0 B"},
        {node(1, compute, attribute("num_ops", 5)), "t.0.et: node 1 ('n1'): it has 5 operations and no duration"},
        {node(1, 8, ""), "t.0.et: node 1 ('n1'): its type is 8; 1 to 7 are known"},
        {node(1, metadata, "", {2}) + node(2, metadata, "", {1}) + node(3, compute, "", {1}), "it waits for itself"},
        {node(1, compute, "", {2}) + node(2, compute, "", {1}), "it waits for itself"}};
    dir_.write("t.1.et", kMetadata + node(1, compute, lasts(1)));
    for (const auto& [nodes, sentence] : bad) {
        dir_.write("t.0.et", kMetadata + nodes);
        const Ended ended = numavp({"graph", "t.0.et", "t.1.et"});
        EXPECT_EQ(ended.status, 2) << sentence;
        EXPECT_THAT(ended.err, HasSubstr(sentence));
    }
    for (const unsigned r : {0U, 1U})
        dir_.write("t." + std::to_string(r) + ".et",
                   kMetadata + node(1, collective, attribute("comm_type", 1 + r, 9) + attribute("comm_size", 64)));
    expect_sentence({"t.0.et", "t.1.et"}, "t.1.et: node 1 ('n1'): rank 0 has another collective in its place");
    dir_.write("t.1.et", kMetadata + node(1, collective, attribute("comm_type", 8, 9) + attribute("comm_size", 64)));
    expect_sentence({"t.0.et", "t.1.et"}, "t.1.et: node 1 ('n1'): its collective has kind 8; ");
    // All ranks of a group have all of its collectives.
    const std::string ring = attribute("comm_type", 0, 9) + attribute("comm_size", 64);
    dir_.write("t.0.et", kMetadata + node(1, collective, ring) + node(2, collective, ring));
    dir_.write("t.1.et", kMetadata + node(1, collective, ring));
    expect_sentence({"t.0.et", "t.1.et"}, "t.0.et: node 2 ('n2'): rank 1 has no such collective");
}

/// A node that waits for another by data and by control waits once.
TEST_F(Recordings, StepsWaitOnce) {
    dir_.write("t.0.et", kMetadata + node(1, compute, lasts(1)) + node(2, compute, lasts(1), {1, 1}));
    EXPECT_EQ(graph({"t.0.et"}).at("steps")[1].at("after").size(), 1U);
}

TEST_F(Recordings, OperationsOverARateAreATime) {
    dir_.write("one.et", kMetadata + node(1, compute, attribute("num_ops", 6000000)));
    EXPECT_EQ(graph({"one.et", "--tflops", "2"}).at("steps")[0].at("time_us"), 3.0);
}

/// Figure 6.1 as a host program: the host fills two arrays, they are copied, added, and the sum is copied back.
TEST_F(Recordings, HostPrograms) {
    const auto made = graph(
        {"mn-vectoradd", "--scale", "0.01", "--gbytes-per-s", "500", "--host-gbytes-per-s", "10", "--svg", "g.svg"});
    std::vector<std::string> kinds;
    for (const auto& step : made.at("steps")) kinds.push_back(step.at("kind"));
    const auto kernel = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), "kernel") - kinds.begin());
    ASSERT_LT(kernel, kinds.size());
    const auto& add = made.at("steps")[kernel];
    EXPECT_EQ(add.at("reads").size(), 2U);
    EXPECT_EQ(add.at("writes").size(), 1U);
    EXPECT_EQ(add.at("gbytes_per_s"), 500.0);
    EXPECT_EQ(made.at("steps").back().at("reads"), add.at("writes"));
    EXPECT_THAT(text_of("g.svg"), AllOf(HasSubstr("<svg "), HasSubstr(">gpu0<"), HasSubstr("vector_add")));
    prediction();
}

/// An array is copied to another one, which a kernel reads: a step from value to value on the single GPU.
TEST_F(Recordings, HostProgramsThatCopyBetweenArrays) {
    dir_.write("w.json", R"({"name": "w", "on_gpu": {"a": 0, "b": 1}, "kernels": [
        {"copy": "to_device", "array": "a"}, {"copy": "peer", "array": "a", "to": "b"},
        {"pattern": "stream_triad", "arrays": {"a": "c", "b": "a", "c": "b"}}]})");
    const auto made = graph({"w.json", "--scale", "0.01", "--gbytes-per-s", "500"});
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 3U);
    EXPECT_EQ(steps[1].at("reads"), steps[0].at("writes"));
    EXPECT_EQ(steps[1].at("writes")[0], "b_d");
    const auto& reads = steps[2].at("reads");
    EXPECT_NE(std::find(reads.begin(), reads.end(), "b_d"), reads.end());
    prediction();
}

/// Times of kernels from a run, of each launch its own.
TEST_F(Recordings, HostProgramsWithTimesOfARun) {
    const Ended run = numavp({"run", "umn", "mn-vectoradd", "--scale", "0.01", "--out", "run", "--quiet"});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto results = nlohmann::json::parse(text_of("run/results.json"));
    const auto made = graph({"mn-vectoradd", "--scale", "0.01", "--times", "run", "--host-gbytes-per-s", "10"});
    std::size_t kernels = 0;
    for (const auto& step : made.at("steps")) {
        if (step.at("kind") != "kernel") continue;
        const double us = results.at("kernels").at("rows").at("cycles").at(kernels++).get<double>() *
                          results.at("time_ns").get<double>() / results.at("cycles").get<double>() / 1000;
        EXPECT_DOUBLE_EQ(step.at("time_us").get<double>(), us);
    }
    EXPECT_EQ(kernels, results.at("kernels").at("rows").at("kind").size() - 1) << "all but what is outside of them";
    EXPECT_GE(kernels, 1U);
}

TEST_F(Recordings, WhatIsUnknownHasASentence) {
    dir_.write("empty", "");
    dir_.write("text", "no recording at all");
    dir_.write("list.json", "[1, 2]\n");
    dir_.write("other.json", "{\n \"name\": \"x\"\n}\n");
    dir_.write("bad.json", "{\n \"steps\": [}\n");
    dir_.write("one.et", kMetadata + node(1, compute, lasts(1)));
    for (const char* file : {"empty", "text", "list.json", "other.json"})
        expect_sentence({file}, std::string(file) + ": what it is can't be told; an SQLite export of Nsight Systems");
    expect_sentence({"bad.json"}, "bad.json");
    dir_.write("cut.cprof", "{\"api\":{\"id\":1,\n" + vector_addition());
    expect_sentence({"cut.cprof"}, "cut.cprof, line 1: line 1, column ");
    expect_sentence({"none.et"}, "none.et: there is no such file");
    expect_sentence({"mn-vectorad"}, "workload: unknown workload 'mn-vectorad', the nearest is 'mn-vectoradd'");
    expect_sentence({"."}, ".: this is a folder; a file is expected");
    expect_sentence({"one.et", "."}, ".: this is a folder; a file is expected");
    expect_sentence({"/dev/null"}, "/dev/null: this is no regular file");
    expect_sentence({"one.et", "text"}, "text: ");
    expect_sentence({"mn-vectoradd", "--scale", "0.01"}, "mn-vectoradd: ");
    expect_sentence({"mn-vectoradd", "--scale", "0.01", "--tflops", "3"},
                    "--tflops: 'mn-vectoradd' is no trace of Chakra; it is allowed with one");
    for (const char* same : {"x", "./x", "d/../x"})
        expect_sentence({"vector-add", "--svg", same, "--out", "x"},
                        std::string("--svg: '") + same + "' gets in the way of --out 'x'");
    expect_sentence({"vector-add", "--scale", "2"}, "--scale: 'vector-add' is no workload; it is allowed with one");
    expect_sentence({"one.et", "--times", "run"}, "--times: 'one.et' is no workload");
    expect_sentence({"mn-vectoradd", "--scale", "0.01", "--gbytes-per-s", "0"}, "--gbytes-per-s: '0' is not");
    expect_sentence({"mn-vectoradd", "--scale", "0.01", "--times", "other.json"}, "other.json: it is no results.json");
}

/// numavp check says what recordings become.
TEST_F(Recordings, AreChecked) {
    dir_.write("app.cprof", vector_addition());
    dir_.write("one.et", kMetadata + node(1, compute, lasts(1)));
    const auto check = [&](const char* file) { return numavp({"check", file}); };
    EXPECT_EQ(check("app.cprof").out, "app.cprof: records of the thesis' tracer: 7 values, 4 steps, 3 KiB copied\n");
    EXPECT_EQ(check("one.et").out, "one.et: Chakra trace: 1 node\n");
    dir_.write("cut.cprof", "{\"api\":{\"id\":1,\n");
    const Ended bad = check("cut.cprof");
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.err, HasSubstr("cut.cprof, line 1: "));
}

/// What graph writes can be read again: graphs of large recordings have more than the 64 MiB of other files.
TEST_F(Recordings, LargeGraphsAreReadAgain) {
    graph({"vector-add"});
    dir_.write("large.json", text_of("g.json") + std::string(std::size_t{65} << 20, ' '));
    const std::string text = text_of("g.json");
    graph({"large.json"});
    EXPECT_EQ(text_of("g.json"), text);
}

/// A graph is one of its own forms: the same file comes out.
TEST_F(Recordings, GraphsPassThrough) {
    const auto made = graph({"train-ring-4", "--svg", "g.svg"});
    EXPECT_EQ(made.at("name"), "train-ring-4");
    const std::string text = text_of("g.json");
    graph({"g.json"});
    EXPECT_EQ(text_of("g.json"), text);
    EXPECT_THAT(text_of("g.svg"), AllOf(HasSubstr(">gpu3<"), HasSubstr(">cpu0<")));
}

} // namespace
} // namespace numavp::test

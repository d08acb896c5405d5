/// Places and numbers of the thesis tracer's records are what they say, or are refused with their line.
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/records/cprof_reader.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A copy from a host to the place of line 2; `place` is members of its allocation.
std::string copy_to(const std::string& place) {
    return R"({"allocation":{"id":1,"size":64,"loc":{"type":"host","id":0}}})"
           "\n"
           R"({"allocation":{"id":2,"size":64,)" +
           place +
           "}}\n"
           R"({"val":{"id":1,"size":64,"allocation":1}})"
           "\n"
           R"({"val":{"id":2,"size":64,"allocation":2}})"
           "\n"
           R"({"api":{"name":"cudaMemcpy","device":2,"inputs":[1],"outputs":[2]}})"
           "\n";
}
RecordedGraph graph_of_records(const std::string& text) {
    std::istringstream in(text);
    return read_cprof(in, "a.cprof");
}
std::string refusal_of_records(const std::string& text) {
    try {
        graph_of_records(text);
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

TEST(CprofReader, PlacesAreWhatTheySay) {
    for (const auto& [place, name] :
         std::vector<std::pair<std::string, std::string>>{{R"("loc":{"type":"cuda","id":7})", "gpu7"},
                                                          {R"("loc":{"type":"cuda","id":"7"})", "gpu7"},
                                                          {R"("loc":"{\"type\":\"cuda\",\"id\":\"3\"}\n")", "gpu3"},
                                                          {R"("loc":{"type":"cuda"})", "gpu2"}, // that of the call
                                                          {R"("addrsp":{"type":"cuda"})", "gpu2"},
                                                          {R"("addrsp":{"type":"cuda","id":5})", "gpu5"},
                                                          {R"("loc":{"type":"host","id":8})", "cpu1"},
                                                          {R"("loc":{"type":"unknown","id":-1})", "cpu0"},
                                                          {R"("pos":0)", "cpu0"}})
        EXPECT_EQ(graph_of_records(copy_to(place)).graph.values[1].place.name(), name) << place;
}

TEST(CprofReader, PlacesAndNumbersThatAreNoneAreRefused) {
    for (const char* id : {"-7", "1.9", "\"x\"", "\"-7\"", "\"1.9\"", "\"\"", "null", "true", "[0]", "\" 1\"", "1e3",
                           "99999999999999999999", "\"99999999999999999999\""})
        for (const char* type : {"cuda", "host"})
            EXPECT_THAT(refusal_of_records(copy_to(std::string(R"("loc":{"type":")") + type + R"(","id":)" + id + "}")),
                        HasSubstr("a.cprof, line 2: id in loc of allocation is "))
                << id;
    EXPECT_THAT(refusal_of_records(copy_to(R"("loc":{"type":"cuda","id":1024})")),
                HasSubstr("a.cprof, line 2: it is on device 1024; 0 to 1023 are allowed"));
    for (const char* loc : {"5", "null", "[]", "true", R"({"id":3})", R"({"type":5,"id":3})", R"("{\"id\":3}")"})
        EXPECT_THAT(refusal_of_records(copy_to(std::string(R"("loc":)") + loc)),
                    HasSubstr("a.cprof, line 2: loc of allocation is "))
            << loc;
    for (const char* member :
         {R"("device":-1)", R"("device":1.5)", R"("device":"x")", R"("correlation_id":-1)", R"("dstCount":1e3)"})
        EXPECT_THAT(refusal_of_records(copy_to("\"pos\":0") + R"({"api":{"name":"cudaMemcpy",)" + member +
                                       R"(,"inputs":[1],"outputs":[2]}})"),
                    HasSubstr("a.cprof, line 6: "))
            << member;
    for (const char* record :
         {R"({"compute":{"correlation_id":1,"stream_id":1,"dur":-5}})",
          R"({"compute":{"correlation_id":1,"stream_id":"s","dur":5}})",
          R"({"transfer":{"correlation_id":1.5,"stream_id":1,"dur":5}})",
          R"({"val":{"id":3,"size":-64,"allocation":1}})", R"({"val":{"id":3,"size":64,"allocation":"one"}})"})
        EXPECT_THAT(refusal_of_records(std::string(record) + "\n" + copy_to("\"pos\":0")),
                    HasSubstr("a whole number is expected"))
            << record;
}

/// A line without an end takes no memory without bound.
TEST(CprofReader, LinesHaveABound) {
    EXPECT_THAT(refusal_of_records(copy_to("\"pos\":0") + R"({"api":{"name":")" +
                                   std::string((std::size_t{16} << 20) + 1, 'x')),
                HasSubstr("a.cprof, line 6: it has more than 16777216 bytes"));
}

/// Writes of parts of 64 bytes, by copies of these sizes, and what a kernel reads behind them: their numbers.
std::vector<std::size_t> read_behind_writes(const std::vector<unsigned>& sizes) {
    std::string text = copy_to(R"("loc":{"type":"cuda","id":0})");
    text.erase(text.rfind('\n', text.size() - 2) + 1); // without its copy
    for (const unsigned bytes : sizes)
        text += R"({"api":{"name":"cudaMemcpy","dstCount":)" + std::to_string(bytes) +
                R"(,"inputs":[1],"outputs":[2]}})" + "\n";
    text += R"({"api":{"name":"cudaLaunch","device":0,"inputs":[2],"outputs":[],"start":0,"end":1000}})"
            "\n";
    const AppGraph graph = graph_of_records(text).graph;
    EXPECT_EQ(graph.steps.size(), sizes.size() + 1);
    std::vector<std::size_t> read;
    for (const unsigned value : graph.steps.back().reads)
        for (std::size_t s = 0; s + 1 < graph.steps.size(); ++s)
            if (graph.steps[s].writes[0] == value) read.push_back(s);
    EXPECT_EQ(read.size(), graph.steps.back().reads.size());
    return read;
}

/// What was written last counts, as much of it as the value holds: a whole write hides all that was before it, and of
/// three halves the last two are there.
TEST(CprofReader, WhatIsWrittenOverIsNotRead) {
    EXPECT_THAT(read_behind_writes({64}), ElementsAre(0));
    EXPECT_THAT(read_behind_writes({64, 64}), ElementsAre(1));
    EXPECT_THAT(read_behind_writes({32, 64}), ElementsAre(1));
    EXPECT_THAT(read_behind_writes({32, 32}), ElementsAre(0, 1));
    EXPECT_THAT(read_behind_writes({32, 32, 32}), ElementsAre(1, 2));
    EXPECT_THAT(read_behind_writes({64, 32}), ElementsAre(0, 1));
    EXPECT_THAT(read_behind_writes({64, 63, 1}), ElementsAre(1, 2)) << "to the last byte";
    EXPECT_THAT(read_behind_writes({64, 62, 1}), ElementsAre(0, 1, 2)) << "one is left of the first";
}

} // namespace
} // namespace numavp::test

/// Fields of recordings against what the graph gets of them: memory of copies, their ends, times of calls, numbers of
/// all types of attributes.
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/records/chakra_trace.h"
#include "communication/records/cprof_reader.h"
#include "communication/records/nsight_reader.h"
#include "tests/support/chakra_bytes.h"
#include "tests/support/nsight_database.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// --- Nsight Systems --------------------------------------------------------------------------------------------------

RecordedGraph graph_of_rows(const std::string& rows) {
    const TempDir folder;
    make_database(folder.path("a.sqlite"), kTables + rows);
    return read_nsight(folder.path("a.sqlite"));
}

/// Kinds of memory in an export: 0 is pageable, 1 pinned, 2 a device's. The host's side says how a copy is made.
TEST(NsightFields, TheHostsSideTellsTheMemoryOfACopy) {
    struct Row {
        int kind, source, target;
        HostMemory memory;
    };
    for (const Row& row : {Row{1, 0, 2, HostMemory::pageable}, Row{1, 1, 2, HostMemory::pinned},
                           Row{2, 2, 0, HostMemory::pageable}, Row{2, 2, 1, HostMemory::pinned}}) {
        const RecordedGraph made = graph_of_rows(copy_row(1, 0, 7, 4096, row.kind, row.source, row.target));
        ASSERT_EQ(made.graph.values.size(), 2U);
        for (const AppValue& value : made.graph.values)
            EXPECT_EQ(value.memory, row.memory) << row.kind << ", " << row.source << " to " << row.target;
    }
}

/// Kinds of copies: 1 to a device, 2 to the host, 8 within a device, 9 within the host, 10 between devices.
TEST(NsightFields, TheKindOfACopyTellsItsEnds) {
    struct Row {
        int kind;
        const char *devices, *from, *to;
    };
    for (const Row& row :
         {Row{1, "NULL,NULL", "cpu0", "gpu3"}, Row{2, "NULL,NULL", "gpu3", "cpu0"}, Row{8, "NULL,NULL", "gpu3", "gpu3"},
          Row{9, "NULL,NULL", "cpu0", "cpu0"}, Row{10, "3,1", "gpu3", "gpu1"}, Row{10, "2,3", "gpu2", "gpu3"}}) {
        const RecordedGraph made = graph_of_rows(copy_row(1, 3, 7, 4096, row.kind, 0, 0, row.devices));
        const AppStep& copy = made.graph.steps.at(0);
        EXPECT_EQ(made.graph.values[copy.reads[0]].place.name(), row.from) << row.kind;
        EXPECT_EQ(made.graph.values[copy.writes[0]].place.name(), row.to) << row.kind;
    }
    // To arrays and of unified memory.
    const RecordedGraph left = graph_of_rows(copy_row(1, 0, 7, 64, 3, 0, 2) + copy_row(2, 0, 7, 64, 11, 0, 2) +
                                             copy_row(3, 0, 7, 64, 1, 0, 2));
    EXPECT_EQ(left.graph.steps.size(), 1U);
    EXPECT_THAT(left.notes, Contains(HasSubstr("2 copies of arrays and of unified memory are left out")));
}

TEST(NsightFields, ACopyHasAByteAtLeast) {
    EXPECT_EQ(graph_of_rows(copy_row(1, 0, 7, 1, 1, 0, 2)).graph.values[0].bytes, 1U);
    EXPECT_THROW(graph_of_rows(copy_row(1, 0, 7, 0, 1, 0, 2)), ConfigError);
}

// --- Records of the thesis' tracer -----------------------------------------------------------------------------------

RecordedGraph graph_of_lines(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    std::istringstream in(text);
    return read_cprof(in, "a.cprof");
}
const char* const kGpuPlace = R"("loc":{"type":"cuda","id":0})";
std::string allocated(int id, const std::string& more) {
    return R"({"allocation":{"id":)" + std::to_string(id) + R"(,"size":64,)" + more + "}}";
}
std::string valued(int id, int bytes) {
    return R"({"val":{"id":)" + std::to_string(id) + R"(,"size":)" + std::to_string(bytes) + R"(,"allocation":)" +
           std::to_string(id) + "}}";
}

TEST(CprofFields, AllocationsTellTheMemoryOfTheHost) {
    for (const auto& [memory, expected] :
         std::vector<std::pair<std::string, HostMemory>>{{R"("mem":{"type":"pagelocked"})", HostMemory::pinned},
                                                         {R"("mem":{"type":"pageable"})", HostMemory::pageable},
                                                         {R"("mem":{"type":"unknown"})", HostMemory::pageable},
                                                         {R"("mem":"pagelocked")", HostMemory::pinned},
                                                         {R"("type":"pinned")", HostMemory::pinned},
                                                         {R"("type":"pageable")", HostMemory::pageable},
                                                         {R"("pos":0)", HostMemory::pageable}}) {
        const RecordedGraph made = graph_of_lines(
            {allocated(1, R"("loc":{"type":"host","id":0},)" + memory), allocated(2, kGpuPlace), valued(1, 64),
             valued(2, 64), R"({"api":{"name":"cudaMemcpy","device":0,"inputs":[1],"outputs":[2]}})"});
        EXPECT_EQ(made.graph.values[0].memory, expected) << memory;
    }
}

/// The wall's clock goes before the processor's; nanoseconds in both.
TEST(CprofFields, CallsWithoutARecordTakeTheirOwnTime) {
    const auto us = [](const std::string& times) {
        return graph_of_lines({allocated(1, kGpuPlace), valued(1, 64),
                               R"({"api":{"name":"cudaLaunch","device":0,"inputs":[],"outputs":[1],)" + times + "}}"})
            .graph.steps.at(0)
            .time.time_us;
    };
    EXPECT_EQ(us(R"("start":1000,"end":3500)"), 2.5);
    EXPECT_EQ(us(R"("start":1000,"end":3500,"wall_start":5000,"wall_end":9000)"), 4.0);
    EXPECT_EQ(us(R"("start":7000,"end":7000)"), 0.0);
}

/// A copy of a part writes that part alone, and what is read of a value that nobody has written is of the copy's size
/// if the records tell less of it.
TEST(CprofFields, CopiesHaveTheirOwnBytes) {
    const auto values = [](const std::string& count, int source, int target) {
        const RecordedGraph made = graph_of_lines(
            {allocated(1, R"("loc":{"type":"host","id":0})"), allocated(2, kGpuPlace), valued(1, source),
             valued(2, target), R"({"api":{"name":"cudaMemcpy","device":0,"inputs":[1],"outputs":[2])" + count + "}}"});
        const AppStep& copy = made.graph.steps.at(0);
        return std::pair(made.graph.values[copy.reads[0]].bytes, made.graph.values[copy.writes[0]].bytes);
    };
    using Bytes = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(values("", 64, 64), Bytes(64, 64));
    EXPECT_EQ(values(R"(,"dstCount":16)", 64, 64), Bytes(16, 16)) << "a part of what is there";
    EXPECT_EQ(values(R"(,"dstCount":128)", 64, 64), Bytes(128, 128)) << "more than the records told";
    EXPECT_EQ(values("", 32, 64), Bytes(64, 64)) << "as much as the target holds";
}

// --- Chakra ----------------------------------------------------------------------------------------------------------

std::string attribute_of(const std::string& name, const std::string& value) {
    return chakra::text_field(10, chakra::text_field(1, name) + value);
}
template <class T> std::string little_endian(T number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

/// An attribute may have any of protobuf's numbers: varints, zigzag ones, floating point.
TEST(ChakraFields, AttributesOfAllTypesAreNumbers) {
    const auto size_of = [](const std::string& value) {
        const std::string text =
            chakra::kMetadata + chakra::node(1, chakra::collective, attribute_of("comm_size", value));
        return read_chakra(text, "t.et").nodes.at(0).bytes;
    };
    using chakra::number_field;
    using chakra::varint;
    for (const unsigned type : {7U, 9U, 11U, 13U}) EXPECT_EQ(size_of(number_field(type, 4096)), 4096U) << type;
    for (const unsigned type : {15U, 17U}) EXPECT_EQ(size_of(number_field(type, 8192)), 4096U) << "zigzag " << type;
    EXPECT_EQ(size_of(varint(3U << 3 | 1) + little_endian(4096.0)), 4096U);
    EXPECT_EQ(size_of(varint(3U << 3 | 1) + little_endian(4095.6)), 4096U) << "to the nearest";
    EXPECT_EQ(size_of(varint(3U << 3 | 1) + little_endian(-1.0)), 0U);
    EXPECT_EQ(size_of(varint(3U << 3 | 1) + little_endian(1e300)), 0U);
    EXPECT_EQ(size_of(varint(5U << 3 | 5) + little_endian(4096.0F)), 4096U);
}

/// Each attribute goes where it belongs, and no other is taken for it.
TEST(ChakraFields, AttributesHaveTheirOwnPlaces) {
    using chakra::attribute;
    const std::string all = chakra::on_cpu() + attribute("num_ops", 11) + attribute("tensor_size", 12) +
                            attribute("comm_type", 3) + attribute("comm_size", 14) + attribute("comm_src", 15) +
                            attribute("comm_dst", 16) + attribute("comm_tag", 17) + attribute("comm_other", 99) +
                            chakra::group("g") + chakra::lasts(18) + chakra::waits({4, 5}, 4);
    const ChakraNode node =
        read_chakra(chakra::kMetadata + chakra::node(7, chakra::send, all, {2, 3}), "t.et").nodes[0];
    EXPECT_EQ(node.id, 7U);
    EXPECT_EQ(node.type, chakra::send);
    EXPECT_TRUE(node.on_cpu);
    EXPECT_EQ(node.operations, 11U);
    EXPECT_EQ(node.tensor_bytes, 12U);
    EXPECT_EQ(node.kind, 3U);
    EXPECT_EQ(node.bytes, 14U);
    EXPECT_EQ(node.from, 15U);
    EXPECT_EQ(node.to, 16U);
    EXPECT_EQ(node.tag, 17U);
    EXPECT_EQ(node.duration_us, 18U);
    EXPECT_EQ(node.group, "g");
    EXPECT_EQ(node.waits, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(node.follows, (std::vector<std::uint64_t>{4, 5}));
}

} // namespace
} // namespace numavp::test

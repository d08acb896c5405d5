/// Traces of today's tools, made here in their formats: Accel-Sim 2.0 (.traceg version 6, .tracez) and NVBit's
/// mem_trace.
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <zstd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "sw/traces/kernelslist.h"
#include "sw/traces/mem_trace.h"
#include "sw/traces/trace_kernel.h"
#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/temp_dir.h"

namespace numavp {
namespace {

using test::TempDir;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kHeaderToday =
    "-kernel name = today\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"
    "-shmem = 0\n-nregs = 32\n-binary version = 90\n-cuda stream id = 3\n"
    "-accelsim tracer version = 6\n";
/// Of warp 0 and warp 1 of a block.
constexpr const char* kFirst = "0000 ffffffff 1 UR4 ULDC.64 0 0 0 0 NoVal\n"
                               "0010 ffffffff 1 R4 LDG.E 2 UR4 R2 4 1 0x7f2000000000 4 0 0 Val 1 2a 1 0\n"
                               "0020 ffffffff 2 P0 P1 ISETP.GE.AND 3 R4 P2 UP3 0 0 0 NoVal\n"
                               "0030 ffffffff 1 R8 HGMMA.64x8x16.F32 6 UR4 P0 R4 R5 R6 R7 1 0 0 0 NoVal\n";
constexpr const char* kSecond = "0010 0000000f 1 R4 LDG.E 2 UR4 R2 4 2 0x7f2000001000 128 128 128 0\n";

std::string text_today() {
    std::string text = std::string(kHeaderToday) + "\n#traces format = of 2.0\n";
    for (const char* block : {"0,0,0", "1,0,0"})
        text += std::string("#BEGIN_TB\nthread block = ") + block +
                "\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 1\nwarp = 0\ninsts = 4\n" + kFirst +
                "warp = 1\ninsts = 1\n" + kSecond + "#END_TB\n";
    return text;
}

template <class N> std::string little(N value) {
    std::string bytes;
    for (std::size_t i = 0; i < sizeof(N); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xff);
    return bytes;
}
std::string u32(std::uint32_t value) { return little(value); }

/// One frame, with a raw-content dictionary if there is one.
std::string frame_of(const std::string& text, const std::string& dictionary) {
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    ZSTD_CCtx* context = ZSTD_createCCtx();
    const std::size_t size = ZSTD_compress_usingDict(context, frame.data(), frame.size(), text.data(), text.size(),
                                                     dictionary.data(), dictionary.size(), 3);
    ZSTD_freeCCtx(context);
    frame.resize(size);
    return frame;
}

/// The same trace as text_today(), with the chunks of warp 0 of two and two lines.
std::string binary_today(const std::string& dictionary) {
    std::string file =
        std::string(kHeaderToday) + '\0' + u32(static_cast<std::uint32_t>(dictionary.size())) + u32(2) + dictionary;
    std::string footer = u32(2);
    const std::string first = kFirst;
    const std::size_t half = first.find("0020");
    for (std::uint32_t block = 0; block < 2; ++block) {
        for (const std::uint32_t number : {block, 0U, 0U, 0U, 0U, 0U, 0U, 0U, 0U, 1U, 2U}) footer += u32(number);
        const std::vector<std::vector<std::string>> warps = {{first.substr(0, half), first.substr(half)}, {kSecond}};
        for (const auto& chunks : warps) {
            const std::uint32_t count = chunks.size() == 2 ? 4 : 1;
            const auto parts = static_cast<std::uint32_t>(chunks.size());
            footer += u32(count) + u32(parts) + little<std::uint64_t>(file.size());
            file += u32(count) + u32(parts);
            for (const std::string& chunk : chunks) {
                const std::string frame = frame_of(chunk, dictionary);
                footer += u32(count / parts);
                file += u32(static_cast<std::uint32_t>(frame.size())) + frame;
            }
        }
    }
    const auto place = static_cast<std::uint64_t>(file.size());
    return file + footer + little(place);
}

std::string expanded(const std::string& path) { return std::string(TraceText::load(path)->view()); }

std::string sentence_of(const std::string& path) {
    try {
        const Workload workload = load_workload(path, {});
        count_workload(workload, nullptr);
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

TEST(TraceToday, VersionSixHasUniformRegistersFlagsClustersAndValues) {
    TraceKernel kernel(TraceText::from_string(text_today(), "t.traceg"));
    const auto block = kernel.open(1);
    WarpStream& warp = block->warp(0);
    EXPECT_EQ(warp.fetch()->dst, kNoReg) << "UR4 carries no dependence";
    const Inst load = *warp.fetch();
    EXPECT_EQ(load.op, Op::load);
    EXPECT_EQ(load.dst, 4);
    EXPECT_EQ(load.src[0], 2) << "UR4 takes no place among the sources";
    EXPECT_EQ(load.base, 0x7f2000000000U);
    const Inst compare = *warp.fetch();
    EXPECT_EQ(compare.dst, kNoReg);
    EXPECT_EQ(compare.src[0], 4);
    EXPECT_EQ(compare.src[1], kNoReg);
    const Inst matrix = *warp.fetch();
    EXPECT_THAT(matrix.src, ElementsAre(4, 5, 6, 7));
    EXPECT_EQ(matrix.op, Op::compute);
    EXPECT_EQ(warp.fetch()->op, Op::exit);
    EXPECT_EQ(kernel.header().stream, 3U);
}

TEST(TraceToday, BinaryTracesHaveTheSameInstructions) {
    const TempDir folder;
    const std::string dictionary = "LDG.E 2 UR4 R2 4 1 0x7f2000000000 ISETP.GE.AND 3 R4 P2 UP3 0 0 0 NoVal";
    for (const std::string& with : {std::string(), dictionary}) {
        const std::string path = folder.write("kernel-1.tracez", binary_today(with));
        std::string text = text_today();
        text.erase(text.find("traces format = of 2.0"), std::string("traces format = of 2.0").size());
        for (std::size_t at = 0; (at = text.find("cluster", at)) != std::string::npos;)
            text.erase(at, text.find('\n', at) + 1 - at);
        EXPECT_EQ(expanded(path), text);
        TraceKernel kernel(path);
        EXPECT_EQ(kernel.shape().name, "today");
        EXPECT_EQ(count_kernel(kernel).warp_instructions, 10U);
        folder.write("kernelslist_ctx_0x7f00", "kernel-1.traceg\n");
        EXPECT_EQ(read_kernelslist(folder.path("kernelslist_ctx_0x7f00")).total_blocks(), 2U);
    }
}

TEST(TraceToday, DamagedBinaryTracesAreSentences) {
    const TempDir folder;
    const std::string whole = binary_today("");
    const auto said = [&](const std::string& bytes) {
        const std::string path = folder.write("t.tracez", bytes);
        std::string sentence = sentence_of(path);
        EXPECT_EQ(sentence.rfind(path + ": ", 0), 0U) << sentence;
        return sentence;
    };
    EXPECT_THAT(said(""), HasSubstr("no byte 0 ends its header"));
    EXPECT_THAT(said(kHeaderToday), HasSubstr("no byte 0 ends its header"));
    EXPECT_THAT(said(std::string(kHeaderToday) + '\0' + u32(99)), HasSubstr("it ends within the size of chunks"));
    EXPECT_THAT(said(std::string(kHeaderToday) + '\0' + u32(99) + u32(2)), HasSubstr("it ends within its dictionary"));
    EXPECT_THAT(said(whole.substr(0, whole.size() - 30)), HasSubstr("its last 8 bytes name no place in it"));
    std::string corrupt = whole;
    const std::size_t frame = whole.find("\x28\xb5\x2f\xfd");
    corrupt[frame + 1] = '!';
    EXPECT_THAT(said(corrupt), HasSubstr("its zstd data is corrupt: "));
    std::string count = whole;
    count[frame - 12] = 9;
    EXPECT_THAT(said(count), HasSubstr("its footer and warp 0 of a block differ in the number of instructions"));
    std::string longer = whole;
    longer[frame - 2] = 1;
    EXPECT_THAT(said(longer), HasSubstr("it ends within a chunk of instructions"));
    for (std::size_t size = 0; size < whole.size(); size += 7) // whatever is cut off, it is said
        EXPECT_NE(said(whole.substr(0, size)), "") << size;
}

// --- mem_trace

std::string launch(const std::string& context, int id,
                   const std::string& more = "grid size 2,1,1 - block size 64,1,1") {
    return "MEMTRACE: CTX " + context +
           " - LAUNCH - Kernel pc 0x7f00 - Kernel name add(int - grid, float) - grid launch id " + std::to_string(id) +
           " - " + more + " - nregs 16 - shmem 0 - cuda stream id 0\n";
}

std::string access(const std::string& head, std::uint64_t base, unsigned stride, unsigned lanes = 32) {
    std::string line = "MEMTRACE: " + head + " - ";
    for (unsigned lane = 0; lane < 32; ++lane) {
        char text[24];
        std::snprintf(text, sizeof text, "0x%016llx ",
                      static_cast<unsigned long long>(lane < lanes ? base + std::uint64_t{stride} * lane : 0));
        line += text;
    }
    return line + "\n";
}

TEST(MemTrace, BecomesKernelsWithTheAccessesOfTheirWarps) {
    const TempDir folder;
    const std::string first = "CTX 0x10 - grid_launch_id 0 - CTA ";
    const std::string path = folder.write(
        "app.memtrace",
        "what the program says\n" + launch("0x10", 0) + access(first + "1,0,0 - warp 0 - LDG.E.64", 0x1000, 8) +
            "MEMTRACE is not at its beginning here\n" + access(first + "0,0,0 - warp 1 - LDG.E.U8", 0x2000, 1, 3) +
            access(first + "1,0,0 - warp 0 - STG.E.128", 0x3000, 256, 1) + launch("0x20", 0) +
            access("CTX 0x20 - grid_launch_id 0 - CTA 0,0,0 - warp 17 - RED.E.ADD", 0x4000, 4) + "bye\n");
    const Workload workload = load_workload(path, {});
    ASSERT_EQ(workload.launches.size(), 2U);
    EXPECT_NE(workload.launches[0].stream, workload.launches[1].stream) << "contexts run side by side";
    EXPECT_EQ(workload.launches[0].kernel->shape().name, "add(int - grid, float)");
    EXPECT_EQ(workload.launches[0].kernel->shape().blocks, 2U);
    const auto block = workload.launches[0].kernel->open(1);
    const Inst load = *block->warp(0).fetch();
    EXPECT_EQ(load.op, Op::load);
    EXPECT_EQ(load.width, 8);
    EXPECT_EQ(load.address(31), 0x1000U + 31 * 8);
    const Inst store = *block->warp(0).fetch();
    EXPECT_EQ(store.op, Op::store);
    EXPECT_EQ(store.width, 16);
    EXPECT_EQ(store.mask, 1U);
    EXPECT_EQ(store.address(0), 0x3000U);
    EXPECT_EQ(block->warp(0).fetch()->op, Op::exit);
    const auto other = workload.launches[0].kernel->open(0);
    const Inst byte = *other->warp(1).fetch();
    EXPECT_EQ(byte.width, 1);
    EXPECT_EQ(byte.mask, 7U);
    EXPECT_EQ(byte.address(2), 0x2002U);
    EXPECT_EQ(workload.launches[1].kernel->open(0)->warp(0).fetch()->op, Op::reduce) << "warp 17 is the first of two";
    const StreamCounts counts = count_workload(workload, nullptr);
    EXPECT_EQ(counts.memory_instructions, 4U);
    EXPECT_EQ(counts.warp_instructions, 4U);
}

TEST(MemTrace, FaultsAreSentencesWithTheirLine) {
    const TempDir folder;
    const std::string good = "CTX 0x10 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E";
    const auto said = [&](const std::string& text) {
        const std::string path = folder.write("t.memtrace", text);
        std::string sentence = sentence_of(path);
        EXPECT_EQ(sentence.rfind(path + ": ", 0), 0U) << sentence;
        return sentence.substr(sentence.find(": ") + 2);
    };
    const auto in_two = [&](const std::string& line) { return said(launch("0x10", 0) + line); };
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string line = access(good, 0x1000, 4);
        return in_two(line.replace(line.find(from), from.size(), to));
    };
    EXPECT_THAT(said(""), HasSubstr("no kernel is launched in it; 'MEMTRACE: CTX"));
    EXPECT_THAT(said("Segmentation fault\n"), HasSubstr("no kernel is launched in it"));
    EXPECT_THAT(said("MEMTRACE: hello\n"),
                HasSubstr("line 1: this is no line of mem_trace; 'MEMTRACE: CTX 0x<n> - grid_"));
    EXPECT_THAT(said(access(good, 0x1000, 4)), HasSubstr("line 1: launch 0 of this context was not announced"));
    EXPECT_THAT(said(launch("0x10", 0) + launch("0x10", 0)),
                HasSubstr("line 2: launch 0 of this context is there twice"));
    EXPECT_THAT(said(launch("0x10", 0, "grid size 2,1 - block size 1,1,1")), HasSubstr("line 1: this is no line"));
    EXPECT_THAT(said(launch("0x10", 0, "grid size 2,1,1 - block size 2048,1,1")),
                HasSubstr("'-block dim' has the value"));
    EXPECT_THAT(with("CTA 0,0,0", "CTA 2,0,0"), HasSubstr("line 2: the CTA is outside of the launch's grid"));
    EXPECT_THAT(with("LDG.E", "SULD.D"), HasSubstr("line 2: 'SULD.D' accesses memory in a way that is not supported"));
    EXPECT_THAT(with("warp 0", "warp x"), HasSubstr("line 2: this is no line of mem_trace"));
    EXPECT_THAT(with("0x0000000000001000 ", ""), HasSubstr("line 2: this is no line of mem_trace"));
    EXPECT_THAT(with("0x0000000000001004", "1004"), HasSubstr("line 2: this is no line of mem_trace"));
    EXPECT_THAT(in_two(access(good, 0x1000, 4) + access(good + " 9", 0x1000, 4)), HasSubstr("line 3: this is no line"));
}

/// Kernels of one stream of one context run one after the other; another stream, or a stream of the same number in
/// another context, runs beside.
TEST(MemTrace, StreamsAreThoseOfTheirContext) {
    const TempDir folder;
    const auto on_stream = [](const std::string& context, int id, const std::string& stream) {
        std::string line = launch(context, id);
        return line.replace(line.rfind("id 0\n"), 5, "id " + stream + "\n");
    };
    const Workload workload = load_workload(
        folder.write("s.memtrace", on_stream("0x10", 0, "0") + on_stream("0x20", 0, "0") + on_stream("0x10", 1, "7") +
                                       on_stream("0x20", 1, "0") + on_stream("0x10", 2, "7") +
                                       access("CTX 0x10 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E", 0x1000, 4)),
        {});
    ASSERT_EQ(workload.launches.size(), 5U);
    const auto stream = [&](std::size_t launch) { return workload.launches[launch].stream; };
    EXPECT_NE(stream(0), stream(1)) << "contexts";
    EXPECT_NE(stream(0), stream(2)) << "streams of a context";
    EXPECT_NE(stream(1), stream(2));
    EXPECT_EQ(stream(1), stream(3));
    EXPECT_EQ(stream(2), stream(4));
}

// --- kinds of today's opcodes

/// A trace of one warp; `lines` are its instructions.
std::string one_warp(const std::vector<std::string>& lines, const std::string& version = "5") {
    std::string text = "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 16\n"
                       "-shmem base_addr = 0x7f0100000000\n-local mem base_addr = 0x7f0000000000\n"
                       "-accelsim tracer version = " +
                       version +
                       "\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " + std::to_string(lines.size()) + "\n";
    for (const std::string& line : lines) text += line + "\n";
    return text + "#END_TB\n";
}

StreamCounts counts_of(const std::vector<std::string>& lines, const std::string& version = "5") {
    TraceKernel kernel(TraceText::from_string(one_warp(lines, version), "t.traceg"));
    return count_kernel(kernel);
}

/// A base is the address of the first active lane, also where lanes before it are off.
TEST(TraceToday, ABaseIsOfTheFirstActiveLane) {
    struct Row {
        const char* mask;
        const char* stride;
        unsigned first, last; ///< active lanes
    };
    for (const Row& row : {Row{"ffffffff", "4", 0, 31}, Row{"fffffff0", "4", 4, 31}, Row{"0000ff00", "128", 8, 15},
                           Row{"fffffff0", "-4", 4, 31}, Row{"80000000", "4", 31, 31}, Row{"fffffffe", "0", 1, 31}}) {
        const std::string line = std::string("0000 ") + row.mask + " 1 R8 LDG.E 1 R2 4 1 0x7f2000000000 " + row.stride;
        TraceKernel kernel(TraceText::from_string(one_warp({line, "0ff0 ffffffff 0 EXIT 0 0"}), "t.traceg"));
        const auto block = kernel.open(0);
        const Inst inst = *block->warp(0).fetch();
        const std::int64_t step = std::stoll(row.stride);
        for (unsigned lane = row.first; lane <= row.last; ++lane)
            EXPECT_EQ(inst.address(lane), 0x7f2000000000U + static_cast<std::uint64_t>(
                                                                step * (static_cast<std::int64_t>(lane) - row.first)))
                << row.mask << " by " << row.stride << ", lane " << lane;
    }
}

/// Blackwell's loads and stores of 256 bits: a sector a lane, in each form of addresses.
TEST(TraceToday, WideLoadsAndStoresHave32BytesALane) {
    const std::string end = "0ff0 ffffffff 0 EXIT 0 0";
    for (const auto& [line, version] : std::vector<std::pair<std::string, std::string>>{
             {"0000 ffffffff 1 R8 LDG.E.ENL2.256 1 R2 32 1 0x7f2000000000 32", "5"},
             {"0000 ffffffff 8 R8 R9 R10 R11 R12 R13 R14 R15 LDG.E.ENL2.256.CONSTANT 1 R2 32 1 0x7f2000000000 32", "6"},
             {"0000 ffffffff 0 STG.E.ENL2.256 2 R2 R8 32 1 0x7f2000000000 64", "5"},
             {"0000 ffffffff 0 ST.E.256 2 R2 R8 32 1 0x7f2000000000 -32", "5"},
             {"0000 ffffffff 1 R8 LDL.256 1 R2 32 1 0x40 0", "5"}})
        EXPECT_EQ(counts_of({line, end}, version).sectors, 32U) << line;
    EXPECT_EQ(counts_of({"0000 00000005 1 R8 LDG.E.ENL2.256 1 R2 32 0 0x7f2000000000 0x7f2000000410", end}).sectors, 3U)
        << "one of the two lies in two sectors";
    EXPECT_EQ(counts_of({"0000 00000003 1 R8 LD.E.256 1 R2 32 1 0x7f0100000000 32", end}).sectors, 0U) << "shared";
}

/// Opcodes that name an address and move no data are arithmetic, with an address or without.
TEST(TraceToday, CacheControlAndQueriesAreArithmetic) {
    const StreamCounts counts =
        counts_of({"0000 ffffffff 0 CCTL.IVALL 0 0", "0010 ffffffff 0 CCTL.E.PF2 1 R2 4 1 0x7f2000000000 128",
                   "0020 ffffffff 1 R4 QSPC.E.G 1 R2 4 1 0x7f2000000000 4",
                   "0030 0000000f 0 CCTLL.IV 1 R2 4 2 0x40 4 4 4", "0040 00000003 0 CCTLT.IVTH 1 R2 4 0 0x0 0x4",
                   "0050 ffffffff 1 R4 ULDC.64 1 R2 8 1 0x160 0", "0060 ffffffff 0 EXIT 0 0"});
    EXPECT_EQ(counts.warp_instructions, 7U);
    EXPECT_EQ(counts.memory_instructions, 0U);
    EXPECT_EQ(counts.sectors, 0U);
    EXPECT_TRUE(is_known_opcode("QSPC.E.G"));
}

TEST(TraceToday, AStrideBeyondASignedNumberIsASentence) {
    for (const char* stride : {"9223372036854775808", "-9223372036854775809", "9999999999999999999"})
        EXPECT_THROW(
            counts_of({std::string("0000 ffffffff 1 R8 LDG.E 1 R2 4 1 0x1000 ") + stride, "0ff0 ffffffff 0 EXIT 0 0"}),
            ConfigError)
            << stride;
}

/// The sentence of a check before the run; empty if all is well.
std::string check_of(const std::string& path) {
    try {
        refuse_bad_traces(load_workload(path, {}));
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

/// Blocks that the file does not have take time too: a header far larger than the file is refused, in each reader.
TEST(TraceToday, AGridFarLargerThanTheFileIsRefused) {
    const TempDir folder;
    const auto with = [&](const std::string& grid, const std::string& name) {
        std::string text = one_warp({"0000 ffffffff 0 EXIT 0 0"});
        text.replace(text.find("(1,1,1)"), 7, grid);
        return check_of(folder.write(name, text));
    };
    const std::string sentence = "thread blocks, and 1 of them are in the file; up to 16777216 empty ones are allowed";
    EXPECT_THAT(with("(2147483647,1,1)", "a.traceg"),
                HasSubstr("a.traceg: the header's grid has 2147483647 " + sentence));
    EXPECT_THAT(with("(1,65535,65535)", "b.traceg"), HasSubstr("the header's grid has 4294836225 " + sentence));
    EXPECT_EQ(with("(1000000,1,1)", "c.traceg"), "") << "most blocks of a kernel may access no memory";
    EXPECT_EQ(with("(4096,4096,1)", "d.traceg"), "") << "at the bound";
    EXPECT_THAT(with("(16777218,1,1)", "e.traceg"), HasSubstr("16777218 " + sentence)) << "beyond it";
    const std::string launch_line = launch("0x10", 0, "grid size 2147483647,1,1 - block size 32,1,1");
    EXPECT_THAT(check_of(folder.write("f.memtrace",
                                      launch_line + access("CTX 0x10 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - LDG.E",
                                                           0x7f0000000000, 4))),
                HasSubstr("launch 0: the header's grid has 2147483647 " + sentence));
}

/// A late line that can't be run is found before anything runs, and the counts of the run stay its own.
TEST(TraceToday, TracesAreCheckedBeforeTheyRun) {
    const TempDir folder;
    const std::string good = one_warp({"0000 ffffffff 1 R8 NEWOP 1 R2 0", "0010 ffffffff 0 EXIT 0 0"});
    folder.write("kernel-1.traceg", good);
    for (const std::string& bad :
         {one_warp({"0000 ffffffff 1 R8 SULD.D 1 R2 4 1 0x1000 4"}),
          one_warp({"0000 ffffffff 1 R8 LDG.E 1 R2 4 1 0xzz 4"}),
          one_warp({"0000 ffffffff 0 UTMALDG.2D 0 1 0 4096 0 3 1 0x1000"}), good.substr(0, good.size() - 8),
          one_warp({"0000 ffffffff 1 R8 LDG.E 1 R2 3 1 0x1000 4"})}) {
        folder.write("kernel-2.traceg", bad);
        EXPECT_THAT(check_of(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n")),
                    HasSubstr("kernel-2.traceg: line "));
    }
    const Workload workload = load_workload(folder.write("kernelslist.g", "kernel-1.traceg\nkernel-1.traceg\n"), {});
    refuse_bad_traces(workload);
    EXPECT_TRUE(unknown_opcodes(workload).empty()) << "these are counted as they are executed";
    count_workload(workload, nullptr);
    EXPECT_EQ(unknown_opcodes(workload).at("NEWOP"), 2U);
}

// --- mem_trace of several versions of NVBit

/// The number of memory instructions of each launch in a log.
std::vector<std::uint64_t> instructions_of(const TempDir& folder, const std::string& text) {
    const Workload workload = load_workload(folder.write("v.memtrace", text), {});
    std::vector<std::uint64_t> all;
    for (const Launch& l : workload.launches) all.push_back(count_kernel(*l.kernel).memory_instructions);
    return all;
}

std::string access_of(int id, const std::string& context = "0x10") {
    return access("CTX " + context + " - grid_launch_id " + std::to_string(id) + " - CTA 0,0,0 - warp 0 - LDG.E",
                  0x7f0000000000, 4);
}

/// NVBit before 1.7 counts a launch before it prints its line, so that its accesses have a number one less.
TEST(MemTrace, NumbersOfLaunchesAreThoseOfTheToolsVersion) {
    const TempDir folder;
    const auto l = [](int id) { return launch("0x10", id); };
    const auto a = [](int id) { return access_of(id); };
    EXPECT_THAT(instructions_of(folder, l(0) + a(0) + l(1) + a(1) + a(1)), ElementsAre(1, 2)) << "1.7";
    EXPECT_THAT(instructions_of(folder, l(1) + a(0)), ElementsAre(1)) << "1.5";
    EXPECT_THAT(instructions_of(folder, l(1) + a(0) + l(2) + a(1) + a(1)), ElementsAre(1, 2)) << "1.5";
    EXPECT_THAT(instructions_of(folder, l(1) + l(2) + a(1) + a(1)), ElementsAre(0, 2))
        << "1.5: a kernel without accesses";
    EXPECT_THAT(instructions_of(folder, l(1) + l(2) + l(3) + a(2)), ElementsAre(0, 0, 1)) << "1.5";
    EXPECT_THAT(instructions_of(folder, l(5) + a(5) + l(6) + a(6)), ElementsAre(1, 1)) << "1.7 without its beginning";
    EXPECT_THAT(instructions_of(folder, l(5) + a(4) + l(6) + a(5)), ElementsAre(1, 1)) << "1.5 without its beginning";
    EXPECT_THAT(instructions_of(folder, launch("0x10", 1) + launch("0x20", 2) + access_of(0) + access_of(1, "0x20")),
                ElementsAre(1, 1))
        << "the counter is the process's";
}

TEST(MemTrace, NumbersThatTellNoVersionAreRefused) {
    const TempDir folder;
    const auto said = [&](const std::string& text) { return sentence_of(folder.write("v.memtrace", text)); };
    const auto l = [](int id) { return launch("0x10", id); };
    EXPECT_THAT(said(l(5) + l(6) + access_of(5)),
                HasSubstr("v.memtrace: line 1: the first launch has the number 5, and nothing "
                          "tells whether accesses have the number of their launch"));
    EXPECT_THAT(said(l(1) + access_of(0) + access_of(1)),
                HasSubstr("line 1: the first launch has the number 1, and some accesses"));
    EXPECT_THAT(
        said(l(1) + access_of(0) + access_of(7)),
        HasSubstr("line 3: launch 7 of this context was not announced; its LAUNCH line is expected before, with a "
                  "number one higher"));
}

/// LDGSTS has a line of offsets in shared memory, then one of global addresses: one instruction, whatever is between.
TEST(MemTrace, ACopyToSharedMemoryIsOneAccess) {
    const TempDir folder;
    const auto a = [](const std::string& what, std::uint64_t base, unsigned stride, unsigned lanes = 32) {
        return access("CTX 0x10 - grid_launch_id 0 - CTA " + what, base, stride, lanes);
    };
    const std::string copy = "0,0,0 - warp 0 - LDGSTS.E.BYPASS.128", other = "0,0,0 - warp 1 - LDGSTS.E.64";
    for (const auto& [text, instructions, sectors] : std::vector<std::tuple<std::string, unsigned, unsigned>>{
             {a(copy, 0x400, 16) + a(copy, 0x7f2000000000, 16), 1, 16},
             {a(copy, 0x400, 16) + a(other, 0x30000, 8) + a(copy, 0x7f2000000000, 16) + a(other, 0x7f3000000000, 8), 2,
              24},
             {a(copy, 0, 16, 1) + a(copy, 0x7f2000000000, 16, 1), 1, 1},
             {a(copy, 0x7f2000000000, 16), 1, 16},
             {a("0,0,0 - warp 0 - LDG.E.128", 0x400, 16), 1, 16},
             {a("0,0,0 - warp 0 - LDS.128", 0x400, 16) + a(copy, 0x400, 16) + a(copy, 0x7f2000000000, 16), 1, 16}}) {
        const Workload workload = load_workload(folder.write("c.memtrace", launch("0x10", 0) + text), {});
        const StreamCounts counts = count_workload(workload, nullptr);
        EXPECT_EQ(counts.memory_instructions, instructions) << text;
        EXPECT_EQ(counts.sectors, sectors) << text;
    }
}

TEST(MemTrace, TodaysOpcodesAreRead) {
    const TempDir folder;
    const std::string head = "CTX 0x10 - grid_launch_id 0 - CTA 0,0,0 - warp 0 - ";
    const Workload workload = load_workload(
        folder.write("w.memtrace", launch("0x10", 0) + access(head + "LDG.E.ENL2.256", 0x7f2000000000, 32) +
                                       access(head + "CCTL.E.PF2", 0x7f2000000000, 128)),
        {});
    const StreamCounts counts = count_workload(workload, nullptr);
    EXPECT_EQ(counts.sectors, 32U);
    EXPECT_EQ(counts.memory_instructions, 1U);
    EXPECT_EQ(counts.warp_instructions, 2U);
}

} // namespace
} // namespace numavp

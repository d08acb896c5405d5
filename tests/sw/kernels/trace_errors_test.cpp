/// Each way in which a trace can be wrong: one sentence with the file and the line.
#include <fstream>
#include <ostream>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "sw/traces/kernelslist.h"
#include "sw/traces/trace_kernel.h"
#include "sw/work/count.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp {
namespace {

using test::TempDir;

constexpr const char* kHeader = "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-nregs = 8\n"
                                "-accelsim tracer version = 5\n#\n"; // lines 1 to 6

/// A trace of one block; `lines` are the instructions of warp 0 (from line 11 on).
std::string trace(const std::string& lines, const std::string& count = "1") {
    return std::string(kHeader) + "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " + count + "\n" + lines +
           "#END_TB\n";
}

/// The sentence with which reading all of a trace ends; empty if it is fine.
std::string sentence(const std::string& text) {
    try {
        TraceKernel kernel(TraceText::from_string(text, "t.traceg"));
        count_kernel(kernel);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

struct BadTrace {
    const char* name;
    std::string text;
    const char* sentence; ///< begins with
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    return text.replace(text.find(what), what.size(), with);
}

std::vector<BadTrace> bad_traces() {
    const std::string good = trace("0000 ffffffff 0 EXIT 0 0\n");
    const auto line = [](const std::string& text) { return trace(text + "\n"); };
    return {
        {"Empty", "", "t.traceg: line 0: the trace ends within its header"},
        {"HeaderCut", "-kernel name = k\n-grid dim = (2", "t.traceg: line 2: the trace ends within its header"},
        {"NotAHeader", "hello\n#\n", "t.traceg: line 1: is not a line of a trace header"},
        {"NoVersion", replaced(good, "-accelsim tracer version = 5\n", ""),
         "t.traceg: line 5: the header has no '-accelsim tracer version'"},
        {"NewVersion", replaced(good, "version = 5", "version = 7"),
         "t.traceg: line 5: '-accelsim tracer version' has the value '7'; versions 1.2 to 6 are supported"},
        {"RegisterOfToday", replaced(line("0000 ffffffff 1 UR R2UR 0 0"), "version = 5", "version = 6"),
         "t.traceg: line 11: 'UR' is not a register; R, UR, P and UP with a number to 255 are allowed"},
        {"NoMatrixFlag", replaced(line("0000 ffffffff 1 R1 HGMMA.64x8x16.F32 1 R2"), "version = 5", "version = 6"),
         "t.traceg: line 11: the line ends early; the flag of the matrix group is missing"},
        {"BadVersion", replaced(good, "version = 5", "version = five"), "t.traceg: line 5: '-accelsim tracer version'"},
        {"BadGrid", replaced(good, "(2,1,1)", "(2,1)"), "t.traceg: line 2: '-grid dim' has the value '(2,1)'; (x,y,z)"},
        {"HugeGrid", replaced(good, "(2,1,1)", "(2,1,65536)"), "t.traceg: line 2: '-grid dim'"},
        {"AbsurdGrid", replaced(good, "(2,1,1)", "(65536,65535,65535)"),
         "t.traceg: line 2: '-grid dim' has the value '(65536,65535,65535)'; at most 2^40 thread blocks"},
        {"BigBlock", replaced(good, "(64,1,1)", "(64,32,1)"), "t.traceg: line 3: '-block dim' has the value"},
        {"NoRegisters", replaced(good, "nregs = 8", "nregs = 0"), "t.traceg: line 4: '-nregs' has the value '0'"},
        {"BlockCut", good.substr(0, good.find("#END_TB")), "t.traceg: line 12: the trace ends within a thread block"},
        {"LineCut", good.substr(0, good.find("EXIT")), "t.traceg: line 11: the trace ends within a thread block"},
        {"TwoBegins", replaced(good, "#END_TB", "#BEGIN_TB"), "t.traceg: line 12: a block begins before the one"},
        {"EndOnly", std::string(kHeader) + "#END_TB\n", "t.traceg: line 7: a block ends that has not begun"},
        {"NoBlockNumber", replaced(good, "thread block = 0,0,0\n", ""), "t.traceg: line 7: 'thread block = x,y,z'"},
        {"BlockOutside", replaced(good, "block = 0,0,0", "block = 2,0,0"),
         "t.traceg: line 8: the thread block is outside of the grid of 2 x 1 x 1 blocks"},
        {"BlockTwice", good + trace("0000 ffffffff 0 EXIT 0 0\n").substr(std::string(kHeader).size()),
         "t.traceg: line 7: this thread block is in the trace twice"},
        {"WarpOutside", replaced(good, "warp = 0", "warp = 2"),
         "t.traceg: line 9: warp 2 is not of this block; 0 to 1"},
        {"WarpTwice", trace("0000 ffffffff 0 EXIT 0 0\nwarp = 0\ninsts = 0\n"),
         "t.traceg: line 12: warp 0 is there twice"},
        {"NoInsts", replaced(good, "insts = 1\n", ""), "t.traceg: line 10: 'insts = <count>' is expected here"},
        {"TooFewInstructions", trace("0000 ffffffff 0 EXIT 0 0\n", "2"),
         "t.traceg: line 12: the warp has 1 instructions, but 'insts = 2' says more"},
        {"TooManyInstructions", trace("0000 ffffffff 0 EXIT 0 0\n0000 ffffffff 0 EXIT 0 0\n"),
         "t.traceg: line 12: 'warp = <count>' is expected here"},
        {"Cluster", replaced(good, "warp = 0", "cluster id = 0,0,0\nwarp = 0"),
         "t.traceg: line 9: 'warp = <count>' is expected here"},
        {"BadPc", line("00x0 ffffffff 0 EXIT 0 0"), "t.traceg: line 11: the PC is not a hexadecimal number"},
        {"BadMask", line("0000 fffffffff 0 EXIT 0 0"), "t.traceg: line 11: the active mask is not 8"},
        {"TwoDestinations", line("0000 ffffffff 2 R1 R2 FADD 0 0"),
         "t.traceg: line 11: the number of destination registers is wrong; 0 to 1"},
        {"BadRegister", line("0000 ffffffff 1 R256 FADD 0 0"), "t.traceg: line 11: 'R256' is not a register"},
        {"UniformRegister", line("0000 ffffffff 1 UR4 R2UR 0 0"),
         "t.traceg: line 11: 'UR4' is not a register; R0 to R255 are allowed (UR, P and UP are of tracer version 6"},
        {"NoOpcode", line("0000 ffffffff 0 0 0"), "t.traceg: line 11: '0' is not an opcode"},
        {"SixSources", line("0000 ffffffff 0 FADD 6 R1 R1 R1 R1 R1 R1 0"),
         "t.traceg: line 11: the number of source registers is wrong; 0 to 5"},
        {"NoWidth", line("0000 ffffffff 0 FADD 0"),
         "t.traceg: line 11: the line ends early; the width of the memory access is missing"},
        {"WrongWidth", line("0000 ffffffff 0 FADD 0 x"), "t.traceg: line 11: the width of the memory access is wrong"},
        {"PcAlone", line("0000"), "t.traceg: line 11: the line ends early; the active mask is missing"},
        {"MaskAlone", line("0000 ffffffff "),
         "t.traceg: line 11: the line ends early; the number of destination registers is missing"},
        {"NothingAfterDestinations", line("0000 ffffffff 0"), "t.traceg: line 11: the line ends early; the opcode is"},
        {"SourceMissing", line("0000 ffffffff 0 FADD 2 R1"), "t.traceg: line 11: the line ends early; a register is"},
        {"OddWidth", line("0000 ffffffff 1 R1 LDG.E 1 R2 3 1 0x0 4"),
         "t.traceg: line 11: 'LDG.E' has a width of 3 bytes; 1, 2, 4, 8 and 16 are allowed, and 32 for loads and "
         "stores"},
        {"WideAtomic", line("0000 ffffffff 1 R1 ATOMG.E.ADD 1 R2 32 1 0x0 32"),
         "t.traceg: line 11: 'ATOMG.E.ADD' has a width of 32 bytes"},
        {"UnknownMemoryOpcode", line("0000 ffffffff 1 R1 SULD.D 1 R2 4 1 0x0 4"),
         "t.traceg: line 11: 'SULD.D' accesses memory in a way that is not supported; LDG"},
        {"Tma", line("0000 00000001 0 UTMALDG.2D 0 0 1 0 4096 0 3 1 0x1000"),
         "t.traceg: line 11: 'UTMALDG.2D' (tensor memory accelerator"},
        {"ModeThree", line("0000 ffffffff 1 R1 LDG.E 1 R2 4 3 1 0x1000"),
         "t.traceg: line 11: address mode 3 is not supported; 0, 1 and 2"},
        {"NoMode", line("0000 ffffffff 1 R1 LDG.E 1 R2 4"), "t.traceg: line 11: the address mode is missing"},
        {"ShortList", line("0000 0000000f 1 R1 LDG.E 1 R2 4 0 0x0 0x4 0x8"),
         "t.traceg: line 11: an address is missing"},
        {"NoStride", line("0000 0000000f 1 R1 LDG.E 1 R2 4 1 0x0"), "t.traceg: line 11: the stride is missing"},
        {"ShortDeltas", line("0000 0000000f 1 R1 LDG.E 1 R2 4 2 0x0 4 4"),
         "t.traceg: line 11: an address difference is missing"},
        {"LongAddress", line("0000 00000001 1 R1 LDG.E 1 R2 4 0 0x12345678123456789"),
         "t.traceg: line 11: an address is missing"},
    };
}

void PrintTo(const BadTrace& bad, std::ostream* out) { *out << bad.name; }

class TraceErrors : public ::testing::TestWithParam<BadTrace> {};

TEST_P(TraceErrors, AreOneSentenceWithFileAndLine) {
    const std::string found = sentence(GetParam().text);
    EXPECT_EQ(found.substr(0, std::string(GetParam().sentence).size()), GetParam().sentence) << found;
    EXPECT_EQ(found.find('\n'), std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(All, TraceErrors, ::testing::ValuesIn(bad_traces()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(TraceErrorsInFiles, TheGoodOneIsGood) { EXPECT_EQ(sentence(trace("0000 ffffffff 0 EXIT 0 0\n")), ""); }

std::string error_of(const std::string& path) {
    try {
        count_workload(load_workload(path, {}));
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(TraceErrorsInFiles, MissingFiles) {
    const TempDir folder;
    const std::string list = folder.write("kernelslist.g", "MemcpyHtoD,0x1000,16\n\nkernel-1.traceg\n");
    EXPECT_EQ(error_of(list).find(list + ": line 3: the trace '"), 0U) << error_of(list);
    EXPECT_NE(error_of(folder.path("nothing/kernelslist.g")).find("can't be opened"), std::string::npos);
    EXPECT_NE(error_of(folder.path("nothing.traceg")).find("can't be opened"), std::string::npos);
}

TEST(TraceErrorsInFiles, BadLists) {
    const TempDir folder;
    const std::string list = folder.path("kernelslist.g");
    for (const char* line :
         {"MemcpyHtoD,1000,16", "MemcpyHtoD,0x10zz,16", "MemcpyHtoD,0x1000", "MemcpyHtoD,0x1000,-1"}) {
        folder.write("kernelslist.g", std::string(line) + "\n");
        EXPECT_EQ(error_of(list),
                  list + ": line 1: '" + line + "' is not a copy; 'MemcpyHtoD,0x<address>,<bytes>' is allowed");
    }
    folder.write("kernelslist.g", "MemcpyHtoD,0xfffffffffffffff0,16\n");
    EXPECT_EQ(error_of(list).find(list + ": names no kernel"), 0U);
    const std::string beyond = "MemcpyHtoD,0xfffffffffffffff0,17";
    folder.write("kernelslist.g", beyond + "\n");
    EXPECT_EQ(error_of(list), list + ": line 1: '" + beyond + "' ends beyond the last 64-bit address");
    folder.write("kernelslist.g", "MemcpyHtoD,0x1000,16\n");
    EXPECT_EQ(error_of(list).find(list + ": names no kernel"), 0U);
}

TEST(TraceErrorsInFiles, BadCompression) {
    const TempDir folder;
    const std::string good = read_file(test::source_dir() + "/tests/data/traces/kernel-2.traceg.xz");
    const std::string path = folder.path("kernel-1.traceg.xz");
    folder.write("kernel-1.traceg.xz", good.substr(0, good.size() / 2));
    EXPECT_EQ(error_of(path).find(path + ": the xz data is truncated at byte "), 0U) << error_of(path);
    std::string corrupt = good;
    corrupt[corrupt.size() / 2] = static_cast<char>(corrupt[corrupt.size() / 2] ^ 0x55);
    folder.write("kernel-1.traceg.xz", corrupt);
    EXPECT_EQ(error_of(path).find(path + ": the xz data is corrupt at byte "), 0U) << error_of(path);
    folder.write("kernel-1.traceg.xz", trace("0000 ffffffff 0 EXIT 0 0\n"));
    EXPECT_EQ(error_of(path).find(path + ": is not an xz file"), 0U) << error_of(path);
}

TEST(TraceErrorsInFiles, TracesHaveNoScale) {
    WorkloadOptions options;
    options.scale = 0.5;
    EXPECT_THROW(load_workload(test::source_dir() + "/tests/data/traces/kernelslist.g", {}, options), ConfigError);
}

} // namespace
} // namespace numavp

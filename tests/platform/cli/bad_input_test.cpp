/// What a user may get wrong: status 2, one sentence that says what is allowed, and nothing on disk.
#include <map>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

struct Fault {
    const char* name;
    Args words;
    const char* part; ///< of the sentence
    std::map<std::string, std::string> files = {};
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class BadInput : public Cli, public ::testing::WithParamInterface<Fault> {};

TEST_P(BadInput, IsOneSentence) {
    for (const auto& [name, content] : GetParam().files) dir_.write(name, content);
    expect_fault(GetParam().words, GetParam().part);
}

const char* const kWorkload =
    R"({"name": "w", "kernels": [{"pattern": "stream_triad", "parameters": {"elements": 4096}}]})";

/// A trace of one warp that runs `lines` after its header.
std::string trace(const std::string& block, const std::string& lines, unsigned count, const std::string& more = "") {
    return "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = " + block +
           "\n-shmem = 0\n-nregs = 16\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x7f0100000000\n"
           "-local mem base_addr = 0x7f0000000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n" +
           more + "\n#traces format = PC mask\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = " +
           std::to_string(count) + "\n" + lines + "\n#END_TB\n";
}

/// Loads that touch 32 pages of 2 MiB each, `count` times.
std::string touching(unsigned count) {
    std::string lines;
    for (unsigned i = 0; i < count; ++i) {
        const std::string pc = std::to_string(1000 + i * 16);
        lines += pc + " ffffffff 1 R2 LDG.E 1 R4 4 1 0x" + std::to_string(100000000 + i * 4000000) + " 2097152\n";
    }
    return trace("(32,1,1)", lines + "ffff ffffffff 0 EXIT 0 0\n", count + 1);
}

Args run_small(Args more) {
    Args words = {"run", "numa-aware-2", "spmv-powerlaw", "--scale", "0.01"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

INSTANTIATE_TEST_SUITE_P(
    Words, BadInput,
    ::testing::Values(
        Fault{"command", {"rnu"}, "nearest is 'run'"}, Fault{"option", {"run", "--sed", "1"}, "nearest is '--se"},
        Fault{"too_many", {"run", "numa-4", "compute", "third"}, "'third' is one word too many"},
        Fault{"system", {"run", "numa-aware"}, "nearest is 'numa-aware-"},
        Fault{"workload", {"run", "numa-4", "stencil2d"}, "nearest is 'stencil-2d'"},
        Fault{"list", {"list", "system"}, "nearest is 'systems'"}, Fault{"no_value", {"run", "--seed"}, "--seed"},
        Fault{"seed", {"run", "--seed", "-1"}, "'-1' is not a whole number"},
        Fault{"scale", run_small({"--scale", "nan"}), "0.000001 to 1000"},
        Fault{"script", {"bench"}, "script ./numavp"}, Fault{"shell", {"completion", "tcsh"}, "'bash', 'zsh', 'fish'"},
        Fault{"schema", {"schema", "result"}, "nearest is 'results'"}, Fault{"flag_value", {"run", "--json=3"}, "json"},
        Fault{"out_is_a_file",
              run_small({"--out", "there"}),
              "it exists and is not a folder of results",
              {{"there", "x"}}},
        Fault{"out_is_not_results", run_small({"--out", "mine"}), "not a folder of results", {{"mine/notes", "x"}}},
        Fault{"scale_empty", run_small({"--scale", ""}), "--scale: it is empty; a value is expected"},
        Fault{"seed_empty", {"run", "--seed="}, "--seed"},
        Fault{"out_twice", run_small({"--out", "a", "--out", "b"}), "command line: --out is there 2 times; once is"},
        Fault{"waves_twice", run_small({"--waves", "a.vcd", "--waves=b.vcd"}), "--waves is there 2 times"},
        Fault{"seed_of_a_trace",
              {"run", "numa-4", "t.traceg", "--seed", "1"},
              "--seed: a trace is what it is",
              {{"t.traceg", trace("(32,1,1)", "0000 ffffffff 0 EXIT 0 0\n", 1)}}},
        Fault{"scale_of_a_trace",
              {"run", "numa-4", "t.traceg", "--scale", "2"},
              "--scale: a trace is what it is",
              {{"t.traceg", trace("(32,1,1)", "0000 ffffffff 0 EXIT 0 0\n", 1)}}},
        Fault{"name_that_acts_on_the_terminal",
              {"run", "\033]0;x\a\r.json"},
              "numavp: \\x1b]0;x\\x07\\x0d.json: there is no such file"},
        Fault{"list_name", {"list", "systems", "numa-4"}, "'numa-4' is one word too many"},
        Fault{"list_pattern", {"list", "patterns", "bfz"}, "nearest is 'bfs'"},
        Fault{"out_names_nothing", run_small({"--out", ""}), "--out: it names no folder"},
        Fault{"out_below_a_file", run_small({"--out", "file/x/y"}), "is not a folder", {{"file", "x"}}},
        Fault{"out_is_empty", run_small({"--out", "."}), "does not name a new folder"}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Systems, BadInput,
    ::testing::Values(
        Fault{"unknown_key",
              {"run", "s.json"},
              "s.json: $.socket.l2.wais: unknown key 'wais'",
              {{"s.json", R"({"socket": {"l2": {"wais": 8}}})"}}},
        Fault{"wrong_type", {"run", "s.json"}, "s.json: $.sockets", {{"s.json", R"({"sockets": "four"})"}}},
        Fault{"not_whole", {"run", "s.json"}, "s.json: $.sockets", {{"s.json", R"({"sockets": 2.5})"}}},
        Fault{"out_of_range", {"run", "s.json"}, "1 to 4096", {{"s.json", R"({"sockets": 4097})"}}},
        Fault{"no_such_policy",
              {"run", "s.json"},
              "'first_touch'",
              {{"s.json", R"({"placement": {"policy": "frist_touch"}})"}}},
        Fault{"syntax", {"run", "s.json"}, "s.json: line 2, column", {{"s.json", "{\"sockets\": 4,\n}"}}},
        Fault{"key_twice", {"explain", "s.json"}, "twice", {{"s.json", R"({"sockets": 4, "sockets": 2})"}}},
        Fault{"extends_nothing", {"explain", "s.json"}, "there is no file", {{"s.json", R"({"extends": "base"})"}}},
        Fault{"extends_itself", {"explain", "s.json"}, "extends itself", {{"s.json", R"({"extends": "s"})"}}},
        Fault{"missing_file", {"run", "none.json"}, "none.json: there is no such file"},
        Fault{"contradictory_slices", run_small({"--set", "socket.l2.slices=33"}), "multiple"},
        Fault{"pages_beyond_a_leaf",
              run_small({"--set", "placement.policy=first_touch_tree", "placement.page_kib=128"}),
              "placement.page_kib: 128 KiB with first_touch_tree; at most 64"},
        Fault{"contradictory_ways", run_small({"--set", "socket.l2.ways=3"}), "no whole sets"},
        Fault{"contradictory_tlb", run_small({"--set", "translation.l2_entries=500"}),
              "translation.l2_entries: 500 entries in 16 ways"},
        Fault{"driver_of_nothing", run_small({"--set", "driver.execution=native"}),
              "driver.execution: a driver serves page faults, and without translation nothing faults"},
        Fault{"unknown_driver_policy", run_small({"--set", "driver.policy=lob"}), "the nearest is 'lab'"},
        Fault{"ideal_driver_that_fills",
              run_small({"--set", "translation.mode=full", "--set", "driver.execution=ideal", "--set",
                         "driver.fill=zeros"}),
              "driver.fill: the ideal execution has no time to fill a page"},
        Fault{"pages_without_one_place",
              run_small({"--set", "translation.mode=full", "--set", "placement.policy=line_interleave"}),
              "translation.mode: a page table gives each page one place"},
        Fault{"contradictory_scale", run_small({"--set", "scale=2"}), "one socket"},
        Fault{"set_unknown", run_small({"--set", "socket.l2.wayz=3"}), "--set socket.l2.wayz: unknown key 'wayz'"},
        Fault{"set_range", run_small({"--set", "sockets=0"}), "--set sockets"},
        Fault{"set_beyond_integers", run_small({"--set", "sockets=99999999999999999999"}),
              "1e+20 is out of range; allowed are whole numbers from 1 to 4096"},
        Fault{"lanes_decided_after_the_next_sample",
              run_small({"--set", "link.sample_cycles=50", "--set", "link.decision_cycles=51"}),
              "link.decision_cycles: a decision takes effect after 51 cycles"},
        Fault{"ways_decided_after_the_next_sample", run_small({"--set", "socket.partition.decision_cycles=5001"}),
              "socket.partition.decision_cycles: a decision takes effect after 5001 cycles, beyond the next sample; "
              "at most the 5000"},
        Fault{"null",
              {"run", "s.json"},
              "s.json: $.sockets: null is not a whole number",
              {{"s.json", R"({"sockets": null})"}}},
        Fault{"blanks_in_a_value", run_small({"--set", "sockets= 9999"}), "--set sockets: 9999 is out of range"},
        Fault{"set_no_value", run_small({"--set", "sockets"}), "path=value is expected"},
        Fault{"interval", run_small({"--interval", "0"}), "--interval: '0' is not a whole number of cycles"}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Workloads, BadInput,
    ::testing::Values(
        Fault{"missing_file", {"run", "gpu-1", "none.json"}, "none.json: there is no such file"},
        Fault{"unknown_pattern",
              {"run", "gpu-1", "w.json"},
              "stream_triad",
              {{"w.json", R"({"name": "w", "kernels": [{"pattern": "triad"}]})"}}},
        Fault{"unknown_parameter",
              {"run", "gpu-1", "w.json"},
              "w.json: $.kernels[0].parameters",
              {{"w.json", R"({"name": "w", "kernels": [{"pattern": "stream_triad", "parameters": {"size": 1}}]})"}}},
        Fault{"too_much_memory",
              {"run", "gpu-1", "stream-triad", "--scale", "2", "--set", "socket.memory.capacity_gib=1"},
              "MiB"},
        Fault{"too_wide",
              {"run", "gpu-1", "w.json", "--set", "placement.address_bits=32"},
              "32 address bits",
              {{"w.json", kWorkload}}},
        Fault{"block_too_large_for_an_sm",
              {"run", "gpu-1", "w.json", "--set", "socket.sm.registers=1024"},
              "registers",
              {{"w.json", kWorkload}}},
        Fault{"block_with_too_many_warps",
              {"run", "gpu-1", "w.json", "--set", "socket.sm.warps=4"},
              "warps",
              {{"w.json", kWorkload}}}),
    [](const auto& i) { return i.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Traces, BadInput,
    ::testing::Values(
        Fault{"missing", {"run", "gpu-1", "none/kernelslist.g"}, "none/kernelslist.g"},
        Fault{"list_names_nothing",
              {"run", "gpu-1", "kernelslist.g"},
              "does not exist",
              {{"kernelslist.g", "kernel-1.traceg\n"}}},
        Fault{"truncated",
              {"run", "gpu-1", "k.traceg"},
              "k.traceg",
              {{"k.traceg", trace("(32,1,1)", "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x10000", 2)}}},
        Fault{
            "corrupt",
            {"run", "gpu-1", "k.traceg"},
            "k.traceg: line",
            {{"k.traceg", trace("(32,1,1)", "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0xzz 4\n0010 ffffffff 0 EXIT 0 0", 2)}}},
        Fault{"not_xz", {"run", "gpu-1", "k.traceg.xz"}, "k.traceg.xz", {{"k.traceg.xz", "this is not compressed"}}},
        Fault{"bad_line_in_the_last_kernel", // before anything is simulated, so that nothing is left behind
              {"run", "gpu-1", "kernelslist.g"},
              "kernel-2.traceg: line 22: 'SULD.D' accesses memory in a way that is not supported",
              {{"kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n"},
               {"kernel-1.traceg", touching(2)},
               {"kernel-2.traceg", trace("(32,1,1)", "0000 ffffffff 1 R2 SULD.D 1 R4 4 1 0x10000 4", 1)}}},
        Fault{"grid_without_its_blocks",
              {"run", "gpu-1", "k.traceg"},
              "k.traceg: the header's grid has 2147483647 thread blocks, and 1 of them are in the file",
              {{"k.traceg", trace("(32,1,1)", "0000 ffffffff 0 EXIT 0 0", 1, "-grid dim = (2147483647,1,1)\n")}}},
        Fault{"has_no_scale",
              {"run", "gpu-1", "k.traceg", "--scale", "2"},
              "nothing in it is drawn by a seed or made larger",
              {{"k.traceg", trace("(32,1,1)", "0000 ffffffff 0 EXIT 0 0", 1)}}},
        Fault{"too_wide",
              {"run", "gpu-1", "k.traceg"},
              "k.traceg: kernel k: the page at virtual address 0xfffffffff0000000 is beyond the system's 49-bit "
              "addresses",
              {{"k.traceg",
                trace("(32,1,1)", "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0xfffffffff0000000 4\n0010 ffffffff 0 EXIT 0 0",
                      2)}}},
        Fault{"too_much_memory",
              {"run", "gpu-1", "k.traceg", "--set", "socket.memory.capacity_gib=1", "--set", "placement.page_kib=2048"},
              "k.traceg: kernel k: the page at virtual address 0x",
              {{"k.traceg", touching(17)}}},
        Fault{"too_wide_to_walk",
              {"run", "gpu-1", "k.traceg", "--set", "translation.mode=full"},
              "an access to the virtual address 0xfffffffff0000000 is beyond the system's 49-bit addresses",
              {{"k.traceg",
                trace("(32,1,1)", "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0xfffffffff0000000 4\n0010 ffffffff 0 EXIT 0 0",
                      2)}}},
        Fault{"too_much_memory_to_map",
              {"run", "gpu-1", "k.traceg", "--set", "socket.memory.capacity_gib=1", "--set", "placement.page_kib=2048",
               "--set", "translation.mode=full"},
              "has no place: 504 pages of 2097152 B fill all 1 memories of 1056964608 B",
              {{"k.traceg", touching(17)}}},
        Fault{"absurd_grid",
              {"run", "gpu-1", "k.traceg"},
              "k.traceg: line 3: '-grid dim' has the value '(2147483647,65535,65535)'; at most 2^40",
              {{"k.traceg", "-kernel name = k\n-nregs = 16\n-grid dim = (2147483647,65535,65535)\n#\n"}}},
        Fault{"line_ends_early",
              {"run", "gpu-1", "k.traceg"},
              "k.traceg: line 22: the line ends early; a register is missing",
              {{"k.traceg", trace("(32,1,1)", "0000 ffffffff 1 R2 LDG.E 1", 1)}}},
        Fault{"too_many_threads",
              {"run", "gpu-1", "k.traceg"},
              "k.traceg",
              {{"k.traceg", trace("(4096,1,1)", "0000 ffffffff 0 EXIT 0 0", 1)}}}),
    [](const auto& i) { return i.param.name; });

} // namespace
} // namespace numavp::test

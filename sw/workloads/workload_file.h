/// Workloads as files: JSON over pattern programs, or traces; by name, by path.
///
/// A workload is a list of phases, each a list of kernel entries that is repeated; "kernels" alone is one phase. An
/// entry launches the kernels of one pattern, copies an array between host and devices, or is the host's own work. An
/// array belongs to one entry unless "arrays" gives it a name: entries that use the same name use the same memory, as
/// large as the largest of them needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "base/values/name_table.h"
#include "sw/work/host_phase.h"
#include "sw/work/workload.h"

namespace numavp {

/// Settings of a workload on the command line.
struct WorkloadOptions {
    std::optional<std::uint64_t> seed; ///< instead of the file's
    double scale = 1.0;                ///< times the file's
    bool whole = false;                ///< all of each block's work, whatever samples the file takes
    bool limited = true;               ///< false: without the file's limit of instructions, which takes a walk
};

/// A JSON object that is kept unread, for a later reader.
struct RawJson {
    json value = json::object();
};
/// Maps the role of an array in a pattern to the name of the workload's array.
struct ArrayNames {
    std::map<std::string, std::string> names;
};
/// Maps the name of an array to the number of the GPU whose memory it lies in.
struct GpuOfArrays {
    std::map<std::string, std::uint32_t> gpus;
};
/// Sentences that say where the numbers of a file come from.
struct Notes {
    std::vector<std::string> lines;
};
void read_object(RawJson& field, const json& value, const Place& place);
void read_object(ArrayNames& field, const json& value, const Place& place);
void read_object(GpuOfArrays& field, const json& value, const Place& place);
void read_object(Notes& field, const json& value, const Place& place);
ordered_json dump_object(RawJson& field);
ordered_json dump_object(ArrayNames& field);
ordered_json dump_object(GpuOfArrays& field);
ordered_json dump_object(Notes& field);
ordered_json schema_of_object(RawJson& field);
ordered_json schema_of_object(ArrayNames& field);
ordered_json schema_of_object(GpuOfArrays& field);
ordered_json schema_of_object(Notes& field);

enum class CopyKind : std::uint8_t { none, to_device, to_host, peer };
inline constexpr NameTable<CopyKind> kCopyKinds{
    "kind of copy",
    {{CopyKind::none, "none", "The entry is a pattern."},
     {CopyKind::to_device, "to_device", "The host's buffer of the array to devices."},
     {CopyKind::to_host, "to_host", "The array to the host's buffer of it."},
     {CopyKind::peer, "peer", "The array to another one, 'to': from GPU to GPU if 'on_gpu' gives them to two."}}};

/// One pattern and how often it is launched, or a copy, or a phase of the host.
struct KernelEntry {
    std::string pattern;
    CopyKind copy = CopyKind::none;
    std::string array;
    std::string to;
    double share = 1.0;
    HostEntry host;
    std::string name;
    RawJson parameters;
    ArrayNames arrays;
    std::uint32_t repeat = 1;
    std::uint64_t stream = 0;
    Notes notes;
};
template <class V> void describe(V& v, KernelEntry& c) {
    v.text("pattern", c.pattern, "name of the pattern program (numavp list patterns)");
    v.choice("copy", c.copy, kCopyKinds,
             "direction of a copy of an array, in the place of a pattern; the program waits for it");
    v.text("array", c.array, "name of the array that is copied");
    v.text("to", c.to, "name of the array that a copy between arrays writes");
    v.real("share", c.share, 1e-9, 1.0, "", "part of the array that is copied, from its beginning");
    v.object("host", c.host,
             "work of the host's program on arrays, between copies and kernels, in the place of a pattern");
    v.text("name", c.name,
           "begins the names of the arrays that 'arrays' doesn't name; the pattern and its number if "
           "not given");
    v.object("parameters", c.parameters, "the pattern's own parameters");
    v.object("arrays", c.arrays, "names of shared arrays, by the roles of the pattern's arrays");
    v.integer("repeat", c.repeat, 1, 1U << 24, "times", "number of launches of all kernels of the pattern");
    v.integer("stream", c.stream, 0, ~0ULL, "", "launches of one stream run in order, of several side by side");
    v.object("notes", c.notes, "sources of the numbers");
}

struct WorkloadPhase {
    std::string name;
    std::uint32_t repeat = 1;
    std::vector<KernelEntry> kernels;
    Notes notes;
};
template <class V> void describe(V& v, WorkloadPhase& c) {
    v.text("name", c.name, "name of the phase: the work of the application in it");
    v.integer("repeat", c.repeat, 1, 1U << 24, "times", "number of repetitions of the phase: time steps, iterations");
    v.list("kernels", c.kernels, "launches in order");
    v.object("notes", c.notes, "sources of the numbers");
}

/// Limit of the work of a run at scale 1, and the parts of the application that were left out to keep it.
struct Budget {
    std::uint64_t line_accesses = 0;
    Notes cut;
};
template <class V> void describe(V& v, Budget& c) {
    v.integer("line_accesses", c.line_accesses, 0, 1ULL << 40, "lines",
              "accesses to lines by all launches, after coalescing, at most (those that hit an L1 are counted too)");
    v.object("cut", c.cut, "parts of the application that the workload leaves out, and properties that stay the same");
}

struct WorkloadFile {
    std::string name;
    std::string description;
    std::string source;
    Notes notes;
    Budget budget;
    std::uint64_t seed = 1;
    double scale = 1.0;
    double smallest = 0.0;
    std::uint64_t instructions = 0;
    GpuOfArrays on_gpu;
    std::vector<KernelEntry> kernels;
    std::vector<WorkloadPhase> phases;
};
template <class V> void describe(V& v, WorkloadFile& c) {
    v.text("name", c.name, "name of the workload");
    v.text("description", c.description, "one sentence on the workload");
    v.text("source", c.source, "the application that this is, and the table that it is held to");
    v.object("notes", c.notes, "sources of the numbers");
    v.object("budget", c.budget, "bounds of the cost of a run, and the cuts made for it");
    v.integer("seed", c.seed, 0, ~0ULL, "", "seed of all generated data and random accesses");
    v.real("scale", c.scale, 1e-6, 1e3, "", "factor on the problem size of every pattern");
    v.real("smallest", c.smallest, 0.0, 1.0, "",
           "a smaller scale shrinks the problem to this part of it only, and then lets each block do less of its work: "
           "blocks still fill the SMs and the footprint still exceeds the caches");
    v.integer(
        "instructions", c.instructions, 0, 1ULL << 50, "thread instructions",
        "number of thread instructions at scale 1 (lanes that execute, of all SMs) after which the workload ends: of "
        "the last launch the first blocks of 64 equal ranges run; 0: no limit");
    v.object("on_gpu", c.on_gpu,
             "numbers of the GPUs, from 0, in whose memory single arrays lie; the system places all others");
    v.list("kernels", c.kernels, "launches in order; or 'phases'");
    v.list("phases", c.phases, "phases in order; or 'kernels'");
}

/// A workload in the list of `numavp list workloads`.
struct WorkloadName {
    std::string name;
    std::string description;
    std::string path;
};

/// Makes the workload that a JSON value describes. Deterministic in the value and the options.
Workload read_workload(const json& value, const Place& place, const WorkloadOptions& options = {});

/// Path of the .json of this name in one of `folders` or a folder therein; empty if there is none.
std::string find_workload(const std::string& name, const std::vector<std::string>& folders);

/// Loads a name (a .json in `folders`), JSON file, trace (.traceg, .traceg.xz, .tracez, .memtrace) or kernelslist.g.
Workload load_workload(const std::string& name_or_path, const std::vector<std::string>& folders,
                       const WorkloadOptions& options = {});

/// The workloads in `folders`, sorted by name.
std::vector<WorkloadName> list_workloads(const std::vector<std::string>& folders);

/// JSON Schema of a workload file, with each pattern's parameters.
ordered_json workload_schema();

} // namespace numavp

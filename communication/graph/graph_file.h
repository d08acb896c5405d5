/// Application graphs as JSON files (docs/use/APPLICATION_GRAPHS.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "communication/graph/app_graph.h"

namespace numavp {

/// A list of names.
struct AppNames {
    std::vector<std::string> names;
};
void read_object(AppNames& field, const json& value, const Place& place);
ordered_json dump_object(AppNames& field);
ordered_json schema_of_object(AppNames& field);

struct AppAdviceFile {
    bool read_mostly = false;
    std::string preferred;
    AppNames accessed_by;
};
template <class V> void describe(V& v, AppAdviceFile& c) {
    v.boolean("read_mostly", c.read_mostly, "Whether each reader of the value gets a copy and the others keep theirs.");
    v.text("preferred", c.preferred,
           "Preferred place: pages come into being there, and those that lie there stay for all who can access them "
           "there.");
    v.object("accessed_by", c.accessed_by, "Places that access the pages where they lie, if they can.");
}

struct AppValueFile {
    std::string name, place;
    std::uint64_t bytes = 0;
    HostMemory memory = HostMemory::pageable;
    bool given = false;
    AppAdviceFile advice;
};
template <class V> void describe(V& v, AppValueFile& c) {
    v.text("name", c.name, "Name of the value.");
    v.text("place", c.place, "Place of the value: cpu0, gpu3.");
    v.integer("bytes", c.bytes, 0, std::uint64_t{1} << 50, "B", "Size of the value, 1 B at least.");
    v.choice("memory", c.memory, kHostMemories,
             "Allocation of the memory of the value; on a GPU only unified memory is named.");
    v.boolean("given", c.given, "Whether the value is there before the graph begins; else a step writes it.");
    v.object("advice", c.advice, "Advice on unified memory, as cudaMemAdvise() gives it.");
}

/// Either a time or a rate; negative and 0 mean that it is not given.
struct AppTimeFile {
    std::string place;
    double time_us = -1, gbytes_per_s = 0;
};
template <class V> void describe_time(V& v, double& time_us, double& gbytes_per_s) {
    v.real("time_us", time_us, -1.0, 1e12, "us", "Time of the computation; -1: not said.");
    v.real("gbytes_per_s", gbytes_per_s, 0.0, 1e9, "GB/s",
           "Rate of all bytes that the step reads and writes, in the place of time_us; 0: not said.");
}
template <class V> void describe(V& v, AppTimeFile& c) {
    v.text("place", c.place, "Place at which this time holds.");
    describe_time(v, c.time_us, c.gbytes_per_s);
}

struct AppStepFile {
    std::string name, place, from, to, kernel, stream;
    AppStepKind kind = AppStepKind::copy;
    AppNames reads, writes, after;
    double time_us = -1, gbytes_per_s = 0;
    std::vector<AppTimeFile> time_on;
};
template <class V> void describe(V& v, AppStepFile& c) {
    v.text("name", c.name, "Name of the step.");
    v.choice("kind", c.kind, kAppStepKinds, "Kind of the step.");
    v.text("place", c.place, "Place at which a kernel or host step computes; its values lie there.");
    v.text("from", c.from, "Source of a copy: the place of its value; need not be said.");
    v.text("to", c.to, "Target of a copy: the place of the copied value; need not be said.");
    v.object("reads", c.reads, "Names of the values that the step needs; a copy has one.");
    v.object("writes", c.writes, "Names of the values that the step makes; a copy has one, of the same size.");
    v.text("kernel", c.kernel,
           "Name of a kernel in the results of runs, by which predict --times finds it; the step's own name unless "
           "given.");
    v.text("stream", c.stream,
           "Stream of the step: steps of one stream run in the order of the list; none: the step waits for its values "
           "alone.");
    v.object("after", c.after, "Names of steps that must have ended before, as by an event.");
    describe_time(v, c.time_us, c.gbytes_per_s);
    v.list("time_on", c.time_on, "Times of a kernel on other places than its own.");
}

struct AppGraphFile {
    std::string name, description;
    std::vector<AppValueFile> values;
    std::vector<AppStepFile> steps;
};
template <class V> void describe(V& v, AppGraphFile& c) {
    v.text("name", c.name, "Name of the application; the file's name unless given.");
    v.text("description", c.description, "One sentence on the application.");
    v.list("values", c.values, "Values that the steps read and write.");
    v.list("steps", c.steps, "Steps of the application: copies, kernels, and work of hosts.");
}

/// Makes a graph of a file. ConfigError at the first contradiction: a value or place that is unknown, a value that no
/// step writes or that lies elsewhere, a copy whose sizes differ, advice for memory that is not unified, steps that
/// wait in a circle, no steps.
AppGraph make_graph(const AppGraphFile& file, const Place& place);
/// JSON Schema of the files.
ordered_json graph_schema();
/// Graphs of recordings are larger than what people write.
inline constexpr std::size_t kMostGraphBytes = std::size_t{1} << 30;
/// Reads a file of at most so many bytes.
AppGraph load_graph(const std::string& path);
/// The file of a graph: `load_graph` of it gives the graph again.
ordered_json graph_json(const AppGraph& graph);

} // namespace numavp

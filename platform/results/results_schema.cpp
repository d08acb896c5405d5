#include "platform/results/results_schema.h"

#include "base/config/config.h"
#include "common/files/results_format.h"
#include "common/system/system_config.h"
#include "models/sm/slot_account.h"
#include "platform/accesses/results_latency.h"

namespace numavp {
namespace {

ordered_json count(const char* doc) { return {{"type", "integer"}, {"minimum", 0}, {"description", doc}}; }
ordered_json text(const char* doc) { return {{"type", "string"}, {"description", doc}}; }

/// An object that has exactly these members, all of them.
ordered_json object(ordered_json properties, const char* doc) {
    ordered_json required = ordered_json::array();
    for (const auto& [name, ignored] : properties.items()) required.push_back(name);
    return {{"type", "object"},
            {"description", doc},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

ordered_json map_of(ordered_json values, const char* doc) {
    return {{"type", "object"}, {"description", doc}, {"additionalProperties", std::move(values)}};
}

ordered_json list_of(ordered_json items, const char* doc) {
    return {{"type", "array"}, {"description", doc}, {"items", std::move(items)}};
}

ordered_json workload_part() {
    ordered_json part = object(
        {{"name", text("Name of the workload.")},
         {"description", text("One sentence on the workload.")},
         {"seed",
          {{"type", {"integer", "null"}}, {"minimum", 0}, {"description", "Seed of the workload; null for traces."}}},
         {"scale", {{"type", "number"}, {"exclusiveMinimum", 0}, {"description", "Factor on the problem size."}}},
         {"footprint_bytes", count("Declared memory; 0 for traces.")},
         {"launches", count("Commands of the host: kernels, copies and its own work.")},
         {"blocks", count("Thread blocks of all kernels.")}},
        "The workload as it was run.");
    part["properties"]["kernels"] = {{"type", "string"},
                                     {"pattern", "^[1-9][0-9]*\\.\\.[1-9][0-9]*$"},
                                     {"description", "Launches of kernels that were run, if not all."}};
    return part;
}

ordered_json units_part() {
    return map_of(object({{"kind", {{"enum", {"counter", "value", "histogram"}}}},
                          {"unit", text("Unit; empty for a ratio.")},
                          {"doc", text("Description of the statistic.")}},
                         "Meaning of a statistic."),
                  "Meanings by the statistic's path, with * for the index of a socket, slice or channel.");
}

ordered_json ratios_part() {
    const auto paths = [](const char* doc) {
        return list_of(text("Path below an owner; that of -path is subtracted."), doc);
    };
    ordered_json ratio =
        object({{"name", text("Path below the owner.")},
                {"owners", list_of(text("Path of a group of statistics."), "Groups that have the ratio.")},
                {"part", paths("Statistics that are added up.")},
                {"whole", paths("Statistics whose sum divides; empty: time does.")},
                {"per", {{"enum", {"whole", "ns", "cycle"}}}},
                {"factor", {{"type", "number"}, {"description", "Factor of the quotient."}}},
                {"unit", text("Unit; empty for a share.")},
                {"doc", text("Description of the ratio.")}},
               "Sum of the part over that of the whole, times the factor.");
    ratio["properties"]["part_columns"] = paths("Columns of the series instead of `part`.");
    ratio["properties"]["whole_columns"] = paths("Columns of the series instead of `whole`.");
    return map_of(std::move(ratio), "Shares and rates of statistics, by name with * for an owner's index.");
}

ordered_json series_part() {
    ordered_json column =
        object({{"kind", {{"enum", {"level", "increase"}}}},
                {"unit", text("Unit of the values.")},
                {"doc", text("Description of the column.")},
                {"values", list_of(count("A value of the column."), "Values, one for each of `cycles`.")}},
               "A level at the end of each interval, or an increase within it.");
    ordered_json mark = object({{"cycle", count("Cycle of the launch.")}, {"name", text("Name of the kernel.")}},
                               "Launch of a kernel.");
    return object(
        {{"interval_cycles", {{"type", "integer"}, {"minimum", 1}, {"description", "Cycles between two samples."}}},
         {"cycles", list_of(count("End of an interval."), "Ends of the intervals; the last may be shorter.")},
         {"columns", map_of(std::move(column), "Columns by name.")},
         {"marks", list_of(std::move(mark), "Kernel launches.")}},
        "Time series of the run.");
}

ordered_json kernels_part() {
    const auto cell = [](const char* type, const char* doc) {
        return ordered_json{{"type", {type, "null"}}, {"description", doc}};
    };
    const auto cycles = [&](const char* doc) { return list_of(cell("integer", "Cycle, for rows of kernels."), doc); };
    ordered_json rows = object(
        {{"kind", list_of({{"enum", {"kernel", "folded", "overlap", "outside"}}}, "Kind of the row.")},
         {"name", list_of(text("Name of the kernel, or words for the kind of row."), "Names of the rows.")},
         {"launch", list_of(cell("integer", "Number from 1, for rows of kernels."),
                            "Number of the launch among the launches of kernels.")},
         {"launches", list_of(count("Number of launches."), "Number of launches that the row covers.")},
         {"of", list_of(cell("string", "Numbers, with + between."), "Launches that ran in the time of the row.")},
         {"streams", list_of(cell("string", "Numbers, with + between."), "Streams of these launches.")},
         {"launched", cycles("Cycle of the launch's command.")},
         {"started", cycles("Cycle of the first block's start.")},
         {"ended", cycles("Cycle of the last answer.")},
         {"flushed", cycles("Cycle from which caches are coherent.")},
         {"cycles", list_of(count("Number of cycles."), "Time of the row; all of them sum to the run's.")}},
        "Kinds, names and times of the rows, a list a column.");
    return object(
        {{"rows", std::move(rows)},
         {"counters", map_of(list_of(count("Share of the row."), "Shares of the rows, which sum to the statistic."),
                             "Counters by path.")},
         {"values", map_of(list_of({{"type", {"number", "null"}}}, "Values of the rows, which need not sum."),
                           "Values by path.")}},
        "Statistics by kernel: a list a column, an element a row.");
}

ordered_json slots_part() {
    ordered_json causes = ordered_json::object(),
                 socket = {{"schedulers", count("Schedulers of all SMs of the socket.")},
                           {"cycles", count("Cycles of the SMs' clock.")}};
    for (const auto& cause : kSlotCauses) {
        causes[std::string(cause.name)] = text("Description of the cause.");
        socket[std::string(cause.name)] = count(cause.doc.data());
    }
    socket["warp_cycles"] = count("Resident warps, summed over cycles.");
    socket["last_warp_cycle"] = count("Cycle in which the last warp of the socket ended.");
    ordered_json series = series_part();
    series["properties"].erase("marks");
    series["required"].erase(series["required"].size() - 1);
    return object({{"causes", object(causes, "Causes in the order in which they are tested.")},
                   {"sockets", list_of(object(socket, "Slots of a socket; they sum to schedulers times cycles."),
                                       "Slots by socket, a member for each.")},
                   {"series", std::move(series)}},
                  "Issue slots of the schedulers by cause.");
}

ordered_json driver_part() {
    const ordered_json digest = {
        {"type", "string"}, {"pattern", "^[0-9a-f]{16}$"}, {"description", "Digest by FNV-1a, 64 bits."}};
    return object({{"page_table_digest", digest},
                   {"homes_digest", digest},
                   {"device_writes", count("Writes to devices and to memory.")},
                   {"device_write_digest", digest},
                   {"console", text("Text that the driver has printed.")}},
                  "Results of the driver; docs/use/FIRMWARE.md has what each digest covers.");
}

ordered_json definitions() {
    const ordered_json number = {{"type", {"number", "null"}}};
    ordered_json alternatives = ordered_json::array();
    alternatives.push_back(number);
    alternatives.push_back({{"$ref", "#/$defs/group"}});
    ordered_json group = map_of({{"anyOf", std::move(alternatives)}}, "Statistics and groups of them, by name.");
    group["propertyNames"] = {{"pattern", "^[a-z][a-z0-9_]*$"}};
    return {{"group", std::move(group)}};
}

/// Every field must be there that a dump of defaults has: what is written is the resolved configuration.
void require_all(ordered_json& schema, const ordered_json& dump) {
    if (!schema.contains("properties")) return;
    schema["required"] = ordered_json::array();
    for (auto& [name, property] : schema["properties"].items()) {
        const auto dumped = dump.find(name);
        if (dumped != dump.end()) schema["required"].push_back(name);
        require_all(property, dumped == dump.end() ? ordered_json() : *dumped);
    }
}

} // namespace

ordered_json results_schema() {
    SystemConfig defaults;
    ordered_json configuration = schema_of_object(defaults);
    require_all(configuration, dump_config(defaults));
    ordered_json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "numavp results";
    schema.update(
        object({{"format", {{"const", kResultsFormat}, {"description", "Version of this format."}}},
                {"configuration", std::move(configuration)},
                {"workload", workload_part()},
                {"seed", {{"type", {"integer", "null"}}, {"minimum", 0}, {"description", "Seed of the workload."}}},
                {"cycles", count("Simulated cycles, to the end of the last kernel.")},
                {"time_ns", {{"type", "number"}, {"minimum", 0}, {"description", "Simulated time in nanoseconds."}}},
                {"statistics", {{"$ref", "#/$defs/group"}}},
                {"units", units_part()},
                {"series", series_part()}},
               "Results of one run; docs/use/RESULTS.md explains them."));
    schema["properties"]["ratios"] = ratios_part();                   // earlier versions wrote none
    schema["properties"]["driver"] = driver_part();                   // of systems with one
    schema["properties"]["kernels"] = kernels_part();                 // earlier versions wrote none
    schema["properties"]["slots"] = slots_part();                     // of versions since they are counted
    schema["properties"]["access_latency"] = access_latency_schema(); // earlier versions of this format lack it
    schema["$defs"] = definitions();
    return schema;
}

} // namespace numavp

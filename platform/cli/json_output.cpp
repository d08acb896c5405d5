#include "platform/cli/json_output.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "platform/live/live_state.h"
#include "platform/live/live_study_state.h"

namespace numavp {
namespace {

constexpr std::string_view kRunShape = R"({"system": "text", "workload": "text", "scale": "number", "seed": "count?",
    "cycles": "count", "time_ns": "number", "kernels": "count", "blocks": "count", "warp_instructions": "count", "ipc": "number?",
    "transactions_issued": "count", "transactions_completed": "count", "link_energy_pj": "number?",
    "load_latency": {"*": {"loads": "count", "mean_ns": "number?", "p50_ns": "any", "p99_ns": "any",
                           "parts_ns": {"*": "number"}, "translation_ns": "number?"}},
    "copies?": {"*": "any"}, "faults?": {"*": "any"}, "host?": {"*": "any"}, "energy?": {"*": "any"},
    "network?": {"*": "any"}, "translation?": [{"*": "any"}], "driver?": {"*": "any"}, "streams?": [{"*": "any"}],
    "sockets": [{"part?": "text", "ratios": {"*": "number?"}, "*": "number?"}],
    "slots?": [{"ipc": "number?", "warps": "number?", "last_warp_ns": "number?", "shares": {"*": "number?"}}],
    "ratios": {"*": "number?"}, "caveats": [{"*": "any"}],
    "verdict": {"words": "text", "limit": "any", "times": [{"cause": "text?", "part": "text?", "cycles": "number",
                    "share": "number", "figure": "number?", "of": "text"}],
                "kernels": [{"name": "text", "side_by_side": "boolean", "launches": "count", "cycles": "count",
                    "words": "text", "limit": "any", "times": [{"*": "any"}],
                    "uses": [{"kind": "text", "part": "text", "use": "number"}]}],
                "bounds": {"*": "number"}},
    "roofline?": {"ceilings": {"instructions_per_s": "number", "tensor": [{"data": "text", "ops_per_s": "number"}],
                               "levels": [{"level": "text", "bytes_per_s": "number"}]},
                  "run": {"launches": "count", "cycles": "count", "levels": [{"level": "text", "*": "number?"}],
                          "*": "number?"},
                  "kernels": [{"name": "text", "side_by_side": "boolean", "launches": "count", "cycles": "count",
                               "levels": [{"level": "text", "*": "number?"}], "*": "number?"}]},
    "wall_seconds": "number", "results": "text"})";

constexpr std::string_view kBranchShape = R"({"kernel": "count",
    "branches": [{"changes": ["text"], "status": "count", "fault?": "text",
                  "run?": {"system": "text", "workload": "text", "cycles": "count", "time_ns": "number",
                           "wall_seconds": "number", "results": "text", "report?": "text", "*": "any"}}]})";

constexpr std::string_view kExplainShape = R"({"system": "text", "configuration": {"*": "any"},
    "parts": [{"path": "text", "count": "count", "what": "text"}], "own?": [{"*": "any"}],
    "paths": [{"what": "text", "count": "count", "gbps": "number", "latency_cycles": "count",
               "between_routers?": "boolean"}],
    "network?": {"*": "any"}})";

constexpr std::string_view kNetworkShape = R"({"network": "text", "traffic": "text", "packet_bytes": "count",
    "packet_flits": "count", "requests": "boolean", "idle_latency_cycles": "number", "saturation_rate?": "number",
    "points": [{"injection_rate": "number", "status": "text", "latency_cycles?": "number",
                "request_latency_cycles?": "number", "reply_latency_cycles?": "number", "accepted_rate": "number",
                "hops": "number", "precision": "number", "packets": "count"}]})";

constexpr std::string_view kMemoryShape = R"({"device": "text", "reads": "count", "writes": "count", "*": "number?"})";

constexpr std::string_view kSharingShape = R"({"workload": "text", "scale": "number", "sms": "count", "split": "text",
    "page_bytes": "count", "thread_instructions_limit": "count", "thread_instructions": "count", "whole": "boolean",
    "launches": "count", "launches_in_all": "count", "footprint_bytes": "count", "*": "count"})";

constexpr std::string_view kReplayShape =
    R"({"execution": "text", "policy": "text", "faults": "count", "merged": "count",
    "waited_for_room": "count", "pages": "count", "time_ns": "number", "page_table_digest": "text",
    "homes_digest": "text", "device_writes": "count", "device_write_digest": "text", "instructions": "count",
    "bus_accesses": "count", "fault_latency_ps": {"mean": "number?", "p50": "number", "p99": "number",
        "max": "number", "parts": {"*": "number?"}}, "console": "text"})";

constexpr std::string_view kImportShape = R"({"name": "text", "parts": [{"type": "text", "name": "text", "*": "any"}],
    "links": [{"type": "text", "from": "text", "to": "text", "gbytes_per_s": "number", "lanes": "count?",
               "generation": "count?"}],
    "nodes": [{"id": "count", "part": "text", "memory_bytes": "count", "cpus": "text"}],
    "paths": [{"from": "text", "to": "text", "parts": ["text"], "gbytes_per_s": "number"}], "assumed": ["text"]})";

constexpr std::string_view kCharacterizeShape = R"({"system": "text", "calibrated": "boolean", "assumed": ["text"],
    "without_pairs": ["text"],
    "gpu_pairs": [{"src": "text", "dst": "text", "gbytes_per_s": "number", "latency_ns": "number",
                   "by_cpu": "boolean"}],
    "series": [{"benchmark": "text", "exec_numa": "text", "src": "text", "dst": "text", "points": [["number"]]}],
    "findings": [{"table": "text", "transfers": "text", "verdict": "text", "value": "number?"}],
    "comparison?": [{"*": "any"}]})";

constexpr std::string_view kCharacterizeGpuShape = R"({"system": "text",
    "latency?": [{"bytes": "count", "cycles": "number", "ns": "number", "measured_cycles?": "number"}],
    "bandwidth?": [{"bytes": "count", "gbytes_per_s": "number"}]})";

constexpr std::string_view kCompareShape = R"({"runs": [{"name": "text", "system": "text", "workload": "text"}],
    "settings": [{"path": "text", "values": ["any"]}], "headline": [{"*": "any"}], "slots": [{"*": "any"}],
    "access_latency": [{"*": "any"}], "statistics": [{"*": "any"}], "same": "count",
    "attribution": [{"run": "count", "unit": "text", "before": "number", "after": "number", "difference": "number",
        "causes": [{"cause": "text", "doc": "text", "before": "number", "after": "number", "difference": "number"}],
        "kernels": [{"name": "text", "before": "number", "after": "number", "difference": "number",
                     "causes": [{"*": "any"}]}], "*": "any"}],
    "kernels": [{"launch": "count?", "name": "text", "kind": "text", "most": "any", "numbers": [{"*": "any"}]}]})";

constexpr std::string_view kCorrelateShape = R"({"measurements": "text", "system": "text", "launch": "text?",
    "unit": "text", "within_10_percent": "count", "within_20_percent": "count", "mean_error": "number",
    "geometric_mean": "number", "correlation": "number?",
    "kernels": [{"name": "text", "measured": "number", "simulated": "number", "ratio": "number",
                 "measured_instructions": "number?", "simulated_instructions": "number?",
                 "measured_bytes": "number?", "simulated_bytes": "number?"}]})";

constexpr std::string_view kPredictShape = R"({"graph": "text", "system": "text", "calibrated": "boolean",
    "assumed": ["text"], "simulated_ns": "number", "closed_form_ns": "number", "path_ns": "number",
    "load_ns": "number", "turn_ns": "number", "loaded": "text", "critical_path": ["text"], "longest_path": ["text"],
    "steps": [{"name": "text", "kind": "text", "where": "text", "units": ["text"], "start_ns": "number",
               "end_ns": "number", "alone_ns": "number", "time": "text", "after": "text",
               "reason": "text", "*": "any"}],
    "links": [{"link": "text", "bytes": "number", "busy_ns": "number", "use": "number"}], "*": "any"})";

constexpr std::string_view kWhatIfShape = R"({"graph": "text", "budget_lanes?": "number",
    "changes": [{"change": "text", "system": "text", "simulated_ns": "number", "closed_form_ns": "number", "*": "any"}]})";

constexpr std::string_view kStudyRunShape = R"({"points": "count", "done": "count", "failed": "count", "ran": "count",
    "beginnings": "count", "shared": "count", "wall_s": "number", "busy_s": "number", "results": "text"})";

constexpr std::string_view kStudyStatusShape = R"({"points": "count", "done": "count", "failed": "count",
    "missing": "count", "version": "text", "others": "count", "other_scales": ["text"],
    "figures": {"*": {"points": "count", "done": "count", "failed": "count", "missing": "count", "scale": "number",
                      "waiting": "boolean", "workloads": ["text"], "left_out": ["text"], "undecided": ["text"]}},
    "failures": [{"system": "text", "workload": "text", "message": "text"}]})";

constexpr std::string_view kStudyShowShape = R"([{"figure": "text", "name": "text", "section": "text", "metric": "text",
    "configuration": "text", "over": "text", "mean": "text", "workload": "text", "workloads": "count", "unit": "text",
    "scale": "number", "kind": "text", "paper": "number?", "above": "number?", "below": "number?",
    "measured": "number?", "difference": "number?", "verdict": "text", "reason": "text", "says": "text",
    "seeds": "count", "least": "number?", "most": "number?"}])";

constexpr std::string_view kListShape = R"([{"description": "text", "*": "any"}])";

ordered_json schema_of_word(std::string word) {
    const bool nullable = !word.empty() && word.back() == '?';
    if (nullable) word.pop_back();
    if (word == "any") return ordered_json::object();
    ordered_json schema = {{"type", word == "text" ? "string" : word == "count" ? "integer" : word}};
    if (word == "count") schema["minimum"] = 0;
    if (nullable) schema["type"] = {schema["type"], "null"};
    return schema;
}

ordered_json schema_of_members(const ordered_json& shape) {
    ordered_json schema = {{"type", "object"},
                           {"properties", ordered_json::object()},
                           {"required", ordered_json::array()},
                           {"additionalProperties", true}};
    for (const auto& [member, value] : shape.items()) {
        if (member == "*") {
            schema["additionalProperties"] = schema_of_shape(value);
            continue;
        }
        const bool optional = member.back() == '?';
        const std::string name = optional ? member.substr(0, member.size() - 1) : member;
        schema["properties"][name] = schema_of_shape(value);
        if (!optional) schema["required"].push_back(name);
    }
    return schema;
}

} // namespace

const std::vector<JsonOutput>& json_outputs() {
    static const std::vector<JsonOutput> outputs = {
        {"run", "run --json", 1, kRunShape},
        {"attach", "attach --json", kLiveStateFormat, kLiveStateShape},
        {"attach-study", "attach --json of a study", kLiveStudyFormat, kLiveStudyShape},
        {"branch", "branch --json", 1, kBranchShape},
        {"compare", "compare --json", 1, kCompareShape},
        {"correlate", "correlate --json", 1, kCorrelateShape},
        {"study-run", "study run --json", 1, kStudyRunShape},
        {"study-status", "study status --json", 1, kStudyStatusShape},
        {"study-show", "study show --json", 1, kStudyShowShape},
        {"explain", "explain --json", 1, kExplainShape},
        {"list", "list --json", 1, kListShape},
        {"sharing", "check --sharing --json", 1, kSharingShape},
        {"network", "network --json", 1, kNetworkShape},
        {"memory", "memory --json", 1, kMemoryShape},
        {"import", "import --json", 1, kImportShape},
        {"characterize", "characterize --json", 1, kCharacterizeShape},
        {"characterize-gpu", "characterize --latency --json and --bandwidth --json", 1, kCharacterizeGpuShape},
        {"predict", "predict --json", 1, kPredictShape},
        {"what-if", "what-if --json", 1, kWhatIfShape},
        {"replay-faults", "replay-faults --json", 1, kReplayShape}};
    return outputs;
}

const JsonOutput* find_json_output(std::string_view name) {
    const auto& all = json_outputs();
    const auto found = std::find_if(all.begin(), all.end(), [&](const JsonOutput& one) { return one.name == name; });
    return found == all.end() ? nullptr : &*found;
}

ordered_json with_format(std::string_view name, const ordered_json& value) {
    const JsonOutput* const output = find_json_output(name);
    if (output == nullptr) throw ModelError(fmt::format("no --json output is called '{}'", name));
    ordered_json out = {{"format", output->format}};
    out.update(value);
    return out;
}

std::string json_line(std::string_view name, const ordered_json& value) {
    return with_format(name, value).dump() + "\n";
}

ordered_json schema_of_shape(const ordered_json& shape) {
    if (shape.is_string()) return schema_of_word(shape.get<std::string>());
    if (shape.is_array()) return {{"type", "array"}, {"items", schema_of_shape(shape.at(0))}};
    return schema_of_members(shape);
}

ordered_json json_output_schema(const JsonOutput& output) {
    ordered_json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                           {"title", fmt::format("numavp {}", output.command)}};
    const ordered_json shape = ordered_json::parse(output.shape);
    ordered_json body = schema_of_shape(shape);
    if (shape.is_object()) {
        body["properties"]["format"] = {{"const", output.format}};
        body["required"].insert(body["required"].begin(), "format");
    } else {
        schema["x-format"] = output.format;
    }
    schema.update(body);
    return schema;
}

} // namespace numavp

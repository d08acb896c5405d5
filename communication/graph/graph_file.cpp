#include "communication/graph/graph_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/config/large_config.h"

namespace numavp {

void read_object(AppNames& field, const json& value, const Place& place) {
    if (!value.is_array()) throw ConfigError(place, "this is not a list; a list of names of values is expected");
    field.names.clear();
    for (const json& name : value) {
        if (!name.is_string())
            throw ConfigError(place.at(field.names.size()), "this is not a name; the name of a value is expected");
        field.names.push_back(name.get<std::string>());
    }
}

ordered_json dump_object(AppNames& field) { return field.names; }
ordered_json schema_of_object(AppNames& /*field*/) { return {{"type", "array"}, {"items", {{"type", "string"}}}}; }

ordered_json graph_schema() { return file_schema_of<AppGraphFile>("numavp application graph"); }

namespace {

/// Puts the parts of a file together, in the order in which a reader would look for faults.
class GraphMaker {
  public:
    GraphMaker(const AppGraphFile& file, const Place& place) : file_(file), place_(place) {
        graph_.name = file.name;
        graph_.description = file.description;
    }
    AppGraph make() {
        for (std::size_t v = 0; v < file_.values.size(); ++v) add_value(file_.values[v], place_.at("values").at(v));
        if (file_.steps.empty())
            throw ConfigError(place_.at("steps"), "there are no steps; one or more copies or kernels are expected");
        for (std::size_t s = 0; s < file_.steps.size(); ++s) add_step(file_.steps[s], place_.at("steps").at(s));
        for (std::size_t s = 0; s < file_.steps.size(); ++s) add_events(s);
        check_sources();
        check_cycles();
        return std::move(graph_);
    }

  private:
    static AppPlace place_of(const std::string& text, const Place& at) {
        AppPlace found;
        if (parse_place(text, found)) return found;
        if (text.empty()) throw ConfigError(at, "it is missing; a place such as cpu0 or gpu3 is expected");
        throw ConfigError(at, fmt::format("'{}' is no place; cpu0, gpu0 and so on are allowed", quotable(text)));
    }
    static void check_name(const std::string& name, const std::map<std::string, unsigned>& known, const char* what,
                           const Place& at) {
        if (name.empty()) throw ConfigError(at, fmt::format("it is missing; the name of the {} is expected", what));
        if (known.count(name) != 0)
            throw ConfigError(
                at, fmt::format("the {} '{}' is there twice; one of a name is allowed", what, quotable(name)));
    }
    void add_value(const AppValueFile& value, const Place& at) {
        check_name(value.name, values_, "value", at.at("name"));
        if (value.bytes == 0) throw ConfigError(at.at("bytes"), "it is missing; 1 B or more are expected");
        values_.emplace(value.name, static_cast<unsigned>(graph_.values.size()));
        graph_.values.push_back({value.name, place_of(value.place, at.at("place")), value.bytes, value.memory,
                                 value.given, advice_of(value.advice, at.at("advice"))});
        if (!moves(value.memory) && !graph_.values.back().advice.empty())
            throw ConfigError(at.at("advice"), fmt::format("'{}' is not in unified memory; memory managed or "
                                                           "prefetched is expected of what has advice",
                                                           quotable(value.name)));
        writer_.push_back(AppGraph::kNone);
    }
    static AppAdvice advice_of(const AppAdviceFile& advice, const Place& at) {
        AppAdvice made;
        made.read_mostly = advice.read_mostly;
        if (!advice.preferred.empty()) made.preferred = place_of(advice.preferred, at.at("preferred"));
        for (const std::string& place : advice.accessed_by.names)
            made.accessed_by.push_back(place_of(place, at.at("accessed_by").at(made.accessed_by.size())));
        return made;
    }
    std::vector<unsigned> values_of(const AppNames& names, const Place& at) const {
        std::vector<unsigned> found;
        for (std::size_t n = 0; n < names.names.size(); ++n) {
            const auto known = values_.find(names.names[n]);
            if (known == values_.end()) {
                std::vector<std::string_view> all;
                for (const AppValue& value : graph_.values) all.push_back(value.name);
                throw ConfigError(at.at(n), unknown_name("value", names.names[n], all));
            }
            found.push_back(known->second);
        }
        return found;
    }
    void add_step(const AppStepFile& step, const Place& at) {
        check_name(step.name, steps_, "step", at.at("name"));
        AppStep made;
        made.name = step.name;
        made.kind = step.kind;
        made.kernel = step.kernel;
        made.stream = step.stream;
        if (!step.kernel.empty() && step.kind != AppStepKind::kernel)
            throw ConfigError(at.at("kernel"), fmt::format("only a kernel has it, and this step is a {}",
                                                           kAppStepKinds.name(step.kind)));
        made.reads = values_of(step.reads, at.at("reads"));
        made.writes = values_of(step.writes, at.at("writes"));
        if (step.kind == AppStepKind::copy)
            check_copy(step, made, at);
        else
            add_compute(step, made, at);
        const auto number = static_cast<unsigned>(graph_.steps.size());
        for (std::size_t w = 0; w < made.writes.size(); ++w) write(made.writes[w], number, at.at("writes").at(w));
        steps_.emplace(step.name, number);
        graph_.steps.push_back(std::move(made));
    }
    void write(unsigned value, unsigned step, const Place& at) {
        const std::string name = quotable(graph_.values[value].name);
        if (graph_.values[value].given)
            throw ConfigError(
                at, fmt::format("'{}' is there before the graph begins; a step writes a value of its own", name));
        if (writer_[value] != AppGraph::kNone)
            throw ConfigError(at, fmt::format("'{}' is written twice; each value is written once", name));
        writer_[value] = step;
    }
    void check_copy(const AppStepFile& step, const AppStep& made, const Place& at) const {
        for (const auto& [names, member] : {std::pair{&made.reads, "reads"}, std::pair{&made.writes, "writes"}})
            if (names->size() != 1)
                throw ConfigError(at.at(member), fmt::format("a copy names one value here, not {}; what it reads, and "
                                                             "what it writes, are expected",
                                                             names->size()));
        if (!step.place.empty() || step.time_us >= 0 || step.gbytes_per_s > 0 || !step.time_on.empty())
            throw ConfigError(at, "a copy has a place or a time of its own; both follow from its values and the "
                                  "machine, and from and to are allowed");
        const AppValue& read = graph_.values[made.reads[0]];
        const AppValue& written = graph_.values[made.writes[0]];
        check_end(step.from, read, at.at("from"));
        check_end(step.to, written, at.at("to"));
        if (read.bytes != written.bytes)
            throw ConfigError(at, fmt::format("it copies '{}' of {} B to '{}' of {} B; equal sizes are expected",
                                              quotable(read.name), read.bytes, quotable(written.name), written.bytes));
    }
    static void check_end(const std::string& said, const AppValue& value, const Place& at) {
        if (!said.empty() && place_of(said, at) != value.place)
            throw ConfigError(
                at, fmt::format("'{}' is not on {}; it lies on {}", quotable(value.name), said, value.place.name()));
    }
    void add_compute(const AppStepFile& step, AppStep& made, const Place& at) const {
        if (!step.from.empty() || !step.to.empty())
            throw ConfigError(at.at(step.from.empty() ? "to" : "from"), "only a copy has it; place is expected");
        made.place = place_of(step.place, at.at("place"));
        const bool kernel = step.kind == AppStepKind::kernel;
        if (made.place.gpu != kernel)
            throw ConfigError(at.at("place"),
                              fmt::format("a {} is on {}; a {} is expected", kernel ? "kernel" : "host step",
                                          step.place, kernel ? "GPU" : "CPU"));
        made.time = time_of(step.time_us, step.gbytes_per_s, at);
        for (std::size_t t = 0; t < step.time_on.size(); ++t) {
            const AppTimeFile& own = step.time_on[t];
            const Place here = at.at("time_on").at(t);
            made.time_on.push_back(
                {place_of(own.place, here.at("place")), time_of(own.time_us, own.gbytes_per_s, here)});
        }
        check_values_are_there(made.reads, made.place, true, at.at("reads"));
        check_values_are_there(made.writes, made.place, false, at.at("writes"));
    }
    static AppTime time_of(double time_us, double gbytes_per_s, const Place& at) {
        if ((time_us >= 0) == (gbytes_per_s > 0))
            throw ConfigError(at, "one of time_us and gbytes_per_s is expected of what computes");
        return {time_us, gbytes_per_s};
    }
    /// Values must lie at the place of the step; unified memory moves to its reader.
    void check_values_are_there(const std::vector<unsigned>& values, AppPlace there, bool read, const Place& at) const {
        for (std::size_t v = 0; v < values.size(); ++v) {
            const AppValue& value = graph_.values[values[v]];
            if (value.place != there && !(read && moves(value.memory)))
                throw ConfigError(at.at(v),
                                  fmt::format("'{}' is on {}, the step on {}; a copy between them is expected",
                                              quotable(value.name), value.place.name(), there.name()));
        }
    }
    /// Once all steps are known: an event may be of a step that stands later.
    void add_events(std::size_t step) {
        const std::vector<std::string>& names = file_.steps[step].after.names;
        for (std::size_t n = 0; n < names.size(); ++n) {
            const auto known = steps_.find(names[n]);
            if (known == steps_.end()) {
                std::vector<std::string_view> all;
                for (const AppStep& each : graph_.steps) all.push_back(each.name);
                throw ConfigError(place_.at("steps").at(step).at("after").at(n), unknown_name("step", names[n], all));
            }
            graph_.steps[step].after.push_back(known->second);
        }
    }
    /// All that is read was there, or is written by a step.
    void check_sources() const {
        for (std::size_t s = 0; s < graph_.steps.size(); ++s)
            for (std::size_t r = 0; r < graph_.steps[s].reads.size(); ++r) {
                const unsigned value = graph_.steps[s].reads[r];
                if (graph_.values[value].given || writer_[value] != AppGraph::kNone) continue;
                throw ConfigError(
                    place_.at("steps").at(s).at("reads").at(r),
                    fmt::format("nothing writes '{}', and it is not given; a value that is there is expected",
                                quotable(graph_.values[value].name)));
            }
    }
    void check_cycles() const {
        const std::vector<unsigned> order = graph_.order();
        if (order.size() == graph_.steps.size()) return;
        std::vector<bool> runs(graph_.steps.size(), false);
        for (const unsigned step : order) runs[step] = true;
        // Each step that never runs waits for one such step: following that leads into a cycle.
        const std::vector<std::vector<unsigned>> waits = graph_.waits_for();
        const auto never = [&runs](unsigned step) { return !runs[step]; };
        const auto stuck = static_cast<unsigned>(std::find(runs.begin(), runs.end(), false) - runs.begin());
        std::vector<unsigned> way;
        unsigned step = stuck;
        while (std::find(way.begin(), way.end(), step) == way.end()) {
            way.push_back(step);
            step = *std::find_if(waits[step].begin(), waits[step].end(), never);
        }
        std::string names;
        for (auto at = std::find(way.begin(), way.end(), step); at != way.end(); ++at)
            names += (names.empty() ? "'" : ", '") + quotable(graph_.steps[*at].name) + "'";
        throw ConfigError(
            place_.at("steps").at(step),
            fmt::format("it waits for itself, by way of {}; values, streams and events without a cycle are expected",
                        names));
    }

    const AppGraphFile& file_;
    Place place_;
    AppGraph graph_;
    std::map<std::string, unsigned> values_, steps_;
    std::vector<unsigned> writer_;
};

} // namespace

AppGraph make_graph(const AppGraphFile& file, const Place& place) { return GraphMaker(file, place).make(); }

AppGraph load_graph(const std::string& path) {
    const ConfigDocument document = load_large_document(path, kMostGraphBytes);
    AppGraph graph = make_graph(read_config<AppGraphFile>(document), document.place());
    if (graph.name.empty()) graph.name = std::filesystem::path(path).stem().string();
    return graph;
}

namespace {
ordered_json advice_json(const AppAdvice& advice) {
    ordered_json made = ordered_json::object();
    if (advice.read_mostly) made["read_mostly"] = true;
    if (advice.preferred) made["preferred"] = advice.preferred->name();
    for (const AppPlace& place : advice.accessed_by) made["accessed_by"].push_back(place.name());
    return made;
}

ordered_json value_json(const AppValue& value) {
    ordered_json made{{"name", value.name}, {"place", value.place.name()}, {"bytes", value.bytes}};
    if (!value.place.gpu || moves(value.memory)) made["memory"] = kHostMemories.name(value.memory);
    if (value.given) made["given"] = true;
    if (!value.advice.empty()) made["advice"] = advice_json(value.advice);
    return made;
}

void add_time(ordered_json& made, const AppTime& time) {
    if (time.time_us >= 0)
        made["time_us"] = time.time_us;
    else
        made["gbytes_per_s"] = time.gbytes_per_s;
}

ordered_json step_json(const AppGraph& graph, const AppStep& step) {
    ordered_json made{{"name", step.name}, {"kind", kAppStepKinds.name(step.kind)}};
    if (step.kind != AppStepKind::copy) made["place"] = step.place.name();
    made["reads"] = made["writes"] = ordered_json::array();
    for (const unsigned value : step.reads) made["reads"].push_back(graph.values[value].name);
    for (const unsigned value : step.writes) made["writes"].push_back(graph.values[value].name);
    for (const unsigned before : step.after) made["after"].push_back(graph.steps[before].name);
    if (!step.kernel.empty()) made["kernel"] = step.kernel;
    if (!step.stream.empty()) made["stream"] = step.stream;
    if (step.kind == AppStepKind::copy) return made;
    add_time(made, step.time);
    for (const AppTimeOn& own : step.time_on) {
        ordered_json on{{"place", own.place.name()}};
        add_time(on, own.time);
        made["time_on"].push_back(std::move(on));
    }
    return made;
}
} // namespace

ordered_json graph_json(const AppGraph& graph) {
    ordered_json made{{"name", graph.name},
                      {"description", graph.description},
                      {"values", ordered_json::array()},
                      {"steps", ordered_json::array()}};
    for (const AppValue& value : graph.values) made["values"].push_back(value_json(value));
    for (const AppStep& step : graph.steps) made["steps"].push_back(step_json(graph, step));
    return made;
}

} // namespace numavp

#include "communication/predict/what_if.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/predict/choose_places.h"
#include "communication/predict/placement.h"

namespace numavp {

namespace {

constexpr const char* kForms =
    "machine=FILE, link.KIND*FACTOR, link.KIND=OTHER, link.KIND=MACHINE:OTHER, format.KIND.CONSTANT=VALUE, "
    "set.PATH=VALUE, calibration.PATH=VALUE, copies=pinned, copies=pageable, faults=prefetch, faults=demand, "
    "advice.VALUE=WORD, "
    "place.KERNEL=gpuN and place=auto are allowed, joined by commas";

bool begins(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

/// Sets `rest` to the text behind `prefix`; false if the text begins otherwise.
bool after_prefix(const std::string& text, std::string_view prefix, std::string& rest) {
    if (!begins(text, prefix)) return false;
    rest = text.substr(prefix.size());
    return true;
}

/// Parts between commas; those within brackets, braces and quotes belong to a value.
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    int depth = 0;
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '[' || c == '{')) ++depth;
        if (!quoted && (c == ']' || c == '}')) --depth;
        if (c == ',' && depth <= 0 && !quoted)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// Links of a kind get more bandwidth, or become those of another kind, maybe another machine's.
struct LinkChange {
    std::string kind;
    double factor = 1;
    std::string machine, other; ///< empty: the machine itself; no other kind
};

std::string unknown_kind(const HostMachine& machine, const std::string& kind) {
    std::set<std::string_view> kinds;
    for (const TransferLink& link : machine.graph().links()) kinds.insert(link.kind);
    return unknown_name("kind of link", kind, {kinds.begin(), kinds.end()});
}

/// A change in its parts.
class Change {
  public:
    Change(const AppGraph& graph, const WhatIfMachine& machine, const std::string& text)
        : text_(text), graph_(graph), places_(places_of(graph)), machine_(machine) {
        if (text.empty()) return;
        for (const std::string& part : parts_of(text)) read(part);
    }
    HostMachine machine() const {
        HostMachine made = loaded();
        for (const LinkChange& change : links_) {
            if (change.other.empty()) {
                if (!made.scale_links(change.kind, change.factor)) fail(unknown_kind(made, change.kind));
                continue;
            }
            const HostLinkKind other = other_kind(made, change);
            if (!made.replace_links(change.kind, other)) fail(unknown_kind(made, change.kind));
        }
        return made;
    }
    /// The graph with its copies and placement; `row` gets what list scheduling moved.
    AppGraph graph(const HostMachine& machine, WhatIfRow& row) const {
        for (const auto& [step, place] : moves_)
            if (place.index >= machine.gpus())
                fail(fmt::format("{} has no {}; gpu0 to gpu{} are allowed", quotable(machine.name()), place.name(),
                                 machine.gpus() - 1));
        if (automatic_ || !moves_.empty()) note_places(row);
        if (automatic_) return scheduled(machine, row);
        return places_ == places_of(graph_) ? graph_ : place_steps(graph_, places_);
    }

  private:
    HostMachine load(const std::vector<std::string>& constants) const {
        if (text_.empty()) return load_host_machine(machine_.name, machine_.set, machine_.calibration);
        try {
            return load_host_machine(machine_.name, machine_.set, machine_.calibration, constants);
        } catch (const ConfigError& error) { // what is set is called as if it stood behind --set: nobody typed that
            std::string what = error.what(), rest;
            fail(after_prefix(what, "--set ", rest) ? rest : what);
        }
    }
    HostMachine loaded() const {
        std::vector<std::string> constants = constants_;
        if (!formats_.empty()) add_formats(constants);
        return load(constants);
    }
    /// Constants of formats by the kind of link, as settings of the calibration's list.
    void add_formats(std::vector<std::string>& constants) const {
        const HostMachine machine = load({});
        const std::vector<CalibrationFormat>& formats = machine.calibration().formats;
        for (const auto& [kind, assignment] : formats_) {
            const auto found = std::find_if(formats.begin(), formats.end(),
                                            [&name = kind](const CalibrationFormat& f) { return f.link == name; });
            if (found == formats.end()) {
                std::vector<std::string_view> kinds;
                for (const CalibrationFormat& format : formats) kinds.push_back(format.link);
                fail(unknown_name("format of a link", kind, kinds));
            }
            constants.push_back(fmt::format("formats[{}].{}", found - formats.begin(), assignment));
        }
    }
    /// Another machine's is called by both names, since the machine itself may have one of that name.
    HostLinkKind other_kind(const HostMachine& machine, const LinkChange& change) const {
        const bool own = change.machine.empty();
        const HostMachine from = own ? machine : load_host_machine(change.machine, {}, "");
        if (const HostLinkKind* found = from.link_kind(change.other)) {
            HostLinkKind kind = *found;
            if (!own) kind.name = change.machine + ":" + kind.name;
            return kind;
        }
        std::vector<std::string_view> names;
        for (const HostLinkKind& kind : from.link_kinds())
            if (!kind.name.empty()) names.push_back(kind.name);
        fail(unknown_name("kind of link", change.other, names));
    }
    /// What a placement takes of the graph, and whose data it does not know.
    void note_places(WhatIfRow& row) const {
        const std::vector<unsigned> leaders = leaders_of(graph_);
        const auto without =
            leaders.size() - static_cast<std::size_t>(std::count(leaders.begin(), leaders.end(), AppGraph::kNone));
        row.assumed.emplace_back("a kernel that moves takes the values along that the graph names, and no other data");
        if (without != 0)
            row.assumed.push_back(
                fmt::format("{} kernels read no value, and the kernel before them in their stream writes "
                            "none: place=auto keeps them together",
                            without));
    }
    /// Kernels where they are fastest; those that have moved go into the row.
    AppGraph scheduled(const HostMachine& machine, WhatIfRow& row) const {
        check_auto(machine);
        const std::vector<AppPlace> places = choose_places(graph_, machine, Place("--change " + quotable(text_)));
        const std::vector<AppPlace> before = places_of(graph_);
        for (std::size_t s = 0; s < places.size(); ++s)
            if (places[s] != before[s]) row.placed.push_back(graph_.steps[s].name + " to " + places[s].name());
        return places == before ? graph_ : place_steps(graph_, places);
    }
    [[noreturn]] void fail(const std::string& why) const { throw ConfigError("--change " + quotable(text_), why); }

    void read(const std::string& part) {
        const std::size_t equals = part.find('=');
        const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
        std::string rest;
        if (after_prefix(part, "link.", rest)) return read_link(rest);
        if (after_prefix(part, "place.", rest)) return read_place(rest);
        if (after_prefix(part, "format.", rest)) return read_format(rest);
        if (after_prefix(part, "calibration.", rest)) {
            constants_.push_back(rest);
        } else if (after_prefix(part, "set.", rest)) {
            machine_.set.push_back(rest);
            ++settings_;
        } else if (begins(part, "machine=") && !value.empty()) {
            if (settings_ + constants_.size() + formats_.size() != 0)
                fail("machine= stands behind settings; before settings of that machine it is expected");
            machine_ = {value, "", {}};
        } else if (begins(part, "copies=")) {
            if (value != "pinned" && value != "pageable") fail(unknown_name("memory", value, {"pageable", "pinned"}));
            const HostMemory memory = value == "pinned" ? HostMemory::pinned : HostMemory::pageable;
            for (AppValue& each : graph_.values)
                if (!moves(each.memory)) each.memory = memory;
        } else if (part == "faults=prefetch" || part == "faults=demand") {
            read_faults(value == "prefetch" ? HostMemory::prefetched : HostMemory::managed);
        } else if (after_prefix(part, "advice.", rest)) {
            read_advice(rest);
        } else if (part == "place=auto") {
            automatic_ = true;
        } else {
            fail(fmt::format("'{}' is no change; {}", quotable(part), kForms));
        }
        if (automatic_ && !moves_.empty()) fail("it has place=auto and places of kernels; one of them is allowed");
    }
    std::vector<AppValue*> unified_values() {
        std::vector<AppValue*> all;
        for (AppValue& each : graph_.values)
            if (moves(each.memory)) all.push_back(&each);
        if (all.empty())
            fail(fmt::format("'{}' has no values in unified memory; memory managed is expected of some",
                             quotable(graph_.name)));
        return all;
    }
    void read_faults(HostMemory memory) {
        for (AppValue* value : unified_values()) value->memory = memory;
    }
    /// VALUE=WORD, of one value or all.
    void read_advice(const std::string& part) {
        const std::size_t equals = part.rfind('=');
        const std::string name = part.substr(0, equals);
        const std::string word = equals == std::string::npos ? "" : part.substr(equals + 1);
        std::vector<std::string_view> names{"*"};
        bool found = false;
        for (AppValue* value : unified_values()) {
            names.push_back(value->name);
            if (name != "*" && name != value->name) continue;
            advise(value->advice, word);
            found = true;
        }
        if (!found) fail(unknown_name("value in unified memory", name, names));
    }
    void advise(AppAdvice& advice, const std::string& word) {
        const std::size_t colon = word.find(':');
        const std::string kind = word.substr(0, colon);
        AppPlace place;
        const bool placed = colon != std::string::npos && parse_place(word.substr(colon + 1), place);
        if (word == "none") {
            advice = {};
        } else if (word == "read_mostly") {
            advice.read_mostly = true;
        } else if (kind == "preferred" && placed) {
            advice.preferred = place;
        } else if (kind == "accessed_by" && placed) {
            advice.accessed_by.push_back(place);
        } else {
            fail(fmt::format("'{}' is no advice; none, read_mostly, preferred:gpuN and accessed_by:gpuN are allowed",
                             quotable(word)));
        }
    }
    void read_format(const std::string& part) {
        const std::size_t dot = part.find('.');
        if (dot == std::string::npos || part.find('=') == std::string::npos)
            fail(fmt::format("'{}' sets nothing; format.KIND.CONSTANT=VALUE is expected", quotable("format." + part)));
        formats_.emplace_back(part.substr(0, dot), part.substr(dot + 1));
    }
    void read_link(const std::string& part) {
        if (const std::size_t equals = part.find('='); equals != std::string::npos) {
            const std::string to = part.substr(equals + 1);
            const std::size_t colon = to.rfind(':');
            LinkChange change{part.substr(0, equals), 1, "", to};
            if (colon != std::string::npos) {
                change.machine = to.substr(0, colon);
                change.other = to.substr(colon + 1);
            }
            if (change.other.empty() || colon == 0)
                fail(fmt::format("'{}' names no kind of link; link.KIND=OTHER or link.KIND=MACHINE:OTHER is expected",
                                 quotable("link." + part)));
            links_.push_back(change);
            return;
        }
        constexpr double kLargestFactor = 1e4;
        const std::size_t times = part.rfind('*');
        const std::string number = times == std::string::npos ? "" : part.substr(times + 1);
        char* end = nullptr;
        const double factor = std::strtod(number.c_str(), &end);
        const bool plain = !number.empty() && number.find_first_not_of("0123456789.e-") == std::string::npos;
        if (!plain || *end != '\0' || !(factor >= 1 / kLargestFactor) || factor > kLargestFactor)
            fail(fmt::format("'{}' has no factor; link.KIND*FACTOR with one from 0.0001 to 10000 is expected",
                             quotable("link." + part)));
        links_.push_back({part.substr(0, times), factor, "", ""});
    }
    void read_place(const std::string& part) {
        const std::size_t equals = part.rfind('=');
        std::string name = part.substr(0, equals);
        if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
        std::vector<std::string_view> kernels;
        unsigned found = AppGraph::kNone;
        for (unsigned s = 0; s < graph_.steps.size(); ++s) {
            if (graph_.steps[s].kind != AppStepKind::kernel) continue;
            kernels.push_back(graph_.steps[s].name);
            if (graph_.steps[s].name == name) found = s;
        }
        if (found == AppGraph::kNone) fail(unknown_name("kernel", name, kernels));
        AppPlace place;
        if (equals == std::string::npos || !parse_place(part.substr(equals + 1), place) || !place.gpu)
            fail(fmt::format("'{}' names no GPU; place.KERNEL=gpu2 is expected", quotable("place." + part)));
        if (automatic_) fail("it has place=auto and places of kernels; one of them is allowed");
        places_[found] = place;
        moves_.emplace_back(found, place);
    }
    /// List scheduling moves kernels alone: where they lie may be none of the machine's, but not other values.
    void check_auto(const HostMachine& machine) const {
        for (const AppStep& step : graph_.steps)
            if (step.kind == AppStepKind::kernel && step.place.index >= machine.gpus())
                fail(fmt::format("'{}' is on {}; {} has gpu0 to gpu{}", quotable(step.name), step.place.name(),
                                 quotable(machine.name()), machine.gpus() - 1));
    }

    std::string text_;
    AppGraph graph_;
    std::vector<AppPlace> places_;
    WhatIfMachine machine_;
    std::vector<LinkChange> links_;
    std::vector<std::string> constants_;                       ///< settings of the calibration
    std::vector<std::pair<std::string, std::string>> formats_; ///< a kind of link, a setting of its format
    std::size_t settings_ = 0;                                 ///< of the machine that this change makes
    std::vector<std::pair<unsigned, AppPlace>> moves_;
    bool automatic_ = false;
};

} // namespace

std::string row_name(const WhatIfRow& row) {
    return row.change.empty() ? "(as it is, on " + row.system + ")" : row.change;
}

WhatIfRow what_if(const AppGraph& graph, const std::string& file, const WhatIfMachine& machine,
                  const std::string& change) {
    WhatIfRow row;
    row.change = change;
    const Change made(graph, machine, change);
    const HostMachine on = made.machine();
    const AppGraph changed = made.graph(on, row);
    const Place place(change.empty() ? file : fmt::format("--change {}: {}", quotable(change), file));
    const JoinedGraph joined = join_graph(changed, on, place);
    const ClosedForm form = closed_form(joined);
    row.system = on.title();
    row.calibrated = on.calibrated();
    for (std::string& sentence : on.assumed()) row.assumed.push_back(std::move(sentence));
    row.lanes = on.lanes();
    const Simulated run = simulate_graph(joined);
    row.simulated_ns = run.ns;
    row.closed_form_ns = form.ns;
    for (const unsigned step : run.critical)
        row.critical.push_back(
            {joined.graph.steps[step].name, where_of(joined, step), run.steps[step].end_ns - run.steps[step].start_ns});
    const std::vector<double> bytes = joined.link_bytes();
    for (unsigned l = 0; l < bytes.size(); ++l)
        if (bytes[l] > 0)
            row.links.push_back({link_name(on, l), on.graph().links()[l].kind, bytes[l], joined.link_ns(l, bytes[l])});
    constexpr double kMore = 1 + 1e-9; // than rounding
    if (form.load_ns > form.path_ns * kMore) row.loaded = form.loaded;
    return row;
}

} // namespace numavp

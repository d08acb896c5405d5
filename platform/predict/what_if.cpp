#include "platform/predict/what_if.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "models/base/error.h"
#include "platform/predict/placement.h"

namespace numavp {

namespace {

constexpr const char* kForms = "machine=FILE, link.KIND*FACTOR, copies=pinned, copies=pageable, place.KERNEL=gpuN and "
                               "place=auto are allowed, joined by commas";

bool begins(const std::string& text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

/// A change in its parts.
class Change {
  public:
    Change(const AppGraph& graph, const WhatIfMachine& machine, const std::string& text)
        : text_(text), graph_(graph), places_(places_of(graph)), machine_(machine) {
        if (text.empty()) return;
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            read(text.substr(at, end - at));
            at = end + 1;
        }
    }
    HostMachine machine() const {
        HostMachine made = load_host_machine(machine_.name, machine_.set, machine_.calibration);
        for (const auto& [kind, factor] : factors_)
            if (!made.scale_links(kind, factor)) {
                std::set<std::string_view> kinds;
                for (const TransferLink& link : made.graph().links()) kinds.insert(link.kind);
                fail(unknown_name("kind of link", kind, {kinds.begin(), kinds.end()}));
            }
        return made;
    }
    /// The graph with its copies and placement; `row` gets what list scheduling moved.
    AppGraph graph(const HostMachine& machine, WhatIfRow& row) const {
        for (const auto& [step, place] : moves_)
            if (place.index >= machine.gpus())
                fail(fmt::format("{} has no {}; gpu0 to gpu{} are allowed", quotable(machine.calibration().name),
                                 place.name(), machine.gpus() - 1));
        if (automatic_) return scheduled(machine, row);
        return places_ == places_of(graph_) ? graph_ : place_steps(graph_, places_);
    }

  private:
    /// As list scheduling has it, if that is faster.
    AppGraph scheduled(const HostMachine& machine, WhatIfRow& row) const {
        check_auto(machine);
        const Place place("--change " + quotable(text_));
        const std::vector<AppPlace> places = schedule_places(graph_, machine);
        AppGraph moved = place_steps(graph_, places);
        if (simulate_graph(join_graph(moved, machine, place)).ns >=
            simulate_graph(join_graph(graph_, machine, place)).ns)
            return graph_;
        for (std::size_t s = 0; s < places.size(); ++s)
            if (places[s] != graph_.steps[s].place)
                row.placed.push_back(graph_.steps[s].name + " to " + places[s].name());
        return moved;
    }
    [[noreturn]] void fail(const std::string& why) const { throw ConfigError("--change " + quotable(text_), why); }

    void read(const std::string& part) {
        const std::size_t equals = part.find('=');
        const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
        if (begins(part, "link.")) return read_link(part.substr(std::string_view("link.").size()));
        if (begins(part, "place.")) return read_place(part.substr(std::string_view("place.").size()));
        if (begins(part, "machine=") && !value.empty()) {
            machine_ = {value, "", {}};
        } else if (begins(part, "copies=")) {
            const HostMemory memory = kHostMemories.value(value, "--change " + quotable(text_));
            for (AppValue& each : graph_.values) each.memory = memory;
        } else if (part == "place=auto") {
            automatic_ = true;
        } else {
            fail(fmt::format("'{}' is no change; {}", quotable(part), kForms));
        }
        if (automatic_ && !moves_.empty()) fail("it has place=auto and places of kernels; one of them is allowed");
    }
    void read_link(const std::string& part) {
        constexpr double kLargestFactor = 1e4;
        const std::size_t times = part.rfind('*');
        const std::string number = times == std::string::npos ? "" : part.substr(times + 1);
        char* end = nullptr;
        const double factor = std::strtod(number.c_str(), &end);
        const bool plain = !number.empty() && number.find_first_not_of("0123456789.e-") == std::string::npos;
        if (!plain || *end != '\0' || !(factor >= 1 / kLargestFactor) || factor > kLargestFactor)
            fail(fmt::format("'{}' has no factor; link.KIND*FACTOR with one from 0.0001 to 10000 is expected",
                             quotable("link." + part)));
        factors_.emplace_back(part.substr(0, times), factor);
    }
    void read_place(const std::string& part) {
        const std::size_t equals = part.rfind('=');
        const std::string name = part.substr(0, equals);
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
                                 quotable(machine.calibration().name), machine.gpus() - 1));
    }

    std::string text_;
    AppGraph graph_;
    std::vector<AppPlace> places_;
    WhatIfMachine machine_;
    std::vector<std::pair<std::string, double>> factors_;
    std::vector<std::pair<unsigned, AppPlace>> moves_;
    bool automatic_ = false;
};

} // namespace

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
    row.system = on.calibration().system;
    row.calibrated = on.calibrated();
    row.simulated_ns = simulate_graph(joined).ns;
    row.closed_form_ns = form.ns;
    constexpr double kMore = 1 + 1e-9; // than rounding
    if (form.load_ns > form.path_ns * kMore) row.loaded = form.loaded;
    return row;
}

} // namespace numavp

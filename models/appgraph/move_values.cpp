#include "models/appgraph/move_values.h"

#include <set>
#include <utility>

namespace numavp {

namespace {

/// Where a value in unified memory lies while steps are looked at in their order.
struct Lying {
    unsigned value = 0;            ///< what stands for it there
    std::vector<unsigned> readers; ///< steps of the old graph, since it came
};

class Moves {
  public:
    explicit Moves(AppGraph graph) : graph_(std::move(graph)), before_(graph_.steps.size()) {
        for (const AppValue& value : graph_.values) names_.insert(value.name);
        for (const AppStep& step : graph_.steps) step_names_.insert(step.name);
        for (unsigned v = 0; v < graph_.values.size(); ++v) lying_.push_back({v, {}});
    }
    AppGraph make() {
        for (const unsigned step : graph_.order()) {
            if (graph_.steps[step].kind == AppStepKind::copy) continue; // it says itself what it reads, and where
            for (unsigned& value : graph_.steps[step].reads)
                if (moves(graph_.values[value].memory)) value = read(value, step);
        }
        return listed();
    }

  private:
    static std::string fresh(const std::string& wished, std::set<std::string>& names) {
        std::string name = wished;
        for (unsigned n = 2; !names.insert(name).second; ++n) name = wished + " (" + std::to_string(n) + ")";
        return name;
    }
    /// What stands for a value at the place of a step that reads it.
    unsigned read(unsigned value, unsigned step) {
        Lying& lying = lying_[value];
        const AppPlace to = graph_.steps[step].place;
        const AppPlace at = graph_.values[lying.value].place;
        if (at != to && (at.gpu || to.gpu)) { // a CPU reads another's memory in place
            AppValue moved = graph_.values[value];
            moved.place = to;
            moved.given = false;
            moved.name = fresh(graph_.values[value].name + "@" + to.name(), names_);
            AppStep move;
            move.name = fresh("move " + moved.name, step_names_);
            move.stream = graph_.steps[step].stream;
            move.reads = {lying.value};
            move.writes = {static_cast<unsigned>(graph_.values.size())};
            move.after = lying.readers;
            lying = {move.writes[0], {}};
            graph_.values.push_back(std::move(moved));
            before_[step].push_back(std::move(move));
        }
        lying.readers.push_back(step);
        return lying.value;
    }
    /// Moves stand before the steps that need them.
    AppGraph listed() {
        std::vector<unsigned> now;
        std::vector<AppStep> steps;
        for (unsigned s = 0; s < graph_.steps.size(); ++s) {
            for (AppStep& move : before_[s]) steps.push_back(std::move(move));
            now.push_back(static_cast<unsigned>(steps.size()));
            steps.push_back(std::move(graph_.steps[s]));
        }
        for (AppStep& step : steps)
            for (unsigned& after : step.after) after = now[after];
        graph_.steps = std::move(steps);
        return std::move(graph_);
    }

    AppGraph graph_;
    std::vector<std::vector<AppStep>> before_;
    std::vector<Lying> lying_;
    std::set<std::string> names_, step_names_;
};

} // namespace

AppGraph move_values(AppGraph graph) { return Moves(std::move(graph)).make(); }

} // namespace numavp

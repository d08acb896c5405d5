#include "communication/predict/placement.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace numavp {

namespace {

constexpr unsigned kNoStep = AppGraph::kNone;

class Replacement {
  public:
    Replacement(const AppGraph& graph, const std::vector<AppPlace>& places)
        : old_(graph), places_(places), writer_(graph.writers()), value_of_(graph.values.size(), kNoStep),
          step_of_(graph.steps.size(), kNoStep), kept_(graph.steps.size(), false), before_(graph.steps.size()) {}

    AppGraph make() {
        made_.name = old_.name;
        made_.description = old_.description;
        find_needs();
        for (unsigned v = 0; v < old_.values.size(); ++v)
            if (!copied(v) || kept_[writer_[v]]) add_value(v);
        for (const auto& [key, need] : needs_) before_[need.at].push_back(key);
        for (unsigned s = 0; s < old_.steps.size(); ++s) {
            for (const Key& key : before_[s]) add_copy(key, needs_.at(key));
            if (old_.steps[s].kind != AppStepKind::copy || kept_[s]) add_step(s);
        }
        for (AppStep& step : made_.steps) {
            std::vector<unsigned> after;
            for (const unsigned before : step.after)
                if (step_of_[before] != kNoStep) after.push_back(step_of_[before]);
            step.after = std::move(after);
        }
        return std::move(made_);
    }

  private:
    using Key = std::pair<unsigned, AppPlace>; ///< a value that no copy made, and where it is needed
    struct Need {
        unsigned at = 0; ///< before this step of the old graph
        HostMemory memory = HostMemory::pageable;
        std::string stream;
        unsigned value = kNoStep; ///< of the new graph
    };

    bool copied(unsigned value) const {
        return writer_[value] != kNoStep && old_.steps[writer_[value]].kind == AppStepKind::copy;
    }
    unsigned source_of(unsigned value) const { return old_.steps[writer_[value]].reads[0]; }
    unsigned root_of(unsigned value) const {
        while (copied(value)) value = source_of(value);
        return value;
    }
    /// The driver brings it to who reads it.
    bool driven(unsigned value) const { return moves(old_.values[value].memory) && !copied(value); }
    /// Where a value that no copy made lies now.
    AppPlace root_place(unsigned root) const {
        return writer_[root] == kNoStep ? old_.values[root].place : places_[writer_[root]];
    }
    bool moved(unsigned step) const { return places_[step] != old_.steps[step].place; }

    /// A value that is needed at a place, before a step.
    void need(unsigned value, AppPlace at, unsigned before) {
        const unsigned root = root_of(value);
        if (root_place(root) == at || driven(value)) return;
        if (copied(value) && old_.values[value].place == at && root_place(root) == old_.values[root].place) {
            for (; copied(value); value = source_of(value)) kept_[writer_[value]] = true;
            return;
        }
        const unsigned copy = copied(value) ? writer_[value] : kNoStep;
        Need made{copy == kNoStep ? before : copy, old_.values[value].memory, "", kNoStep};
        if (copy != kNoStep && !old_.steps[copy].stream.empty())
            made.stream = old_.steps[copy].stream + "@" + at.name();
        const auto [found, fresh] = needs_.emplace(Key{root, at}, made);
        if (!fresh && made.at < found->second.at) found->second = made;
    }
    void find_needs() {
        std::vector<bool> used(old_.values.size(), false);
        for (unsigned s = 0; s < old_.steps.size(); ++s)
            for (const unsigned value : old_.steps[s].reads) {
                used[value] = true;
                if (old_.steps[s].kind != AppStepKind::copy) need(value, places_[s], s);
            }
        // Copies that nobody reads are results.
        for (unsigned v = 0; v < old_.values.size(); ++v)
            if (!used[v] && copied(v)) need(v, old_.values[v].place, writer_[v]);
    }
    void add_value(unsigned value) {
        value_of_[value] = static_cast<unsigned>(made_.values.size());
        made_.values.push_back(old_.values[value]);
        if (!copied(value)) made_.values.back().place = root_place(value);
    }
    void add_copy(const Key& key, Need& need) {
        const AppValue& root = old_.values[key.first];
        AppValue value{root.name + "@" + key.second.name(), key.second, root.bytes, need.memory, false};
        AppStep copy;
        copy.name = "copy " + value.name;
        copy.stream = need.stream;
        copy.reads = {value_of_[key.first]};
        need.value = static_cast<unsigned>(made_.values.size());
        copy.writes = {need.value};
        made_.values.push_back(std::move(value));
        made_.steps.push_back(std::move(copy));
    }
    /// The value of the new graph that stands for an old one at a place.
    unsigned at_place(unsigned value, AppPlace place) const {
        const unsigned root = root_of(value);
        if (root_place(root) == place || driven(value)) return value_of_[root];
        const auto need = needs_.find({root, place});
        if (copied(value) && kept_[writer_[value]] && old_.values[value].place == place) return value_of_[value];
        return need->second.value;
    }
    void add_step(unsigned s) {
        AppStep step = old_.steps[s];
        const bool copy = step.kind == AppStepKind::copy;
        for (unsigned& value : step.reads) value = copy ? value_of_[value] : at_place(value, places_[s]);
        std::vector<unsigned> once; // what two copies brought may be one value now
        for (const unsigned value : step.reads)
            if (std::find(once.begin(), once.end(), value) == once.end()) once.push_back(value);
        step.reads = std::move(once);
        for (unsigned& value : step.writes) value = value_of_[value];
        if (!copy && moved(s)) {
            step.place = places_[s];
            if (!step.stream.empty()) step.stream += "@" + places_[s].name();
        }
        step_of_[s] = static_cast<unsigned>(made_.steps.size());
        made_.steps.push_back(std::move(step));
    }

    const AppGraph& old_;
    const std::vector<AppPlace>& places_;
    std::vector<unsigned> writer_, value_of_;
    std::vector<unsigned> step_of_; ///< of the new graph; kNoStep: a copy that was left out
    std::vector<bool> kept_;
    std::map<Key, Need> needs_;
    std::vector<std::vector<Key>> before_;
    AppGraph made_;
};

} // namespace

std::vector<AppPlace> places_of(const AppGraph& graph) {
    std::vector<AppPlace> places;
    for (const AppStep& step : graph.steps) places.push_back(step.place);
    return places;
}

AppGraph place_steps(const AppGraph& graph, const std::vector<AppPlace>& places) {
    return Replacement(graph, places).make();
}

} // namespace numavp

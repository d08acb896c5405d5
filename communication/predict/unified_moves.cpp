#include "communication/predict/unified_moves.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/characterize/host_program.h"
#include "communication/predict/joined_graph.h"
#include "communication/predict/unified_values.h"

namespace numavp {

namespace {

constexpr unsigned kNone = AppGraph::kNone;

using Works = UnifiedValues::Works;

/// Puts the moves between the steps. Steps of the old graph have their numbers, moves those behind.
class Moves {
  public:
    Moves(const AppGraph& graph, const HostMachine& machine, const Place& place)
        : graph_(graph), machine_(machine), values_(graph, machine, place), place_(place), before_(graph.steps.size()),
          behind_(graph.steps.size()), made_(graph.steps.size()), needs_(graph.waits_for()),
          last_(graph.values.size(), kNone), pages_(graph.values.size()), end_ns_(graph.steps.size(), 0) {
        for (const AppStep& step : graph.steps) names_.insert(step.name);
    }
    UnifiedGraph make() {
        const std::vector<unsigned> order = graph_.order();
        for (const unsigned step : order) {
            for (const unsigned value : graph_.steps[step].reads) last_[value] = step;
            for (const unsigned value : graph_.steps[step].writes) last_[value] = step;
        }
        Works ignored; // before the beginning
        for (unsigned v = 0; v < graph_.values.size(); ++v)
            if (graph_.values[v].given) take(v, ignored, nullptr, kNone);
        for (const unsigned step : order) run(step);
        return listed();
    }

  private:
    /// Steps that have to do with the pages of a value at one place.
    struct Pages {
        std::vector<unsigned> brought; ///< what brought them
        std::vector<unsigned> readers; ///< since then, or what took some of them away
        double read_ns = 0;            ///< when the last of these readers ends, where time matters
    };

    bool unified(unsigned value) const { return moves(graph_.values[value].memory); }

    void run(unsigned step) {
        const AppStep& what = graph_.steps[step];
        Works works;
        std::vector<RemoteAccess>& remote = made_[step].remote;
        const bool copy = what.kind == AppStepKind::copy;
        if (values_.watches()) values_.set_time(begin_ns(step));
        if (!copy) {
            for (const unsigned value : what.reads)
                if (unified(value)) values_.read(value, what.place, works, remote);
        }
        for (const unsigned value : what.reads)
            if (last_[value] == step) drop(value);
        for (const unsigned value : what.writes) take(value, works, copy ? nullptr : &remote, step);
        for (const unsigned value : what.writes)
            if (unified(value)) pages_[value][place_of(step, value)] = {{step}, {}};
        add_works(works, step);
        if (values_.watches()) end(step, works);
        for (const unsigned value : what.reads)
            if (unified(value)) add_reader(value, step);
        for (const unsigned value : what.writes)
            if (last_[value] == step) drop(value);
    }
    /// When the step asks for its pages, by the longest path: what is before it has the machine to itself, but a GPU or
    /// thread computes one after the other.
    double begin_ns(unsigned step) const {
        double begin = 0;
        const auto wait_for = [&](unsigned before) { begin = std::max(begin, end_ns_[before]); };
        for (const unsigned before : needs_[step]) wait_for(before);
        const AppStep& what = graph_.steps[step];
        if (what.kind == AppStepKind::copy) return begin;
        for (const unsigned value : what.reads)
            for (const auto& [at, pages] : pages_[value]) {
                for (const unsigned before : pages.brought) wait_for(before);
                if (at != what.place) begin = std::max(begin, pages.read_ns);
            }
        const auto busy = busy_ns_.find(what.place);
        return busy == busy_ns_.end() ? begin : std::max(begin, busy->second);
    }
    /// Notes when the step ends, with its naps and moves, and hands the nap to what waits for it.
    void end(unsigned step, const Works& works) {
        const AppStep& what = graph_.steps[step];
        double at = begin_ns(step) + works.nap_ns;
        UnifiedStep* sleeps = works.nap_ns > 0 ? &made_[step] : nullptr;
        for (const unsigned move : before_[step]) {
            if (made_[move].way == UnifiedWay::demand && sleeps == &made_[step]) sleeps = &made_[move];
            end_ns_[move] = at += moved_ns(made_[move]);
        }
        if (sleeps != nullptr) sleeps->nap_ns = works.nap_ns;
        if (what.kind == AppStepKind::copy) {
            at += join_copy(machine_, graph_.values[what.reads[0]], graph_.values[what.writes[0]]).alone_ns;
        } else {
            at += graph_.compute_ns(step, what.place);
            busy_ns_[what.place] = at;
        }
        end_ns_[step] = at;
    }
    double moved_ns(const UnifiedStep& move) const {
        const HostProgram program(machine_);
        const TransferEnd from{move.from.gpu, move.from.index}, to{move.to.gpu, move.to.index};
        const CopyPlan plan = move.way == UnifiedWay::evict      ? program.evicted(from, to, move.bytes)
                              : move.way == UnifiedWay::prefetch ? program.prefetched(from, to, move.bytes)
                                                                 : program.demanded(from, to, move.bytes);
        return program.alone_ns(plan, move.bytes);
    }
    AppPlace place_of(unsigned step, unsigned value) const {
        return graph_.steps[step].kind == AppStepKind::copy ? graph_.values[value].place : graph_.steps[step].place;
    }
    /// Room for a value that is written by a step, or given.
    void take(unsigned value, Works& works, std::vector<RemoteAccess>* remote, unsigned step) {
        const AppValue& what = graph_.values[value];
        if (unified(value)) {
            if (remote != nullptr)
                values_.write(value, graph_.steps[step].place, works, *remote);
            else
                values_.allocate(value, what.place, works);
        } else if (what.place.gpu && !values_.reserve(what.place, what.bytes, works)) {
            throw ConfigError(place_.at("values").at(value),
                              fmt::format("'{}' of {} B does not fit into what is left of {}'s memory; fewer bytes "
                                          "at once, or unified memory, are expected",
                                          quotable(what.name), what.bytes, what.place.name()));
        }
    }
    void drop(unsigned value) {
        const AppValue& what = graph_.values[value];
        if (unified(value))
            values_.free(value);
        else if (what.place.gpu)
            values_.release(what.place, what.bytes);
    }
    using Waits = std::set<unsigned>;
    static void add(Waits& to, const std::vector<unsigned>& more) { to.insert(more.begin(), more.end()); }
    /// A reader waits for all that brought pages of the value; who takes some of them away waits for the reader.
    void add_reader(unsigned value, unsigned step) {
        for (auto& [at, pages] : pages_[value]) {
            add(waits_[step], pages.brought);
            pages.readers.push_back(step);
            pages.read_ns = std::max(pages.read_ns, end_ns_[step]);
        }
    }
    void add_works(const Works& works, unsigned step) {
        Waits room; // whom moves wait for
        std::map<std::pair<unsigned, AppPlace>, std::vector<unsigned>> brought;
        for (const UnifiedValues::Work& work : works.list) {
            if (work.kind == kUnifiedDrop) {
                Pages& pages = pages_[work.value][work.from];
                add(room, pages.readers);
                add(room, pages.brought);
            } else if (work.kind == kUnifiedEvict) {
                const unsigned made = add_move(work, step, UnifiedWay::evict, room);
                brought[{work.value, work.to}].push_back(made);
                // What the step itself writes goes when it is there.
                const std::vector<unsigned>& writes = graph_.steps[step].writes;
                const bool own = std::find(writes.begin(), writes.end(), work.value) != writes.end();
                (own ? behind_ : before_)[step].push_back(made);
                if (!own) room.insert(made);
            }
        }
        for (const UnifiedValues::Work& work : works.list) {
            if (work.kind != kUnifiedMove && work.kind != kUnifiedCopy) continue;
            const bool prefetched = graph_.values[work.value].memory == HostMemory::prefetched;
            const UnifiedWay way = prefetched ? UnifiedWay::prefetch : UnifiedWay::demand;
            const unsigned made = add_move(work, step, way, room);
            brought[{work.value, work.to}].push_back(made);
            before_[step].push_back(made);
        }
        for (const auto& [key, moves] : brought) pages_[key.first][key.second].brought = moves;
        waits_[step].insert(room.begin(), room.end());
    }
    /// Pages that go from a place wait for who read them there, and for who brought others to where they go.
    unsigned add_move(const UnifiedValues::Work& work, unsigned step, UnifiedWay way, const Waits& room) {
        const auto made = static_cast<unsigned>(made_.size());
        made_.push_back({way, work.from, work.to, work.bytes, {}, 0});
        end_ns_.push_back(0);
        const bool evicted = way == UnifiedWay::evict;
        AppStep move;
        move.kind = AppStepKind::copy;
        move.name = fresh(fmt::format("{} {}@{}",
                                      evicted                     ? "evict"
                                      : work.kind == kUnifiedCopy ? "copy"
                                                                  : "move",
                                      graph_.values[work.value].name, (evicted ? work.from : work.to).name()));
        move.stream = graph_.steps[step].stream;
        move.reads = {work.value};
        moved_.push_back(std::move(move));
        Pages& from = pages_[work.value][work.from];
        Waits& waits = waits_[made];
        add(waits, from.brought);
        if (work.kind != kUnifiedCopy) add(waits, from.readers);
        add(waits, pages_[work.value][work.to].brought);
        if (!evicted) waits.insert(room.begin(), room.end());
        if (way != UnifiedWay::prefetch) add(waits, needs_[step]); // nobody faults before it could begin
        if (work.kind == kUnifiedCopy) {
            from.readers.push_back(made);
        } else {
            from.readers = {made};
            from.read_ns = 0;
        }
        return made;
    }
    std::string fresh(const std::string& wished) {
        std::string name = wished;
        for (unsigned n = 2; !names_.insert(name).second; ++n) name = wished + " (" + std::to_string(n) + ")";
        return name;
    }
    /// Moves stand before the steps that need them.
    UnifiedGraph listed() {
        UnifiedGraph all{graph_, {}};
        all.graph.steps.clear();
        std::vector<unsigned> now(made_.size(), kNone), old;
        const auto list = [&](unsigned number, const AppStep& step) {
            now[number] = static_cast<unsigned>(old.size());
            old.push_back(number);
            all.graph.steps.push_back(step);
            all.steps.push_back(std::move(made_[number]));
        };
        const auto steps = static_cast<unsigned>(graph_.steps.size());
        for (unsigned s = 0; s < steps; ++s) {
            for (const unsigned move : before_[s]) list(move, moved_[move - steps]);
            list(s, graph_.steps[s]);
            for (const unsigned move : behind_[s]) list(move, moved_[move - steps]);
        }
        for (std::size_t s = 0; s < old.size(); ++s) {
            std::vector<unsigned>& after = all.graph.steps[s].after; // numbers of the old graph
            Waits& waits = waits_[old[s]];
            add(waits, after);
            after.clear();
            for (const unsigned step : waits) after.push_back(now[step]);
            std::sort(after.begin(), after.end());
        }
        return all;
    }

    const AppGraph& graph_;
    const HostMachine& machine_;
    UnifiedValues values_;
    Place place_;
    std::vector<std::vector<unsigned>> before_, behind_; ///< moves, by the step that needs or causes them
    std::vector<UnifiedStep> made_;                      ///< of steps and moves
    std::vector<AppStep> moved_;                         ///< of moves
    std::map<unsigned, Waits> waits_;
    std::vector<std::vector<unsigned>> needs_; ///< for whom steps wait without moves
    std::vector<unsigned> last_;               ///< step that has to do with each value
    std::vector<std::map<AppPlace, Pages>> pages_;
    std::vector<double> end_ns_;         ///< of steps and moves, where time matters
    std::map<AppPlace, double> busy_ns_; ///< until when a GPU or CPU computes
    std::set<std::string> names_;
};

} // namespace

UnifiedGraph unified_moves(const AppGraph& graph, const HostMachine& machine, const Place& place) {
    return Moves(graph, machine, place).make();
}

} // namespace numavp

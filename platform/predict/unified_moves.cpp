#include "platform/predict/unified_moves.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "models/base/error.h"
#include "sw/driver/prefetch_tree.h"
#include "sw/driver/unified_memory.h"

namespace numavp {

namespace {

constexpr unsigned kNone = AppGraph::kNone;
constexpr std::uint64_t kMostUnified = std::uint64_t{1} << 40; // what is kept of a block is about 200 B

std::uint64_t blocks_of(std::uint64_t bytes) { return (bytes + kPrefetchBlockBytes - 1) / kPrefetchBlockBytes; }

/// The places of a machine as the driver numbers them: CPUs, then GPUs.
class UnifiedPlaces {
  public:
    explicit UnifiedPlaces(const HostMachine& machine) : machine_(machine) {}
    unsigned count() const { return machine_.cpus() + machine_.gpus(); }
    unsigned number(AppPlace place) const { return place.gpu ? machine_.cpus() + place.index : place.index; }
    AppPlace place(unsigned number) const {
        return number < machine_.cpus() ? AppPlace{false, number} : AppPlace{true, number - machine_.cpus()};
    }
    void set(UnifiedMemory& memory) const {
        for (unsigned p = 0; p < count(); ++p) {
            const AppPlace at = place(p);
            UnifiedPlace& made = memory.place[p];
            made.host = !at.gpu;
            for (unsigned other = 0; other < count(); ++other)
                if (reaches(at, place(other))) made.reaches |= 1U << other;
            if (!at.gpu) continue;
            made.home = machine_.home(at.index);
            made.room = static_cast<std::uint32_t>(machine_.gpu_memory_bytes(at.index) / kPrefetchBlockBytes);
        }
    }

  private:
    bool reaches(AppPlace from, AppPlace to) const {
        if (from == to || !to.gpu) return true; // a GPU reaches all host memory (CUDA's zero copy)
        return from.gpu ? machine_.peers(from.index, to.index) : machine_.calibration().cpu_reaches_gpus;
    }
    const HostMachine& machine_;
};

/// Values in the driver's memory.
class UnifiedValues {
  public:
    UnifiedValues(const AppGraph& graph, const HostMachine& machine, const Place& place)
        : graph_(graph), places_(machine), first_(graph.values.size(), 0) {
        if (places_.count() > kUnifiedMostPlaces)
            throw ConfigError(place, fmt::format("{} CPUs and GPUs; at most {} are allowed", places_.count(),
                                                 unsigned{kUnifiedMostPlaces}));
        std::uint64_t blocks = 0;
        for (std::size_t v = 0; v < graph.values.size(); ++v) {
            first_[v] = static_cast<std::uint32_t>(blocks);
            if (moves(graph.values[v].memory)) blocks += blocks_of(graph.values[v].bytes);
            if (blocks > blocks_of(kMostUnified))
                throw ConfigError(place.at("values").at(v).at("bytes"),
                                  "with it more than 1 TiB is in unified memory; at most that is allowed");
        }
        blocks_.resize(blocks);
        chunks_.resize(blocks * places_.count());
        value_of_.resize(blocks);
        for (std::size_t v = 0; v < graph.values.size(); ++v)
            if (moves(graph.values[v].memory))
                std::fill_n(value_of_.begin() + first_[v], blocks_of(graph.values[v].bytes), static_cast<unsigned>(v));
        unified_init(&memory_, places_.count(), machine.calibration().faults.percent, blocks_.data(), chunks_.data(),
                     static_cast<std::uint32_t>(blocks));
        places_.set(memory_);
        for (std::size_t v = 0; v < graph.values.size(); ++v) advise(static_cast<unsigned>(v));
    }

    /// What the driver did, with bytes of values.
    struct Work {
        UnifiedKind kind = kUnifiedMove;
        unsigned value = 0;
        AppPlace from, to;
        std::uint64_t bytes = 0;
    };
    /// Works of one step, those of the same kind, value and places together, in the order in which they began.
    class Works {
      public:
        void add(const Work& work) {
            for (Work& known : list)
                if (std::tie(known.kind, known.value, known.from, known.to) ==
                    std::tie(work.kind, work.value, work.from, work.to)) {
                    known.bytes += work.bytes;
                    return;
                }
            list.push_back(work);
        }
        std::vector<Work> list;
    };

    void allocate(unsigned value, AppPlace at, Works& works) {
        each_block(value, [&](std::uint32_t block, std::uint32_t leaves) {
            unified_allocate(&memory_, block, leaves, places_.number(at));
            collect(works);
        });
    }
    void free(unsigned value) {
        each_block(value, [&](std::uint32_t block, std::uint32_t) { unified_free(&memory_, block); });
    }
    void read(unsigned value, AppPlace by, Works& works, std::vector<RemoteAccess>& remote) {
        each_block(value, [&](std::uint32_t block, std::uint32_t leaves) {
            const bool prefetched = graph_.values[value].memory == HostMemory::prefetched;
            const std::uint32_t away = prefetched ? unified_prefetch(&memory_, block, leaves, places_.number(by))
                                                  : unified_touch(&memory_, block, leaves, places_.number(by), false);
            collect(works);
            add_remote(block, away, false, remote);
        });
    }
    /// A value that comes into being.
    void write(unsigned value, AppPlace by, Works& works, std::vector<RemoteAccess>& remote) {
        each_block(value, [&](std::uint32_t block, std::uint32_t leaves) {
            unified_allocate(&memory_, block, leaves, UNIFIED_NONE);
            const std::uint32_t away = unified_touch(&memory_, block, leaves, places_.number(by), true);
            collect(works);
            add_remote(block, away, true, remote);
        });
    }
    /// Memory that is not unified; false if it does not fit.
    bool reserve(AppPlace at, std::uint64_t bytes, Works& works) {
        for (std::uint64_t left = blocks_of(bytes); left != 0; --left) {
            if (!unified_reserve(&memory_, places_.number(at))) return false;
            collect(works);
        }
        return true;
    }
    void release(AppPlace at, std::uint64_t bytes) {
        for (std::uint64_t left = blocks_of(bytes); left != 0; --left) unified_release(&memory_, places_.number(at));
    }

  private:
    template <class Do> void each_block(unsigned value, Do what) {
        const std::uint64_t bytes = graph_.values[value].bytes;
        for (std::uint64_t b = 0; b < blocks_of(bytes); ++b) {
            const std::uint64_t left = bytes - b * kPrefetchBlockBytes;
            const std::uint64_t leaves = (left + kPrefetchLeafBytes - 1) / kPrefetchLeafBytes;
            what(first_[value] + static_cast<std::uint32_t>(b), leaves >= kPrefetchLeaves ? ~0U : (1U << leaves) - 1);
        }
    }
    /// Of leaves of a block, as far as the value goes.
    std::uint64_t bytes_in(std::uint32_t block, std::uint32_t leaves) const {
        const unsigned value = value_of_[block];
        const std::uint64_t begin = std::uint64_t{block - first_[value]} * kPrefetchBlockBytes;
        std::uint64_t sum = 0;
        for (unsigned leaf = 0; leaf < kPrefetchLeaves; ++leaf)
            if ((leaves >> leaf & 1U) != 0)
                sum += std::min<std::uint64_t>(kPrefetchLeafBytes,
                                               graph_.values[value].bytes - begin - leaf * kPrefetchLeafBytes);
        return sum;
    }
    void collect(Works& works) const {
        for (unsigned w = 0; w < memory_.logged; ++w) {
            const UnifiedWork& work = memory_.log[w];
            works.add({work.kind, value_of_[work.block], places_.place(work.from), places_.place(work.to),
                       bytes_in(work.block, work.leaves)});
        }
    }
    void add_remote(std::uint32_t block, std::uint32_t leaves, bool writes, std::vector<RemoteAccess>& remote) const {
        for (unsigned leaf = 0; leaf < kPrefetchLeaves; ++leaf) {
            if ((leaves >> leaf & 1U) == 0) continue;
            const AppPlace at = places_.place(unified_place_of(&memory_, block, leaf));
            const auto known = std::find_if(remote.begin(), remote.end(), [&](const RemoteAccess& access) {
                return access.at == at && access.writes == writes;
            });
            RemoteAccess& access = known == remote.end() ? remote.emplace_back(RemoteAccess{at, writes, 0}) : *known;
            access.bytes += bytes_in(block, 1U << leaf);
        }
    }
    void advise(unsigned value) {
        if (!moves(graph_.values[value].memory)) return;
        const AppAdvice& advice = graph_.values[value].advice;
        each_block(value, [&](std::uint32_t block, std::uint32_t) {
            blocks_[block].read_mostly = advice.read_mostly;
            if (advice.preferred) blocks_[block].preferred = places_.number(*advice.preferred);
            for (const AppPlace& place : advice.accessed_by) blocks_[block].accessed_by |= 1U << places_.number(place);
        });
    }

    const AppGraph& graph_;
    UnifiedPlaces places_;
    std::vector<std::uint32_t> first_; ///< block of each value
    std::vector<unsigned> value_of_;   ///< of each block
    std::vector<UnifiedBlock> blocks_;
    std::vector<UnifiedChunk> chunks_;
    UnifiedMemory memory_{};
};

using Works = UnifiedValues::Works;

/// Puts the moves between the steps. Steps of the old graph have their numbers, moves those behind.
class Moves {
  public:
    Moves(const AppGraph& graph, const HostMachine& machine, const Place& place)
        : graph_(graph), values_(graph, machine, place), place_(place), before_(graph.steps.size()),
          behind_(graph.steps.size()), made_(graph.steps.size()), needs_(graph.waits_for()),
          last_(graph.values.size(), kNone), pages_(graph.values.size()) {
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
    };

    bool unified(unsigned value) const { return moves(graph_.values[value].memory); }

    void run(unsigned step) {
        const AppStep& what = graph_.steps[step];
        Works works;
        std::vector<RemoteAccess>& remote = made_[step].remote;
        const bool copy = what.kind == AppStepKind::copy;
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
        for (const unsigned value : what.reads)
            if (unified(value)) add_reader(value, step);
        for (const unsigned value : what.writes)
            if (last_[value] == step) drop(value);
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
        made_.push_back({way, work.from, work.to, work.bytes, {}});
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
        if (work.kind == kUnifiedCopy)
            from.readers.push_back(made);
        else
            from.readers = {made};
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
    UnifiedValues values_;
    Place place_;
    std::vector<std::vector<unsigned>> before_, behind_; ///< moves, by the step that needs or causes them
    std::vector<UnifiedStep> made_;                      ///< of steps and moves
    std::vector<AppStep> moved_;                         ///< of moves
    std::map<unsigned, Waits> waits_;
    std::vector<std::vector<unsigned>> needs_; ///< for whom steps wait without moves
    std::vector<unsigned> last_;               ///< step that has to do with each value
    std::vector<std::map<AppPlace, Pages>> pages_;
    std::set<std::string> names_;
};

} // namespace

UnifiedGraph unified_moves(const AppGraph& graph, const HostMachine& machine, const Place& place) {
    return Moves(graph, machine, place).make();
}

} // namespace numavp

#include "communication/records/chakra_graph.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {

using Steps = std::vector<unsigned>;

/// A node of a rank while the graph is made.
struct RankNode {
    const ChakraNode* said = nullptr;
    unsigned rank = 0;
    Steps begins;       ///< steps that wait for what it waits for
    Steps ends;         ///< steps that must have ended for it to have
    bool known = false; ///< `ends` holds
    bool visited = false;
};

/// Chakra's CollectiveCommType.
enum Collective : std::uint64_t {
    all_reduce = 0,
    reduce = 1,
    all_gather = 2,
    gather = 3,
    scatter = 4,
    broadcast = 5,
    all_to_all = 6,
    reduce_scatter = 7,
    barrier = ChakraNode::kBarrier
};
bool has_root(std::uint64_t kind) { return kind == reduce || kind == gather || kind == scatter || kind == broadcast; }
bool is_known(std::uint64_t kind) { return kind <= reduce_scatter || kind == barrier; }

class GraphOfRanks {
  public:
    /// `one`: the trace of one of several ranks.
    GraphOfRanks(const std::vector<ChakraTrace>& ranks, double tflops, bool one)
        : ranks_(ranks), tflops_(tflops), one_(one) {
        if (ranks.size() > kMostRecordedPlaces)
            throw ConfigError(ranks[0].path, fmt::format("{} ranks are given; at most {} are allowed", ranks.size(),
                                                         kMostRecordedPlaces));
        for (unsigned rank = 0; rank < ranks.size(); ++rank)
            for (const ChakraNode& node : ranks[rank].nodes) {
                if (!nodes_.emplace(std::pair{rank, node.id}, RankNode{&node, rank, {}, {}, false, false}).second)
                    fail(rank, node, "another node has its id");
                in_order_.emplace_back(rank, node.id);
            }
    }

    RecordedGraph make() {
        for (const Key& key : in_order_) add(nodes_.at(key));
        if (!sends_.empty()) fail(sends_.begin()->second.front(), "no rank receives it");
        if (!receives_.empty()) fail(receives_.begin()->second.front(), "no rank sends it");
        for (const auto& [turn, members] : collectives_) {
            if (one_) break; // barriers, which wait for what is before them
            check_members(turn.first, members);
            add_collective(members);
        }
        count_outside();
        for (const Key& key : in_order_) wait(key);
        for (AppStep& step : result_.graph.steps) once(step.after);
        if (result_.graph.steps.empty()) throw ConfigError(ranks_[0].path, "no node computes or communicates");
        add_notes();
        return std::move(result_);
    }

  private:
    using Key = std::pair<unsigned, std::uint64_t>;                          ///< rank and id
    using Message = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>; ///< from, to, tag
    using Waiting = std::map<Message, std::deque<RankNode*>>;

    [[noreturn]] void fail(unsigned rank, const ChakraNode& node, const std::string& why) const {
        throw ConfigError(ranks_[rank].path, fmt::format("node {} ('{}'): {}", node.id, quotable(node.name), why));
    }
    [[noreturn]] void fail(const RankNode* node, const std::string& why) const { fail(node->rank, *node->said, why); }

    static AppPlace gpu(std::uint64_t rank) { return {true, static_cast<unsigned>(rank)}; }
    unsigned add_one(AppStep step) {
        if (result_.graph.steps.size() == kMostRecordedSteps)
            throw ConfigError(ranks_[0].path, fmt::format("the graph has more than {} steps", kMostRecordedSteps));
        return add_step(result_.graph, std::move(step));
    }
    /// A copy of a value that is given, or that an earlier copy wrote.
    unsigned copy(const RankNode& node, unsigned read, AppPlace to) {
        AppStep step;
        step.name = node.said->name.empty() ? "copy" : node.said->name;
        step.reads = {read};
        step.writes = {add_value(result_.graph, to, result_.graph.values[read].bytes, HostMemory::pinned, false)};
        return add_one(std::move(step));
    }
    unsigned given(const RankNode& node, AppPlace place, std::uint64_t bytes) {
        check_bytes(node, bytes);
        return add_value(result_.graph, place, bytes, HostMemory::pinned, true);
    }

    void add(RankNode& node) {
        const ChakraNode& said = *node.said;
        if (said.is_host_call()) return add_compute(node);
        switch (said.type) {
        case ChakraNode::compute: add_compute(node); break;
        case ChakraNode::load: add_transfer(node, {false, 0}, gpu(node.rank)); break;
        case ChakraNode::store: add_transfer(node, gpu(node.rank), {false, 0}); break;
        case ChakraNode::send: meet(node, sends_, receives_, {node.rank, said.to, said.tag}); break;
        case ChakraNode::receive: meet(node, receives_, sends_, {said.from, node.rank, said.tag}); break;
        case ChakraNode::collective: {
            check_collective(node);
            if (one_ && said.kind != barrier) {
                add_lone(node);
                break;
            }
            const std::uint64_t turn = turns_[{node.rank, said.group}]++;
            collectives_[{said.group, turn}].push_back(&node);
            break;
        }
        case ChakraNode::metadata: break;
        default: fail(&node, fmt::format("its type is {}; 1 to 7 are known", said.type));
        }
    }
    void add_compute(RankNode& node) {
        const ChakraNode& said = *node.said;
        AppStep step;
        step.name = said.name.empty() ? "compute" : said.name;
        step.kind = said.on_cpu ? AppStepKind::host : AppStepKind::kernel;
        step.place = said.on_cpu ? AppPlace{false, 0} : gpu(node.rank);
        step.time.time_us = static_cast<double>(said.duration_us);
        if (said.duration_us == 0 && said.operations != 0) {
            if (tflops_ <= 0)
                fail(&node, fmt::format("it has {} operations and no duration; --tflops is expected", said.operations));
            step.time.time_us = static_cast<double>(said.operations) / (tflops_ * 1e6);
        }
        node.begins = node.ends = {add_one(std::move(step))};
        node.known = true;
    }
    void check_collective(const RankNode& node) const {
        const ChakraNode& said = *node.said;
        if (!is_known(said.kind))
            fail(&node, fmt::format("its collective has kind {}; 0 (all-reduce), 1 (reduce), 2 (all-gather), 3 "
                                    "(gather), 4 (scatter), 5 (broadcast), 6 (all-to-all), 7 (reduce-scatter) and 9 "
                                    "(barrier) are known",
                                    said.kind));
        // Of a root's collective some captures name the bytes at the root alone.
        if (said.kind != barrier && !has_root(said.kind)) check_bytes(node, said.bytes);
    }
    void check_bytes(const RankNode& node, std::uint64_t bytes) const {
        if (bytes == 0 || bytes > kMostValueBytes) fail(&node, fmt::format("it moves {} B", bytes));
    }
    /// What another rank has a part in, as a copy within the GPU.
    void add_lone(RankNode& node) {
        ++others_;
        const std::uint64_t bytes = std::clamp<std::uint64_t>(node.said->bytes, 1, kMostValueBytes);
        node.begins = node.ends = {copy(node, given(node, gpu(node.rank), bytes), gpu(node.rank))};
        node.known = true;
    }
    void add_transfer(RankNode& node, AppPlace from, AppPlace to) {
        node.begins = node.ends = {copy(node, given(node, from, node.said->tensor_bytes), to)};
        node.known = true;
    }
    /// A send and a receive are a copy, whichever comes first here.
    void meet(RankNode& node, Waiting& own, Waiting& others, const Message& message) {
        if (one_) {
            if (node.said->type == ChakraNode::send) check_bytes(node, node.said->bytes);
            return add_lone(node);
        }
        if (std::max(std::get<0>(message), std::get<1>(message)) >= ranks_.size())
            fail(&node, fmt::format("it goes from rank {} to rank {}; the traces of {} are given", std::get<0>(message),
                                    std::get<1>(message), ranks_.size()));
        const auto other = others.find(message);
        if (other == others.end()) {
            own[message].push_back(&node);
            return;
        }
        RankNode& met = *other->second.front();
        other->second.pop_front();
        if (other->second.empty()) others.erase(other);
        const RankNode& sender = node.said->type == ChakraNode::send ? node : met;
        const unsigned step =
            copy(sender, given(sender, gpu(std::get<0>(message)), sender.said->bytes), gpu(std::get<1>(message)));
        for (RankNode* each : {&node, &met}) {
            each->begins = each->ends = {step};
            each->known = true;
        }
    }

    /// All ranks of a group have all of its collectives.
    void check_members(const std::string& group, const std::vector<RankNode*>& members) const {
        const std::vector<RankNode*>& first = collectives_.at({group, 0});
        const auto lacks = [](const std::vector<RankNode*>& some, const RankNode* node) {
            return std::none_of(some.begin(), some.end(),
                                [node](const RankNode* other) { return other->rank == node->rank; });
        };
        for (const RankNode* node : members)
            if (lacks(first, node)) fail(node, "the first collective of its group does not have this rank");
        for (const RankNode* node : first)
            if (lacks(members, node))
                fail(members[0],
                     fmt::format("rank {} has no such collective, and had the first of the group", node->rank));
    }
    static void once(Steps& steps) {
        std::sort(steps.begin(), steps.end());
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    }
    /// Steps that wait for each other, one by one, are what a graph is large by.
    void count_waits(const RankNode& node, std::size_t count) {
        constexpr std::size_t kMostWaits = 50'000'000; // 200 MB of them
        waits_ += count;
        if (waits_ > kMostWaits)
            fail(&node, fmt::format("with it more than {} pairs of steps wait for each other", kMostWaits));
    }

    /// Messages as in ASTRA-sim's ring: of an all-gather the size is a rank's share, of the others the whole.
    void add_collective(const std::vector<RankNode*>& members) {
        const ChakraNode& first = *members[0]->said;
        std::uint64_t most = 0;
        for (const RankNode* member : members) most = std::max(most, member->said->bytes);
        for (const RankNode* member : members) {
            const bool same = member->said->bytes == most || (has_root(first.kind) && member->said->bytes == 0);
            if (member->said->kind != first.kind || !same)
                fail(member, fmt::format("rank {} has another collective in its place", members[0]->rank));
        }
        const std::size_t ranks = members.size();
        if (ranks == 1 && first.kind != barrier) ++lone_;
        if (ranks == 1 || first.kind == barrier) return meet_all(members);
        if (has_root(first.kind)) return add_rooted(members, most);
        ++rings_;
        const std::uint64_t bytes = first.kind == all_gather ? first.bytes : (first.bytes + ranks - 1) / ranks;
        if (first.kind == all_to_all) return exchange(members, bytes);
        const std::size_t rounds = (first.kind == all_reduce ? 2 : 1) * (ranks - 1);
        std::vector<unsigned> held;
        for (const RankNode* member : members) held.push_back(given(*member, gpu(member->rank), bytes));
        for (std::size_t round = 0; round < rounds; ++round) {
            std::vector<unsigned> next(ranks);
            for (std::size_t at = 0; at < ranks; ++at) {
                const std::size_t to = (at + 1) % ranks;
                const unsigned step = copy(*members[at], held[at], gpu(members[to]->rank));
                next[to] = result_.graph.steps[step].writes[0];
                between(*members[at], *members[to], step, round == 0, round + 1 == rounds);
            }
            held = std::move(next);
        }
        for (RankNode* member : members) member->known = true;
    }
    /// The member that a root's collective begins or ends at: comm_src of a broadcast or scatter, comm_dst of a reduce
    /// or gather; else the first, of a broadcast or scatter the first that names its bytes.
    static std::size_t root_of(const std::vector<RankNode*>& members) {
        const std::uint64_t kind = members[0]->said->kind;
        for (const RankNode* member : members) {
            const std::uint64_t named = kind == broadcast || kind == scatter ? member->said->from : member->said->to;
            for (std::size_t at = 0; named != 0 && at < members.size(); ++at)
                if (members[at]->rank == named) return at;
        }
        if (kind == gather || kind == reduce) return 0;
        const auto sized = [](const RankNode* member) { return member->said->bytes != 0; };
        const auto first = std::find_if(members.begin(), members.end(), sized);
        return first == members.end() ? 0 : static_cast<std::size_t>(first - members.begin());
    }
    /// Broadcast and reduce are chains of one piece for each of their copies, so that all links are in use as in NCCL's
    /// ring; gather and scatter a copy for each other rank, of its share.
    void add_rooted(const std::vector<RankNode*>& members, std::uint64_t bytes) {
        ++rooted_;
        const std::uint64_t kind = members[0]->said->kind;
        const std::size_t ranks = members.size(), root = root_of(members);
        check_bytes(*members[root], bytes);
        const auto join = [this](RankNode& from, RankNode& to, unsigned value) {
            const unsigned step = copy(from, value, gpu(to.rank));
            between(from, to, step, true, true);
            return result_.graph.steps[step].writes[0];
        };
        const auto at = [&](std::size_t hop) -> RankNode& { return *members[(root + hop) % ranks]; };
        if (kind == broadcast || kind == reduce) {
            const std::size_t pieces = ranks - 1;
            for (std::size_t piece = 0; piece < pieces; ++piece) {
                RankNode& begin = kind == broadcast ? at(0) : at(ranks - 1);
                unsigned held = given(begin, gpu(begin.rank), (bytes + pieces - 1) / pieces);
                for (std::size_t hop = 0; hop + 1 < ranks; ++hop)
                    held = kind == broadcast ? join(at(hop), at(hop + 1), held)
                                             : join(at(ranks - 1 - hop), at(ranks - 2 - hop), held);
            }
        } else {
            const std::uint64_t share = kind == gather ? bytes : (bytes + ranks - 1) / ranks;
            for (std::size_t other = 1; other < ranks; ++other) {
                RankNode& from = kind == gather ? at(other) : at(0);
                join(from, kind == gather ? at(0) : at(other), given(from, gpu(from.rank), share));
            }
        }
        for (RankNode* member : members) member->known = true;
    }
    void exchange(const std::vector<RankNode*>& members, std::uint64_t bytes) {
        for (std::size_t distance = 1; distance < members.size(); ++distance)
            for (std::size_t at = 0; at < members.size(); ++at) {
                RankNode& to = *members[(at + distance) % members.size()];
                RankNode& from = *members[at];
                between(from, to, copy(from, given(from, gpu(from.rank), bytes), gpu(to.rank)), true, true);
            }
        for (RankNode* member : members) member->known = true;
    }
    static void between(RankNode& from, RankNode& to, unsigned step, bool begins, bool ends) {
        for (RankNode* node : {&from, &to}) {
            if (begins) node->begins.push_back(step);
            if (ends) node->ends.push_back(step);
        }
    }
    /// All wait for what each waits for, without a step.
    void meet_all(const std::vector<RankNode*>& members) {
        for (RankNode* member : members) met_[{member->rank, member->said->id}] = &members;
    }

    /// What must have ended for a node to have: of one without steps, of what it waits for.
    const Steps& ends(const Key& key) {
        RankNode& node = nodes_.at(key);
        if (node.known) return node.ends;
        if (node.visited) fail(&node, "it waits for itself");
        node.visited = true;
        constexpr unsigned kMostChained = 1000; // far more than traces have, and the stack holds them
        if (++chained_ > kMostChained)
            fail(&node, fmt::format("more than {} nodes without a step wait for each other", kMostChained));
        const auto met = met_.find(key);
        Steps all;
        const auto add_waits = [&](const RankNode& of) {
            each_before(of, [&](const Key& id) {
                const Steps& before = ends(id);
                count_waits(of, before.size());
                all.insert(all.end(), before.begin(), before.end());
            });
        };
        if (met == met_.end())
            add_waits(node);
        else
            for (const RankNode* member : *met->second) add_waits(*member);
        once(all);
        node.ends = std::move(all);
        node.known = true;
        --chained_;
        return node.ends;
    }
    /// Calls `use` with each node that `of` waits for.
    template <class Use> void each_before(const RankNode& of, const Use& use) const {
        for (const std::uint64_t id : of.said->follows)
            if (const Key key{of.rank, id}; nodes_.count(key) != 0) use(key);
        for (const std::uint64_t id : of.said->waits) {
            const Key key{of.rank, id};
            if (nodes_.count(key) == 0)
                fail(&of, fmt::format("it waits for data of node {}, which the trace does not have", id));
            use(key);
        }
    }
    void count_outside() {
        for (const auto& [key, node] : nodes_)
            for (const std::uint64_t id : node.said->follows) outside_ += nodes_.count({key.first, id}) == 0 ? 1 : 0;
    }
    void add_notes() {
        const auto note = [this](std::size_t count, const char* one, const char* many) {
            if (count != 0) result_.notes.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
        };
        note(outside_, "wait by control for a node outside of the capture is left out",
             "waits by control for nodes outside of the capture are left out");
        note(lone_, "collective has one rank of its group in the traces and takes no time",
             "collectives have one rank of their group in the traces and take no time");
        note(rings_, "collectives are rings of copies; additions in them take no time",
             "collectives are rings of copies; additions in them take no time");
        note(rooted_, "collective has a root, which is comm_src or comm_dst, else the first rank of its group",
             "collectives have a root, which is comm_src or comm_dst, else the first rank of their group");
        note(others_, "send, receive or collective needs the traces of other ranks",
             "sends, receives and collectives need the traces of other ranks");
    }
    void wait(const Key& key) {
        const RankNode& node = nodes_.at(key);
        each_before(node, [&](const Key& id) {
            const Steps& before = ends(id);
            count_waits(node, before.size() * node.begins.size());
            for (const unsigned step : node.begins) {
                Steps& after = result_.graph.steps[step].after;
                after.insert(after.end(), before.begin(), before.end());
            }
        });
    }

    const std::vector<ChakraTrace>& ranks_;
    double tflops_;
    bool one_;
    std::map<Key, RankNode> nodes_;
    std::vector<Key> in_order_;
    Waiting sends_, receives_;
    std::map<std::pair<unsigned, std::string>, std::uint64_t> turns_; ///< collectives of a group that a rank has had
    std::map<std::pair<std::string, std::uint64_t>, std::vector<RankNode*>> collectives_;
    std::map<Key, const std::vector<RankNode*>*> met_; ///< barriers, and collectives of one rank
    std::size_t rings_ = 0, rooted_ = 0, lone_ = 0, outside_ = 0, others_ = 0, waits_ = 0;
    unsigned chained_ = 0; ///< calls of ends() that have not returned
    RecordedGraph result_;
};

} // namespace

RecordedGraph chakra_graph(const std::vector<ChakraTrace>& ranks, double tflops) {
    return GraphOfRanks(ranks, tflops, false).make();
}

RecordedGraph chakra_graph_of_one(const ChakraTrace& rank, double tflops) {
    return GraphOfRanks({rank}, tflops, true).make();
}

} // namespace numavp

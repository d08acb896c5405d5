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
enum Collective : std::uint64_t { all_reduce = 0, all_gather = 2, all_to_all = 6, reduce_scatter = 7, barrier = 9 };

class GraphOfRanks {
  public:
    GraphOfRanks(const std::vector<ChakraTrace>& ranks, double tflops) : ranks_(ranks), tflops_(tflops) {
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
            check_members(turn.first, members);
            add_collective(members);
        }
        for (const Key& key : in_order_) wait(key);
        for (AppStep& step : result_.graph.steps) once(step.after);
        if (result_.graph.steps.empty()) throw ConfigError(ranks_[0].path, "no node computes or communicates");
        if (rings_ != 0)
            result_.notes.push_back(
                fmt::format("{} collectives are rings of copies; additions in them take no time", rings_));
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
        constexpr std::size_t kMost = 1000000; // a prediction of so many takes minutes
        if (result_.graph.steps.size() == kMost)
            throw ConfigError(ranks_[0].path, fmt::format("the graph has more than {} steps", kMost));
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
        if (bytes == 0 || bytes > kMostValueBytes) fail(&node, fmt::format("it moves {} B", bytes));
        return add_value(result_.graph, place, bytes, HostMemory::pinned, true);
    }

    void add(RankNode& node) {
        const ChakraNode& said = *node.said;
        switch (said.type) {
        case ChakraNode::compute: add_compute(node); break;
        case ChakraNode::load: add_transfer(node, {false, 0}, gpu(node.rank)); break;
        case ChakraNode::store: add_transfer(node, gpu(node.rank), {false, 0}); break;
        case ChakraNode::send: meet(node, sends_, receives_, {node.rank, said.to, said.tag}); break;
        case ChakraNode::receive: meet(node, receives_, sends_, {said.from, node.rank, said.tag}); break;
        case ChakraNode::collective: {
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
    void add_transfer(RankNode& node, AppPlace from, AppPlace to) {
        node.begins = node.ends = {copy(node, given(node, from, node.said->tensor_bytes), to)};
        node.known = true;
    }
    /// A send and a receive are a copy, whichever comes first here.
    void meet(RankNode& node, Waiting& own, Waiting& others, const Message& message) {
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
        for (const RankNode* member : members)
            if (member->said->kind != first.kind || member->said->bytes != first.bytes)
                fail(member, fmt::format("rank {} has another collective in its place", members[0]->rank));
        const std::size_t ranks = members.size();
        if (ranks == 1 || first.kind == barrier) return meet_all(members);
        const bool known = first.kind == all_reduce || first.kind == all_gather || first.kind == all_to_all ||
                           first.kind == reduce_scatter;
        if (!known)
            fail(members[0],
                 fmt::format("its collective has kind {}; 0 (all-reduce), 2 (all-gather), 6 (all-to-all), 7 "
                             "(reduce-scatter) and 9 (barrier) are known",
                             first.kind));
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
            for (const std::uint64_t id : of.said->waits) {
                const Steps& before = ends(checked({of.rank, id}, of));
                count_waits(of, before.size());
                all.insert(all.end(), before.begin(), before.end());
            }
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
    Key checked(const Key& key, const RankNode& who) const {
        if (nodes_.count(key) == 0)
            fail(&who, fmt::format("it waits for node {}, which the trace does not have", key.second));
        return key;
    }
    void wait(const Key& key) {
        const RankNode& node = nodes_.at(key);
        for (const std::uint64_t id : node.said->waits) {
            const Steps& before = ends(checked({node.rank, id}, node));
            count_waits(node, before.size() * node.begins.size());
            for (const unsigned step : node.begins) {
                Steps& after = result_.graph.steps[step].after;
                after.insert(after.end(), before.begin(), before.end());
            }
        }
    }

    const std::vector<ChakraTrace>& ranks_;
    double tflops_;
    std::map<Key, RankNode> nodes_;
    std::vector<Key> in_order_;
    Waiting sends_, receives_;
    std::map<std::pair<unsigned, std::string>, std::uint64_t> turns_; ///< collectives of a group that a rank has had
    std::map<std::pair<std::string, std::uint64_t>, std::vector<RankNode*>> collectives_;
    std::map<Key, const std::vector<RankNode*>*> met_; ///< barriers, and collectives of one rank
    std::size_t rings_ = 0, waits_ = 0;
    unsigned chained_ = 0; ///< calls of ends() that have not returned
    RecordedGraph result_;
};

} // namespace

RecordedGraph chakra_graph(const std::vector<ChakraTrace>& ranks, double tflops) {
    return GraphOfRanks(ranks, tflops).make();
}

} // namespace numavp

#include "platform/live/live_state.h"

#include <cmath>
#include <optional>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "models/sm/slot_account.h"
#include "platform/results/results.h"
#include "platform/summary/progress.h"

namespace numavp {

const std::string_view kLiveStateShape = R"({"status": "text", "message": "text", "system": "text", "workload": "text",
    "branch": "text", "process": "count", "results": "text", "clock_khz": "count",
    "branches": [{"name": "text", "status": "text", "address": "text", "results": "text"}],
    "progress": {"share": "number", "cycle": "count", "time_ns": "number", "blocks_done": "count",
        "blocks_total": "count", "kernels_done": "count", "kernels_total": "count", "warp_instructions": "count",
        "elapsed_s": "number", "left_s": "number?"},
    "recent": {"begin": "count", "end": "count"},
    "sockets": [{"name": "text", "link_out_use": "number?", "link_out_gbps": "number?", "link_in_use": "number?",
        "link_in_gbps": "number?", "lanes_out": "count?", "lanes_in": "count?", "memory_use": "number?",
        "memory_gbps": "number?", "ipc": "number?", "warps": "number?", "slots": {"*": "number?"}}],
    "levels": [{"name": "text", "value": "count"}],
    "history": {"cycles": ["count"], "link_out": [["number?"]], "link_in": [["number?"]], "memory": [["number?"]],
        "slots": {"*": ["number?"]}},
    "kernels": {"running": [{"name": "text", "begin": "count"}],
        "ended": [{"launch": "count", "name": "text", "begin": "count", "end": "count"}]},
    "waits": [{"parts": "text", "verb": "text", "count": "count", "all": "count", "amount": "count",
        "change": "number", "most": "text", "what": "text"}],
    "accesses": {"every": "count", "last": [{"access": "count", "kind": "text", "socket": "count", "sm": "count",
        "home": "count", "address": "text", "from_ns": "number", "latency_ns": "number",
        "hops": [{"place": "text", "wait_ns": "number", "time_ns": "number", "waited_for": "text"}]}]}})";

namespace {

constexpr double kPsInNs = 1000.0;

double as_real(std::uint64_t number) { return static_cast<double>(number); }

/// With four decimals, which a chart shows at most; null without a whole.
ordered_json live_quotient(double part, double whole) {
    constexpr double kDecimals = 1e4;
    if (whole <= 0.0) return nullptr;
    return std::round(part / whole * kDecimals) / kDecimals;
}

/// LiveColumns of a snapshot's history by name. One that the machine lacks is none.
class LiveColumns {
  public:
    using Column = LiveHistory::Column;
    explicit LiveColumns(const LiveHistory& history) : history_(history) {
        for (const Column& column : history.columns()) by_name_.emplace(column.name, &column);
    }
    const Column* of(unsigned socket, std::string_view name) const {
        const auto found = by_name_.find(fmt::format("socket{}.{}", socket, name));
        return found == by_name_.end() ? nullptr : found->second;
    }
    std::size_t intervals() const { return history_.ends().size(); }
    double interval_cycles(std::size_t i) const {
        return as_real(history_.ends()[i] - (i == 0 ? 0 : history_.ends()[i - 1]));
    }
    double recent_cycles() const {
        return history_.ends().empty() ? 0.0 : as_real(history_.ends().back() - history_.recent_begin());
    }

  private:
    const LiveHistory& history_;
    std::unordered_map<std::string, const Column*> by_name_;
};

std::optional<double> recent_of(const LiveColumns::Column* column) {
    return column ? std::optional(as_real(column->recent)) : std::nullopt;
}

/// Part of a whole for which `factor` of its unit is 1: of the recent samples, and of each interval.
struct LiveShare {
    const LiveColumns::Column* part = nullptr;
    const LiveColumns::Column* whole = nullptr; ///< null: time is
    double factor = 1.0;

    bool there() const { return part != nullptr && factor > 0.0; }
    ordered_json recent(const LiveColumns& all) const {
        if (!there()) return nullptr;
        return live_quotient(as_real(part->recent), factor * (whole ? as_real(whole->recent) : all.recent_cycles()));
    }
    ordered_json over_time(const LiveColumns& all) const {
        ordered_json list = ordered_json::array();
        for (std::size_t i = 0; there() && i < all.intervals(); ++i)
            list.push_back(live_quotient(as_real(part->values[i]),
                                         factor * (whole ? as_real(whole->values[i]) : all.interval_cycles(i))));
        return list;
    }
};

/// Bytes a core cycle at a bandwidth.
double bytes_per_cycle(const SystemConfig& config, double gbps) { return gbps * 1e6 / as_real(config.clock_khz); }

LiveShare link_share(const SystemConfig& config, const LiveColumns& all, unsigned socket, const char* way) {
    return {all.of(socket, fmt::format("link.{}_bytes", way)), all.of(socket, fmt::format("link.{}_lane_cycles", way)),
            bytes_per_cycle(config, config.link_at(socket).lane_gbps)};
}

LiveShare memory_share(const SystemConfig& config, const LiveColumns& all, unsigned socket) {
    const SocketConfig& own = config.socket_at(socket);
    const double gbps = own.has_memory() ? memory_speed(config, own).gbps : 0.0;
    return {all.of(socket, "memory.bytes"), nullptr, bytes_per_cycle(config, gbps)};
}

/// GB/s of bytes in the recent samples.
ordered_json recent_gbps(const SystemConfig& config, const LiveColumns& all, const LiveColumns::Column* bytes) {
    if (bytes == nullptr) return nullptr;
    return live_quotient(as_real(bytes->recent), all.recent_cycles() * bytes_per_cycle(config, 1.0));
}

ordered_json level_of(const LiveColumns::Column* column) { return column ? ordered_json(column->recent) : nullptr; }

std::string slot_column(std::string_view cause) { return fmt::format("slots.{}", cause); }

/// Slots of a socket in the recent samples; 0 without SMs.
double recent_slots(const LiveColumns& all, unsigned socket) {
    double sum = 0.0;
    for (const auto& cause : kSlotCauses) sum += recent_of(all.of(socket, slot_column(cause.name))).value_or(0.0);
    return sum;
}

ordered_json socket_json(const SystemConfig& config, const LiveColumns& all, unsigned s, const std::string& name,
                         double schedulers) {
    ordered_json out = {{"name", name}};
    for (const char* way : {"out", "in"}) {
        out[fmt::format("link_{}_use", way)] = link_share(config, all, s, way).recent(all);
        out[fmt::format("link_{}_gbps", way)] = recent_gbps(config, all, all.of(s, fmt::format("link.{}_bytes", way)));
    }
    for (const char* way : {"out", "in"})
        out[fmt::format("lanes_{}", way)] = level_of(all.of(s, fmt::format("link.lanes_{}", way)));
    const LiveShare memory = memory_share(config, all, s);
    out["memory_use"] = memory.recent(all);
    out["memory_gbps"] = memory.there() ? recent_gbps(config, all, memory.part) : nullptr;
    const double slots = recent_slots(all, s),
                 cycles = schedulers > 0.0 ? slots / schedulers : 0.0; // of the SMs' clock
    const auto a_cycle = [&](const std::string& column) {
        return live_quotient(recent_of(all.of(s, column)).value_or(0.0), cycles);
    };
    out["ipc"] = a_cycle(slot_column(kSlotCauses.name(SlotCause::issued)));
    out["warps"] = a_cycle("warp_cycles");
    out["slots"] = ordered_json::object();
    for (const auto& cause : kSlotCauses)
        out["slots"][std::string(cause.name)] =
            live_quotient(recent_of(all.of(s, slot_column(cause.name))).value_or(0.0), slots);
    return out;
}

/// Shares of the slots of all sockets, by cause.
ordered_json slots_over_time(const SystemConfig& config, const LiveColumns& all) {
    std::vector<double> whole(all.intervals(), 0.0);
    std::vector<std::vector<double>> parts;
    for (const auto& cause : kSlotCauses) {
        std::vector<double>& part = parts.emplace_back(all.intervals(), 0.0);
        for (unsigned s = 0; s < config.sockets; ++s)
            if (const LiveColumns::Column* column = all.of(s, slot_column(cause.name)))
                for (std::size_t i = 0; i < part.size(); ++i) part[i] += as_real(column->values[i]);
        for (std::size_t i = 0; i < part.size(); ++i) whole[i] += part[i];
    }
    ordered_json out = ordered_json::object();
    std::size_t number = 0;
    for (const auto& cause : kSlotCauses) {
        ordered_json& list = out[std::string(cause.name)] = ordered_json::array();
        for (std::size_t i = 0; i < whole.size(); ++i) list.push_back(live_quotient(parts[number][i], whole[i]));
        ++number;
    }
    return out;
}

ordered_json history_json(const SystemConfig& config, const LiveColumns& all, const LiveHistory& history) {
    ordered_json out = {{"cycles", history.ends()}};
    for (const char* way : {"out", "in"}) {
        ordered_json& list = out[fmt::format("link_{}", way)] = ordered_json::array();
        for (unsigned s = 0; s < config.sockets; ++s) list.push_back(link_share(config, all, s, way).over_time(all));
    }
    ordered_json& memories = out["memory"] = ordered_json::array();
    for (unsigned s = 0; s < config.sockets; ++s) memories.push_back(memory_share(config, all, s).over_time(all));
    out["slots"] = slots_over_time(config, all);
    return out;
}

ordered_json progress_json(const LiveSnapshot& snapshot, std::uint64_t clock_khz) {
    const Progress& p = snapshot.progress;
    const double share = done_share(p);
    const std::optional<double> left = left_seconds(share, snapshot.elapsed_seconds);
    return {{"share", share},
            {"cycle", p.cycle},
            {"time_ns", time_ns(p.cycle, clock_khz)},
            {"blocks_done", p.blocks_done},
            {"blocks_total", p.blocks_total},
            {"kernels_done", p.kernels_done},
            {"kernels_total", p.kernels_total},
            {"warp_instructions", p.warp_instructions},
            {"elapsed_s", snapshot.elapsed_seconds},
            {"left_s", left ? ordered_json(*left) : nullptr}};
}

ordered_json kernels_json(const LiveSnapshot& snapshot) {
    ordered_json running = ordered_json::array(), ended = ordered_json::array();
    for (const LiveKernel& k : snapshot.running) running.push_back({{"name", k.name}, {"begin", k.begin}});
    for (const LiveKernel& k : snapshot.ended)
        ended.push_back({{"launch", k.launch}, {"name", k.name}, {"begin", k.begin}, {"end", k.end}});
    return {{"running", std::move(running)}, {"ended", std::move(ended)}};
}

ordered_json access_json(const KeptAccess& kept) {
    const FollowedAccess& a = kept.access;
    ordered_json hops = ordered_json::array();
    for (const AccessHop& hop : kept.hops)
        hops.push_back({{"place", hop.place},
                        {"wait_ns", as_real(hop.wait_ps) / kPsInNs},
                        {"time_ns", as_real(hop.time_ps) / kPsInNs},
                        {"waited_for", std::string(kWaitedNames.name(hop.waited))}});
    return {{"access", a.number},
            {"kind", a.kind == Kind::store    ? "store"
                     : a.kind == Kind::atomic ? "atomic"
                                              : "load"},
            {"socket", a.socket.value},
            {"sm", a.sm},
            {"home", a.home.value},
            {"address", fmt::format("{:#x}", a.virtual_line)},
            {"from_ns", as_real(a.from_ps) / kPsInNs},
            {"latency_ns", as_real(a.latency_ps) / kPsInNs},
            {"hops", std::move(hops)}};
}

ordered_json waits_json(const std::vector<LiveWait>& waits) {
    ordered_json list = ordered_json::array();
    for (const LiveWait& w : waits)
        list.push_back({{"parts", w.parts},
                        {"verb", w.verb},
                        {"count", w.count},
                        {"all", w.all},
                        {"amount", w.amount},
                        {"change", w.change},
                        {"most", w.most},
                        {"what", w.what}});
    return list;
}

/// Levels of the machine as a whole, such as packets inside its network.
ordered_json levels_json(const LiveHistory& history) {
    ordered_json list = ordered_json::array();
    for (const LiveHistory::Column& column : history.columns())
        if (!column.increase && column.name.compare(0, 6, "socket") != 0)
            list.push_back({{"name", column.name}, {"value", column.recent}});
    return list;
}

} // namespace

LiveState::LiveState(LiveFacts facts) : facts_(std::move(facts)) {
    take(LiveSnapshot());
    now_["status"] = "preparing";
}

const ordered_json& LiveState::take(const LiveSnapshot& snapshot) {
    const SystemConfig& config = facts_.config;
    const LiveHistory& history = snapshot.history;
    const LiveColumns all(history);
    const std::vector<std::string> names = socket_names(config);
    ordered_json sockets = ordered_json::array(), accesses = ordered_json::array();
    for (unsigned s = 0; s < config.sockets; ++s)
        sockets.push_back(socket_json(config, all, s, names[s],
                                      s < snapshot.schedulers.size() ? as_real(snapshot.schedulers[s]) : 0.0));
    for (const KeptAccess& access : snapshot.accesses) accesses.push_back(access_json(access));
    now_ = {
        {"format", kLiveStateFormat},
        {"status", "running"},
        {"message", ""},
        {"system", config.name},
        {"workload", facts_.workload},
        {"branch", facts_.branch},
        {"process", ::getpid()},
        {"results", facts_.results},
        {"clock_khz", config.clock_khz},
        {"branches", ordered_json::array()},
        {"progress", progress_json(snapshot, config.clock_khz)},
        {"recent", {{"begin", history.recent_begin()}, {"end", history.ends().empty() ? 0 : history.ends().back()}}},
        {"sockets", std::move(sockets)},
        {"levels", levels_json(history)},
        {"history", history_json(config, all, history)},
        {"kernels", kernels_json(snapshot)},
        {"waits", waits_json(waits_.of(snapshot.parts, config.sockets))},
        {"accesses", {{"every", facts_.follow_every}, {"last", std::move(accesses)}}}};
    return now_;
}

const ordered_json& LiveState::become(const char* status, const std::string& message) {
    now_["status"] = status;
    now_["message"] = message;
    return now_;
}

const ordered_json& LiveState::branch_out(const std::vector<LiveBranch>& branches, const std::string& message) {
    ordered_json list = ordered_json::array();
    for (const LiveBranch& branch : branches)
        list.push_back({{"name", branch.name},
                        {"status", branch.status},
                        {"address", branch.address},
                        {"results", branch.results}});
    now_["branches"] = std::move(list);
    return become("branched", message);
}

const ordered_json& LiveState::become_branch(const LiveBranch& branch) {
    facts_.branch = branch.name;
    facts_.results = branch.results;
    facts_.owner = ::getppid();
    now_["branch"] = branch.name;
    now_["process"] = ::getpid();
    now_["results"] = branch.results;
    now_["branches"] = ordered_json::array();
    return become("running", "");
}

} // namespace numavp

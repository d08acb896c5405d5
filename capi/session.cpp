#include "capi/session.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/name_table.h"
#include "common/inputs/workload_record.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "platform/results/results.h"
#include "sw/traces/trace_kernel.h"

namespace numavp {

namespace {

struct Settings {
    std::vector<std::string> system;
    std::string seed, scale; ///< of the workload; empty: not given
};

Settings read_settings(const std::string& text) {
    Settings settings;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        const std::string assignment = text.substr(at, end - at);
        at = end + 1;
        if (assignment.empty()) continue;
        const std::size_t equals = assignment.find('=');
        const std::string path = assignment.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : assignment.substr(equals + 1);
        if (path == "workload.seed")
            settings.seed = value;
        else if (path == "workload.scale")
            settings.scale = value;
        else
            settings.system.push_back(assignment);
    }
    return settings;
}

NamedWorkload workload_of(const std::string& name, const Settings& settings) {
    if (!name.empty()) {
        NamedWorkload named = load_named_workload(name, settings.seed, settings.scale, "workload.");
        refuse_bad_traces(named.workload);
        return named;
    }
    NamedWorkload none;
    none.workload.name = "none";
    none.record = record_of(none.workload, std::nullopt, 1.0);
    return none;
}

/// The number as an index below `count`; ConfigError if it is none.
unsigned index_of(const char* what, int number, std::size_t count) {
    if (number < 0 || static_cast<std::size_t>(number) >= count)
        throw ConfigError(fmt::format("{} {}", what, number), fmt::format("there are {}, numbered from 0", count));
    return static_cast<unsigned>(number);
}

} // namespace

Session::Session(const std::string& system, const std::string& workload, const std::string& settings)
    : config_(load_system(system, read_settings(settings).system)),
      workload_(workload_of(workload, read_settings(settings))), homes_(memory_homes(config_)),
      layout_(address_map(config_).memories, memory_bytes(config_)) {}

void Session::before_time(const char* what) const {
    if (system_) throw ConfigError(what, "it is opened before time begins");
}

unsigned Session::open_port(int socket) {
    before_time("port");
    ports_.push_back({index_of("socket", socket, config_.sockets),
                      std::make_unique<AccessPort>(sc_core::sc_gen_unique_name("caller_port"))});
    return static_cast<unsigned>(ports_.size() - 1);
}

unsigned Session::open_memory(int socket, int channel) {
    before_time("memory");
    const unsigned s = index_of("socket", socket, config_.sockets);
    const SocketConfig& own = config_.socket_at(s);
    if (!own.has_memory()) throw ConfigError("memory", fmt::format("socket {} has none", s));
    const unsigned c = index_of("channel", channel, own.memory.channels);
    if (own.l2.slices != own.memory.channels)
        throw ConfigError("socket.l2.slices", "a memory of the caller's needs one slice a channel");
    for (const Memory& memory : memories_)
        if (memory.socket == s && memory.channel == c)
            throw ConfigError("memory", fmt::format("channel {} of socket {} is open already", c, s));
    memories_.push_back({s, c, std::make_unique<MemoryPort>(sc_core::sc_gen_unique_name("caller_memory"))});
    return static_cast<unsigned>(memories_.size() - 1);
}

AccessPort& Session::port(int number) { return *ports_[index_of("port", number, ports_.size())].port; }
MemoryPort& Session::memory(int number) { return *memories_[index_of("memory", number, memories_.size())].port; }

std::uint64_t Session::address(int socket, std::uint64_t offset) const {
    const unsigned s = index_of("socket", socket, config_.sockets);
    const unsigned parts = config_.placement.sockets_per_memory;
    const auto memory = std::find(homes_.begin(), homes_.end(), SocketId(s));
    if (memory == homes_.end()) throw ConfigError(fmt::format("socket {}", s), "it has no memory");
    const auto index = static_cast<unsigned>(memory - homes_.begin());
    const std::uint64_t bytes = memory_sizes(config_)[index / parts] / parts;
    if (offset >= bytes)
        throw ConfigError(fmt::format("offset {:#x}", offset),
                          fmt::format("a socket has {:#x} bytes of memory", bytes));
    const std::uint64_t line = offset / kLineBytes * parts + index % parts; // of the memory, of which it is a part
    return layout_.address(MemoryId(index / parts), line * kLineBytes + offset % kLineBytes);
}

/// Time goes on in `action`; if it goes wrong, never again.
template <class Action> void Session::guarded(const Action& action) {
    try {
        action();
    } catch (const std::exception& error) {
        broken_ = error.what();
        throw;
    }
}

System& Session::built() {
    if (!system_) guarded([this] { build(); });
    return *system_;
}

void Session::build() {
    SystemOptions options;
    std::vector<unsigned> count(config_.sockets, 0);
    for (const Port& port : ports_) options.core_ports = std::max(options.core_ports, ++count[port.socket]);
    if (!memories_.empty())
        options.foreign_memory = [this](unsigned socket, unsigned channel) -> tlm::tlm_target_socket<>* {
            for (const Memory& memory : memories_)
                if (memory.socket == socket && memory.channel == channel) return &memory.port->socket;
            return nullptr;
        };
    auto system = std::make_unique<System>(config_, workload_.workload, options);
    std::fill(count.begin(), count.end(), 0);
    for (const Port& port : ports_) port.port->socket.bind(system->core_port(port.socket, count[port.socket]++));
    system_ = std::move(system);
}

/// The system, if time may go on.
System& Session::running() {
    must_run();
    return built();
}

void Session::advance(std::uint64_t ps) {
    System& system = running();
    guarded([&] { system.advance(ps); });
}

bool Session::ended() {
    const auto waits = [](const Port& port) { return port.port->unanswered() != 0; };
    return running().ended() && std::none_of(ports_.begin(), ports_.end(), waits);
}

void Session::must_run() const {
    if (over_) throw ConfigError("numavp_end", "the platform has ended");
    if (!broken_.empty()) throw ModelError(broken_);
}

bool Session::access_now(int number, AccessPort::Access& access) {
    AccessPort& through = port(number);
    running();
    access.waited = true;
    if (!through.post(access)) return false;
    const std::uint64_t cycle = system_->clock().edge_ps(1);
    for (std::uint64_t i = 0; !through.answer(access); ++i) {
        if (i == config_.checks.stuck_cycles) {
            through.give_up();
            throw ModelError(fmt::format("an access to {:#x} was not answered in {} cycles", access.address, i));
        }
        advance(cycle);
    }
    return true;
}

unsigned Session::peek(int number, std::uint64_t address, unsigned bytes, unsigned char* data) {
    AccessPort& through = port(number);
    if (!over_) running();
    return through.peek(address, bytes, data);
}

void Session::end(bool drain) {
    System& system = running();
    // A memory of the caller's is answered between two steps of time: nothing drains without him.
    if (!(drain && memories_.empty()) && !ended()) {
        const Progress progress = system.progress();
        throw ModelError(
            fmt::format("the platform has not ended: {} of {} kernels have, and something is due or under way{}",
                        progress.kernels_done, progress.kernels_total, unanswered()));
    }
    guarded([&] { system.run(); });
    for (std::size_t i = 0; i < ports_.size(); ++i)
        if (const std::size_t n = ports_[i].port->open())
            throw ModelError(fmt::format("the platform can't end: port {}: {} accesses were not collected", i, n));
    results_ = results();
    over_ = true;
}

std::string Session::unanswered() const {
    std::string text;
    for (std::size_t i = 0; i < memories_.size(); ++i)
        if (const unsigned n = memories_[i].port->unanswered())
            text += fmt::format("; memory {}: {} requests are not answered", i, n);
    return text;
}

ordered_json Session::results() {
    if (over_) return results_;
    return results_json(system_ ? *system_ : running(), workload_.record);
}

double Session::number(const std::string& path) {
    std::string pointer = "/" + path;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const ordered_json all = results();
    const ordered_json::json_pointer at(pointer);
    if (!all.contains(at) || !all.at(at).is_number())
        throw ConfigError("statistic " + quotable(path), "the results have no number of that path");
    return all.at(at).get<double>();
}

} // namespace numavp

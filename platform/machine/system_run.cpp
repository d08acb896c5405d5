/// A system while it runs: what its dispatcher tells it, its time, its watchdog, and looks at its memory.

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "base/time/clockwork.h"
#include "common/system/system_patience.h"
#include "platform/machine/system_impl.h"

namespace numavp {

namespace {
using Count = std::uint64_t;
} // namespace

// --- what the dispatcher tells

void System::Impl::kernel_launched(const LaunchRecord& record, bool alone) {
    series.mark(record.launched, record.name);
    timeline.push_back({record.launched, record.launched, -1, "launch", record.name});
    if (waves) waves->kernel_launched(record.name);
    last_launch = std::max(last_launch, record.number);
    if (changes_at(record.number)) {
        boundaries.push_back({record.number, alone});
        sc_core::sc_pause(); // settings change between edges
    } else if (alone) {
        launch_parts();
    }
    sample_from_now();
}

void System::Impl::launch_parts() {
    for (const auto& part : built.all) part->launch();
    if (replication) replication->launch();
}

void System::Impl::sample_from_now() {
    if (sampling) return;
    sampling = true;
    const Cycle interval = config.results.interval_cycles;
    sampler.wake_at((domain.now() / interval + 1) * interval);
}

void System::Impl::kernel_ended(const LaunchRecord& record) {
    kernels->flushed(record, domain.now());
    timeline.push_back({record.started, record.ended, -1, "kernel", record.name, {}, 0, record.number});
    if (record.flushed != record.ended) timeline.push_back({record.ended, record.flushed, -1, "flush", record.name});
    host_sees_kernel();
    if (waves) waves->kernel_ended();
}

void System::Impl::wave_ended(const LaunchRecord& record, SocketId socket, const BlockWave& wave) {
    timeline.push_back({wave.begin,
                        wave.end,
                        static_cast<int>(socket.value),
                        "blocks",
                        record.name,
                        {{"wave", Count{wave.number} + 1}, {"blocks", Count{wave.blocks}}}});
}

void System::Impl::all_ended() {
    end_cycle = domain.now();
    sampling = false;
    sample(end_cycle);
    if (waves) waves->rest();
    for (const auto& part : built.all) part->rest();
    if (replication) replication->rest();
}

void System::Impl::no_place(const Kernel& kernel) {
    clockwork.fail(fmt::format("workload {}: {}: {}", workload.name, kernel.place(), pages.failure_sentence()));
}

void System::Impl::bad_work(const std::string& sentence) { clockwork.fail(sentence); }

void System::Impl::Sampler::arbitrate() {
    if (!impl.sampling) return;
    impl.sample(impl.domain.now());
    wake_at(impl.domain.now() + impl.config.results.interval_cycles);
}

// --- running

Progress System::Impl::progress() const {
    Progress p;
    p.cycle = domain.now();
    p.blocks_done = dispatcher.blocks_done();
    p.blocks_total = dispatcher.blocks_total();
    p.kernels_done = dispatcher.kernels_done();
    p.kernels_total = dispatcher.kernels_total();
    for (const GpuSocket* s : sockets)
        for (const auto& sm : s->sms) p.warp_instructions += sm->counts().instructions;
    return p;
}

bool System::Impl::ended() const {
    // A foreign memory may hold requests while nothing is due on our clocks.
    return dispatcher.finished() && clockwork.idle() && (!foreign || pool.in_flight() == 0);
}

/// Returns how much of `ps` has not passed: not 0 after a foreign model's sc_stop().
std::uint64_t System::Impl::advance(std::uint64_t ps) {
    const std::uint64_t window = domain.edge_ps(kWindow);
    while (ps != 0) {
        const std::uint64_t to_end = window - sc_now_ps() % window;
        const std::uint64_t step = std::min(ps, to_end);
        const std::uint64_t before = sc_now_ps();
        try {
            sc_core::sc_start(sc_core::sc_time::from_value(step));
        } catch (const sc_core::sc_report&) { // a run that the user's fault ends leaves transactions open
            if (clockwork.failure().empty()) throw;
        }
        if (!clockwork.failure().empty()) throw ConfigError(clockwork.failure());
        if (!deltas.failure().empty()) throw ModelError(deltas.failure());
        if (!boundaries.empty()) cross_boundaries();
        const std::uint64_t passed = sc_now_ps() - before; // less than the step after a foreign model's sc_pause()
        if (passed == to_end) end_window();
        ps -= passed;
        if (sc_core::sc_get_status() == sc_core::SC_STOPPED) return ps;
    }
    return 0;
}

void System::Impl::stopped(std::uint64_t left_ps) {
    throw ModelError(fmt::format("a model that is not numavp's stopped the simulation by sc_stop() at {}, {} ps early",
                                 sc_core::sc_time_stamp().to_string(), left_ps));
}

void System::Impl::end_window() {
    constexpr unsigned kPatience = 64; ///< windows
    if (gdb) gdb->poll();
    if (ended()) return;
    // A driver ends what it is doing; one that never sleeps is left to itself when it has done nothing for a while.
    Host* const host = built.host;
    const bool spins = dispatcher.finished() && host && host->has_core() && host->faults().drained();
    spinning = spins ? spinning + 1 : 0;
    if (spinning > kPatience) host->halt();
    watch_driver();
}

void System::Impl::run(const std::function<void(const Progress&)>& report) {
    if (sc_now_ps() != 0 && ended()) return verify();
    std::uint64_t last_activity = ~0ULL;
    Cycle quiet_since = 0;
    const Cycle patience = config.checks.stuck_cycles + idle_cycles(config);
    for (;;) {
        const std::uint64_t window = domain.edge_ps(kWindow);
        const std::uint64_t left = advance(window - sc_now_ps() % window);
        if (report) report(progress());
        if (ended()) break;
        if (left != 0) stopped(left);
        if (clockwork.idle() && !foreign) stuck("nothing is due any more");
        const Progress p = progress();
        // A warp that reads a flag again and again gets nowhere by it.
        const std::uint64_t activity = p.warp_instructions - flags.polls() + p.blocks_done + p.kernels_done +
                                       (flags.waited_for() ? 0 : pool.returned()) +
                                       (host_core ? host_core->activity() : 0);
        if (activity != last_activity) {
            last_activity = activity;
            quiet_since = domain.now();
        } else if (domain.now() - quiet_since > patience) {
            stuck(fmt::format("nothing has happened for {} cycles", domain.now() - quiet_since));
        }
    }
    verify();
}

void System::Impl::stuck(const std::string& why) const {
    throw ModelError(fmt::format("the simulation is stuck at cycle {}: {}{}", domain.now(), why, parts.report()));
}

/// Nothing is lost: all parts are drained, and all accounts agree.
void System::Impl::verify() {
    const std::vector<std::string> open = parts.open_accounts();
    if (!open.empty()) throw ModelError(fmt::format("the accounts do not close: {}", fmt::join(open, "; ")));
}

namespace {
/// Bytes that a foreign memory took or gave by debug access; 0 from one that does not answer it.
unsigned debug_foreign(EdgeTargetAdapter& edge, tlm::tlm_command command, std::uint64_t address, unsigned char* bytes,
                       std::size_t count) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(bytes);
    payload.set_data_length(static_cast<unsigned>(count));
    payload.set_streaming_width(static_cast<unsigned>(count));
    return edge.port.transport_dbg(payload);
}

/// A line from a foreign memory; zeros from one that does not answer debug access.
void debug_read_foreign(EdgeTargetAdapter& edge, std::uint64_t line, unsigned char* out) {
    const unsigned count = debug_foreign(edge, tlm::TLM_READ_COMMAND, line, out, kLineBytes);
    if (count < kLineBytes) std::memset(out + count, 0, kLineBytes - count);
}
} // namespace

void System::Impl::debug_read(std::uint64_t physical, unsigned char* out, std::size_t bytes) {
    while (bytes != 0) {
        const std::uint64_t line = physical & ~std::uint64_t{kLineBytes - 1};
        const std::size_t first = physical - line;
        const std::size_t n = std::min<std::size_t>(bytes, kLineBytes - first);
        std::array<unsigned char, kLineBytes> data;
        const SocketId home = map.home_of(line);
        PackagePart* const package = built.package_of(home);
        const unsigned slice = package ? map.slice_of(line, home) : 0;
        if (EdgeTargetAdapter* edge = package ? package->memory_edge(slice) : nullptr)
            debug_read_foreign(*edge, line, data.data());
        else if (package)
            package->socket().channel_of(slice)->debug(line, data.data(), kLineBytes, false);
        else
            memory.read(line, data.data(), kLineBytes);
        if (package) package->socket().debug_overlay(slice, line, data.data());
        for (unsigned s = 0; s < sockets.size(); ++s)
            if (s != home.value) sockets[s]->slices[map.slice_of(line, SocketId(s))]->debug_overlay(line, data.data());
        std::memcpy(out, data.data() + first, n);
        out += n;
        physical += n;
        bytes -= n;
    }
}

/// Changes memory and the copies in L2s, also those that are being filled; returns the number of bytes written, less
/// than `count` if a foreign memory does not answer.
std::size_t System::Impl::debug_write(std::uint64_t physical, const unsigned char* bytes, std::size_t count) {
    constexpr std::size_t kWord = sizeof(std::uint64_t); // of which L2s change copies
    std::size_t done = 0;
    while (done != count) {
        const std::uint64_t at = physical + done, word_at = at / kWord * kWord;
        const std::size_t first = at - word_at, n = std::min(count - done, kWord - first);
        std::uint64_t word = 0;
        debug_read(word_at, reinterpret_cast<unsigned char*>(&word), kWord);
        auto* const changed = reinterpret_cast<unsigned char*>(&word) + first;
        std::memcpy(changed, bytes + done, n);
        const std::uint64_t line = at & ~std::uint64_t{kLineBytes - 1};
        const SocketId home = map.home_of(line);
        PackagePart* const package = built.package_of(home);
        const unsigned slice = package ? map.slice_of(line, home) : 0;
        if (EdgeTargetAdapter* edge = package ? package->memory_edge(slice) : nullptr) {
            if (debug_foreign(*edge, tlm::TLM_WRITE_COMMAND, at, changed, n) != n) return done;
        } else if (package) {
            package->socket().channel_of(slice)->debug(at, changed, static_cast<unsigned>(n), true);
        } else {
            memory.write(at, changed, n);
        }
        if (package) package->socket().debug_patch(slice, word_at, word);
        for (unsigned s = 0; s < sockets.size(); ++s)
            if (s != home.value) sockets[s]->slices[map.slice_of(line, SocketId(s))]->debug_patch(word_at, word);
        done += n;
    }
    return done;
}

unsigned System::Impl::debug_access(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address(), end = std::uint64_t{map.memories} << map.socket_shift;
    const std::uint64_t bytes = address < end ? std::min<std::uint64_t>(payload.get_data_length(), end - address) : 0;
    if (payload.is_write()) return static_cast<unsigned>(debug_write(address, payload.get_data_ptr(), bytes));
    if (!payload.is_read()) return 0;
    debug_read(address, payload.get_data_ptr(), bytes);
    return static_cast<unsigned>(bytes);
}

} // namespace numavp

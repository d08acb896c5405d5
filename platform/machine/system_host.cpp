/// A system's host: what it tells, and how long its driver may take.

#include <cstdlib>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "platform/machine/system_impl.h"

namespace numavp {

/// A driver that does not get on while a fault waits ends the run, and the sentence says where it is.
void System::Impl::watch_driver() const {
    const Host* const host = built.host;
    const bool takes_time = host && host->bus && has_driver(config);
    if (!takes_time || config.driver.watchdog_us <= 0.0) return;
    const double accesses_us =
        static_cast<double>(config.driver.access_cycles()) * 1e3 / static_cast<double>(config.clock_khz);
    const double waited_us = static_cast<double>(host->silent_ps(clockwork.now_ps())) / 1e6;
    if (waited_us <= config.driver.watchdog_us + accesses_us) return;
    stuck(fmt::format("the driver has not served a page fault for {:.0f} us, and driver.watchdog_us allows {:g} (and "
                      "{:g} us for the accesses of one)",
                      waited_us, config.driver.watchdog_us, accesses_us));
}

std::vector<MappedPage> System::Impl::mapped_pages() const {
    std::vector<MappedPage> mapped;
    for (const std::uint64_t page : host_record.pages) {
        MappedPage& one = mapped.emplace_back(MappedPage{page, table.leaf(page)});
        for (unsigned s = 0; one.leaf.replicated() && s < sockets.size(); ++s)
            one.words.push_back(table.replica(one.leaf, s));
    }
    return mapped;
}

// --- the debugger

void System::Impl::open_debugger(const SystemOptions& options) {
    if (!options.gdb_port) return;
    if (!built.host) throw ConfigError("--gdb", "there is no core to debug; driver.execution riscv is expected");
    invite = options.invite;
    gdb = std::make_unique<GdbSession>(*built.host, clockwork, host_record.image, *options.gdb_port,
                                       GdbViews{[this] { return built.host->faults().text(); },
                                                [this](const std::string& page) { return page_table_text(page); }});
}

void System::Impl::close_debugger(int status) {
    if (gdb) gdb->ended(status);
}

std::string System::Impl::page_table_text(const std::string& page) const {
    const auto line = [this](std::uint64_t number) {
        const TableWord leaf = table.leaf(number);
        if (leaf.valid() && leaf.replicated()) {
            std::string text = fmt::format("page {:#x}  replicated", number);
            for (unsigned s = 0; s < sockets.size(); ++s)
                text += fmt::format("  {:#x}", table.replica(leaf, s).address());
            return text + "\n";
        }
        const char* const state = leaf.valid()     ? "mapped"
                                  : leaf.moving()  ? "moving"
                                  : leaf.bits != 0 ? "on the host"
                                                   : "nowhere";
        return fmt::format("page {:#x}  {}  memory {}  {:#x}\n", number, state, leaf.address() >> map.socket_shift,
                           leaf.address());
    };
    if (!page.empty()) {
        char* end = nullptr;
        const std::uint64_t number = std::strtoull(page.c_str(), &end, 0);
        return *end == '\0' ? line(number) : fmt::format("'{}' is no page number\n", page);
    }
    std::string text = fmt::format("{} pages have faulted\n", host_record.pages.size());
    for (const std::uint64_t number : host_record.pages) text += line(number);
    return text;
}

// --- the timeline

void System::Impl::host_timeline() {
    const auto cycle = [this](std::uint64_t ps) {
        return static_cast<Cycle>(static_cast<unsigned __int128>(ps) * config.clock_khz / 1'000'000'000);
    };
    const auto where = static_cast<int>(host_number(config).value);
    std::uint64_t flow = 0;
    for (const HostRecord::Served& f : host_record.served) {
        const FaultTimes& t = f.times;
        const TimelineArg page{"page", fmt::format("{:#x}", f.page)};
        const std::uint64_t socket = f.first.value;
        ++flow;
        timeline.push_back({cycle(t.raised),
                            cycle(t.replayed),
                            static_cast<int>(socket),
                            "faults",
                            "fault",
                            {page,
                             {"arrival_cycles", cycle(t.queued) - cycle(t.raised)},
                             {"queue_cycles", cycle(t.taken) - cycle(t.queued)},
                             {"handling_cycles", cycle(t.done) - cycle(t.taken)},
                             {"replay_cycles", cycle(t.replayed) - cycle(t.done)}},
                            flow});
        timeline.push_back(
            {cycle(t.taken), cycle(t.done), where, "handling", "handling", {page, {"socket", socket}}, flow});
    }
    for (const HostRecord::Copy& c : host_record.copies) {
        TimelineEvent event{cycle(c.since_ps),
                            cycle(c.until_ps),
                            where,
                            "copies",
                            c.from == c.to ? "fill" : "copy",
                            {{"bytes", c.bytes}, {"to_memory", std::uint64_t{c.to.value}}}};
        if (!(c.from == c.to)) event.args.emplace_back("from_memory", std::uint64_t{c.from.value});
        timeline.push_back(std::move(event));
    }
}

} // namespace numavp

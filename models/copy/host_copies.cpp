#include "models/copy/host_copies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
constexpr unsigned kRankOfCopies = 2000; ///< behind a socket's foreign initiators and memories

const char* words_of(Launch::What what) {
    return what == Launch::What::copy_to_device ? "to devices"
           : what == Launch::What::copy_to_host ? "to the host"
                                                : "between arrays";
}
} // namespace

std::string no_place_for(const Launch& launch) {
    return fmt::format("the copy of {} bytes at {:#x} finds no place for a page", launch.bytes, launch.address);
}

HostCopies::HostCopies(sc_core::sc_module_name name, const CopiesConfig& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, {kSystemRank, kRankEdge, kRankOfCopies}), map_(r.map), space_(r.space),
      config_(config), page_bytes_(r.page_bytes), address_bits_(r.address_bits), sockets_(r.sockets), near_(r.near),
      fail_(r.fail) {
    for (const SocketId socket : sockets_)
        movers_.push_back(
            std::make_unique<LineMover>(fmt::format("engine{}_port0", socket.value), config.lines_in_flight,
                                        LineMover::Resources{r.domain, Rank{socket.value, kRankEdge, kRankOfCopies},
                                                             r.pool, r.map, socket, *this, config.engines}));
}

HostCopies::~HostCopies() = default;

/// Mover of the socket that copies a page; among several near sockets the page's number chooses.
unsigned HostCopies::mover_for(std::uint64_t array, std::uint64_t page) const {
    const std::vector<unsigned>& near = near_[array >> map_.socket_shift];
    return near.empty() ? static_cast<unsigned>(page % sockets_.size()) : near[page % near.size()];
}

bool HostCopies::place(std::uint64_t address, std::uint64_t toucher, PhysicalAddress& physical) {
    if (!space_.translate(address >> kLineShift, sockets_[toucher], physical)) return false;
    physical += address % kLineBytes;
    return true;
}

HostCopies::Ends HostCopies::ends_of(const Launch& launch) const {
    const std::uint64_t buffer = host_buffer(launch.address, address_bits_);
    switch (launch.what) {
    case Launch::What::copy_to_device: return {buffer, launch.address, true};
    case Launch::What::copy_to_host: return {launch.address, buffer, false};
    default: return {launch.address, launch.target, false};
    }
}

CopyTotals& HostCopies::totals_of(const Launch& launch) {
    return totals_[launch.what == Launch::What::copy_to_device ? 0 : launch.what == Launch::What::copy_to_host ? 1 : 2];
}

CopyStart HostCopies::copy(const Launch& launch, std::function<void()> done) {
    if (config_.mode == CopyMode::none && launch.what != Launch::What::copy_peer) return CopyStart::nothing;
    CopyTotals& totals = totals_of(launch);
    ++totals.copies;
    totals.bytes += launch.bytes;
    if (launch.bytes == 0) return CopyStart::ended;
    if (running_.empty()) busy_since_ = domain_.now();
    if (totals.running++ == 0) totals.since = domain_.now();
    const std::uint32_t tag = next_tag_++;
    running_[tag] = {launch, std::move(done), domain_.now(), 0, launch.bytes};
    begin_ranges(ends_of(launch), tag);
    return CopyStart::under_way;
}

/// Begins a range for each stretch that lies in one page on both sides. Untouched pages are touched by the sockets in
/// equal shares, as their blocks would in contiguous ranges.
void HostCopies::begin_ranges(const Ends& ends, std::uint32_t tag) {
    Running& running = running_[tag];
    const std::uint64_t bytes = running.launch.bytes;
    const auto left_in_page = [this](std::uint64_t address) { return page_bytes_ - address % page_bytes_; };
    for (std::uint64_t done = 0; done < bytes;) {
        const std::uint64_t from = ends.from + done, to = ends.to + done;
        const std::uint64_t length = std::min({bytes - done, left_in_page(from), left_in_page(to)});
        const std::uint64_t share = done * sockets_.size() / bytes;
        PhysicalAddress read = 0, written = 0;
        // The array first: its page is the one that a placement chooses.
        const bool placed = ends.engine_at_to ? place(to, share, written) && place(from, share, read)
                                              : place(from, share, read) && place(to, share, written);
        if (!placed) return fail_(no_place_for(running.launch));
        ++running.ranges_left;
        const std::uint64_t page = (ends.engine_at_to ? to : from) / page_bytes_;
        movers_[mover_for(ends.engine_at_to ? written : read, page)]->move(
            {read, written, length, false, tag, ends.engine_at_to ? 0 : config_.engines - 1});
        done += length;
    }
}

void HostCopies::line_moved(const MoveRange&, std::uint64_t) { moved_bytes_ += kLineBytes; }

void HostCopies::range_moved(const MoveRange& range) {
    Running& running = running_.at(range.tag);
    running.bytes_left -= range.bytes;
    if (--running.ranges_left != 0) return;
    ended_.insert(range.tag);
    wake();
}

/// What follows copies that end at one edge begins in the order in which they began, not in that of deliveries.
void HostCopies::arbitrate() {
    for (const std::uint32_t tag : std::exchange(ended_, {})) {
        const Running ended = std::move(running_.at(tag));
        running_.erase(tag);
        if (running_.empty()) busy_ps_ += ps_since(busy_since_);
        CopyTotals& totals = totals_of(ended.launch);
        if (--totals.running == 0) totals.busy_ps += ps_since(totals.since);
        if (on_end) on_end(ended.launch, ended.since);
        ended.done();
    }
}

void HostCopies::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("copies");
    g.counter("busy_ps", busy_ps_, "ps", "Time with a copy under way.");
    const auto add = [&g](const char* name, const CopyTotals& totals, const char* where) {
        StatGroup& way = g.group(name);
        way.counter("copies", totals.copies, "copies", fmt::format("Copies from {}.", where));
        way.counter("bytes", totals.bytes, "B", fmt::format("Bytes copied from {}.", where));
        way.counter("busy_ps", totals.busy_ps, "ps", fmt::format("Time with a copy from {} under way.", where));
    };
    add("to_device", totals_[0], "the host to devices");
    add("to_host", totals_[1], "devices to the host");
    if (config_.between_arrays) add("peer", totals_[2], "one array to another");
}

void HostCopies::add_series(SeriesGroup& machine) const {
    machine.increase("copies.bytes", moved_bytes_, "B", "Bytes moved by the copy engines, in whole lines.");
}

std::string HostCopies::waiting_for() const {
    if (running_.empty()) return "";
    const Running& first = running_.begin()->second;
    return fmt::format("{} of {} bytes of a copy {}", first.bytes_left, first.launch.bytes,
                       words_of(first.launch.what));
}

} // namespace numavp

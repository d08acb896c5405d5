#include "models/copy/host_copies.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/base/series.h"
#include "models/base/stats.h"

namespace numavp {

namespace {
constexpr unsigned kRankOfCopies = 2000; ///< behind a socket's foreign initiators and memories
}

HostCopies::HostCopies(sc_core::sc_module_name name, const CopiesConfig& config, const Resources& r)
    : sc_module(name), domain_(r.domain), map_(r.map), space_(r.space), page_bytes_(r.page_bytes),
      address_bits_(r.address_bits), engines_(r.engines), near_(r.near), fail_(r.fail) {
    LineMoverConfig mover;
    mover.lines_in_flight = config.lines_in_flight;
    for (const SocketId socket : engines_)
        movers_.push_back(
            std::make_unique<LineMover>(fmt::format("engine{}_port", socket.value), mover,
                                        LineMover::Resources{r.domain, Rank{socket.value, kRankEdge, kRankOfCopies},
                                                             r.pool, r.map, socket, *this}));
}

HostCopies::~HostCopies() = default;

/// Of several engines that are alike the page's number chooses.
unsigned HostCopies::engine_for(std::uint64_t device, std::uint64_t page) const {
    const std::vector<unsigned>& near = near_[device >> map_.socket_shift];
    return near.empty() ? static_cast<unsigned>(page % engines_.size()) : near[page % near.size()];
}

bool HostCopies::place(std::uint64_t address, std::uint64_t toucher, PhysicalAddress& physical) {
    if (!space_.translate(address >> kLineShift, engines_[toucher], physical)) return false;
    physical += address % kLineBytes;
    return true;
}

/// Pages that nobody has touched are touched by the sockets in equal shares, as their blocks would in contiguous
/// ranges.
bool HostCopies::copy(const Launch& launch, std::function<void()> done) {
    const bool in = launch.what == Launch::What::copy_to_device;
    CopyTotals& totals = totals_[in ? 0 : 1];
    ++totals.copies;
    totals.bytes += launch.bytes;
    if (launch.bytes == 0) return true;
    if (running_.empty()) busy_since_ = domain_.now();
    const std::uint32_t tag = next_tag_++;
    Running& running = running_[tag];
    running = {launch, std::move(done), domain_.now(), 0, launch.bytes};
    const std::uint64_t end = launch.address + launch.bytes;
    for (std::uint64_t at = launch.address; at < end;) {
        const std::uint64_t next = std::min(end, (at / page_bytes_ + 1) * page_bytes_);
        const std::uint64_t share = (at - launch.address) * engines_.size() / launch.bytes;
        PhysicalAddress device = 0, host = 0;
        if (!place(at, share, device) || !place(host_buffer(at, address_bits_), share, host)) {
            fail_(fmt::format("the copy of {} bytes at {:#x} finds no place for a page", launch.bytes, launch.address));
            return false;
        }
        ++running.ranges_left;
        movers_[engine_for(device, at / page_bytes_)]->move(
            {in ? host : device, in ? device : host, next - at, false, tag});
        at = next;
    }
    return false;
}

void HostCopies::line_moved(const MoveRange&, std::uint64_t) { moved_bytes_ += kLineBytes; }

void HostCopies::range_moved(const MoveRange& range) {
    const auto entry = running_.find(range.tag);
    Running& running = entry->second;
    running.bytes_left -= range.bytes;
    if (--running.ranges_left != 0) return;
    const Running ended = std::move(running);
    running_.erase(entry);
    if (running_.empty()) busy_ps_ += ps_since(busy_since_);
    CopyTotals& totals = totals_[ended.launch.what == Launch::What::copy_to_device ? 0 : 1];
    totals.busy_ps += ps_since(ended.since);
    if (on_end) on_end(ended.launch, ended.since);
    ended.done();
}

void HostCopies::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("copies");
    g.counter("busy_ps", busy_ps_, "ps", "With a copy under way.");
    const auto add = [&g](const char* name, const CopyTotals& totals, const char* where) {
        StatGroup& way = g.group(name);
        way.counter("copies", totals.copies, "copies", fmt::format("From {}.", where));
        way.counter("bytes", totals.bytes, "B", fmt::format("Copied from {}.", where));
        way.counter("busy_ps", totals.busy_ps, "ps",
                    fmt::format("From the beginning to the end of a copy from {}, summed over copies.", where));
    };
    add("to_device", totals_[0], "the host to devices");
    add("to_host", totals_[1], "devices to the host");
}

void HostCopies::add_series(SeriesGroup& machine) const {
    machine.increase("copies.bytes", moved_bytes_, "B", "Moved by the copy engines, in whole lines.");
}

std::string HostCopies::waiting_for() const {
    if (running_.empty()) return "";
    const Running& first = running_.begin()->second;
    return fmt::format("{} of {} bytes of a copy {}", first.bytes_left, first.launch.bytes,
                       first.launch.what == Launch::What::copy_to_device ? "to devices" : "to the host");
}

} // namespace numavp

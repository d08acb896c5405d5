#include "models/memory/replay/replay.h"

#include <algorithm>
#include <array>

#include "models/memory/replay/cube.h"

namespace numavp {

std::uint64_t LatencyCounts::at_rank(std::uint64_t rank) const {
    if (count_ == 0) return 0;
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if ((below += counts_[i]) >= rank) return i;
    for (const auto& [value, count] : rare_)
        if ((below += count) >= rank) return value;
    return 0;
}

double ReplayResult::row_hits() const {
    const std::uint64_t columns = counts.reads + counts.writes;
    if (columns <= counts.activates) return 0.0;
    return 1.0 - static_cast<double>(counts.activates) / static_cast<double>(columns);
}

namespace {
/// One channel, fed at its own pins.
class ChannelReplay {
  public:
    ChannelReplay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                  const ArrivalTimes& arrivals)
        : controller(device), decoder_(device.decoder()), stream_(stream),
          arrivals_(arrivals), windows_{windows.reads, windows.writes} {}

    ReplayResult run() {
        for (Cycle now = 0; !finished(); now = next_after(now)) {
            end(0, now);
            end(1, now);
            controller.tick(now);
            offer(now);
        }
        return std::move(result_);
    }
    Cycle last() const { return last_; }

    MemoryController controller;

  private:
    bool finished() const { return at_ == stream_.size() && outstanding_[0] + outstanding_[1] == 0; }
    unsigned direction() const { return static_cast<unsigned>(stream_[at_] >> 63); }
    Cycle arrival() const { return arrivals_.empty() ? 0 : arrivals_[at_]; }

    void end(unsigned direction, Cycle now) {
        Ring<MemoryCompletion>& done = controller.completions(direction != 0);
        while (!done.empty() && done.front().cycle <= now) {
            const MemoryCompletion c = done.pop();
            last_ = std::max(last_, c.cycle);
            --outstanding_[direction];
            if (direction == 0) result_.read_latency.add(c.cycle - c.accepted);
        }
    }
    void offer(Cycle now) {
        if (at_ == stream_.size() || arrival() > now) return;
        const unsigned d = direction();
        if (outstanding_[d] >= windows_[d] || !controller.room(d != 0)) return;
        controller.accept(decoder_.decode(stream_[at_] & ~kStreamWrite), d != 0, 0, now);
        ++outstanding_[d];
        ++(d == 0 ? result_.reads : result_.writes);
        ++at_;
    }
    /// The next cycle in which a command, a completion or an acceptance is possible.
    Cycle next_after(Cycle now) const {
        Cycle next = controller.next();
        if (at_ != stream_.size() && arrival() <= now) {
            const unsigned d = direction();
            if (outstanding_[d] < windows_[d]) return controller.room(d != 0) ? now + 1 : next;
            const auto& done = controller.completions(d != 0);
            return done.empty() ? next : std::min(next, done.front().cycle);
        }
        for (unsigned d = 0; d < 2; ++d)
            if (!controller.completions(d != 0).empty())
                next = std::min(next, controller.completions(d != 0).front().cycle);
        return at_ == stream_.size() ? next : std::min(next, arrival());
    }

    AddressDecoder decoder_;
    const MemoryStream& stream_;
    const ArrivalTimes& arrivals_;
    std::size_t at_ = 0;
    std::array<unsigned, 2> windows_, outstanding_{};
    Cycle last_ = 0;
    ReplayResult result_;
};
} // namespace

ReplayResult replay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                    const std::vector<CommandObserver*>& observers, const ArrivalTimes& arrivals) {
    if (device.is_cube()) return replay_cube(device, stream, windows, observers, arrivals);
    ChannelReplay channel(device, stream, windows, arrivals);
    if (!observers.empty()) channel.controller.set_observer(observers.front());
    ReplayResult result = channel.run();
    result.bytes = stream.size() * device.access_bytes;
    result.unit_ns = 1e6 / static_cast<double>(device.clock_khz);
    result.time_ns = static_cast<double>(channel.last()) * result.unit_ns;
    result.counts = channel.controller.counts();
    return result;
}

} // namespace numavp

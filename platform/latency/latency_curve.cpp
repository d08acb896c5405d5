#include "platform/latency/latency_curve.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>

#include "base/values/rng.h"
#include "common/system/derived.h"
#include "platform/machine/system.h"

namespace numavp {

namespace {
constexpr std::uint64_t kArrayBase = std::uint64_t{1} << 28; ///< far from 0, so that a forgotten base shows
constexpr std::uint64_t kLeastBytes = 16 << 10;
constexpr unsigned kLaps = 2;
constexpr unsigned kTogether = 256; ///< instructions that are made at a time, a lap's last ones excepted

/// Times at which laps of a chase begin and end, read from the machine's clock while it runs.
struct LapTimes {
    std::function<std::uint64_t()> now_ps;
    std::array<std::uint64_t, kLaps + 1> at_ps{};
};

/// The lines of a footprint in the order of a chain through all of them.
std::vector<std::uint32_t> chain_of(std::uint64_t lines) {
    std::vector<std::uint32_t> order(lines);
    std::iota(order.begin(), order.end(), 0U);
    Rng rng(lines, 1);
    for (std::uint64_t i = lines - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
    return order;
}

/// Laps of loads, each of which needs the one before it, and the first load of another lap. An SM fetches an
/// instruction when the one before it issues: so the second of a lap is fetched when the first issues, and that when
/// the lap before has ended.
class ChaseStream final : public WarpStream {
  public:
    ChaseStream(std::uint64_t lines, LapTimes& times) : order_(chain_of(lines)), times_(times) {}

  private:
    InstSpan make() override {
        if (next_ == 1) times_.at_ps[lap_] = times_.now_ps(); // a lap's first load issues: all before it have ended
        if (lap_ == kLaps && next_ == 1) {
            made_[0] = Inst();
            made_[0].op = Op::exit;
            return {made_.data(), made_.data() + 1};
        }
        const std::size_t most = next_ == 0 ? 1 : made_.size();
        std::size_t n = 0;
        for (; n < most && next_ < order_.size(); ++n, ++next_) {
            Inst& inst = made_[n];
            inst = Inst();
            inst.op = Op::load;
            inst.dst = 1;
            inst.src[0] = 1;
            inst.width = sizeof(std::uint64_t);
            inst.mask = 1;
            inst.base = kArrayBase + std::uint64_t{order_[next_]} * kLineBytes;
        }
        if (next_ == order_.size()) {
            next_ = 0;
            ++lap_;
        }
        return {made_.data(), made_.data() + n};
    }

    std::vector<std::uint32_t> order_;
    LapTimes& times_;
    std::array<Inst, kTogether> made_;
    std::size_t next_ = 0;
    unsigned lap_ = 0;
};

class ChaseKernel final : public Kernel {
  public:
    ChaseKernel(std::uint64_t bytes, LapTimes& times) : lines_(bytes / kLineBytes), times_(times) {
        shape_.name = "chase";
        shape_.threads = kWarpLanes;
        shape_.accesses = kLaps * lines_;
    }
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t) override { return std::make_unique<Block>(lines_, times_); }

  private:
    struct Block final : BlockStreams {
        Block(std::uint64_t lines, LapTimes& times) : stream(lines, times) {}
        WarpStream& warp(unsigned) override { return stream; }
        ChaseStream stream;
    };
    KernelShape shape_;
    std::uint64_t lines_;
    LapTimes& times_;
};

/// Of all sockets of the machine that may hold lines of one SM's chase.
std::uint64_t cache_bytes(const SystemConfig& c) {
    std::uint64_t kib = 0;
    for (const SocketGroup& group : socket_groups(c)) {
        const SocketConfig& s = *group.config;
        const bool keeps = s.l2.role().remote != RemoteLines::none; // of the SM's own socket: once
        const unsigned times = keeps && !s.has_memory() ? 1 : group.range.count();
        kib += std::uint64_t{times} * s.l2.size_kib + std::uint64_t{group.range.count()} * s.memory.cache.size_kib;
    }
    return kib << 10;
}
} // namespace

std::vector<std::uint64_t> footprints_of(const SystemConfig& config) {
    const std::uint64_t most = std::max(cache_bytes(config), 4 * kLeastBytes) / 2 * 3;
    std::vector<std::uint64_t> all;
    for (std::uint64_t bytes = kLeastBytes; bytes <= most; bytes *= 2) {
        all.push_back(bytes);
        if (bytes / 2 * 3 <= most) all.push_back(bytes / 2 * 3);
    }
    return all;
}

std::vector<LatencyPoint> latency_curve(const SystemConfig& config, const std::vector<std::uint64_t>& footprints) {
    std::vector<LapTimes> times(footprints.size());
    Workload workload;
    workload.name = "chase";
    for (std::size_t i = 0; i < footprints.size(); ++i) {
        Launch launch;
        launch.kernel = std::make_shared<ChaseKernel>(footprints[i], times[i]);
        workload.launches.push_back(std::move(launch));
    }
    System system(config, workload);
    for (LapTimes& t : times) t.now_ps = [&system] { return system.clock().clockwork().now_ps(); };
    system.run();
    std::vector<LatencyPoint> points;
    for (std::size_t i = 0; i < footprints.size(); ++i) {
        LatencyPoint point;
        point.bytes = footprints[i];
        const std::uint64_t lines = footprints[i] / kLineBytes;
        const auto lap_ps = static_cast<double>(times[i].at_ps[kLaps] - times[i].at_ps[kLaps - 1]);
        point.ns = lap_ps / 1e3 / static_cast<double>(lines);
        point.cycles = point.ns * static_cast<double>(config.clock_khz) / 1e6;
        points.push_back(point);
    }
    return points;
}

} // namespace numavp

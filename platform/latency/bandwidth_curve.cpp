#include "platform/latency/bandwidth_curve.h"

#include <memory>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/system/derived.h"
#include "platform/machine/system.h"

namespace numavp {

namespace {
constexpr std::uint64_t kReadBase = std::uint64_t{1} << 28;
constexpr unsigned kBlocksOfSm = 2, kWarpsOfBlock = 32;
constexpr unsigned kOutstanding = 16; ///< loads of a warp that wait for no other
constexpr unsigned kFewLaps = 1, kManyLaps = 4;
constexpr std::uint64_t kNextLap = 97; ///< warps by which a lap's reads are shifted; prime, so that they go round

/// One warp's share of the lines, in each lap that of another warp.
class ReadStream final : public WarpStream {
  public:
    ReadStream(std::uint64_t lines, std::uint64_t warp, std::uint64_t warps, unsigned laps)
        : lines_(lines), warp_(warp), warps_(warps), laps_(laps), at_(warp) {}

  private:
    InstSpan make() override {
        while (at_ >= lines_ && lap_ < laps_) at_ = (warp_ + ++lap_ * kNextLap) % warps_;
        inst_ = Inst();
        if (lap_ == laps_) {
            inst_.op = Op::exit;
        } else {
            inst_.op = Op::load;
            inst_.bypass_l1 = true;
            inst_.dst = static_cast<std::uint8_t>(1 + loads_++ % kOutstanding);
            inst_.base = kReadBase + at_ * kLineBytes;
            at_ += warps_;
        }
        return {&inst_, &inst_ + 1};
    }
    std::uint64_t lines_, warp_, warps_;
    unsigned laps_, lap_ = 0;
    std::uint64_t at_, loads_ = 0;
    Inst inst_;
};

class ReadKernel final : public Kernel {
  public:
    ReadKernel(std::string name, std::uint64_t bytes, unsigned sms, unsigned laps)
        : lines_(bytes / kLineBytes), laps_(laps) {
        shape_.name = std::move(name);
        shape_.blocks = std::uint64_t{kBlocksOfSm} * sms;
        shape_.threads = kWarpsOfBlock * kWarpLanes;
        shape_.accesses = lines_ * laps;
    }
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override {
        auto block = std::make_unique<Block>();
        const std::uint64_t warps = shape_.blocks * kWarpsOfBlock;
        for (unsigned w = 0; w < kWarpsOfBlock; ++w)
            block->warps.emplace_back(lines_, index * kWarpsOfBlock + w, warps, laps_);
        return block;
    }

  private:
    struct Block final : BlockStreams {
        WarpStream& warp(unsigned w) override { return warps[w]; }
        std::vector<ReadStream> warps;
    };
    KernelShape shape_;
    std::uint64_t lines_;
    unsigned laps_;
};

std::string read_name(std::size_t point, unsigned laps) { return fmt::format("read-{}-{}", point, laps); }

/// Cycles of the kernel that ran last under a name.
double cycles_of_kernel(const System& system, const std::string& name) {
    const std::vector<TimelineEvent>& events = system.timeline();
    for (auto event = events.rbegin(); event != events.rend(); ++event)
        if (event->what == "kernel" && event->name == name) return static_cast<double>(event->end - event->cycle);
    throw ModelError("the kernel " + name + " has left no event");
}
} // namespace

std::vector<BandwidthPoint> bandwidth_curve(const SystemConfig& config, const std::vector<std::uint64_t>& footprints) {
    const auto sms = static_cast<unsigned>(system_totals(config).sms);
    Workload workload;
    workload.name = "reads";
    for (std::size_t i = 0; i < footprints.size(); ++i)
        for (const unsigned laps : {kFewLaps, kFewLaps, kManyLaps}) {
            Launch launch;
            launch.kernel = std::make_shared<ReadKernel>(read_name(i, laps), footprints[i], sms, laps);
            workload.launches.push_back(std::move(launch));
        }
    System system(config, workload);
    system.run();
    std::vector<BandwidthPoint> points;
    for (std::size_t i = 0; i < footprints.size(); ++i) {
        const double cycles =
            cycles_of_kernel(system, read_name(i, kManyLaps)) - cycles_of_kernel(system, read_name(i, kFewLaps));
        const double bytes = static_cast<double>(footprints[i]) * (kManyLaps - kFewLaps);
        points.push_back({footprints[i], bytes / cycles * static_cast<double>(config.clock_khz) / 1e6});
    }
    return points;
}

} // namespace numavp

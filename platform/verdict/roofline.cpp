#include "platform/verdict/roofline.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "common/system/derived.h"
#include "common/system/network_alone.h"
#include "models/sm/tensor_table.h"
#include "platform/verdict/phase_counts.h"

namespace numavp {
namespace {

constexpr double kHzOfKhz = 1e3, kBytesPerGb = 1e9;

/// Sum of the known among some numbers; none if none is known.
void add_known(std::optional<double>& sum, const std::optional<double>& one) {
    if (one) sum = sum.value_or(0.0) + *one;
}

/// Ceilings and counters of one machine.
class Roofs {
  public:
    Roofs(const SystemConfig& config, const KernelRows& kernels) : config_(config), kernels_(kernels) {
        for (unsigned s = 0; s < config.sockets; ++s) sockets_.push_back(socket_config(config, s, 0));
        if (has_network(config))
            network_ = std::make_unique<NetworkSystem>(network_of(config, Place("results.json").at("configuration")));
    }

    double instructions_per_s() const {
        double all = 0.0;
        for (const GpuSocketConfig& own : sockets_) all += own.sms * sm_hz(own) * own.sm.schedulers;
        return all;
    }

    /// Of each kind of elements with a rate, that of its fastest instruction.
    std::vector<TensorCeiling> tensor() const {
        std::vector<TensorCeiling> ceilings;
        for (const auto& kind : kMatrixData) {
            double all = 0.0;
            for (const GpuSocketConfig& own : sockets_) all += own.sms * sm_hz(own) * tensor_ops(own.sm, kind.value);
            if (all > 0.0) ceilings.push_back({std::string(kind.name), all});
        }
        std::stable_sort(ceilings.begin(), ceilings.end(),
                         [](const TensorCeiling& a, const TensorCeiling& b) { return a.ops_per_s > b.ops_per_s; });
        return ceilings;
    }

    std::vector<RoofCeiling> levels() const {
        std::vector<RoofCeiling> ceilings;
        for (const auto& level : kRoofLevels)
            if (const double could = bytes_per_s(level.value); could > 0.0) ceilings.push_back({level.value, could});
        return ceilings;
    }

    RoofPoint point(const KernelPhase& phase, const std::vector<RoofCeiling>& levels) const {
        const PhaseCounts counts(kernels_, phase);
        RoofPoint point{
            phase.name, phase.kind == KernelRowKind::overlap, phase.launches, phase.cycles, std::nullopt, std::nullopt,
            {}};
        for (unsigned s = 0; s < config_.sockets; ++s) {
            add_known(point.instructions, counts.of(s, "sm.warp_instructions"));
            add_known(point.tensor_ops, counts.of(s, "sm.matrix_operations"));
        }
        for (const RoofCeiling& level : levels) point.bytes.push_back(bytes(level.level, counts));
        return point;
    }

  private:
    double sm_hz(const GpuSocketConfig& own) const {
        return static_cast<double>(own.sm_khz(config_.clock_khz)) * kHzOfKhz;
    }

    /// Operations that the tensor cores of an SM complete in a cycle; 0 without a rate.
    static double tensor_ops(const SmConfig& sm, MatrixData data) {
        double most = 0.0;
        for (const auto& op : kMatrixOps) {
            const MatrixShape shape = shape_of(op.value);
            const MatrixTiming timing = matrix_timing(sm.tensor.cores, op.value, sm.schedulers);
            if (shape.data != data || !timing.known()) continue;
            const unsigned at_once = shape.is_of_sm() ? 1 : sm.schedulers; // instructions that run side by side
            most = std::max(most, 2.0 * static_cast<double>(shape.multiply_adds()) * at_once / timing.interval);
        }
        return most;
    }

    double bytes_per_s(RoofLevel level) const {
        double all = 0.0;
        switch (level) {
        case RoofLevel::l2:
            for (const GpuSocketConfig& own : sockets_)
                if (own.l2.has_cache())
                    all += static_cast<double>(own.l2_khz(config_.clock_khz)) * kHzOfKhz * own.l2.slices *
                           own.l2.bytes_per_cycle;
            return all;
        case RoofLevel::memory: return system_totals(config_).memory_gbps * kBytesPerGb;
        case RoofLevel::links: // lanes that turn move from one direction to the other: half of both
            if (config_.sockets < 2) return 0.0;
            for (unsigned s = 0; s < config_.sockets; ++s)
                all += (config_.link_at(s).lanes_out + config_.link_at(s).lanes_in) / 2.0;
            return all * config_.link.lane_gbps * kBytesPerGb;
        case RoofLevel::network:
            if (network_)
                for (unsigned i = 0; i < network_->topology.graph.channels.size(); ++i)
                    all += network_->gbps(i) * kBytesPerGb;
            return all;
        }
        return all;
    }

    std::optional<double> bytes(RoofLevel level, const PhaseCounts& counts) const {
        std::optional<double> all;
        if (level == RoofLevel::network) {
            const double ns = counts.cycles() * 1e6 / static_cast<double>(config_.clock_khz);
            for (const ChannelUse& channel : phase_channel_uses(config_, *network_, counts))
                add_known(all, channel.load.use * channel.gbps * ns); // GB/s are bytes a ns
            return all;
        }
        for (unsigned s = 0; s < config_.sockets; ++s) add_known(all, socket_bytes(level, s, counts));
        return all;
    }

    std::optional<double> socket_bytes(RoofLevel level, unsigned s, const PhaseCounts& counts) const {
        const GpuSocketConfig& own = sockets_[s];
        if (level == RoofLevel::links) return link_bytes(s, "out", counts);
        if (level == RoofLevel::memory) {
            if (!own.has_memory()) return std::nullopt;
            const std::optional<std::vector<double>> channels = memory_channel_bytes(own, s, counts);
            if (!channels) return std::nullopt;
            return std::accumulate(channels->begin(), channels->end(), 0.0);
        }
        const std::optional<L2Reads> reads = l2_reads(s, counts);
        if (!reads || !own.l2.has_cache()) return std::nullopt;
        const std::optional<L1Packets> packets = l1_packets(s, counts);
        return std::max(reads->mine, reads->theirs) *
               l2_answer_bytes(own, packets ? packets->sectors : double{kLineSectors});
    }

    const SystemConfig& config_;
    const KernelRows& kernels_;
    std::vector<GpuSocketConfig> sockets_;
    std::unique_ptr<NetworkSystem> network_; ///< null: no routers
};

KernelPhase whole_run(const KernelRows& rows) {
    KernelPhase run;
    for (std::size_t i = 0; i < rows.all().size(); ++i) {
        run.rows.push_back(i);
        run.launches += rows.all()[i].launches;
        run.cycles += rows.all()[i].cycles;
    }
    return run;
}

ordered_json quotient(const std::optional<double>& part, double whole) {
    return part && whole > 0.0 ? ordered_json(*part / whole) : ordered_json();
}
ordered_json known(const std::optional<double>& value) { return value ? ordered_json(*value) : ordered_json(); }

ordered_json json_of(const RoofPoint& point, const Roofline& roofline) {
    const double s = static_cast<double>(point.cycles) / roofline.clock_hz;
    ordered_json out = {{"name", point.name},
                        {"side_by_side", point.side_by_side},
                        {"launches", point.launches},
                        {"cycles", point.cycles},
                        {"instructions", known(point.instructions)},
                        {"instructions_per_s", quotient(point.instructions, s)},
                        {"share", quotient(point.instructions, s * roofline.instructions_per_s)},
                        {"tensor_ops", known(point.tensor_ops)},
                        {"tensor_ops_per_s", quotient(point.tensor_ops, s)},
                        {"levels", ordered_json::array()}};
    for (std::size_t i = 0; i < roofline.levels.size(); ++i) {
        const std::optional<double>& bytes = point.bytes[i];
        out["levels"].push_back({{"level", kRoofLevels.name(roofline.levels[i].level)},
                                 {"bytes", known(bytes)},
                                 {"bytes_per_s", quotient(bytes, s)},
                                 {"share", quotient(bytes, s * roofline.levels[i].bytes_per_s)},
                                 {"instructions_per_byte", quotient(point.instructions, bytes.value_or(0.0))},
                                 {"tensor_ops_per_byte", quotient(point.tensor_ops, bytes.value_or(0.0))}});
    }
    return out;
}

} // namespace

Roofline roofline_of(const SystemConfig& config, const ordered_json& results) {
    Roofline out;
    const KernelRows rows(results);
    if (rows.all().empty()) return out;
    const Roofs roofs(config, rows);
    out.clock_hz = static_cast<double>(config.clock_khz) * kHzOfKhz;
    out.instructions_per_s = roofs.instructions_per_s();
    out.tensor = roofs.tensor();
    out.levels = roofs.levels();
    out.run = roofs.point(whole_run(rows), out.levels);
    for (const KernelPhase& phase : phases_of(rows)) out.kernels.push_back(roofs.point(phase, out.levels));
    std::stable_sort(out.kernels.begin(), out.kernels.end(),
                     [](const RoofPoint& a, const RoofPoint& b) { return a.cycles > b.cycles; });
    return out;
}

ordered_json json_of(const Roofline& roofline) {
    if (roofline.kernels.empty()) return nullptr;
    ordered_json ceilings = {{"instructions_per_s", roofline.instructions_per_s},
                             {"tensor", ordered_json::array()},
                             {"levels", ordered_json::array()}};
    for (const TensorCeiling& ceiling : roofline.tensor)
        ceilings["tensor"].push_back({{"data", ceiling.data}, {"ops_per_s", ceiling.ops_per_s}});
    for (const RoofCeiling& ceiling : roofline.levels)
        ceilings["levels"].push_back(
            {{"level", kRoofLevels.name(ceiling.level)}, {"bytes_per_s", ceiling.bytes_per_s}});
    ordered_json out = {{"ceilings", std::move(ceilings)},
                        {"run", json_of(roofline.run, roofline)},
                        {"kernels", ordered_json::array()}};
    out["run"].erase("name");
    out["run"].erase("side_by_side");
    for (const RoofPoint& kernel : roofline.kernels) out["kernels"].push_back(json_of(kernel, roofline));
    return out;
}

} // namespace numavp

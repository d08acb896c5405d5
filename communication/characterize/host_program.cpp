#include "communication/characterize/host_program.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sw/driver/prefetch_tree.h"

namespace numavp {

namespace {
constexpr double kNsPerUs = 1000, kBytesPerKib = 1024, kBytesPerMib = 1024 * 1024;
constexpr std::uint64_t kBlock = kPrefetchBlockBytes;

double run_flow(const TransferGraph& graph, std::vector<FluidNetwork::Use> uses, double latency_ns,
                std::uint64_t bytes) {
    FluidNetwork network = graph.network();
    network.start({bytes, std::move(uses), latency_ns, {}});
    return network.run();
}
} // namespace

std::vector<FluidNetwork::Use> CopyPlan::all_uses() const {
    if (staged.stages.empty()) return uses;
    std::vector<FluidNetwork::Use> all;
    for (const CopyStage& stage : staged.stages) all = joined_uses(std::move(all), stage.uses);
    return all;
}

void start_copy(FluidNetwork& network, const CopyPlan& plan, std::uint64_t bytes, FluidNetwork::Action done) {
    constexpr int kEnds = 2; // the transfer and what goes on beside it
    const auto end_part = [left = std::make_shared<int>(kEnds), done = std::move(done)] {
        if (--*left == 0 && done) done();
    };
    network.after(plan.before_ns, [&network, plan, bytes, end_part] {
        const auto end = [&network, after = plan.after_ns, end_part] { network.after(after, end_part); };
        if (plan.staged.stages.empty())
            network.start({bytes, plan.uses, plan.latency_ns, end});
        else
            start_staged(network, plan.staged, bytes, end);
    });
    network.after(plan.least_ns, end_part);
}

double HostProgram::alone_ns(const CopyPlan& plan, std::uint64_t bytes) const {
    FluidNetwork network = machine_.graph().network();
    start_copy(network, plan, bytes, {});
    return network.run();
}

bool HostProgram::remote(TransferEnd from, TransferEnd to) const {
    if (from.gpu == to.gpu) return !from.gpu && from.index != to.index;
    const TransferEnd cpu = from.gpu ? to : from, gpu = from.gpu ? from : to;
    return machine_.home(gpu.index) != cpu.index;
}

/// A GPU's copy engine reads data that comes to it from a CPU, and writes data that goes elsewhere.
HostProgram::Dma HostProgram::dma(TransferEnd from, TransferEnd to) const {
    const std::vector<unsigned> way = machine_.graph().way(part(from), part(to));
    const BulkOperation operation = from.gpu ? BulkOperation::write : BulkOperation::read;
    return {machine_.graph().uses(way, operation), machine_.graph().latency_ns(way)};
}

double HostProgram::cached_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    double more = 0;
    const double alone = machine_.graph().alone_gbytes_per_s(dma(from, to).uses);
    for (const CalibrationCached& cached : c_.cached) {
        if (cached.to_host != from.gpu || cached.remote != remote(from, to)) continue;
        const auto held = static_cast<double>(std::min(bytes, std::uint64_t{cached.kib} * 1024));
        more += held * std::max(0.0, 1 / cached.gbytes_per_s - 1 / alone);
    }
    return more;
}

CopyPlan HostProgram::pinned(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const double call = from.gpu ? c_.calls.pinned_to_host_us : c_.calls.pinned_to_gpu_us;
    const Dma one = dma(from, to);
    CopyPlan plan;
    plan.before_ns = (call + (remote(from, to) ? c_.calls.remote_us : 0)) * kNsPerUs;
    plan.uses = one.uses;
    plan.latency_ns = one.latency_ns;
    plan.after_ns = cached_ns(from, to, bytes);
    return plan;
}

CopyPlan HostProgram::pageable(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const CalibrationStaging& staging = c_.staging;
    CopyPlan plan;
    plan.before_ns = (from.gpu ? c_.calls.pageable_to_host_us : c_.calls.pageable_to_gpu_us) * kNsPerUs;
    const std::uint64_t small = std::min(bytes, std::uint64_t{staging.small_kib} * 1024);
    plan.least_ns = plan.before_ns + static_cast<double>(small) / (from.gpu ? staging.small_to_host_gbytes_per_s
                                                                            : staging.small_to_gpu_gbytes_per_s);
    if (small == bytes) return plan;
    const Dma one = dma(from, to);
    if (!from.gpu && staging.direct_mib != 0 && bytes >= std::uint64_t{staging.direct_mib} << 20) {
        plan.uses = one.uses;
        plan.least_ns = plan.before_ns + static_cast<double>(bytes) / staging.direct_gbytes_per_s;
        return plan;
    }
    const CalibrationHostCopy& thread = from.gpu ? staging.to_host : staging.to_gpu;
    const CopyStage copying{
        {}, 0, [&thread, bytes](std::uint64_t offset, std::uint64_t chunk) { return thread.ns(offset, chunk, bytes); }};
    const CopyStage moving{one.uses, one.latency_ns, {}};
    plan.staged.stages = from.gpu ? std::vector<CopyStage>{moving, copying} : std::vector<CopyStage>{copying, moving};
    plan.staged.chunk_bytes = std::uint64_t{staging.chunk_kib} * 1024;
    plan.staged.buffers = staging.buffers;
    plan.staged.reuse_ns = staging.reuse_us * kNsPerUs;
    return plan;
}

CopyPlan HostProgram::host(unsigned from, unsigned to, std::uint64_t bytes) const {
    CopyPlan plan;
    const bool within = from == to;
    plan.before_ns = (within ? c_.calls.host_us : c_.calls.host_remote_us) * kNsPerUs;
    plan.least_ns = plan.before_ns + (within ? c_.host_local : c_.host_remote).ns(0, bytes, bytes);
    if (!within) plan.uses = dma({false, from}, {false, to}).uses;
    return plan;
}

CopyPlan HostProgram::within_call(double call_us) const {
    CopyPlan plan;
    plan.before_ns = std::max(0.0, call_us - c_.calls.hidden_us) * kNsPerUs;
    plan.least_ns = call_us * kNsPerUs;
    return plan;
}

CopyPlan HostProgram::peer(unsigned from, unsigned to) const {
    const Dma one = dma({true, from}, {true, to});
    CopyPlan plan = within_call(c_.calls.peer_us);
    plan.uses = one.uses;
    plan.latency_ns = one.latency_ns;
    return plan;
}

CopyPlan HostProgram::staged(unsigned from, unsigned to, unsigned thread) const {
    const TransferEnd host{false, thread};
    const Dma out = dma({true, from}, host), in = dma(host, {true, to});
    CopyPlan plan = within_call(c_.calls.staged_us);
    plan.staged.stages = {{out.uses, out.latency_ns, {}}, {in.uses, in.latency_ns, {}}};
    plan.staged.chunk_bytes = std::uint64_t{c_.staging.chunk_kib} * 1024;
    plan.staged.buffers = c_.staging.buffers;
    plan.staged.reuse_ns = c_.staging.reuse_us * kNsPerUs;
    return plan;
}

std::vector<FluidNetwork::Use> HostProgram::moved_uses(TransferEnd from, TransferEnd to) const {
    if (!from.gpu || !to.gpu || machine_.peers(from.index, to.index)) return dma(from, to).uses;
    const TransferEnd host{false, machine_.home(from.index)}; // out and in at once, page by page
    return joined_uses(dma(from, host).uses, dma(host, to).uses);
}

double HostProgram::moved_gbytes_per_s(TransferEnd from, TransferEnd to) const {
    return machine_.graph().alone_gbytes_per_s(moved_uses(from, to));
}

double HostProgram::prefetch_work_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const CalibrationPrefetch& p = c_.prefetch;
    const CalibrationPrefetchWay& way = !to.gpu ? p.to_host : from.gpu ? p.between_gpus : p.to_gpu;
    const auto all = static_cast<double>(bytes);
    const double first = std::min(1.0, all / (way.first_kib * kBytesPerKib));
    const double step = way.step_kib != 0 && all >= way.step_kib * kBytesPerKib ? way.step_us : 0;
    const double flushed = to.gpu && !from.gpu ? p.flush_us * flushed_pages(bytes) : 0;
    const double work_us =
        way.call_us + way.first_us * first + step + way.block_us * all / static_cast<double>(kBlock) + flushed;
    const double late = way.late_mib == 0 ? 0 : std::max(0.0, all - way.late_mib * kBytesPerMib);
    const double longer = late > 0 ? 1 / way.late_gbytes_per_s - 1 / moved_gbytes_per_s(from, to) : 0;
    return work_us * kNsPerUs + late * std::max(0.0, longer);
}

double HostProgram::flushed_pages(std::uint64_t bytes) const {
    const std::uint64_t page = std::uint64_t{c_.page_kib} * 1024;
    const auto of_block = [&](std::uint64_t moved) {
        const std::uint64_t pages = (moved + page - 1) / page;
        return pages <= c_.prefetch.flush_pages ? static_cast<double>(pages) : 0;
    };
    const std::uint64_t whole_blocks = bytes / kBlock;
    return static_cast<double>(whole_blocks) * of_block(kBlock) + of_block(bytes % kBlock);
}

std::vector<FluidNetwork::Use> HostProgram::prefetched_uses(TransferEnd from, TransferEnd to,
                                                            std::uint64_t bytes) const {
    std::vector<FluidNetwork::Use> uses = moved_uses(from, to);
    const CalibrationPrefetch& p = c_.prefetch;
    const bool large = p.large_between_gpus_mib != 0 && bytes >= std::uint64_t{p.large_between_gpus_mib} << 20;
    if (large && from.gpu && to.gpu && machine_.peers(from.index, to.index))
        for (FluidNetwork::Use& use : uses) use.weight *= p.large_between_gpus_share;
    return uses;
}

double HostProgram::prefetch_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    return prefetch_work_ns(from, to, bytes) + run_flow(machine_.graph(), prefetched_uses(from, to, bytes), 0, bytes);
}

CopyPlan HostProgram::prefetched(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    CopyPlan plan;
    plan.before_ns = prefetch_work_ns(from, to, bytes);
    plan.uses = prefetched_uses(from, to, bytes);
    return plan;
}

CopyPlan HostProgram::evicted(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    CopyPlan plan;
    plan.before_ns = c_.prefetch.to_host.block_us * static_cast<double>(bytes) / static_cast<double>(kBlock) * kNsPerUs;
    plan.uses = moved_uses(from, to);
    return plan;
}

std::vector<FluidNetwork::Use> HostProgram::accessed_uses(TransferEnd by, TransferEnd at, bool writes) const {
    return writes ? machine_.graph().uses(machine_.graph().way(part(by), part(at)), BulkOperation::write)
                  : machine_.graph().uses(machine_.graph().way(part(at), part(by)), BulkOperation::read);
}

CopyPlan HostProgram::demanded(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    CopyPlan plan;
    plan.uses = moved_uses(from, to);
    // Nothing moves while the driver works: its time besides the flow comes first, as with a prefetch.
    plan.before_ns = std::max(0.0, demand_ns(from, to, bytes) - touching_ns(from, to) -
                                       run_flow(machine_.graph(), plan.uses, 0, bytes));
    return plan;
}

} // namespace numavp

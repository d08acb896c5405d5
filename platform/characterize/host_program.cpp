#include "platform/characterize/host_program.h"

#include <algorithm>

#include "models/transfer/staged_copy.h"
#include "sw/driver/prefetch_tree.h"

namespace numavp {

namespace {
constexpr double kNsPerUs = 1000;
constexpr std::uint64_t kBlock = kPrefetchBlockBytes;

double run_flow(const TransferGraph& graph, std::vector<FluidNetwork::Use> uses, double latency_ns,
                std::uint64_t bytes) {
    FluidNetwork network = graph.network();
    network.start({bytes, std::move(uses), latency_ns, {}});
    return network.run();
}

double run_staged(const TransferGraph& graph, StagedCopy copy, std::uint64_t bytes) {
    FluidNetwork network = graph.network();
    start_staged(network, std::move(copy), bytes, {});
    return network.run();
}
} // namespace

bool HostProgram::remote(TransferEnd from, TransferEnd to) const {
    if (from.gpu == to.gpu) return !from.gpu && from.index != to.index;
    const TransferEnd cpu = from.gpu ? to : from, gpu = from.gpu ? from : to;
    return machine_.home(gpu.index) != cpu.index;
}

/// A GPU's copy engine reads what comes to it from a CPU, and writes what goes elsewhere.
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

double HostProgram::dma_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const Dma one = dma(from, to);
    return run_flow(machine_.graph(), one.uses, one.latency_ns, bytes) + cached_ns(from, to, bytes);
}

double HostProgram::pinned_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const double call = from.gpu ? c_.calls.pinned_to_host_us : c_.calls.pinned_to_gpu_us;
    return (call + (remote(from, to) ? c_.calls.remote_us : 0)) * kNsPerUs + dma_ns(from, to, bytes);
}

double HostProgram::pageable_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const CalibrationStaging& staging = c_.staging;
    const double call = (from.gpu ? c_.calls.pageable_to_host_us : c_.calls.pageable_to_gpu_us) * kNsPerUs;
    const std::uint64_t small = std::min(bytes, std::uint64_t{staging.small_kib} * 1024);
    const double within = call + static_cast<double>(small) / (from.gpu ? staging.small_to_host_gbytes_per_s
                                                                        : staging.small_to_gpu_gbytes_per_s);
    if (small == bytes) return within;
    const Dma one = dma(from, to);
    if (!from.gpu && staging.direct_mib != 0 && bytes >= std::uint64_t{staging.direct_mib} << 20)
        return call + static_cast<double>(bytes) /
                          std::min(staging.direct_gbytes_per_s, machine_.graph().alone_gbytes_per_s(one.uses));
    const CalibrationHostCopy& thread = from.gpu ? staging.to_host : staging.to_gpu;
    const CopyStage copying{
        {}, 0, [&thread, bytes](std::uint64_t offset, std::uint64_t chunk) { return thread.ns(offset, chunk, bytes); }};
    const CopyStage moving{one.uses, one.latency_ns, {}};
    StagedCopy copy;
    copy.stages = from.gpu ? std::vector<CopyStage>{moving, copying} : std::vector<CopyStage>{copying, moving};
    copy.chunk_bytes = std::uint64_t{staging.chunk_kib} * 1024;
    copy.buffers = staging.buffers;
    copy.reuse_ns = staging.reuse_us * kNsPerUs;
    return std::max(within, call + run_staged(machine_.graph(), std::move(copy), bytes));
}

double HostProgram::host_ns(unsigned from, unsigned to, std::uint64_t bytes) const {
    if (from == to) return c_.calls.host_us * kNsPerUs + c_.host_local.ns(0, bytes, bytes);
    const double link = run_flow(machine_.graph(), dma({false, from}, {false, to}).uses, 0, bytes);
    return c_.calls.host_remote_us * kNsPerUs + std::max(link, c_.host_remote.ns(0, bytes, bytes));
}

double HostProgram::within_call_ns(double call_us, double transfer_ns) const {
    return call_us * kNsPerUs + std::max(0.0, transfer_ns - c_.calls.hidden_us * kNsPerUs);
}

double HostProgram::peer_ns(unsigned from, unsigned to, std::uint64_t bytes) const {
    const Dma one = dma({true, from}, {true, to});
    return within_call_ns(c_.calls.peer_us, run_flow(machine_.graph(), one.uses, one.latency_ns, bytes));
}

double HostProgram::staged_ns(unsigned from, unsigned to, unsigned thread, std::uint64_t bytes) const {
    const TransferEnd host{false, thread};
    const Dma out = dma({true, from}, host), in = dma(host, {true, to});
    StagedCopy copy;
    copy.stages = {{out.uses, out.latency_ns, {}}, {in.uses, in.latency_ns, {}}};
    copy.chunk_bytes = std::uint64_t{c_.staging.chunk_kib} * 1024;
    copy.buffers = c_.staging.buffers;
    copy.reuse_ns = c_.staging.reuse_us * kNsPerUs;
    return within_call_ns(c_.calls.staged_us, run_staged(machine_.graph(), std::move(copy), bytes));
}

std::vector<FluidNetwork::Use> HostProgram::moved_uses(TransferEnd from, TransferEnd to) const {
    if (!from.gpu || !to.gpu || machine_.peers(from.index, to.index)) return dma(from, to).uses;
    const TransferEnd host{false, machine_.home(from.index)}; // out and in at once, page by page
    return joined_uses(dma(from, host).uses, dma(host, to).uses);
}

double HostProgram::moved_gbytes_per_s(TransferEnd from, TransferEnd to) const {
    return machine_.graph().alone_gbytes_per_s(moved_uses(from, to));
}

double HostProgram::prefetch_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const CalibrationPrefetch& p = c_.prefetch;
    const bool between = from.gpu && to.gpu;
    const double call = between ? p.between_gpus_us : to.gpu ? p.to_gpu_us : p.to_host_us;
    const double block = between ? p.block_between_gpus_us : to.gpu ? p.block_to_gpu_us : p.block_to_host_us;
    const double first = static_cast<double>(std::min(bytes, kBlock)) / static_cast<double>(kBlock);
    const double blocks = static_cast<double>(bytes) / static_cast<double>(kBlock);
    const double moving = run_flow(machine_.graph(), moved_uses(from, to), 0, bytes);
    return (call + p.first_block_us * first + block * blocks) * kNsPerUs + moving;
}

} // namespace numavp

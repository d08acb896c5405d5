#include "communication/predict/joined_graph.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/predict/unified_moves.h"

namespace numavp {

namespace {
/// Units of a machine: for each GPU kernels, copies in and copies out, then a thread for each CPU.
enum GpuUnit : unsigned { kKernels, kCopiesIn, kCopiesOut, kGpuUnits };

unsigned gpu_unit(unsigned gpu, GpuUnit unit) { return gpu * kGpuUnits + unit; }
unsigned thread_unit(const HostMachine& machine, unsigned cpu) { return machine.gpus() * kGpuUnits + cpu; }

std::vector<JoinedUnit> units_of(const HostMachine& machine) {
    std::vector<JoinedUnit> units;
    const unsigned engines = machine.calibration().copy_engines;
    for (unsigned gpu = 0; gpu < machine.gpus(); ++gpu) {
        units.push_back({HostMachine::gpu_name(gpu), 1});
        units.push_back({HostMachine::gpu_name(gpu) + " copies in", engines});
        units.push_back({HostMachine::gpu_name(gpu) + " copies out", engines});
    }
    for (unsigned cpu = 0; cpu < machine.cpus(); ++cpu) units.push_back({"cpu" + std::to_string(cpu) + " thread", 1});
    return units;
}

/// Between GPUs, and within one: the engine that sends does the work.
void join_gpu_copy(const HostMachine& machine, unsigned from, unsigned to, JoinedStep& step) {
    const HostProgram program(machine);
    step.units = {gpu_unit(from, kCopiesOut)};
    if (from == to) {
        constexpr double kReadAndWritten = 2;
        step.plan = program.peer(from, to);
        step.plan.uses.clear();
        step.plan.least_ns += kReadAndWritten * static_cast<double>(step.bytes) / machine.gpu_memory_gbytes_per_s(from);
    } else if (machine.peers(from, to)) {
        step.plan = program.peer(from, to);
    } else {
        step.plan = program.staged(from, to, machine.home(from));
        step.units.push_back(gpu_unit(to, kCopiesIn));
    }
}

/// Unified memory: a prefetch is the work of a copy engine, of the GPU to which it moves if there is one; faults keep
/// what touches the memory waiting, a GPU or a CPU's thread.
void join_move(const HostMachine& machine, TransferEnd from, TransferEnd to, HostMemory memory, JoinedStep& step) {
    const HostProgram program(machine);
    if (memory == HostMemory::prefetched) {
        step.plan = program.prefetched(from, to, step.bytes);
        step.units = {to.gpu ? gpu_unit(to.index, kCopiesIn) : gpu_unit(from.index, kCopiesOut)};
    } else {
        step.plan = program.demanded(from, to, step.bytes);
        step.units = {to.gpu ? gpu_unit(to.index, kKernels) : thread_unit(machine, to.index)};
    }
}

void check_place(const HostMachine& machine, const std::string& said, AppPlace at, const Place& place) {
    const unsigned count = at.gpu ? machine.gpus() : machine.cpus();
    if (at.index >= count)
        throw ConfigError(place, fmt::format("{} {}; {} has {} to {}", said, at.name(), quotable(machine.name()),
                                             AppPlace{at.gpu, 0}.name(), AppPlace{at.gpu, count - 1}.name()));
}

void check_places(const AppGraph& graph, const HostMachine& machine, const Place& place) {
    for (std::size_t v = 0; v < graph.values.size(); ++v) {
        const AppValue& value = graph.values[v];
        const std::string name = "'" + quotable(value.name) + "'";
        const Place at = place.at("values").at(v);
        check_place(machine, name + " lies on", value.place, at.at("place"));
        if (value.advice.preferred)
            check_place(machine, name + " prefers", *value.advice.preferred, at.at("advice").at("preferred"));
        for (std::size_t p = 0; p < value.advice.accessed_by.size(); ++p)
            check_place(machine, name + " is accessed by", value.advice.accessed_by[p],
                        at.at("advice").at("accessed_by").at(p));
    }
}

TransferEnd end_of(AppPlace place) { return {place.gpu, place.index}; }

/// What a step does alone, and on which links.
void finish_flow(const HostMachine& machine, JoinedStep& step) {
    step.copies = true;
    step.alone_ns = HostProgram(machine).alone_ns(step.plan, step.bytes);
    std::map<unsigned, double> bytes;
    for (const FluidNetwork::Use& use : step.plan.all_uses())
        bytes[use.resource] += use.weight * static_cast<double>(step.bytes);
    step.link_bytes.assign(bytes.begin(), bytes.end());
}

JoinedStep join_compute(const AppGraph& graph, const HostMachine& machine, unsigned step, const UnifiedStep& unified) {
    const std::vector<RemoteAccess>& remote = unified.remote;
    const AppPlace place = graph.steps[step].place;
    JoinedStep made;
    made.alone_ns = graph.compute_ns(step, place);
    made.units = {place.gpu ? gpu_unit(place.index, kKernels) : thread_unit(machine, place.index)};
    if (remote.empty()) return made;
    // It computes while bytes come and go, so that the longer of both counts.
    for (const RemoteAccess& access : remote) made.bytes += access.bytes;
    double thread_ns = 0; // a CPU's thread reaches another CPU's memory no faster than it copies from there
    for (const RemoteAccess& access : remote)
        if (!place.gpu && !access.at.gpu)
            thread_ns += machine.calibration().host_remote.ns(0, access.bytes, access.bytes);
    made.plan.before_ns = unified.nap_ns;
    made.plan.least_ns = unified.nap_ns + std::max(made.alone_ns, thread_ns);
    for (const RemoteAccess& access : remote) {
        std::vector<FluidNetwork::Use> uses =
            HostProgram(machine).accessed_uses(end_of(place), end_of(access.at), access.writes);
        for (FluidNetwork::Use& use : uses)
            use.weight *= static_cast<double>(access.bytes) / static_cast<double>(made.bytes);
        made.plan.uses = joined_uses(std::move(made.plan.uses), uses);
    }
    finish_flow(machine, made);
    return made;
}

JoinedStep join_moved(const HostMachine& machine, const UnifiedStep& step) {
    JoinedStep made;
    made.bytes = step.bytes;
    const TransferEnd from = end_of(step.from), to = end_of(step.to);
    if (step.way == UnifiedWay::evict) {
        made.plan = HostProgram(machine).evicted(from, to, step.bytes);
        made.units = {gpu_unit(from.index, kCopiesOut)};
    } else {
        join_move(machine, from, to, step.way == UnifiedWay::prefetch ? HostMemory::prefetched : HostMemory::managed,
                  made);
        made.plan.before_ns += step.nap_ns;
    }
    finish_flow(machine, made);
    return made;
}
} // namespace

JoinedStep join_copy(const HostMachine& machine, const AppValue& from, const AppValue& to) {
    const HostProgram program(machine);
    const TransferEnd source = end_of(from.place), end = end_of(to.place);
    JoinedStep step;
    step.bytes = from.bytes;
    const bool different = source.gpu != end.gpu || (source.gpu && source.index != end.index);
    if (moves(from.memory) && moves(to.memory) && different) {
        join_move(machine, source, end, to.memory, step);
    } else if (source.gpu && end.gpu) {
        join_gpu_copy(machine, source.index, end.index, step);
    } else if (!source.gpu && !end.gpu) {
        step.plan = program.host(source.index, end.index, from.bytes);
        step.units = {thread_unit(machine, source.index)};
    } else {
        const AppValue& host = source.gpu ? to : from;
        step.units = {source.gpu ? gpu_unit(source.index, kCopiesOut) : gpu_unit(end.index, kCopiesIn)};
        if (host.memory == HostMemory::pinned || host.memory == HostMemory::write_combined) {
            step.plan = program.pinned(source, end, from.bytes);
        } else {
            step.plan = program.pageable(source, end, from.bytes);
            step.units.push_back(thread_unit(machine, host.place.index));
        }
    }
    finish_flow(machine, step);
    return step;
}

std::vector<double> JoinedGraph::link_bytes() const {
    std::vector<double> all(machine->graph().links().size(), 0.0);
    for (const JoinedStep& step : steps)
        for (const auto& [link, bytes] : step.link_bytes) all[link] += bytes;
    return all;
}

JoinedGraph join_graph(const AppGraph& graph, const HostMachine& machine, const Place& place) {
    check_places(graph, machine, place);
    UnifiedGraph unified = unified_moves(graph, machine, place);
    JoinedGraph joined{std::move(unified.graph), &machine, units_of(machine), {}, {}};
    joined.waits = joined.graph.waits_for();
    for (unsigned s = 0; s < joined.graph.steps.size(); ++s) {
        const AppStep& step = joined.graph.steps[s];
        const std::vector<AppValue>& values = joined.graph.values;
        joined.steps.push_back(unified.steps[s].way != UnifiedWay::none ? join_moved(machine, unified.steps[s])
                               : step.kind == AppStepKind::copy
                                   ? join_copy(machine, values[step.reads[0]], values[step.writes[0]])
                                   : join_compute(joined.graph, machine, s, unified.steps[s]));
    }
    return joined;
}

} // namespace numavp

#include "communication/records/program_graph.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/records/kernel_arrays.h"
#include "communication/records/run_times.h"

namespace numavp {

namespace {

class GraphOfProgram {
  public:
    GraphOfProgram(const Workload& workload, const ProgramTimes& times)
        : workload_(workload), times_(times), recorded_(times.results) {
        if (workload.ranges.empty())
            throw ConfigError(workload.name, "it declares no memory; a workload with arrays is expected, not a trace");
        for (auto& arrays : held_) arrays.resize(workload.ranges.size());
        for (const Range& range : workload.ranges) sizes_.push_back(range.bytes);
        // Of a sample less is copied than the program declares, and the kernels touch no more.
        std::map<std::size_t, std::uint64_t> copied;
        for (const Launch& launch : workload.launches)
            if (const std::size_t array = range_of(workload.ranges, launch.address);
                launch.bytes != 0 && launch.what != Launch::What::copy_peer && array < sizes_.size())
                copied[array] = std::max(copied[array], launch.bytes);
        for (const auto& [array, bytes] : copied) sizes_[array] = bytes;
    }

    RecordedGraph make() {
        for (const Launch& launch : workload_.launches) {
            AppStep step;
            step.stream = fmt::format("{}", launch.stream);
            switch (launch.what) {
            case Launch::What::kernel: add_kernel(launch, std::move(step)); break;
            case Launch::What::copy_to_device:
                add_copy(launch, std::move(step), {host, launch.address}, {device, launch.address});
                break;
            case Launch::What::copy_to_host:
                add_copy(launch, std::move(step), {device, launch.address}, {host, launch.address});
                break;
            case Launch::What::copy_peer: // both are gpu0's, as all that kernels use
                add_copy(launch, std::move(step), {device, launch.address}, {device, launch.target});
                break;
            case Launch::What::host: add_host(*launch.host, std::move(step)); break;
            }
        }
        result_.notes.emplace_back(
            "all kernels are gpu0's and the host is cpu0, with pageable memory; what-if moves them");
        return std::move(result_);
    }

  private:
    enum Side : std::size_t { host, device };
    /// What an array holds: one value, or an older one and parts that were copied over it.
    struct Held {
        std::vector<unsigned> values, writers;
    };

    static AppPlace place(Side side) { return {side == device, 0}; }
    const std::vector<unsigned>& read(Side side, std::size_t array) {
        Held& held = held_[side][array];
        const Range& range = workload_.ranges[array];
        if (held.values.empty())
            held.values = {
                add_value(result_.graph, place(side), range.bytes, HostMemory::pageable, true, name(side, array))};
        return held.values;
    }
    std::string name(Side side, std::size_t array) {
        const unsigned version = versions_[{side, array}]++;
        const std::string plain = workload_.ranges[array].name + (side == device ? "_d" : "_h");
        return version == 0 ? plain : fmt::format("{}{}", plain, version + 1);
    }
    unsigned next_step() const { return static_cast<unsigned>(result_.graph.steps.size()); }
    unsigned write(Side side, std::size_t array, std::uint64_t bytes) {
        Held& held = held_[side][array];
        const unsigned value =
            add_value(result_.graph, place(side), bytes, HostMemory::pageable, false, name(side, array));
        if (bytes >= sizes_[array]) held = {};
        held.values.push_back(value);
        held.writers.push_back(next_step());
        return value;
    }

    struct End {
        Side side;
        std::uint64_t address;
    };
    void add_copy(const Launch& launch, AppStep step, const End& source, const End& target) {
        const Side from = source.side;
        const std::size_t array = range_of(workload_.ranges, source.address);
        const std::size_t written = range_of(workload_.ranges, target.address), none = workload_.ranges.size();
        if (array == none || written == none || launch.bytes == 0) return; // nothing of the program's arrays
        step.name = "copy " + workload_.ranges[array].name;
        const std::vector<unsigned>& held = read(from, array);
        if (held.size() == 1 && result_.graph.values[held[0]].bytes == launch.bytes) {
            step.reads = held;
        } else { // a part: a value of its own, there as soon as the array is
            step.after = held_[from][array].writers;
            step.reads = {
                add_value(result_.graph, place(from), launch.bytes, HostMemory::pageable, true, name(from, array))};
        }
        step.writes = {write(target.side, written, launch.bytes)};
        add_step(result_.graph, std::move(step));
    }
    void add_kernel(const Launch& launch, AppStep step) {
        ++launches_;
        const std::string& kernel = launch.kernel->shape().name;
        step.name = kernel;
        step.kind = AppStepKind::kernel;
        step.place = place(device);
        step.time.time_us = recorded_.of(launch.number == 0 ? launches_ : launch.number, kernel);
        if (step.time.time_us < 0) step.time = rate(times_.gbytes_per_s, "--gbytes-per-s", "kernel", kernel);
        auto known = arrays_.find(launch.kernel.get());
        if (known == arrays_.end())
            known = arrays_.emplace(launch.kernel.get(), touched_arrays(*launch.kernel, workload_.ranges)).first;
        add_compute(std::move(step), device, known->second);
    }
    void add_host(const HostPhase& phase, AppStep step) {
        step.name = phase.name;
        step.kind = AppStepKind::host;
        step.place = place(host);
        step.time = rate(times_.host_gbytes_per_s, "--host-gbytes-per-s", "host phase", phase.name);
        const double bytes = static_cast<double>(phase.accessed_bytes());
        step.time = {bytes / (step.time.gbytes_per_s * 1000), 0}; // 1e9 B/s are 1000 B/us
        KernelArrays arrays{std::vector<bool>(workload_.ranges.size()), std::vector<bool>(workload_.ranges.size())};
        for (const HostAccess& access : phase.accesses) {
            const std::size_t array = range_of(workload_.ranges, access.base);
            if (array == workload_.ranges.size()) continue;
            if (access.reads()) arrays.reads[array] = true;
            if (access.writes()) arrays.writes[array] = true;
        }
        add_compute(std::move(step), host, arrays);
    }
    AppTime rate(double gbytes_per_s, const char* option, const char* what, const std::string& of) const {
        if (gbytes_per_s <= 0)
            throw ConfigError(workload_.name,
                              fmt::format("{} '{}' has no time; {} is expected", what, quotable(of), option));
        return {-1, gbytes_per_s};
    }
    void add_compute(AppStep step, Side side, const KernelArrays& arrays) {
        for (std::size_t a = 0; a < workload_.ranges.size(); ++a)
            if (arrays.reads[a])
                for (const unsigned value : read(side, a)) step.reads.push_back(value);
        for (std::size_t a = 0; a < workload_.ranges.size(); ++a)
            if (arrays.writes[a]) step.writes.push_back(write(side, a, sizes_[a]));
        add_step(result_.graph, std::move(step));
    }

    const Workload& workload_;
    const ProgramTimes& times_;
    RunTimes recorded_;
    std::vector<Held> held_[2];        ///< by side and array
    std::vector<std::uint64_t> sizes_; ///< of arrays
    std::map<std::pair<Side, std::size_t>, unsigned> versions_;
    std::map<const Kernel*, KernelArrays> arrays_;
    std::uint64_t launches_ = 0;
    RecordedGraph result_;
};

} // namespace

RecordedGraph program_graph(const Workload& workload, const ProgramTimes& times) {
    return GraphOfProgram(workload, times).make();
}

} // namespace numavp

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "base/values/rng.h"
#include "sw/work/first_instructions.h"
#include "sw/workloads/pattern_table.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

constexpr std::uint64_t kFirstAddress = 0x100000000ULL;
constexpr std::uint64_t kArrayAlignment = std::uint64_t{2} << 20; ///< the largest page
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 46;
constexpr std::size_t kMaxLaunches = 10'000'000;

/// Addresses of the arrays of a workload: one behind the other in the order in which they are first named.
class MemoryPlan {
  public:
    void need(const std::string& name, std::uint64_t bytes) {
        const auto [entry, is_new] = index_.try_emplace(name, ranges_.size());
        if (is_new) ranges_.push_back({name});
        ranges_[entry->second].bytes = std::max(ranges_[entry->second].bytes, bytes);
    }
    /// A multicast array and its members, which are known.
    void need_multicast(const std::string& name, const ArrayNeed& need, const std::vector<std::string>& members,
                        const Place& place) {
        const bool known = index_.count(name) != 0;
        this->need(name, need.bytes);
        std::vector<std::size_t> of;
        for (const std::string& member : members) of.push_back(index_.at(member));
        Range& range = ranges_[index_.at(name)];
        if (known && (range.members != of || range.element != need.element))
            throw ConfigError(place, "array '" + name +
                                         "' stands for other arrays, or other elements, in another "
                                         "entry; a name of its own is allowed");
        range.members = std::move(of);
        range.element = need.element;
    }
    void place(const Place& place) {
        std::uint64_t next = kFirstAddress;
        for (Range& range : ranges_) {
            if (range.bytes > kMaxBytes - next)
                throw ConfigError(place, "its arrays take more than 64 TiB; a smaller problem or scale is allowed");
            range.base = next;
            next += (range.bytes + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
        }
    }
    std::uint64_t base(const std::string& name) const { return ranges_[index_.at(name)].base; }
    /// ConfigError at `place` if no pattern has that array.
    const Range& range(const std::string& name, const Place& place) const {
        const auto found = index_.find(name);
        if (found != index_.end()) return ranges_[found->second];
        std::vector<std::string_view> known;
        for (const auto& entry : index_) known.emplace_back(entry.first);
        throw ConfigError(place, unknown_name("array of this workload", name, known));
    }
    /// ConfigError at `place` if no pattern has that array.
    void give(const std::string& name, std::uint32_t gpu, const Place& place) {
        range(name, place);
        Range& given = ranges_[index_.at(name)];
        given.gpu = gpu;
        given.gpu_from = place.str();
    }
    const std::vector<Range>& ranges() const { return ranges_; }

  private:
    std::vector<Range> ranges_;
    std::map<std::string, std::size_t> index_;
};

/// An entry with its pattern made, before its arrays have addresses.
struct Made {
    Made(const KernelEntry& e, Place p) : entry(&e), place(std::move(p)) {}

    const KernelEntry* entry;
    Place place;
    std::unique_ptr<Pattern> pattern;            ///< null for a copy, or the host's work
    Range copied;                                ///< by a copy
    std::uint64_t target = 0;                    ///< of a copy between arrays
    std::map<std::string, std::string> array_of; ///< role -> name
    std::vector<std::shared_ptr<Kernel>> kernels;
    std::shared_ptr<const HostPhase> host; ///< null for others
};

/// Makes a workload of the entries of a file: first all patterns, which say what arrays they need, then the places of
/// these, then launches.
class Builder {
  public:
    Builder(const WorkloadFile& file, const Place& place, const WorkloadOptions& options)
        : place_(place), seed_(options.seed.value_or(file.seed)), scale_(file.scale * options.scale) {
        if (file.phases.empty() == file.kernels.empty())
            throw ConfigError(place, "a workload has either 'kernels' or 'phases', and not an empty list");
        if (!(scale_ >= 1e-6 && scale_ <= 1e3))
            throw ConfigError(place, "the scale is " + std::to_string(scale_) + "; 1e-6 to 1000 are allowed");
        if (scale_ < file.smallest) {
            share_ = scale_ / file.smallest;
            scale_ = file.smallest;
        }
        if (options.whole) share_ = std::numeric_limits<double>::infinity();
        for (const WorkloadPhase& phase : file.phases) count(phase.kernels);
        count(file.kernels);
    }

    void make(const std::vector<KernelEntry>& kernels, const Place& place) {
        if (kernels.empty()) throw ConfigError(place, "the list is empty; a phase has at least one kernel");
        for (std::size_t i = 0; i < kernels.size(); ++i) make(kernels[i], place.at(i));
    }
    void place_arrays() {
        plan_.place(place_);
        for (Made& made : made_) {
            if (made.entry->host.given) {
                place_host(made);
                continue;
            }
            if (!made.pattern) {
                made.copied = plan_.range(made.entry->array, made.place.at("array"));
                const double share = made.entry->share * std::min(share_, 1.0); // as thin as the kernels
                made.copied.bytes =
                    static_cast<std::uint64_t>(std::ceil(static_cast<double>(made.copied.bytes) * share));
                if (made.entry->copy == CopyKind::peer) place_target(made);
                continue;
            }
            ArrayBases bases;
            for (const auto& [role, name] : made.array_of) bases[role] = plan_.base(name);
            made.kernels = made.pattern->kernels(bases);
        }
    }
    void give_arrays(const GpuOfArrays& on_gpu, const Place& place) {
        for (const auto& [name, gpu] : on_gpu.gpus) plan_.give(name, gpu, place.at(name));
    }
    /// Launches all phases, or the kernels of a file that has none. They are counted before the first is made.
    Workload launch(const WorkloadFile& file) {
        std::uint64_t all = 0;
        std::size_t counted = 0;
        const auto each_phase = [&](const auto& act) {
            if (!file.kernels.empty()) act(file.kernels.size(), 1U);
            for (const WorkloadPhase& phase : file.phases) act(phase.kernels.size(), phase.repeat);
        };
        each_phase([&](std::size_t count, std::uint32_t repeat) {
            std::uint64_t once = 0;
            for (std::size_t i = 0; i < count && once <= kMaxLaunches; ++i) once += launches_of(made_[counted + i]);
            if (once > (kMaxLaunches - all) / repeat)
                throw ConfigError(place_, "the workload has too many launches; at most 10000000 are allowed");
            all += once * repeat;
            counted += count;
        });
        Workload workload;
        workload.launches.reserve(all);
        each_phase([&](std::size_t count, std::uint32_t repeat) { launch(count, repeat, workload); });
        return workload;
    }
    const std::vector<Range>& ranges() const { return plan_.ranges(); }

  private:
    static std::uint64_t launches_of(const Made& made) {
        return std::uint64_t{made.entry->repeat} * (made.pattern ? made.kernels.size() : 1);
    }
    /// Launches the next `count` entries, `repeat` times.
    void launch(std::size_t count, std::uint32_t repeat, Workload& workload) {
        for (std::uint32_t r = 0; r < repeat; ++r)
            for (std::size_t i = 0; i < count; ++i) launch(made_[launched_ + i], workload);
        launched_ += count;
    }
    /// What the host does changes neither names nor random numbers of patterns.
    void count(const std::vector<KernelEntry>& kernels) {
        entries_ += static_cast<std::size_t>(
            std::count_if(kernels.begin(), kernels.end(), [](const KernelEntry& e) { return !e.host.given; }));
    }
    void place_target(Made& made) const {
        const Place place = made.place.at("to");
        const Range& target = plan_.range(made.entry->to, place);
        if (target.base == made.copied.base)
            throw ConfigError(place, "is the array that is copied; another array is expected");
        if (target.bytes < made.copied.bytes)
            throw ConfigError(place, "array '" + made.entry->to + "' has " + std::to_string(target.bytes) +
                                         " bytes, and " + std::to_string(made.copied.bytes) +
                                         " are copied; a smaller 'share' is allowed, or a larger array");
        made.target = target.base;
    }
    void place_host(Made& made) const {
        const HostEntry& entry = made.entry->host;
        const Place place = made.place.at("host");
        std::vector<HostAccess> placed(entry.accesses.size());
        for (std::size_t i = 0; i < placed.size(); ++i) {
            const Range& range = plan_.range(entry.accesses[i].array, place.at("accesses").at(i).at("array"));
            placed[i].base = range.base;
            placed[i].bytes = range.bytes;
        }
        auto phase = std::make_shared<HostPhase>(make_host_phase(entry, std::move(placed), scale_, share_, place));
        phase->seed = Rng(seed_, ~std::uint64_t{0}).at(static_cast<std::uint64_t>(&made - made_.data()));
        made.host = std::move(phase);
    }
    void make(const KernelEntry& entry, const Place& place) {
        if (entry.host.given) return make_host(entry, place);
        const std::size_t number = numbered_++;
        if (entry.copy != CopyKind::none) return make_copy(entry, place);
        if (const char* const odd = of_a_copy(entry); odd != nullptr)
            throw ConfigError(
                place.at(odd),
                "belongs to a copy, and this entry has no 'copy'; to_device, to_host or peer is expected there");
        if (entry.pattern.empty()) throw ConfigError(place, "a kernel has no 'pattern', which it must have");
        const PatternEntry* const row = &find_pattern(entry.pattern, place.at("pattern"));
        PatternContext context;
        context.seed = Rng(seed_, number + 1).at(0);
        context.data_seed = Rng(seed_).at(0);
        context.scale = scale_;
        context.share = share_;
        context.graphs = &graphs_;
        Made made(entry, place);
        made.pattern = row->make(entry.parameters.value, place.at("parameters"), context);
        name_arrays(entry, place, number, made);
        made_.push_back(std::move(made));
    }
    /// A member that only copies have; null if there is none.
    static const char* of_a_copy(const KernelEntry& entry) {
        return !entry.array.empty() ? "array" : !entry.to.empty() ? "to" : entry.share != 1.0 ? "share" : nullptr;
    }
    void make_copy(const KernelEntry& entry, const Place& place) {
        const char* const odd = !entry.pattern.empty()            ? "pattern"
                                : !entry.parameters.value.empty() ? "parameters"
                                : !entry.arrays.names.empty()     ? "arrays"
                                : !entry.name.empty()             ? "name"
                                                                  : nullptr;
        if (odd != nullptr) throw ConfigError(place.at(odd), "belongs to a pattern, and this entry is a copy");
        if (entry.array.empty()) throw ConfigError(place, "a copy has no 'array', which it must have");
        if (entry.copy == CopyKind::peer && entry.to.empty())
            throw ConfigError(place,
                              "a copy between arrays has no 'to', the array that is written, which it must have");
        if (entry.copy != CopyKind::peer && !entry.to.empty())
            throw ConfigError(place.at("to"), "belongs to a copy between arrays, and this one is " +
                                                  std::string(kCopyKinds.name(entry.copy)) +
                                                  "; peer is expected there");
        made_.emplace_back(entry, place);
    }
    void make_host(const KernelEntry& entry, const Place& place) {
        const char* const odd = entry.copy != CopyKind::none      ? "copy"
                                : of_a_copy(entry) != nullptr     ? of_a_copy(entry)
                                : !entry.pattern.empty()          ? "pattern"
                                : !entry.parameters.value.empty() ? "parameters"
                                : !entry.arrays.names.empty()     ? "arrays"
                                : !entry.name.empty()             ? "name"
                                                                  : nullptr;
        if (odd != nullptr)
            throw ConfigError(place.at(odd), "belongs to a kernel or a copy, and this entry is the host's");
        made_.emplace_back(entry, place);
    }
    void name_arrays(const KernelEntry& entry, const Place& place, std::size_t number, Made& made) {
        std::string prefix;
        if (!entry.name.empty())
            prefix = entry.name + ".";
        else if (entries_ > 1)
            prefix = entry.pattern + "_" + std::to_string(number) + ".";
        const std::vector<ArrayNeed> needs = made.pattern->arrays();
        for (const ArrayNeed& need : needs) {
            const auto given = entry.arrays.names.find(need.role);
            const std::string name = given == entry.arrays.names.end() ? prefix + need.role : given->second;
            made.array_of[need.role] = name;
            if (need.members.empty()) {
                plan_.need(name, need.bytes);
                continue;
            }
            std::vector<std::string> members; // come before it
            for (const std::string& role : need.members) members.push_back(made.array_of.at(role));
            plan_.need_multicast(name, need, members, place.at("arrays"));
        }
        for (const auto& [role, name] : entry.arrays.names) {
            if (made.array_of.count(role) != 0) continue;
            std::vector<std::string_view> roles;
            roles.reserve(needs.size());
            for (const ArrayNeed& need : needs) roles.emplace_back(need.role);
            throw ConfigError(place.at("arrays").at(role), unknown_name("array of this pattern", role, roles));
        }
    }
    void launch(const Made& made, Workload& workload) const {
        for (std::uint32_t r = 0; r < made.entry->repeat; ++r) {
            if (made.host) {
                Launch work;
                work.what = Launch::What::host;
                work.stream = made.entry->stream;
                work.host = made.host;
                workload.launches.push_back(std::move(work));
                continue;
            }
            if (!made.pattern) {
                Launch copy;
                copy.what = made.entry->copy == CopyKind::to_device ? Launch::What::copy_to_device
                            : made.entry->copy == CopyKind::to_host ? Launch::What::copy_to_host
                                                                    : Launch::What::copy_peer;
                copy.target = made.target;
                copy.stream = made.entry->stream;
                copy.address = made.copied.base;
                copy.bytes = made.copied.bytes;
                workload.launches.push_back(std::move(copy));
            }
            for (const std::shared_ptr<Kernel>& kernel : made.kernels) {
                Launch launch;
                launch.kernel = kernel;
                launch.stream = made.entry->stream;
                workload.launches.push_back(std::move(launch));
            }
        }
    }

    Place place_;
    std::uint64_t seed_;
    double scale_;
    double share_ = 1.0;
    std::size_t entries_ = 0;  ///< of kernels and copies
    std::size_t numbered_ = 0; ///< of these, so far
    std::size_t launched_ = 0;
    GraphCache graphs_;
    MemoryPlan plan_;
    std::vector<Made> made_;
};

} // namespace

Workload read_workload(const json& value, const Place& place, const WorkloadOptions& options) {
    const auto file = read_config<WorkloadFile>(value, place);
    Builder builder(file, place, options);
    if (!file.kernels.empty()) builder.make(file.kernels, place.at("kernels"));
    for (std::size_t i = 0; i < file.phases.size(); ++i)
        builder.make(file.phases[i].kernels, place.at("phases").at(i).at("kernels"));
    builder.place_arrays();
    builder.give_arrays(file.on_gpu, place.at("on_gpu"));
    Workload workload = builder.launch(file);
    workload.name = file.name;
    workload.description = file.description;
    workload.ranges = builder.ranges();
    if (file.instructions == 0 || options.whole || !options.limited) return workload;
    if (workload.waits_for_flags())
        throw ConfigError(place.at("instructions"),
                          "blocks that are cut would leave others waiting for their flags; 0 is allowed");
    const double limit = std::max(1.0, static_cast<double>(file.instructions) * file.scale * options.scale);
    return first_instructions(std::move(workload), static_cast<std::uint64_t>(std::llround(limit)));
}

} // namespace numavp

#include "communication/records/cprof_reader.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/records/cprof_record.h"

namespace numavp {

namespace {

/// A kernel's name as its source has it, without parameters and what it returns.
std::string readable(const std::string& symbol) {
    if (symbol.compare(0, 2, "_Z") != 0) return symbol.substr(0, symbol.find('('));
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                       std::free);
    if (status != 0) return symbol;
    const std::string name = plain.get();
    // The parameters are the last brackets; what stands before a space outside of all brackets is returned.
    int depth = 0;
    std::size_t begin = 0, end = name.size();
    for (std::size_t at = name.size(); at-- > 0;) {
        depth += name[at] == ')' || name[at] == '>' ? 1 : name[at] == '(' || name[at] == '<' ? -1 : 0;
        if (depth != 0) continue;
        if (name[at] == '(' && end == name.size()) end = at;
        if (name[at] != ' ') continue;
        begin = at + 1;
        break;
    }
    return name.substr(begin, end - begin);
}

std::vector<std::uint64_t> each_once(const std::vector<std::uint64_t>& ids) {
    std::vector<std::uint64_t> once;
    std::set<std::uint64_t> known;
    for (const std::uint64_t id : ids)
        if (known.insert(id).second) once.push_back(id);
    return once;
}

class GraphOfRecords {
  public:
    GraphOfRecords(std::istream& in, const std::string& path) : path_(path) {
        std::string line;
        for (std::size_t number = 1; next_line(in, line, number); ++number)
            if (line.find_first_not_of(" \t\r") != std::string::npos) take({line, number, path});
    }

    RecordedGraph make() {
        number_hosts();
        for (const CprofRecord& api : apis_) add(api);
        if (result_.graph.steps.empty()) throw ConfigError(path_, "it has no api that copies or computes");
        add_notes();
        return std::move(result_);
    }

  private:
    struct Allocation {
        bool gpu = false;
        std::optional<std::uint64_t> id; ///< of the NUMA node or the GPU, if it is said
        HostMemory memory = HostMemory::pageable;
    };
    /// Of the graph: what was written into a value, and by which step; kNone: it was there.
    struct Version {
        unsigned value = AppGraph::kNone, writer = AppGraph::kNone;
        std::uint64_t bytes = 0;
    };
    struct Value {
        std::uint64_t bytes = 0, allocation = 0;
        std::vector<Version> versions; ///< that make it up, the last one behind; none: nobody has touched it yet
    };
    struct Activity {
        std::uint64_t stream = 0;
        double us = 0;
    };

    /// std::getline with a bound; false at the end.
    bool next_line(std::istream& in, std::string& line, std::size_t number) const {
        constexpr std::size_t kMostLineBytes = std::size_t{16} << 20; // a record is a ten thousandth of it
        line.clear();
        std::streambuf& text = *in.rdbuf();
        constexpr int kEnd = std::streambuf::traits_type::eof();
        int c = text.sbumpc();
        if (c == kEnd) return false;
        for (; c != kEnd && c != '\n'; c = text.sbumpc()) {
            if (line.size() == kMostLineBytes)
                throw ConfigError(fmt::format("{}, line {}", path_, number),
                                  fmt::format("it has more than {} bytes, the most that are allowed", kMostLineBytes));
            line += static_cast<char>(c);
        }
        return true;
    }
    void count(const CprofRecord& record) {
        constexpr std::size_t kMostRecords = 10'000'000;
        if (++records_ > kMostRecords)
            record.fail(fmt::format("there are more than {} records, the most that are allowed", kMostRecords));
    }

    void take(CprofRecord record) {
        count(record);
        const std::string& kind = record.kind();
        if (kind == "allocation") {
            allocations_[record.needed("id")] = allocation(record);
        } else if (kind == "val") {
            Value& value = values_[record.needed("id")];
            value.bytes = record.needed("size"); // told again where a copy has shown it
            const auto of = record.number("allocation");
            value.allocation = of ? *of : record.needed("allocation_id");
        } else if (kind == "compute" || kind == "transfer") {
            constexpr double kNsPerUs = 1000;
            activities_[record.needed("correlation_id")] = {record.needed("stream_id"),
                                                            static_cast<double>(record.needed("dur")) / kNsPerUs};
        } else if (kind == "api") {
            if (apis_.size() == kMostRecordedSteps)
                record.fail(fmt::format("there are more than {} calls, the most that are allowed", kMostRecordedSteps));
            apis_.push_back(std::move(record));
        } else if (kind != "dep" && kind != "meta") {
            record.fail(fmt::format("'{}' is no record of the tracer; allocation, val, api, dep, meta, compute and "
                                    "transfer are",
                                    quotable(kind)));
        }
    }
    /// Types of places and address spaces that the tracer writes; another one could be a GPU as well as a CPU.
    static void check_place(const CprofRecord& record) {
        const bool placed = !record.type_of("loc").empty();
        const char* member = placed ? "loc" : "addrsp";
        const std::string type = record.type_of(member);
        const bool either = type == "cuda" || type == "host" || type == "unknown" || type.empty();
        if (!either && type != (placed ? "device" : "uva"))
            record.fail(
                fmt::format("{} '{}' is not {{\"type\": \"cuda\" or \"host\", \"id\": N}}", member, quotable(type)));
    }
    static Allocation allocation(const CprofRecord& record) {
        check_place(record);
        Allocation made;
        const std::string memory = record.type_of("mem").empty() ? record.text("type") : record.type_of("mem");
        if (memory == "pagelocked" || memory == "pinned") made.memory = HostMemory::pinned;
        const std::string place = record.type_of("loc");
        made.gpu = place == "cuda" || place == "device" || (place.empty() && record.type_of("addrsp") == "cuda");
        const char* member = place.empty() ? "addrsp" : "loc";
        if (made.gpu || record.type_of(member) == "host") made.id = record.id_of(member);
        if (made.gpu && made.id) in_range(*made.id, record);
        return made;
    }
    /// NUMA nodes in their order: cpu0, cpu1, ...
    void number_hosts() {
        for (const auto& [id, allocation] : allocations_)
            if (!allocation.gpu && allocation.id) hosts_.emplace(*allocation.id, 0);
        unsigned next = 0;
        for (auto& host : hosts_) host.second = next++;
    }
    AppPlace place_of(const Allocation& allocation, const CprofRecord& api) const {
        if (!allocation.gpu) {
            const auto known = allocation.id ? hosts_.find(*allocation.id) : hosts_.end();
            return {false, known == hosts_.end() ? 0 : known->second};
        }
        return {true, allocation.id ? in_range(*allocation.id, api) : device(api)};
    }
    static unsigned in_range(std::uint64_t number, const CprofRecord& record) {
        if (number >= kMostRecordedPlaces)
            record.fail(fmt::format("it is on device {}; 0 to {} are allowed", number, kMostRecordedPlaces - 1));
        return static_cast<unsigned>(number);
    }
    static unsigned device(const CprofRecord& api) { return in_range(api.number("device").value_or(0), api); }

    Value& value(std::uint64_t id, const CprofRecord& api) {
        const auto found = values_.find(id);
        if (found == values_.end()) api.fail(fmt::format("no val has the id {} that it names", id));
        return found->second;
    }
    const Allocation& allocation_of(const Value& value, const CprofRecord& api) const {
        const auto found = allocations_.find(value.allocation);
        if (found == allocations_.end())
            api.fail(fmt::format("no allocation has the id {} of one of its values", value.allocation));
        return found->second;
    }
    Version version(const Value& of, std::uint64_t bytes, unsigned writer, const CprofRecord& api) {
        if (bytes == 0 || bytes > kMostValueBytes) api.fail(fmt::format("one of its values has {} B", bytes));
        const Allocation& where = allocation_of(of, api);
        const bool given = writer == AppGraph::kNone;
        return {add_value(result_.graph, place_of(where, api), bytes, where.memory, given), writer, bytes};
    }
    /// Records do not say where in a value a part lies: what was written last counts, as much of it as the value holds.
    unsigned write(Value& of, std::uint64_t bytes, unsigned writer, const CprofRecord& api) {
        const Version made = version(of, bytes, writer, api);
        of.bytes = std::max(of.bytes, bytes);
        of.versions.push_back(made);
        std::uint64_t behind = 0;
        auto first = of.versions.end();
        while (first != of.versions.begin() && behind < of.bytes) behind += (--first)->bytes;
        of.versions.erase(of.versions.begin(), first);
        return made.value;
    }
    const std::vector<Version>& read(Value& of, const CprofRecord& api) {
        if (of.versions.empty()) of.versions = {version(of, of.bytes, AppGraph::kNone, api)};
        return of.versions;
    }

    void add(const CprofRecord& api) {
        const std::vector<std::uint64_t> inputs = api.numbers("inputs"), outputs = api.numbers("outputs");
        if (inputs.empty() && outputs.empty()) return; // allocates, waits, asks
        AppStep step;
        const auto activity = activities_.find(api.number("correlation_id").value_or(~std::uint64_t{0}));
        const bool known = activity != activities_.end();
        if (known)
            step.stream = fmt::format("gpu{}.{}", device(api), activity->second.stream);
        else if (is_default_stream(api))
            step.stream = fmt::format("gpu{}.0", device(api));
        else
            ++streamless_;
        if (api.text("name").find("Memcpy") != std::string::npos) {
            add_copy(api, std::move(step), inputs, outputs);
        } else {
            step.time.time_us = known ? activity->second.us : call_us(api);
            add_compute(api, std::move(step), inputs, outputs);
        }
    }
    /// Copies that wait are calls without a stream: of the default one. Of launches and others the call does not say
    /// it.
    static bool is_default_stream(const CprofRecord& api) {
        const std::string name = api.text("name");
        return name.find("Memcpy") != std::string::npos && name.find("Async") == std::string::npos;
    }
    double call_us(const CprofRecord& api) {
        const auto begin = api.number("wall_start"), end = api.number("wall_end");
        const std::uint64_t from = begin ? *begin : api.needed("start"), to = end ? *end : api.needed("end");
        if (to < from) api.fail("it ends before it begins");
        ++calls_;
        constexpr double kNsPerUs = 1000;
        return static_cast<double>(to - from) / kNsPerUs;
    }
    void add_copy(const CprofRecord& api, AppStep step, const std::vector<std::uint64_t>& inputs,
                  const std::vector<std::uint64_t>& outputs) {
        if (inputs.size() != 1 || outputs.size() != 1)
            api.fail(fmt::format("a copy has {} inputs and {} outputs; one of each is expected", inputs.size(),
                                 outputs.size()));
        Value& from = value(inputs[0], api);
        Value& to = value(outputs[0], api);
        const std::uint64_t bytes = api.number("dstCount").value_or(to.bytes);
        if (from.versions.empty()) from.bytes = std::max(from.bytes, bytes);
        const std::vector<Version>& versions = read(from, api);
        if (versions.size() == 1 && versions[0].bytes == bytes) {
            step.reads = {versions[0].value};
        } else {
            // Some of a value, or of several that make it up: another one, which is there as soon as these are.
            for (const Version& one : versions)
                if (one.writer != AppGraph::kNone) step.after.push_back(one.writer);
            step.reads = {version(from, bytes, AppGraph::kNone, api).value};
            ++parts_;
        }
        step.name = "copy";
        step.writes = {write(to, bytes, static_cast<unsigned>(result_.graph.steps.size()), api)};
        add_step(result_.graph, std::move(step));
    }
    void add_compute(const CprofRecord& api, AppStep step, const std::vector<std::uint64_t>& inputs,
                     const std::vector<std::uint64_t>& outputs) {
        step.kind = AppStepKind::kernel;
        step.place = {true, device(api)};
        step.name = readable(api.text("symbolname"));
        if (step.name.empty()) step.name = api.text("name").empty() ? "kernel" : api.text("name");
        for (const std::uint64_t id : each_once(inputs))
            for (const Version& one : read(value(id, api), api)) step.reads.push_back(here(one.value, step));
        const auto number = static_cast<unsigned>(result_.graph.steps.size());
        for (const std::uint64_t id : each_once(outputs)) {
            Value& written = value(id, api);
            const AppPlace place = place_of(allocation_of(written, api), api);
            if (place != step.place)
                api.fail(fmt::format("it runs on {} and writes on {}", step.place.name(), place.name()));
            step.writes.push_back(write(written, written.bytes, number, api));
        }
        add_step(result_.graph, std::move(step));
    }
    /// What a kernel reads over a link is copied to it.
    unsigned here(unsigned read, const AppStep& step) {
        AppGraph& graph = result_.graph;
        if (graph.values[read].place == step.place) return read;
        AppStep copy;
        copy.name = "copy";
        copy.stream = step.stream;
        copy.reads = {read};
        copy.writes = {add_value(graph, step.place, graph.values[read].bytes, HostMemory::pageable, false)};
        const unsigned written = copy.writes[0];
        add_step(graph, std::move(copy));
        ++remote_;
        return written;
    }
    void add_notes() {
        if (calls_ != 0)
            result_.notes.push_back(
                fmt::format("{} kernels have no compute record: they take as long as their calls", calls_));
        if (parts_ != 0)
            result_.notes.push_back(fmt::format(
                "{} copies read some of a value: that part is a value of its own, and waits for the whole", parts_));
        if (remote_ != 0)
            result_.notes.push_back(
                fmt::format("{} values that a kernel reads elsewhere are copied to its GPU before", remote_));
        if (streamless_ != 0)
            result_.notes.push_back(fmt::format(
                "{} launches and copies have no record that says their stream: they wait for their values alone",
                streamless_));
        for (const auto& [node, cpu] : hosts_)
            if (node != cpu) result_.notes.push_back(fmt::format("NUMA node {} is cpu{}", node, cpu));
    }

    std::string path_;
    std::map<std::uint64_t, Allocation> allocations_;
    std::map<std::uint64_t, Value> values_;
    std::map<std::uint64_t, Activity> activities_;
    std::vector<CprofRecord> apis_; ///< in the order of the file, which is that of their ends
    std::map<std::uint64_t, unsigned> hosts_;
    std::size_t records_ = 0, calls_ = 0, parts_ = 0, remote_ = 0, streamless_ = 0;
    RecordedGraph result_;
};

} // namespace

RecordedGraph read_cprof(std::istream& in, const std::string& path) { return GraphOfRecords(in, path).make(); }

} // namespace numavp

#include "communication/records/nsight_reader.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "communication/records/nsight_events.h"
#include "communication/records/nsight_export.h"

namespace numavp {

namespace {

constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kWaits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
constexpr const char* kEvents = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
constexpr const char* kNode = "graphNodeId"; // null for what is in no CUDA graph

struct Operation {
    std::int64_t call = 0; ///< correlation: calls are numbered in order
    std::int64_t start = 0, end = 0;
    NsightStream stream;
    bool kernel = false;
    std::optional<bool> in_graph; ///< whether it is a node of a CUDA graph, if the export says it
    double us = 0;
    std::string name;
    std::int64_t bytes = 0;
    AppPlace from, to;
    HostMemory memory = HostMemory::pageable;
};

class GraphOfExport {
  public:
    explicit GraphOfExport(const std::string& path) : export_(path) {}

    RecordedGraph read() {
        read_copies();
        read_kernels();
        read_graphs();
        if (operations_.empty())
            export_.fail(export_.columns("points").empty()
                             ? "it has no copies and no kernels"
                             : "it has no copies and no kernels, but points of a study (numavp study show STUDY --db)");
        if (operations_.size() > kMostRecordedSteps)
            export_.fail(
                fmt::format("it has more than {} copies and kernels, the most that are allowed", kMostRecordedSteps));
        // All nodes of a CUDA graph have the call that launched it.
        std::stable_sort(operations_.begin(), operations_.end(), [](const Operation& a, const Operation& b) {
            return std::pair(a.call, a.start) < std::pair(b.call, b.start);
        });
        for (const Operation& operation : operations_) add(operation);
        size_chains();
        add_events();
        result_.notes.emplace_back("the export does not say which memory of a host or what a kernel touches: hosts are "
                                   "cpu0, kernels read what was copied before them in their stream");
        if (chained_)
            result_.notes.emplace_back("kernels of a stream are taken to read what the kernel before wrote, as much as "
                                       "the most that was copied for one or from one");
        if (ordered_)
            result_.notes.emplace_back("nodes of a CUDA graph on several streams wait for those that had ended before "
                                       "them when it was recorded: the export does not have the graph's edges");
        result_.graph.description =
            fmt::format("From an export of Nsight Systems: {}.", fmt::join(result_.notes, "; "));
        return std::move(result_);
    }

  private:
    unsigned device(std::int64_t number, const char* table, std::size_t row) const {
        if (number < 0 || number >= static_cast<std::int64_t>(kMostRecordedPlaces))
            export_.fail(fmt::format("row {} of {} is on device {}", row + 1, table, number));
        return static_cast<unsigned>(number);
    }
    void check_times(std::int64_t start, std::int64_t end, const char* table, std::size_t row) const {
        if (start < 0 || end < start)
            export_.fail(fmt::format("row {} of {} has no time, or ends before it begins", row + 1, table));
    }
    void read_copies() {
        enum Column : std::size_t { start, end, dev, context, stream, call, bytes, kind, source, target };
        const bool peers = export_.has_column(kCopies, "srcDeviceId");
        std::vector<std::string> wanted{"start",         "end",   "deviceId", "contextId", "streamId",
                                        "correlationId", "bytes", "copyKind", "srcKind",   "dstKind"};
        if (peers) wanted.insert(wanted.end(), {"srcDeviceId", "dstDeviceId"});
        const bool nodes = export_.has_column(kCopies, kNode);
        if (nodes) wanted.emplace_back(kNode);
        std::size_t number = 0, others = 0;
        for (const NsightExport::Row& row : export_.rows(kCopies, wanted)) {
            Operation one;
            const AppPlace own{true, device(row[dev], kCopies, number)};
            constexpr auto kMostBytes = static_cast<std::int64_t>(kMostValueBytes);
            check_times(row[start], row[end], kCopies, number);
            if (row[bytes] < 1 || row[bytes] > kMostBytes)
                export_.fail(fmt::format("row {} of {} copies {} B", number + 1, kCopies, row[bytes]));
            one.call = row[call];
            one.start = row[start];
            one.end = row[end];
            one.stream = {row[dev], row[context], row[stream]};
            if (nodes) one.in_graph = row.back() >= 0;
            one.bytes = row[bytes];
            one.name = "copy";
            const bool pinned = row[source] == kPinned || row[target] == kPinned;
            one.memory = pinned ? HostMemory::pinned : HostMemory::pageable;
            if (!ends_of(row[kind], own, one)) {
                ++others;
                ++number;
                continue;
            }
            if (row[kind] == kPeer && peers) {
                one.from = {true, device(row[target + 1], kCopies, number)};
                one.to = {true, device(row[target + 2], kCopies, number)};
            }
            operations_.push_back(one);
            ++number;
        }
        if (others != 0)
            result_.notes.push_back(fmt::format("{} copies of arrays and of unified memory are left out", others));
    }
    /// CUPTI's kinds of copies and of memory.
    enum Cupti : std::int64_t { kPinned = 1, kToDevice = 1, kToHost = 2, kWithin = 8, kHosts = 9, kPeer = 10 };
    static bool ends_of(std::int64_t kind, AppPlace own, Operation& one) {
        const bool known = kind == kToDevice || kind == kToHost || kind == kWithin || kind == kHosts || kind == kPeer;
        if (kind != kToDevice && kind != kHosts) one.from = own;
        if (kind != kToHost && kind != kHosts) one.to = own;
        return known;
    }
    void read_kernels() {
        enum Column : std::size_t { start, end, dev, context, stream, call, name };
        const std::map<std::int64_t, std::string> strings = export_.strings();
        std::vector<std::string> wanted{"start",    "end",           "deviceId", "contextId",
                                        "streamId", "correlationId", "shortName"};
        const bool nodes = export_.has_column(kKernelTable, kNode);
        if (nodes) wanted.emplace_back(kNode);
        std::size_t number = 0;
        for (const NsightExport::Row& row : export_.rows(kKernelTable, wanted)) {
            Operation one;
            one.kernel = true;
            one.to = {true, device(row[dev], kKernelTable, number)};
            check_times(row[start], row[end], kKernelTable, number);
            constexpr double kNsPerUs = 1000;
            one.us = static_cast<double>(row[end] - row[start]) / kNsPerUs;
            one.call = row[call];
            one.start = row[start];
            one.end = row[end];
            one.stream = {row[dev], row[context], row[stream]};
            if (nodes) one.in_graph = row.back() >= 0;
            const auto found = strings.find(row[name]);
            one.name = found == strings.end() || found->second.empty() ? "kernel" : found->second;
            operations_.push_back(one);
            ++number;
        }
    }

    /// Launches of CUDA graphs, which nsys records as a whole unless it is told --cuda-graph-trace=node: each is like a
    /// kernel of the graph's time.
    void read_graphs() {
        enum Column : std::size_t { start, end, dev, context, stream, call, graph };
        std::vector<std::string> wanted{"start", "end", "deviceId", "contextId", "streamId", "correlationId"};
        const bool numbered = export_.has_column(kGraphs, "graphId");
        if (numbered) wanted.emplace_back("graphId");
        std::set<std::int64_t> known; // calls whose nodes are recorded
        for (const Operation& one : operations_)
            if (one.in_graph.value_or(false)) known.insert(one.call);
        std::size_t number = 0, launches = 0;
        double us = 0;
        for (const NsightExport::Row& row : export_.rows(kGraphs, wanted)) {
            Operation one;
            one.kernel = true;
            one.to = {true, device(row[dev], kGraphs, number)};
            check_times(row[start], row[end], kGraphs, number);
            ++number;
            if (known.count(row[call]) != 0) continue;
            constexpr double kNsPerUs = 1000;
            one.us = static_cast<double>(row[end] - row[start]) / kNsPerUs;
            one.call = row[call];
            one.start = row[start];
            one.end = row[end];
            one.stream = {row[dev], row[context], row[stream]};
            one.name = numbered && row[graph] >= 0 ? fmt::format("graph {}", row[graph]) : "graph";
            operations_.push_back(one);
            ++launches;
            us += one.us;
        }
        if (launches != 0)
            result_.notes.push_back(
                fmt::format("{} launches of CUDA graphs, {:.1f} us together, are one step each, like a kernel: the "
                            "export has no nodes of them (nsys profile --cuda-graph-trace=node records them)",
                            launches, us));
    }

    using Calls = std::vector<std::pair<std::int64_t, unsigned>>; ///< call and step, in order
    struct Stream {
        std::vector<unsigned> arrived; ///< values on its GPU that no kernel has read
        std::vector<unsigned> chain;   ///< values between its kernels
        std::int64_t in = 0, out = 0;  ///< bytes copied to and from its GPU since its last kernel
        std::int64_t most = 0;
        unsigned kernel = AppGraph::kNone;
        Calls steps;
    };

    unsigned value_of(const Operation& one, AppPlace place, bool given) {
        return add_value(result_.graph, place, static_cast<std::uint64_t>(one.bytes), one.memory, given);
    }
    void add(const Operation& one) {
        AppGraph& graph = result_.graph;
        Stream& stream = streams_[one.stream];
        const auto number = static_cast<unsigned>(graph.steps.size());
        AppStep step;
        step.name = one.name;
        step.stream =
            fmt::format("gpu{}.{}.{}", std::get<0>(one.stream), std::get<1>(one.stream), std::get<2>(one.stream));
        if (one.kernel) {
            step.kind = AppStepKind::kernel;
            step.place = one.to;
            step.time.time_us = one.us;
            step.reads = std::exchange(stream.arrived, {});
            if (stream.kernel != AppGraph::kNone) step.reads.push_back(add_chain(one, stream));
            stream.kernel = number;
            stream.in = stream.out = 0;
        } else {
            const bool made = stream.kernel != AppGraph::kNone && graph.steps[stream.kernel].place == one.from;
            step.reads = {value_of(one, one.from, !made)};
            if (made) {
                graph.steps[stream.kernel].writes.push_back(step.reads[0]);
                stream.most = std::max(stream.most, add_bytes(stream.out, one.bytes));
            }
            step.writes = {value_of(one, one.to, false)};
            if (one.to == AppPlace{true, static_cast<unsigned>(std::get<0>(one.stream))}) {
                stream.arrived.push_back(step.writes[0]);
                stream.most = std::max(stream.most, add_bytes(stream.in, one.bytes));
            }
        }
        add_order_in_graph(one, step, number);
        stream.steps.emplace_back(one.call, number);
        add_step(graph, std::move(step));
    }
    /// Nodes of a CUDA graph on several streams: the edges between these are not in the export. A node is taken to wait
    /// for those of the other streams that had ended when it began.
    void add_order_in_graph(const Operation& one, AppStep& step, unsigned number) {
        if (one.call < 0 || !one.in_graph.value_or(true)) return;
        if (one.call != launch_) ended_.clear();
        launch_ = one.call;
        for (const auto& [id, nodes] : ended_) {
            if (id == one.stream) continue;
            const auto behind = std::upper_bound(nodes.begin(), nodes.end(), std::pair{one.start, AppGraph::kNone});
            if (behind == nodes.begin()) continue;
            step.after.push_back(std::prev(behind)->second);
            ordered_ = true;
        }
        ended_[one.stream].emplace_back(one.end, number);
    }
    /// A sum of copies, at most what one value of a recording may have.
    static std::int64_t add_bytes(std::int64_t& sum, std::int64_t bytes) {
        return sum = std::min(sum + bytes, static_cast<std::int64_t>(kMostValueBytes));
    }
    /// What a kernel leaves to the next of its stream. Without it only the stream would order them, which a kernel
    /// leaves when it moves: a chain of kernels would become independent ones.
    unsigned add_chain(const Operation& kernel, Stream& stream) {
        const unsigned value = value_of(kernel, kernel.to, false);
        result_.graph.steps[stream.kernel].writes.push_back(value);
        stream.chain.push_back(value);
        chained_ = true;
        return value;
    }
    /// All of a stream have one size: the most that was copied before or behind one of its kernels; 1 B if nothing was.
    void size_chains() {
        for (const auto& [id, stream] : streams_)
            for (const unsigned value : stream.chain)
                result_.graph.values[value].bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(stream.most, 1));
    }
    /// A stream that waits for an event waits for what was called before the event in its stream.
    void add_events() {
        constexpr std::int64_t kStreamWaits = 2; // CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT
        enum Column : std::size_t { dev, context, stream, call };
        const auto id = [](const NsightExport::Row& row, std::size_t column) { return column == 0 ? -1 : row[column]; };
        // Each table has one of the ids or both; 0: not there.
        const auto wanted = [this](const char* table, std::size_t& sync, std::size_t& event) {
            std::vector<std::string> names{"deviceId", "contextId", "streamId", "correlationId"};
            for (const auto& [name, column] : {std::pair("eventSyncId", &sync), std::pair("eventId", &event)})
                if (export_.has_column(table, name)) {
                    *column = names.size();
                    names.emplace_back(name);
                }
            return names;
        };
        std::size_t sync = 0, event = 0;
        const std::vector<std::string> of_record = wanted(kEvents, sync, event);
        NsightEvents records;
        for (const NsightExport::Row& row : export_.rows(kEvents, of_record))
            records.add(id(row, sync), id(row, event), {{row[dev], row[context], row[stream]}, row[call]});
        records.sort();
        sync = event = 0;
        std::vector<std::string> of_wait = wanted(kWaits, sync, event);
        of_wait.emplace_back("syncType");
        std::vector<NsightExport::Row> waits_of_streams = export_.rows(kWaits, of_wait);
        std::stable_sort(waits_of_streams.begin(), waits_of_streams.end(),
                         [](const NsightExport::Row& a, const NsightExport::Row& b) { return a[call] < b[call]; });
        std::size_t lost = 0;
        for (const NsightExport::Row& row : waits_of_streams) {
            if (row.back() != kStreamWaits) continue;
            const NsightEvents::Record* const record = records.find(id(row, sync), id(row, event), row[call]);
            if (record == nullptr) {
                ++lost;
                continue;
            }
            const Calls& before = streams_[record->stream].steps;
            const Calls& behind = streams_[{row[dev], row[context], row[stream]}].steps;
            const auto waited = std::lower_bound(before.begin(), before.end(), std::pair{record->call, 0U});
            const auto waits = std::upper_bound(behind.begin(), behind.end(), std::pair{row[call], AppGraph::kNone});
            if (waited == before.begin() || waits == behind.end()) continue;
            result_.graph.steps[waits->second].after.push_back(std::prev(waited)->second);
        }
        if (lost != 0) result_.notes.push_back(fmt::format("{} waits for events without a record are left out", lost));
    }

    NsightExport export_;
    std::vector<Operation> operations_;
    std::map<NsightStream, Stream> streams_;
    RecordedGraph result_;
    bool chained_ = false, ordered_ = false;
    std::int64_t launch_ = -1;            ///< call of the last operation
    std::map<NsightStream, Calls> ended_; ///< its operations, with the times of their ends
};

} // namespace

RecordedGraph read_nsight(const std::string& path) { return GraphOfExport(path).read(); }

} // namespace numavp

#include "communication/records/nsight_reader.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sqlite3.h>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/json_file.h"

namespace numavp {

namespace {

constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kWaits = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
constexpr const char* kEvents = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";

/// The file, read only.
class Export {
  public:
    using Row = std::vector<std::int64_t>;

    explicit Export(const std::string& path) : path_(path) {
        sqlite3* opened = nullptr;
        const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
        database_.reset(opened);
        if (code != SQLITE_OK) fail("it can't be opened");
    }
    [[noreturn]] void fail(const std::string& why) const {
        throw ConfigError(path_, why + "; a file made by 'nsys export --type sqlite' is expected");
    }
    std::set<std::string> columns(const std::string& table) const {
        std::set<std::string> names;
        const Statement rows = prepare("SELECT name FROM pragma_table_info('" + table + "')");
        while (next(rows)) names.insert(text(rows, 0));
        return names;
    }
    /// Whole numbers of `wanted` in the order of the calls; those that may be null are -1 then. Empty if there is no
    /// such table.
    std::vector<Row> rows(const char* table, const std::vector<std::string>& wanted) const {
        const std::set<std::string> there = columns(table);
        if (there.empty()) return {};
        std::string list;
        for (const std::string& column : wanted) {
            if (there.count(column) == 0) fail(fmt::format("its table {} has no column {}", table, column));
            list += (list.empty() ? "" : ", ") + column;
        }
        const Statement found = prepare(fmt::format("SELECT {} FROM {} ORDER BY correlationId, rowid", list, table));
        std::vector<Row> all;
        while (next(found)) {
            Row row;
            for (std::size_t c = 0; c < wanted.size(); ++c) {
                const int type = sqlite3_column_type(found.get(), static_cast<int>(c));
                if (type != SQLITE_INTEGER && type != SQLITE_NULL)
                    fail(fmt::format("row {} of {} has no whole number as {}", all.size() + 1, table, wanted[c]));
                row.push_back(type == SQLITE_NULL ? -1 : sqlite3_column_int64(found.get(), static_cast<int>(c)));
            }
            all.push_back(std::move(row));
        }
        return all;
    }
    std::map<std::int64_t, std::string> strings() const {
        std::map<std::int64_t, std::string> all;
        if (columns("StringIds").empty()) return all;
        const Statement found = prepare("SELECT id, value FROM StringIds");
        while (next(found)) all[sqlite3_column_int64(found.get(), 0)] = text(found, 1);
        return all;
    }

  private:
    struct Closer {
        void operator()(sqlite3* database) const { sqlite3_close(database); }
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Closer>;

    /// SQLite quotes the file, which may hold anything.
    [[noreturn]] void fail_as_sqlite() const {
        fail("SQLite says: " + quotable(printable(sqlite3_errmsg(database_.get()))));
    }
    Statement prepare(const std::string& sql) const {
        sqlite3_stmt* made = nullptr;
        const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &made, nullptr);
        Statement statement(made);
        if (code != SQLITE_OK) fail_as_sqlite();
        return statement;
    }
    bool next(const Statement& statement) const {
        const int code = sqlite3_step(statement.get());
        if (code != SQLITE_ROW && code != SQLITE_DONE) fail_as_sqlite();
        return code == SQLITE_ROW;
    }
    static std::string text(const Statement& statement, int column) {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), column));
        return bytes == nullptr ? "" : printable(bytes);
    }

    std::string path_;
    std::unique_ptr<sqlite3, Closer> database_;
};

/// A stream: device, context, number.
using StreamId = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

struct Operation {
    std::int64_t call = 0; ///< correlation: calls are numbered in order
    StreamId stream;
    bool kernel = false;
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
        if (operations_.empty())
            export_.fail(export_.columns("points").empty()
                             ? "it has no copies and no kernels"
                             : "it has no copies and no kernels, but points of a study (numavp study show STUDY --db)");
        std::stable_sort(operations_.begin(), operations_.end(),
                         [](const Operation& a, const Operation& b) { return a.call < b.call; });
        for (const Operation& operation : operations_) add(operation);
        size_chains();
        add_events();
        result_.notes.emplace_back("the export does not say which memory of a host or what a kernel touches: hosts are "
                                   "cpu0, kernels read what was copied before them in their stream");
        if (chained_)
            result_.notes.emplace_back("kernels of a stream are taken to read what the kernel before wrote, as much as "
                                       "the most that was copied for one or from one");
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
        const bool peers = export_.columns(kCopies).count("srcDeviceId") != 0;
        std::vector<std::string> wanted{"start",         "end",   "deviceId", "contextId", "streamId",
                                        "correlationId", "bytes", "copyKind", "srcKind",   "dstKind"};
        if (peers) wanted.insert(wanted.end(), {"srcDeviceId", "dstDeviceId"});
        std::size_t number = 0, others = 0;
        for (const Export::Row& row : export_.rows(kCopies, wanted)) {
            Operation one;
            const AppPlace own{true, device(row[dev], kCopies, number)};
            constexpr auto kMostBytes = static_cast<std::int64_t>(kMostValueBytes);
            check_times(row[start], row[end], kCopies, number);
            if (row[bytes] < 1 || row[bytes] > kMostBytes)
                export_.fail(fmt::format("row {} of {} copies {} B", number + 1, kCopies, row[bytes]));
            one.call = row[call];
            one.stream = {row[dev], row[context], row[stream]};
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
        std::size_t number = 0;
        for (const Export::Row& row : export_.rows(
                 kKernelTable, {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "shortName"})) {
            Operation one;
            one.kernel = true;
            one.to = {true, device(row[dev], kKernelTable, number)};
            check_times(row[start], row[end], kKernelTable, number);
            constexpr double kNsPerUs = 1000;
            one.us = static_cast<double>(row[end] - row[start]) / kNsPerUs;
            one.call = row[call];
            one.stream = {row[dev], row[context], row[stream]};
            const auto found = strings.find(row[name]);
            one.name = found == strings.end() || found->second.empty() ? "kernel" : found->second;
            operations_.push_back(one);
            ++number;
        }
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
        stream.steps.emplace_back(one.call, number);
        add_step(graph, std::move(step));
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
        enum Column : std::size_t { dev, context, stream, call, sync, type };
        constexpr std::int64_t kStreamWaits = 2; // CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT
        const std::vector<std::string> columns{"deviceId", "contextId", "streamId", "correlationId", "eventSyncId"};
        std::vector<std::string> with_type = columns;
        with_type.emplace_back("syncType");
        std::map<std::int64_t, std::pair<StreamId, std::int64_t>> records;
        for (const Export::Row& row : export_.rows(kEvents, columns))
            records[row[sync]] = {{row[dev], row[context], row[stream]}, row[call]};
        std::size_t lost = 0;
        for (const Export::Row& row : export_.rows(kWaits, with_type)) {
            if (row[type] != kStreamWaits) continue;
            const auto record = records.find(row[sync]);
            if (record == records.end()) {
                ++lost;
                continue;
            }
            const Calls& before = streams_[record->second.first].steps;
            const Calls& behind = streams_[{row[dev], row[context], row[stream]}].steps;
            const auto waited = std::lower_bound(before.begin(), before.end(), std::pair{record->second.second, 0U});
            const auto waits = std::upper_bound(behind.begin(), behind.end(), std::pair{row[call], AppGraph::kNone});
            if (waited == before.begin() || waits == behind.end()) continue;
            result_.graph.steps[waits->second].after.push_back(std::prev(waited)->second);
        }
        if (lost != 0) result_.notes.push_back(fmt::format("{} waits for events without a record are left out", lost));
    }

    Export export_;
    std::vector<Operation> operations_;
    std::map<StreamId, Stream> streams_;
    RecordedGraph result_;
    bool chained_ = false;
};

} // namespace

RecordedGraph read_nsight(const std::string& path) { return GraphOfExport(path).read(); }

} // namespace numavp

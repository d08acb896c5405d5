#include "communication/records/nsight_export.h"

#include <filesystem>
#include <sqlite3.h>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/json_file.h"
#include "communication/records/recorded_graph.h"

namespace numavp {

namespace {

/// Reading a row takes some ten steps of SQLite's machine, and some ten bytes of the file at least.
constexpr int kStepsALook = 100'000, kMostTextBytes = 1 << 24;
constexpr std::uint64_t kFewLooks = 50, kBytesALook = 10'000;

} // namespace

void NsightExport::Closer::operator()(sqlite3* database) const { sqlite3_close(database); }
void NsightExport::Closer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

NsightExport::NsightExport(const std::string& path) : path_(path) {
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
    if (code != SQLITE_OK) fail("it can't be opened");
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, kMostTextBytes);
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(path, ignored);
    most_looks_ = kFewLooks + (ignored ? 0 : bytes / kBytesALook);
    sqlite3_progress_handler(opened, kStepsALook, &NsightExport::look, this);
}

void NsightExport::fail(const std::string& why) const {
    throw ConfigError(path_, why + "; a file made by 'nsys export --type sqlite' is expected");
}

std::set<std::string> NsightExport::columns(const std::string& table) const {
    std::set<std::string> names;
    const Statement rows = prepare("SELECT name FROM pragma_table_info('" + table + "')");
    while (next(rows)) names.insert(text(rows, 0));
    return names;
}

std::vector<NsightExport::Row> NsightExport::rows(const char* table, const std::vector<std::string>& wanted) const {
    const std::set<std::string> there = columns(table);
    if (there.empty()) return {};
    std::string list;
    for (const std::string& column : wanted) {
        if (there.count(column) == 0) fail(fmt::format("its table {} has no column {}", table, column));
        list += (list.empty() ? "" : ", ") + column;
    }
    const Statement found = prepare(fmt::format("SELECT {} FROM {}", list, table));
    std::vector<Row> all;
    while (next(found)) {
        constexpr std::size_t kMostRows = 4 * kMostRecordedSteps;
        if (all.size() == kMostRows)
            fail(fmt::format("its table {} has more than {} rows, the most that are allowed", table, kMostRows));
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

std::map<std::int64_t, std::string> NsightExport::strings() const {
    std::map<std::int64_t, std::string> all;
    if (columns("StringIds").empty()) return all;
    const Statement found = prepare("SELECT id, value FROM StringIds");
    std::size_t bytes = 0;
    while (next(found)) {
        std::string name = text(found, 1);
        constexpr std::size_t kMostBytes = std::size_t{1} << 30;
        bytes += name.size() + sizeof(std::string); // the object too
        if (bytes > kMostBytes)
            fail(fmt::format("its table StringIds has more than {} bytes, the most that are allowed", kMostBytes));
        all[sqlite3_column_int64(found.get(), 0)] = std::move(name);
    }
    return all;
}

/// Ends the statement once too many steps were taken.
int NsightExport::look(void* self) {
    auto& own = *static_cast<NsightExport*>(self);
    return ++own.looks_ > own.most_looks_ ? 1 : 0;
}

/// SQLite quotes the file, which may hold anything.
void NsightExport::fail_as_sqlite() const {
    if (looks_ > most_looks_)
        fail(fmt::format("reading it takes more than {} steps of SQLite, the most that are allowed for its size",
                         most_looks_ * kStepsALook));
    fail("SQLite says: " + quotable(printable(sqlite3_errmsg(database_.get()))));
}

NsightExport::Statement NsightExport::prepare(const std::string& sql) const {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &made, nullptr);
    Statement statement(made);
    if (code != SQLITE_OK) fail_as_sqlite();
    return statement;
}

bool NsightExport::next(const Statement& statement) const {
    const int code = sqlite3_step(statement.get());
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail_as_sqlite();
    return code == SQLITE_ROW;
}

std::string NsightExport::text(const Statement& statement, int column) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), column));
    return bytes == nullptr ? "" : printable(bytes);
}

} // namespace numavp

#include "common/files/sql.h"

#include <sqlite3.h>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {
namespace {

constexpr int kBusyMilliseconds = 30000;
constexpr int kPatientMilliseconds = 500; ///< between two calls of the patience

} // namespace

void SqlDatabase::Closer::operator()(sqlite3* database) const { sqlite3_close(database); }
void SqlStatement::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

SqlDatabase::SqlDatabase(const std::string& path, bool create, const SqlFileKind& kind, const std::string& shown)
    : path_(path), place_(fmt::format("{} {}", kind.name, shown.empty() ? path : shown)), kind_(kind) {
    // Readers open for writing too: what a killed study left half written must be rolled back before it is read.
    const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path_.c_str(), &opened, flags, kind_.vfs);
    database_.reset(opened);
    if (code != SQLITE_OK) fail(code, opened == nullptr ? "" : sqlite3_errmsg(opened));
    sqlite3_extended_result_codes(opened, 1);
    sqlite3_busy_timeout(opened, kBusyMilliseconds);
}

void SqlDatabase::fail(int code, const std::string& message) const {
    switch (code & 0xff) {
    case SQLITE_FULL:
        throw ConfigError(place_, fmt::format("the disk is full; free some space and give the same command again, {}",
                                              kind_.repeated));
    case SQLITE_IOERR:
        throw ConfigError(place_,
                          fmt::format("it can't be written or read ({}): the disk or a quota may be full; the same "
                                      "command once there is space is expected, {}",
                                      message, kind_.repeated));
    case SQLITE_NOTADB:
        throw ConfigError(place_, fmt::format("this is not {}; {} is expected", kind_.sort, kind_.made_by));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        throw ConfigError(place_, "it can't be opened for writing; a path that can be written to is expected");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        throw ConfigError(place_,
                          fmt::format("another program holds it for longer than is waited; the same command once that "
                                      "has ended is expected, {}",
                                      kind_.repeated));
    default: throw ConfigError(place_, fmt::format("SQLite says: {}; {} is expected", message, kind_.made_by));
    }
}

void SqlDatabase::run(const std::string& statements) const {
    int code = SQLITE_OK;
    do code = sqlite3_exec(get(), statements.c_str(), nullptr, nullptr, nullptr);
    while (waits(code));
    if (code != SQLITE_OK) fail(code, sqlite3_errmsg(get()));
}

void SqlDatabase::set_patience(std::function<void()> patience) {
    patience_ = std::move(patience);
    sqlite3_busy_timeout(get(), patience_ ? kPatientMilliseconds : kBusyMilliseconds);
}

bool SqlDatabase::waits(int code) const {
    if ((code & 0xff) != SQLITE_BUSY || !patience_) return false;
    patience_();
    return true;
}

SqlStatement::SqlStatement(const SqlDatabase& database, const char* text) : database_(database) {
    sqlite3_stmt* prepared = nullptr;
    int code = SQLITE_OK;
    do code = sqlite3_prepare_v2(database.get(), text, -1, &prepared, nullptr);
    while (database.waits(code));
    statement_.reset(prepared);
    if (code != SQLITE_OK) database.fail(code, sqlite3_errmsg(database.get()));
}

SqlStatement& SqlStatement::bound(int code) {
    if (code != SQLITE_OK) database_.fail(code, sqlite3_errmsg(database_.get()));
    return *this;
}
SqlStatement& SqlStatement::bind(int index, const std::string& text) {
    return bound(sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}
SqlStatement& SqlStatement::bind(int index, std::int64_t number) {
    return bound(sqlite3_bind_int64(statement_.get(), index, number));
}
SqlStatement& SqlStatement::bind(int index, double number) {
    return bound(sqlite3_bind_double(statement_.get(), index, number));
}

bool SqlStatement::step() {
    for (;;) {
        const int code = sqlite3_step(statement_.get());
        if (code == SQLITE_ROW) return true;
        if (code == SQLITE_DONE) return false;
        const std::string message = sqlite3_errmsg(database_.get());
        sqlite3_reset(statement_.get());
        if (!database_.waits(code)) database_.fail(code, message);
    }
}

void SqlStatement::execute() {
    while (step()) {}
    reset();
}

void SqlStatement::reset() { sqlite3_reset(statement_.get()); }

std::string SqlStatement::text(int column) const {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
    return bytes == nullptr ? std::string() : std::string(bytes, size);
}
std::int64_t SqlStatement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double SqlStatement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool SqlStatement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

SqlTransaction::SqlTransaction(const SqlDatabase& database) : database_(database) { database.run("BEGIN IMMEDIATE"); }

SqlTransaction::~SqlTransaction() {
    // SQLite rolls back by itself after some errors: a second time is an error that means nothing.
    if (open_) sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void SqlTransaction::commit() {
    database_.run("COMMIT");
    open_ = false;
}

} // namespace numavp

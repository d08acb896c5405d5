/// An export of Nsight Systems as tables of whole numbers: what `nsys export --type sqlite` writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace numavp {

/// The file, opened read only. What it asks of memory and time is bounded: rows of a table, bytes of a text, bytes of
/// all names, and steps of SQLite by the size of the file.
class NsightExport {
  public:
    using Row = std::vector<std::int64_t>;

    /// Throws ConfigError if it can't be opened.
    explicit NsightExport(const std::string& path);
    NsightExport(const NsightExport&) = delete;
    NsightExport& operator=(const NsightExport&) = delete;
    /// Throws a ConfigError that names the file and what is expected.
    [[noreturn]] void fail(const std::string& why) const;
    std::set<std::string> columns(const std::string& table) const;
    bool has_column(const std::string& table, const std::string& column) const {
        return columns(table).count(column) != 0;
    }
    /// Whole numbers of `wanted` in the order of the table; those that may be null are -1 then. Empty if there is no
    /// such table.
    std::vector<Row> rows(const char* table, const std::vector<std::string>& wanted) const;
    /// The table StringIds: names by id.
    std::map<std::int64_t, std::string> strings() const;

  private:
    struct Closer {
        void operator()(sqlite3* database) const;
        void operator()(sqlite3_stmt* statement) const;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Closer>;

    static int look(void* self);
    [[noreturn]] void fail_as_sqlite() const;
    Statement prepare(const std::string& sql) const;
    bool next(const Statement& statement) const;
    static std::string text(const Statement& statement, int column);

    std::string path_;
    std::unique_ptr<sqlite3, Closer> database_;
    std::uint64_t looks_ = 0, most_looks_ = 0;
};

} // namespace numavp

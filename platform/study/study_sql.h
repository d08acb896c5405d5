/// SQLite's C interface with lifetimes and errors: no more of it than a study's results need.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace numavp {

/// A database that is open. Every failure is a ConfigError at "results file <path>".
class SqlDatabase {
  public:
    /// `create`: made if it is not there.
    SqlDatabase(std::string path, bool create);
    /// Statements without results; one alone if there is patience, since all are asked again.
    void run(const std::string& statements) const;
    /// What to do, twice a second, while another program holds the file: `patience` may throw to give up. Without it
    /// half a minute is waited.
    void set_patience(std::function<void()> patience);
    /// After SQLite has said `code`: true if it is to be asked again.
    bool waits(int code) const;
    [[noreturn]] void fail(int code, const std::string& message) const;

    sqlite3* get() const { return database_.get(); }
    const std::string& path() const { return path_; }

  private:
    struct Closer {
        void operator()(sqlite3* database) const;
    };
    std::string path_;
    std::unique_ptr<sqlite3, Closer> database_;
    std::function<void()> patience_;
};

/// One prepared statement: bind, step, read; reset to be used again.
class SqlStatement {
  public:
    SqlStatement(const SqlDatabase& database, const char* text);

    /// Parameters count from 1.
    SqlStatement& bind(int index, const std::string& text);
    SqlStatement& bind(int index, std::int64_t number);
    SqlStatement& bind(int index, double number);
    /// True if there is a row.
    bool step();
    /// To the end, without results; ready for the next use.
    void execute();
    void reset();

    /// Columns count from 0.
    std::string text(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    bool is_null(int column) const;

  private:
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const;
    };
    SqlStatement& bound(int code);

    const SqlDatabase& database_;
    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

/// All or nothing: rolled back unless committed.
class SqlTransaction {
  public:
    explicit SqlTransaction(const SqlDatabase& database);
    ~SqlTransaction();
    SqlTransaction(const SqlTransaction&) = delete;
    SqlTransaction& operator=(const SqlTransaction&) = delete;
    void commit();

  private:
    const SqlDatabase& database_;
    bool open_ = true;
};

} // namespace numavp

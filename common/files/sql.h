/// A minimal wrapper of SQLite's C interface: lifetimes, errors, and the functions that a study's results need.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace numavp {

/// How errors name a file, and what they say helps.
struct SqlFileKind {
    const char* name;     ///< before the path
    const char* sort;     ///< "a results file of a study"
    const char* made_by;  ///< "a file made by '...'"
    const char* repeated; ///< what is said of the file when the same command is expected again
    const char* vfs;      ///< SQLite's way to files; null: its default, with locks
};
inline constexpr SqlFileKind kStudyResults = {"results file", "a results file of a study",
                                              "a file made by 'numavp study run'", "what is in the file stays",
                                              nullptr};
inline constexpr SqlFileKind kReadAccessLog = {"access log", "an access log", "a file made by '--access-log'",
                                               "what is in the file stays", nullptr};
/// A hidden file of the run's own, which holds a lock on it.
inline constexpr SqlFileKind kNewAccessLog = {"access log", "an access log", "a file made by '--access-log'",
                                              "nothing of this one is left", "unix-none"};

/// An open database. Every failure is a ConfigError at the kind's name and the path.
class SqlDatabase {
  public:
    /// Opens the file; with `create` it is created if it does not exist. Errors name `shown`, the path unless given.
    SqlDatabase(const std::string& path, bool create, const SqlFileKind& kind = kStudyResults,
                const std::string& shown = "");
    /// Runs statements without results. With a patience pass one statement only, since all are repeated.
    void run(const std::string& statements) const;
    /// Sets a function that is called twice a second while another program holds the file, and may throw to give up.
    /// Without one the wait is half a minute.
    void set_patience(std::function<void()> patience);
    /// Called after SQLite returned `code`: true if the call should be repeated.
    bool waits(int code) const;
    [[noreturn]] void fail(int code, const std::string& message) const;

    sqlite3* get() const { return database_.get(); }
    const std::string& path() const { return path_; }

  private:
    struct Closer {
        void operator()(sqlite3* database) const;
    };
    std::string path_, place_;
    const SqlFileKind& kind_;
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
    /// Executes to the next row; true if there is one.
    bool step();
    /// Executes to the end, without results; the statement can then be used again.
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

/// A transaction, which is rolled back unless it is committed.
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

#include "platform/accesses/access_output.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/sql.h"
#include "common/files/whole_file.h"
#include "platform/accesses/access_rows.h"

namespace numavp {

namespace {
constexpr const char* kAccessLog = "--access-log";

std::string_view kind_name(Kind kind) {
    return kind == Kind::store ? "store" : kind == Kind::atomic ? "atomic" : "load";
}
bool is_sqlite(const std::string& path) { return std::filesystem::path(path).extension() == ".sqlite"; }
std::string address_text(const FollowedAccess& a) { return fmt::format("{:#x}", a.virtual_line); }
} // namespace

void refuse_odd_access_log(const std::string& path) {
    if (is_sqlite(path) || std::filesystem::path(path).extension() == ".csv") return;
    throw ConfigError(kAccessLog,
                      "'" + path + "' does not say the format; a name that ends in .csv or .sqlite is expected");
}

class AccessOutput::Format {
  public:
    virtual ~Format() = default;
    virtual void write(const FollowedAccess& access) = 0;
    virtual void keep() = 0;
};

class AccessOutput::Csv final : public Format {
  public:
    explicit Csv(const std::string& path) : file_(path, kAccessLog) { file_.out() << kAccessLogHeader << '\n'; }
    void write(const FollowedAccess& a) override {
        const std::string head = fmt::format("{},{},{},{},{},{},{},{}", a.number, kind_name(a.kind), a.socket.value,
                                             a.sm, a.home.value, address_text(a), a.from_ps, a.latency_ps);
        unsigned number = 0;
        for (const AccessHop& h : *a.hops) {
            const std::string by = h.waited_access != 0 ? std::to_string(h.waited_access) : "";
            file_.out() << fmt::format("{},{},{},{},{},{},{},{}\n", head, ++number, h.place, h.from_ps, h.wait_ps,
                                       h.time_ps, kWaitedNames.name(h.waited), by);
        }
    }
    void keep() override { file_.keep(); }

  private:
    WholeFile file_;
};

class AccessOutput::Sqlite final : public Format {
  public:
    explicit Sqlite(const std::string& path)
        : file_(path, kAccessLog), database_(file_.hidden(), true, kNewAccessLog, path) {
        database_.run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
                      "CREATE TABLE accesses(access INTEGER PRIMARY KEY, kind TEXT NOT NULL, socket INTEGER NOT NULL, "
                      "sm INTEGER NOT NULL, home INTEGER NOT NULL, address TEXT NOT NULL, from_ps INTEGER NOT NULL, "
                      "latency_ps INTEGER NOT NULL);"
                      "CREATE TABLE hops(access INTEGER NOT NULL REFERENCES accesses, hop INTEGER NOT NULL, "
                      "place TEXT NOT NULL, hop_from_ps INTEGER NOT NULL, wait_ps INTEGER NOT NULL, "
                      "time_ps INTEGER NOT NULL, waited_for TEXT NOT NULL, waited_access INTEGER, "
                      "PRIMARY KEY(access, hop)) WITHOUT ROWID;");
        access_.emplace(database_, "INSERT INTO accesses VALUES(?,?,?,?,?,?,?,?)");
        hop_.emplace(database_, "INSERT INTO hops VALUES(?,?,?,?,?,?,?,nullif(?,0))");
    }
    void write(const FollowedAccess& a) override {
        if (fault_) return;
        try {
            insert(a);
        } catch (const ConfigError& fault) { // no exception may leave a process of the simulation
            fault_ = fault;
        }
    }
    void keep() override {
        if (fault_) throw ConfigError(*fault_);
        access_.reset();
        hop_.reset();
        database_.run("COMMIT;");
        file_.keep();
    }

  private:
    void insert(const FollowedAccess& a) {
        const auto whole = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
        access_->bind(1, whole(a.number)).bind(2, std::string(kind_name(a.kind))).bind(3, whole(a.socket.value));
        access_->bind(4, whole(a.sm)).bind(5, whole(a.home.value)).bind(6, address_text(a));
        access_->bind(7, whole(a.from_ps)).bind(8, whole(a.latency_ps)).execute();
        unsigned number = 0;
        for (const AccessHop& h : *a.hops) {
            hop_->bind(1, whole(a.number)).bind(2, whole(++number)).bind(3, std::string(h.place));
            hop_->bind(4, whole(h.from_ps)).bind(5, whole(h.wait_ps)).bind(6, whole(h.time_ps));
            hop_->bind(7, std::string(kWaitedNames.name(h.waited))).bind(8, whole(h.waited_access)).execute();
        }
    }

    WholeFile file_;
    SqlDatabase database_;
    std::optional<SqlStatement> access_, hop_;
    std::optional<ConfigError> fault_; ///< the first, after which nothing is written
};

AccessOutput::AccessOutput(const std::string& path) {
    refuse_odd_access_log(path);
    if (is_sqlite(path))
        format_ = std::make_unique<Sqlite>(path);
    else
        format_ = std::make_unique<Csv>(path);
}

AccessOutput::~AccessOutput() = default;

void AccessOutput::write(const FollowedAccess& access) {
    format_->write(access);
    if (kept_hops_ >= kTimelineHops) {
        ++left_out_;
        return;
    }
    kept_hops_ += access.hops->size();
    kept_.push_back({access, *access.hops});
    kept_.back().access.hops = nullptr;
}

void AccessOutput::keep() { format_->keep(); }

} // namespace numavp

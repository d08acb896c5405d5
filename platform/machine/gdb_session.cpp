#include "platform/machine/gdb_session.h"

#include <cstring>

#include <fmt/format.h>

#include "models/riscv/gdb_server.h"
#include "models/riscv/rv64_debug.h"

namespace numavp {

/// The platform as a debugger sees it. Not in the anonymous namespace, since a member of the session has its type.
class PlatformDebug final : public Rv64Debug {
  public:
    PlatformDebug(Host& host, Clockwork& clockwork, GdbViews views)
        : Rv64Debug({&host.riscv()->core()}, {kRamBase, host.riscv()->ram_bytes(), host.riscv()->ram()}),
          bus_(*host.bus), clockwork_(clockwork), views_(std::move(views)) {}

    std::vector<GdbCommand> monitor_commands() const override {
        return {{"faults", "the page faults that wait"},
                {"pagetable", "pages that are mapped; pagetable PAGE: how one is, by its virtual page number"}};
    }
    std::optional<std::string> monitor(const std::vector<std::string>& words) override {
        if (words[0] == "faults") return views_.faults();
        if (words[0] == "pagetable") return views_.page_table(words.size() > 1 ? words[1] : "");
        return std::nullopt;
    }

  private:
    std::uint64_t time(unsigned) const override { return clockwork_.now_ps() / 1000; }
    /// Registers and memories are read by whole words without side effects.
    bool read_elsewhere(std::uint64_t address, unsigned char* to, std::size_t bytes) override {
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::uint64_t at = address + i;
            if (i == 0 || at % kRegisterBytes == 0) word_ = bus_.peek(at - at % kRegisterBytes);
            if (word_.error) return false;
            to[i] = static_cast<unsigned char>(word_.value >> (8 * (at % kRegisterBytes)));
        }
        return true;
    }
    /// A write to a device would be an access of the driver's, with all that follows from it.
    bool write_elsewhere(std::uint64_t, const unsigned char*, std::size_t) override { return false; }

    const DriverBus& bus_;
    const Clockwork& clockwork_;
    GdbViews views_;
    BusReply word_;
};

namespace {
Host& with_core(Host& host) {
    if (host.riscv() == nullptr)
        throw ConfigError("--gdb", "there is no core to debug; driver.execution riscv is expected");
    return host;
}
} // namespace

struct GdbSession::Impl {
    Impl(Host& host, Clockwork& clock, const std::string& file, std::uint16_t port, GdbViews views)
        : clockwork(clock), core(with_core(host).riscv()->core()), debug(host, clock, std::move(views)),
          server(debug, port), firmware(file) {}

    void act(GdbAction action) {
        if (action == GdbAction::kill) clockwork.fail("the debugger ended the simulation");
    }
    void hear() {
        const GdbAction heard = server.poll();
        if (heard == GdbAction::interrupt)
            act(server.stopped({GdbStop::Why::interrupted, 0, 0}));
        else
            act(heard);
    }
    /// In place of Rv64Core::run(): a stop for the debugger cuts the budget in two, and the core meets its next
    /// synchronisation at the same simulated time.
    CoreStop run(std::uint64_t budget) {
        hear();
        for (std::uint64_t left = budget; left != 0;) {
            const std::uint64_t before = core.steps();
            const CoreStop stop = debug.run(0, left);
            left -= core.steps() - before;
            const std::optional<GdbStop> told = debug.told(0, stop);
            if (!told) return stop;
            act(server.stopped(*told));
            if (core.access_pending()) return CoreStop::bus;
        }
        return CoreStop::budget;
    }

    Clockwork& clockwork;
    const Rv64Core& core;
    PlatformDebug debug;
    GdbServer server;
    std::string firmware;
};

GdbSession::GdbSession(Host& host, Clockwork& clockwork, const std::string& firmware, std::uint16_t port,
                       GdbViews views)
    : impl_(std::make_unique<Impl>(host, clockwork, firmware, port, std::move(views))) {
    host.riscv()->debugger = [this](std::uint64_t budget) { return impl_->run(budget); };
}
GdbSession::~GdbSession() = default;

void GdbSession::wait(const std::function<void(const std::string&)>& say) {
    say(impl_->server.invitation(impl_->firmware));
    impl_->act(impl_->server.wait_for_debugger());
}

void GdbSession::poll() {
    if (!impl_->core.access_pending()) impl_->hear();
}

void GdbSession::ended(int status) { impl_->server.ended(status); }

} // namespace numavp

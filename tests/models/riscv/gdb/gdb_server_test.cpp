/// The server's socket: who may come, who goes when, and what the simulation is told. The debugger is a second thread
/// that speaks the protocol by hand.
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/values/error.h"
#include "models/riscv/gdb_server.h"
#include "tests/models/riscv/gdb/fake_target.h"

namespace numavp::test {
namespace {

constexpr unsigned kGiveUpSeconds = 30; ///< a server that waits for ever ends this process

/// The debugger's end of a connection.
class Client {
  public:
    explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~Client() { ::close(socket_); }
    void close() const { ::shutdown(socket_, SHUT_RDWR); }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    bool connected() const { return connected_; }
    void send(const std::string& bytes) const {
        EXPECT_EQ(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    void packet(const std::string& payload) const { send(gdb::frame(payload)); }
    /// That many bytes, or fewer if the connection ends.
    std::string receive(std::size_t bytes) const {
        std::string text(bytes, '\0');
        const ssize_t n = ::recv(socket_, text.data(), bytes, MSG_WAITALL);
        text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
        return text;
    }
    void expect(const std::string& bytes) const { EXPECT_EQ(receive(bytes.size()), bytes); }
    void expect_end() const { EXPECT_EQ(receive(1), ""); }

  private:
    int socket_;
    bool connected_ = false;
};

class GdbServerTest : public ::testing::Test {
  protected:
    GdbServerTest() { ::alarm(kGiveUpSeconds); }
    ~GdbServerTest() override {
        if (debugger_.joinable()) debugger_.join();
        ::alarm(0);
    }
    void debugger(std::function<void(const Client&)> does) {
        debugger_ = std::thread([this, does = std::move(does)] { does(Client(server.port())); });
    }
    void debugger_has_gone() { debugger_.join(); }

    FakeTarget target;
    GdbServer server{target, 0};

  private:
    std::thread debugger_;
};

TEST_F(GdbServerTest, SaysWhereToConnect) {
    EXPECT_NE(server.port(), 0);
    EXPECT_EQ(server.invitation("driver.elf"), "waiting for a debugger: gdb-multiarch -ex \"target remote :" +
                                                   std::to_string(server.port()) + "\" driver.elf");
}

TEST_F(GdbServerTest, ListensOnTheLoopbackInterfaceOnly) {
    sockaddr_in other{}; // also of this machine, but another address than 127.0.0.1
    other.sin_family = AF_INET;
    other.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
    other.sin_port = htons(server.port());
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_NE(::connect(client, reinterpret_cast<const sockaddr*>(&other), sizeof other), 0);
    ::close(client);
}

TEST_F(GdbServerTest, APortInUseIsTheUsersFault) {
    try {
        GdbServer second(target, server.port());
        FAIL() << "two servers on one port";
    } catch (const ConfigError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "port " + std::to_string(server.port()) +
                      " of 127.0.0.1: it is in use, and no debugger can be waited for there; "
                      "another port, or 0 for any free one, is allowed");
    }
}

TEST_F(GdbServerTest, ServesStopsInterruptsAndTheEnd) {
    debugger([this](const Client& gdb) {
        gdb.packet("QStartNoAckMode");
        gdb.expect("+" + gdb::frame("OK"));
        EXPECT_FALSE(Client(server.port()).connected()) << "a second debugger";
        gdb.packet("Z0,80000004,2");
        gdb.expect(gdb::frame("OK"));
        gdb.packet("c");
        gdb.expect(gdb::frame("T05thread:2;"));
        gdb.send(gdb::frame("c") + "\x03"); // both before the simulation looks again
        gdb.expect(gdb::frame("T02thread:1;"));
        gdb.packet("c");
        gdb.expect(gdb::frame("W00"));
        gdb.expect_end();
    });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::resume);
    EXPECT_TRUE(server.attached());
    EXPECT_EQ(target.points.size(), 1U);
    EXPECT_EQ(server.stopped({GdbStop::Why::breakpoint, 1, 0}), GdbAction::resume);
    GdbAction heard = GdbAction::none;
    while (heard == GdbAction::none) heard = server.poll();
    EXPECT_EQ(heard, GdbAction::interrupt);
    EXPECT_EQ(server.stopped({GdbStop::Why::interrupted, 0, 0}), GdbAction::resume);
    server.ended(0);
    EXPECT_FALSE(server.attached());
}

TEST_F(GdbServerTest, GoesOnAfterDetaching) {
    debugger([](const Client& gdb) {
        gdb.packet("Z0,80000004,2");
        gdb.packet("D");
        gdb.expect("+" + gdb::frame("OK") + "+" + gdb::frame("OK"));
        gdb.expect_end();
    });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::detach);
    EXPECT_FALSE(server.attached());
    EXPECT_TRUE(target.points.empty());
    EXPECT_EQ(server.poll(), GdbAction::none);
    EXPECT_EQ(server.stopped({}), GdbAction::detach);
    server.ended(0);
}

TEST_F(GdbServerTest, EndsIfItIsToldTo) {
    debugger([](const Client& gdb) { gdb.packet("k"); });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::kill);
    EXPECT_FALSE(server.attached());
}

TEST_F(GdbServerTest, GoesOnWhenTheConnectionIsLostWhileItStands) {
    debugger([](const Client& gdb) {
        gdb.packet("Z2,80000100,8");
        gdb.packet("Z0,800"); // and the rest never comes
    });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::detach);
    EXPECT_TRUE(target.points.empty());
    EXPECT_FALSE(server.attached());
}

TEST_F(GdbServerTest, GoesOnWhenTheConnectionIsLostWhileItRuns) {
    debugger([](const Client& gdb) {
        gdb.packet("Z2,80000100,8");
        gdb.packet("s");
        gdb.expect("+" + gdb::frame("OK") + "+");
    });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::resume);
    EXPECT_EQ(target.stepped, 0U);
    debugger_has_gone();
    EXPECT_EQ(server.stopped({GdbStop::Why::stepped, 0, 0}), GdbAction::detach);
    EXPECT_EQ(target.stepped, std::nullopt);
    EXPECT_TRUE(target.points.empty());
    EXPECT_EQ(server.poll(), GdbAction::none);
}

TEST_F(GdbServerTest, AnswersThatNobodyReadsDoNotEndTheProcess) {
    debugger([](const Client& gdb) {
        for (int i = 0; i < 5000; ++i) gdb.packet("?"); // more than is received at once
    });
    debugger_has_gone();
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::detach); // the second answer would raise SIGPIPE
}

TEST_F(GdbServerTest, NoticesALostConnectionWhenItPolls) {
    debugger([](const Client& gdb) { gdb.packet("c"); });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::resume);
    debugger_has_gone();
    EXPECT_EQ(server.poll(), GdbAction::detach);
    EXPECT_FALSE(server.attached());
}

TEST_F(GdbServerTest, OneThatOnlyLooksWhetherItListensIsNoDebugger) {
    debugger([this](const Client& probe) {
        EXPECT_TRUE(probe.connected());
        probe.close();
        const Client gdb(server.port());
        gdb.packet("c");
        gdb.expect("+");
    });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::resume);
}

TEST_F(GdbServerTest, SignalsDoNotEndItsWaiting) {
    struct sigaction quiet {};
    quiet.sa_handler = [](int) {};
    ASSERT_EQ(::sigaction(SIGUSR1, &quiet, nullptr), 0); // without SA_RESTART: calls return EINTR
    const pthread_t server_thread = ::pthread_self();
    const auto disturb = [server_thread] {
        for (int i = 0; i < 20; ++i) {
            ::usleep(1000);
            ::pthread_kill(server_thread, SIGUSR1);
        }
    };
    std::thread later([&] {
        disturb(); // while it waits for a connection
        const Client gdb(server.port());
        disturb(); // while it waits for a packet
        gdb.packet("c");
        gdb.expect("+");
    });
    EXPECT_EQ(server.wait_for_debugger(), GdbAction::resume);
    later.join();
}

} // namespace
} // namespace numavp::test

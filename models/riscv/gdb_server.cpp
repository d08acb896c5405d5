#include "models/riscv/gdb_server.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/values/error.h"

namespace numavp {
namespace {

constexpr int kGoodbyeMs = 1000; ///< how long a debugger may take to close after it has heard of the end
constexpr int kGoodbyeParts = 16;

template <class Call> auto again_if_interrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

void close_socket(int& socket) {
    if (socket >= 0) ::close(socket); // on Linux it is closed even if a signal interrupts it
    socket = -1;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

[[noreturn]] void refuse(std::uint16_t port, const std::string& why) {
    throw ConfigError(fmt::format("port {} of 127.0.0.1", port),
                      why + "; another port, or 0 for any free one, is allowed");
}

} // namespace

GdbServer::GdbServer(GdbTarget& target, std::uint16_t port) : protocol_(target) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(port);
    socklen_t length = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    const int yes = 1; // a session that has just ended does not keep the port
    if (listener_ < 0 || ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        ::bind(listener_, plain, length) != 0 || ::listen(listener_, 1) != 0 ||
        ::getsockname(listener_, plain, &length) != 0) {
        const int error = errno;
        close_socket(listener_);
        refuse(port, error == EADDRINUSE ? "it is in use, and no debugger can be waited for there"
                                         : fmt::format("it can't be listened on ({})", std::strerror(error)));
    }
    port_ = ntohs(address.sin_port);
}

GdbServer::~GdbServer() { hang_up(); }

std::string GdbServer::invitation(const std::string& program) const {
    return fmt::format("waiting for a debugger: gdb-multiarch -ex \"target remote :{}\" {}", port_, program);
}

GdbAction GdbServer::wait_for_debugger() {
    std::string bytes;
    do { // one that says nothing only wanted to know whether somebody listens
        close_socket(connection_);
        connection_ = again_if_interrupted([this] { return ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC); });
        if (connection_ < 0) refuse(port_, fmt::format("no debugger can connect ({})", std::strerror(errno)));
    } while (!receive(bytes, true));
    close_socket(listener_); // a second debugger is refused instead of waiting for ever
    const int yes = 1;       // packets are small, and each waits for its answer
    ::setsockopt(connection_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return serve(std::move(bytes));
}

GdbAction GdbServer::serve(std::string bytes) {
    for (;;) {
        const GdbAction action = take(bytes);
        if (action != GdbAction::none) return action;
        bytes.clear();
        if (!receive(bytes, true)) return lose();
    }
}

GdbAction GdbServer::poll() {
    if (!attached()) return GdbAction::none;
    std::string bytes;
    return receive(bytes, false) ? take(bytes) : lose();
}

GdbAction GdbServer::take(const std::string& bytes) {
    std::string answer;
    const GdbAction action = protocol_.receive(bytes, answer);
    if (!send(answer)) return lose();
    if (action == GdbAction::detach || action == GdbAction::kill) hang_up();
    return action;
}

GdbAction GdbServer::stopped(const GdbStop& stop) {
    if (!attached()) return GdbAction::detach;
    std::string news;
    protocol_.stopped(stop, news);
    return send(news) ? serve("") : lose();
}

void GdbServer::ended(int status) {
    if (!attached()) return;
    std::string news;
    protocol_.ended(status, news);
    if (send(news) && ::shutdown(connection_, SHUT_WR) == 0) {
        // Closed with bytes unread, the connection would be reset and the news might be lost.
        std::string ignored;
        pollfd closes{connection_, POLLIN, 0};
        for (int part = 0; part < kGoodbyeParts; ++part)
            if (::poll(&closes, 1, kGoodbyeMs) != 1 || !receive(ignored, false)) break;
    }
    hang_up();
}

/// All of it, or false if the debugger is gone.
bool GdbServer::send(const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
        const ssize_t n = again_if_interrupted([&] {
            return ::send(connection_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL); // no SIGPIPE
        });
        if (n < 0) return false;
        sent += static_cast<std::size_t>(n);
    }
    return true;
}

/// Appends the bytes that have arrived. False if the debugger is gone.
bool GdbServer::receive(std::string& bytes, bool wait) {
    std::array<char, 4096> part;
    const ssize_t n =
        again_if_interrupted([&] { return ::recv(connection_, part.data(), part.size(), wait ? 0 : MSG_DONTWAIT); });
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    bytes.append(part.data(), static_cast<std::size_t>(n));
    return n > 0;
}

GdbAction GdbServer::lose() {
    protocol_.leave();
    hang_up();
    return GdbAction::detach;
}

void GdbServer::hang_up() {
    close_socket(connection_);
    close_socket(listener_);
}

} // namespace numavp

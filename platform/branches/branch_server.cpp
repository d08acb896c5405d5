#include "platform/branches/branch_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/values/error.h"
#include "common/files/child_pipe.h"
#include "platform/branches/forked_branch.h"

namespace numavp {
namespace {

constexpr std::size_t kOutputs = 2; ///< descriptors that come with a request to start: standard output and error

/// Room for a message's descriptors, aligned as the system wants it.
union Control {
    std::array<char, CMSG_SPACE(kOutputs * sizeof(int))> bytes;
    cmsghdr aligned;
};

/// False if the other end is closed, or if nothing is there and `flags` says not to wait.
bool receive(int socket, BranchMessage& message, std::vector<Descriptor>& descriptors, int flags) {
    Control control{};
    iovec text{&message, sizeof message};
    msghdr header{};
    header.msg_iov = &text;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
    ssize_t n = 0;
    do n = ::recvmsg(socket, &header, flags | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    for (cmsghdr* part = n > 0 ? CMSG_FIRSTHDR(&header) : nullptr; part != nullptr; part = CMSG_NXTHDR(&header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        std::array<int, kOutputs> sent{};
        const std::size_t bytes = std::min(sizeof sent, part->cmsg_len - CMSG_LEN(0));
        std::memcpy(sent.data(), CMSG_DATA(part), bytes);
        for (std::size_t i = 0; i < bytes / sizeof(int); ++i) descriptors.emplace_back(sent.at(i));
    }
    if (n == static_cast<ssize_t>(sizeof message)) return true;
    errno = 0;
    return false;
}

} // namespace

BranchSocket::BranchSocket() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw ModelError(fmt::format("no socket to a process of branches: {}", std::strerror(errno)));
    client = Descriptor(ends[0]);
    server = Descriptor(ends[1]);
}

BranchServer::BranchServer(int socket) : socket_(socket) {
    ::fcntl(socket_.value(), F_SETFD, FD_CLOEXEC); // it came through exec
}

std::size_t BranchServer::serve(double share, double seconds) {
    require_one_thread();
    BranchMessage reached;
    reached.share = share;
    reached.seconds = seconds;
    tell(reached);
    for (;;) {
        std::vector<pollfd> inputs = {{socket_.value(), POLLIN, 0}};
        for (const Child& child : children_) inputs.push_back({child.life.value(), POLLIN, 0});
        if (::poll(inputs.data(), inputs.size(), -1) < 0) continue;
        end_children();
        if (inputs.front().revents == 0) continue;
        BranchMessage request;
        std::vector<Descriptor> descriptors;
        if (!receive(socket_.value(), request, descriptors, 0)) break;
        if (request.kind == BranchMessage::Kind::start && start(request, descriptors)) return request.branch;
        for (const Child& child : children_)
            if (request.kind == BranchMessage::Kind::kill && child.branch == request.branch) ::kill(child.pid, SIGKILL);
    }
    for (const Child& child : children_) {
        ::kill(child.pid, SIGKILL);
        ::waitpid(child.pid, nullptr, 0);
    }
    throw BranchesEnded();
}

bool BranchServer::start(const BranchMessage& request, const std::vector<Descriptor>& outputs) {
    BranchMessage ended;
    ended.kind = BranchMessage::Kind::ended;
    ended.branch = request.branch;
    if (outputs.size() != kOutputs) { // this process has no room for them
        ended.no_fork = EMFILE;
        tell(ended);
        return false;
    }
    try {
        ChildPipe life("to a branch");
        const pid_t pid = fork_branch(outputs[0].value(), outputs[1].value(), SIGKILL);
        if (pid == 0) {
            children_.clear();
            socket_.close();
            life_ = std::move(life.write);
            return true;
        }
        if (pid > 0) {
            children_.push_back({request.branch, pid, std::move(life.read)});
            return false;
        }
    } catch (const ModelError&) {} // errno says why
    ended.no_fork = errno;
    tell(ended);
    return false;
}

void BranchServer::end_children() {
    std::vector<Child> going;
    for (Child& child : children_) {
        std::string nothing;
        drain(child.life, nothing);
        if (child.life.value() >= 0) {
            going.push_back(std::move(child));
            continue;
        }
        BranchMessage ended;
        ended.kind = BranchMessage::Kind::ended;
        ended.branch = child.branch;
        while (::waitpid(child.pid, &ended.status, 0) < 0 && errno == EINTR) {}
        tell(ended);
    }
    children_ = std::move(going);
}

/// Nothing is lost if the other end has gone: serve() notices.
void BranchServer::tell(const BranchMessage& message) const {
    static_cast<void>(::send(socket_.value(), &message, sizeof message, MSG_NOSIGNAL));
}

void BranchClient::start(std::uint32_t branch, int output, int errors) {
    BranchMessage message;
    message.kind = BranchMessage::Kind::start;
    message.branch = branch;
    if (!ask(message, {output, errors}))
        throw ModelError(fmt::format("no process for a branch can be asked for: {}", std::strerror(errno)));
}

void BranchClient::kill(std::uint32_t branch) {
    BranchMessage message;
    message.kind = BranchMessage::Kind::kill;
    message.branch = branch;
    if (!ask(message, {})) socket_.close(); // which ends this branch, with the others
}

bool BranchClient::ask(const BranchMessage& message, const std::vector<int>& descriptors) {
    Control control{};
    iovec text{const_cast<BranchMessage*>(&message), sizeof message};
    msghdr header{};
    header.msg_iov = &text;
    header.msg_iovlen = 1;
    if (!descriptors.empty()) {
        const std::size_t bytes = descriptors.size() * sizeof(int);
        header.msg_control = control.bytes.data();
        header.msg_controllen = CMSG_SPACE(bytes);
        cmsghdr* const part = CMSG_FIRSTHDR(&header);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(bytes);
        std::memcpy(CMSG_DATA(part), descriptors.data(), bytes);
    }
    if (closed()) return true;
    ssize_t n = 0;
    do n = ::sendmsg(socket_.value(), &header, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n >= 0) return true;
    if (errno != EPIPE && errno != ECONNRESET) return false;
    socket_.close();
    return true;
}

std::optional<BranchMessage> BranchClient::take() {
    if (closed()) return std::nullopt;
    BranchMessage message;
    std::vector<Descriptor> none;
    if (receive(socket_.value(), message, none, MSG_DONTWAIT)) return message;
    if (errno != EAGAIN && errno != EWOULDBLOCK) socket_.close();
    return std::nullopt;
}

} // namespace numavp

#include "platform/live/live_server.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <fcntl.h>
#include <optional>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include "base/values/error.h"
#include "common/words/number.h"
#include "platform/live/live_address.h"

namespace numavp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using ServerClock = std::chrono::steady_clock;

constexpr std::size_t kMostSessions = 32;
constexpr std::uint32_t kMostHeaderBytes = 8192;
constexpr std::chrono::seconds kIdle{30};        ///< a connection without a request
constexpr std::chrono::milliseconds kRetry{100}; ///< after a connection that could not be accepted
constexpr std::chrono::seconds kLastAnswers{1};  ///< time for them at the end of the run
constexpr const char* kPlainText = "text/plain; charset=utf-8";

[[noreturn]] void refuse_port(std::uint16_t port, const boost::system::error_code& why) {
    if (why == asio::error::address_in_use)
        throw ConfigError("--live", fmt::format("port {} of 127.0.0.1 is in use; another port, or none for any that is "
                                                "free, is expected",
                                                port));
    throw ConfigError("--live", fmt::format("port {} of 127.0.0.1 can't be opened: {}; another port is expected", port,
                                            why.message()));
}

/// Signals stay with the thread that simulates.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_{};
};

/// A program that this process starts gets no part of the server: a point of a study would hold its port.
void keep_from_programs(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

} // namespace

struct LiveServer::Impl {
    class Session;
    struct Answer {
        http::status status = http::status::ok;
        std::string type, body;
    };

    Impl(std::uint16_t port, Text make_page, std::string first, std::shared_ptr<std::atomic<bool>> wish)
        : acceptor(io), token(random_token()), page(std::move(make_page)), state(std::move(first)),
          wanted(std::move(wish)), retry(io), last_moment(io) {
        listen(port);
        accept();
        start();
    }
    ~Impl() {
        io.stop();
        if (thread.joinable()) thread.join();
    }

    void listen(std::uint16_t port) {
        boost::system::error_code fault;
        const Tcp::endpoint place(asio::ip::address_v4::loopback(), port);
        acceptor.open(place.protocol(), fault);
        if (!fault) acceptor.set_option(asio::socket_base::reuse_address(true), fault);
        if (!fault) acceptor.bind(place, fault);
        if (!fault) acceptor.listen(asio::socket_base::max_listen_connections, fault);
        if (fault) refuse_port(port, fault);
        bound = acceptor.local_endpoint().port();
        keep_from_programs(acceptor.native_handle());
    }

    void start() {
        const SignalsBlocked blocked;
        thread = std::thread([this] { serve(); });
    }
    void serve() {
        try {
            io.run();
        } catch (const std::exception&) {} // such as a lack of memory: a view must not end a run
    }
    void accept();
    void publish(const Text& make);
    void answer_all();
    void end();
    bool fresh() const { return snapshots != 0 && ServerClock::now() - made < kFresh; }
    Answer answer_to(const http::request<http::empty_body>& request);
    Answer page_answer();

    asio::io_context io{1};
    Tcp::acceptor acceptor;
    std::uint16_t bound = 0;
    const std::string token;
    Text page;
    std::optional<Answer> page_made;
    std::string state;
    ServerClock::time_point made{};
    std::uint64_t snapshots = 0;
    std::shared_ptr<std::atomic<bool>> wanted;
    std::set<std::shared_ptr<Session>> sessions;
    asio::steady_timer retry, last_moment;
    bool ending = false;
    std::thread thread;
};

/// One connection. It lives as long as the server's set holds it, or an operation of it is under way.
class LiveServer::Impl::Session : public std::enable_shared_from_this<Session> {
  public:
    Session(Tcp::socket socket, Impl& server) : stream_(std::move(socket)), patience_(server.io), server_(server) {}

    void read() {
        parser_.emplace();
        parser_->header_limit(kMostHeaderBytes);
        parser_->body_limit(0);
        stream_.expires_after(kIdle);
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](const beast::error_code& fault, std::size_t) {
                             if (fault)
                                 self->close();
                             else
                                 self->heard();
                         });
    }
    bool waits() const { return waits_; }
    bool rests() const { return rests_; }
    void answer_state() {
        waits_ = rests_ = false;
        patience_.cancel();
        answer({http::status::ok, "application/json", server_.state});
    }
    void close() {
        beast::error_code ignored;
        patience_.cancel();
        stream_.socket().shutdown(Tcp::socket::shutdown_both, ignored);
        stream_.socket().close(ignored);
        server_.sessions.erase(shared_from_this());
        if (server_.ending && server_.sessions.empty()) server_.last_moment.cancel();
    }
    void close_if_idle() {
        if (!writes_) close();
    }

  private:
    void heard() {
        const http::request<http::empty_body>& request = parser_->get();
        keep_alive_ = request.keep_alive();
        Answer found = server_.answer_to(request);
        if (found.status != http::status::continue_) return answer(std::move(found));
        if (server_.ending) return answer_state();
        stream_.expires_never();
        const std::chrono::milliseconds rest = rest_of(request);
        if (rest.count() == 0) return ask();
        rests_ = true;
        after(rest, [this] {
            if (rests_) ask();
        });
    }
    /// The time that a reader wants to pass before its answer is made, at most kPatience; 0 unless it says so.
    static std::chrono::milliseconds rest_of(const http::request<http::empty_body>& request) {
        const std::string_view target(request.target().data(), request.target().size());
        const auto wish = number_in<std::uint16_t>(std::string(query_value(target, "rest_ms"))).value_or(0);
        return std::min(std::chrono::milliseconds(wish), std::chrono::milliseconds(kPatience));
    }
    void ask() {
        rests_ = false;
        if (server_.fresh()) return answer_state();
        waits_ = true;
        after(kPatience, [this] {
            if (waits_) answer_state();
        });
        server_.wanted->store(true, std::memory_order_relaxed);
    }
    template <class Action> void after(std::chrono::milliseconds time, Action action) {
        patience_.expires_after(time);
        patience_.async_wait([self = shared_from_this(), action](const boost::system::error_code& fault) {
            if (!fault) action();
        });
    }
    void answer(Answer found) {
        response_ = {};
        response_.version(11);
        response_.result(found.status);
        response_.set(http::field::content_type, found.type);
        response_.set(http::field::cache_control, "no-store");
        response_.set("Referrer-Policy", "no-referrer"); // the address has the token
        response_.set("X-Content-Type-Options", "nosniff");
        response_.keep_alive(keep_alive_ && !server_.ending);
        response_.body() = std::move(found.body);
        response_.prepare_payload();
        writes_ = true;
        stream_.expires_after(kIdle);
        http::async_write(stream_, response_, [self = shared_from_this()](const beast::error_code& fault, std::size_t) {
            self->writes_ = false;
            if (fault || self->server_.ending || !self->response_.keep_alive())
                self->close();
            else
                self->read();
        });
    }

    beast::tcp_stream stream_;
    asio::steady_timer patience_;
    Impl& server_;
    beast::flat_buffer buffer_{kMostHeaderBytes};
    std::optional<http::request_parser<http::empty_body>> parser_;
    http::response<http::string_body> response_;
    bool keep_alive_ = false, rests_ = false, waits_ = false, writes_ = false;
};

void LiveServer::Impl::accept() {
    acceptor.async_accept([this](const boost::system::error_code& fault, Tcp::socket socket) {
        if (fault == asio::error::operation_aborted) return;
        if (fault) { // such as too many open files
            retry.expires_after(kRetry);
            retry.async_wait([this](const boost::system::error_code& cancelled) {
                if (!cancelled) accept();
            });
            return;
        }
        keep_from_programs(socket.native_handle());
        if (sessions.size() < kMostSessions) {
            const auto session = std::make_shared<Session>(std::move(socket), *this);
            sessions.insert(session);
            session->read();
        }
        accept();
    });
}

/// `continue_` stands for data that the request waits for.
LiveServer::Impl::Answer LiveServer::Impl::answer_to(const http::request<http::empty_body>& request) {
    const std::string_view target(request.target().data(), request.target().size());
    const auto host_field = request[http::field::host];
    if (!is_loopback_host({host_field.data(), host_field.size()}) || !same_token(query_value(target, "token"), token))
        return {http::status::forbidden, kPlainText,
                "The address lacks the token of this run; numavp run --live prints it whole.\n"};
    if (request.method() != http::verb::get)
        return {http::status::method_not_allowed, kPlainText, "A run is only read; GET is expected.\n"};
    const std::string_view path = target.substr(0, target.find('?'));
    if (path == "/") return page_answer();
    if (path == "/state") return {http::status::continue_, "", ""};
    return {http::status::not_found, kPlainText, "There are / and /state.\n"};
}

LiveServer::Impl::Answer LiveServer::Impl::page_answer() {
    if (page_made) return *page_made;
    try {
        page_made = Answer{http::status::ok, "text/html; charset=utf-8", page()};
    } catch (const std::exception& fault) {
        return {http::status::internal_server_error, kPlainText, fmt::format("{}\n", fault.what())};
    }
    return *page_made;
}

void LiveServer::Impl::publish(const Text& make) {
    try {
        state = make();
    } catch (const std::exception&) {} // the last one stays: a view must not end a run
    made = ServerClock::now();
    ++snapshots;
    answer_all();
}

void LiveServer::Impl::answer_all() {
    const std::vector<std::shared_ptr<Session>> all(sessions.begin(), sessions.end());
    for (const auto& session : all)
        if (session->waits() || (ending && session->rests())) session->answer_state();
}

void LiveServer::Impl::end() {
    ending = true;
    boost::system::error_code ignored;
    acceptor.close(ignored);
    retry.cancel();
    answer_all();
    const std::vector<std::shared_ptr<Session>> all(sessions.begin(), sessions.end());
    for (const auto& session : all) session->close_if_idle();
    if (sessions.empty()) return;
    last_moment.expires_after(kLastAnswers);
    last_moment.async_wait([this](const boost::system::error_code& fault) {
        if (!fault) io.stop(); // a reader that does not take its answer is left
    });
}

LiveServer::LiveServer(std::uint16_t port, Text page, const std::string& state)
    : wanted_(std::make_shared<std::atomic<bool>>(false)),
      impl_(std::make_unique<Impl>(port, std::move(page), state, wanted_)) {
    address_ = LiveAddress{impl_->bound, impl_->token}.text();
}

LiveServer::~LiveServer() = default;

void LiveServer::publish(Text state) {
    wanted_->store(false, std::memory_order_relaxed);
    asio::post(impl_->io, [impl = impl_.get(), make = std::move(state)] { impl->publish(make); });
}

void LiveServer::end(Text state) {
    publish(std::move(state));
    asio::post(impl_->io, [impl = impl_.get()] { impl->end(); });
    if (impl_->thread.joinable()) impl_->thread.join(); // not of one that is paused
}

void LiveServer::pause() {
    asio::post(impl_->io, [impl = impl_.get()] { impl->io.stop(); }); // behind what was published before
    impl_->thread.join();
    impl_->io.notify_fork(asio::execution_context::fork_prepare);
}

void LiveServer::resume() {
    impl_->io.notify_fork(asio::execution_context::fork_parent);
    impl_->io.restart();
    impl_->start();
}

void LiveServer::leave() { impl_->io.notify_fork(asio::execution_context::fork_child); }

} // namespace numavp

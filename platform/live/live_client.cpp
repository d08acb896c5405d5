#include "platform/live/live_client.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {
namespace {

/// One request, its parts one after another; each ends the run of the context if it fails.
class LiveRequest {
  public:
    LiveRequest(const LiveAddress& address, std::chrono::milliseconds patience, std::chrono::milliseconds rest)
        : place_(boost::asio::ip::address_v4::loopback(), address.port), stream_(io_) {
        constexpr unsigned kHttp11 = 11;
        request_.method(boost::beast::http::verb::get);
        request_.version(kHttp11);
        request_.target(fmt::format("/state?token={}&rest_ms={}", address.token, rest.count()));
        request_.set(boost::beast::http::field::host, fmt::format("127.0.0.1:{}", address.port));
        request_.keep_alive(false);
        parser_.body_limit(boost::none); // a machine of many sockets has a long state
        stream_.expires_after(patience);
    }

    /// Null if nothing was answered.
    const boost::beast::http::response<boost::beast::http::string_body>* answer() {
        stream_.async_connect(place_, [this](const Fault& fault) {
            if (!fault) write();
        });
        io_.run();
        return done_ ? &parser_.get() : nullptr;
    }

  private:
    using Fault = boost::beast::error_code;

    void write() {
        boost::beast::http::async_write(stream_, request_, [this](const Fault& fault, std::size_t) {
            if (!fault) read();
        });
    }
    void read() {
        boost::beast::http::async_read(stream_, buffer_, parser_,
                                       [this](const Fault& fault, std::size_t) { done_ = !fault; });
    }

    boost::asio::io_context io_;
    boost::asio::ip::tcp::endpoint place_;
    boost::beast::tcp_stream stream_;
    boost::beast::flat_buffer buffer_;
    boost::beast::http::request<boost::beast::http::empty_body> request_;
    boost::beast::http::response_parser<boost::beast::http::string_body> parser_;
    bool done_ = false;
};

} // namespace

std::optional<std::string> live_state_at(const LiveAddress& address, std::chrono::milliseconds patience,
                                         std::chrono::milliseconds rest) {
    LiveRequest request(address, patience, rest);
    const auto* const answer = request.answer();
    if (answer == nullptr) return std::nullopt;
    const std::string place = fmt::format("port {} of 127.0.0.1", address.port);
    if (answer->result() == boost::beast::http::status::forbidden)
        throw ConfigError(place, "another run is there now, which has another token; the address that this run printed "
                                 "is expected");
    if (answer->result() != boost::beast::http::status::ok)
        throw ConfigError(place, fmt::format("what answers there with status {} is no run of numavp; the address that "
                                             "run --live prints is expected",
                                             answer->result_int()));
    return answer->body();
}

} // namespace numavp

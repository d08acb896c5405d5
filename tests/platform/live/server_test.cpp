/// The web server of a live run: whom it answers, and when.
#include <future>
#include <iterator>
#include <memory>
#include <set>
#include <thread>
#include <unistd.h>

#include <arpa/inet.h>
#include <boost/asio/ip/tcp.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/values/error.h"
#include "platform/live/live_address.h"
#include "platform/live/live_client.h"
#include "platform/live/live_server.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::chrono_literals;

/// What a server says to these lines of a request; it closes the connection behind its answer.
std::string said_by(std::uint16_t port, const std::string& request) {
    boost::asio::ip::tcp::iostream stream(
        boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), port));
    stream << request << "Connection: close\r\n\r\n" << std::flush;
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class LiveServing : public ::testing::Test {
  protected:
    std::string get(const std::string& target, const std::string& host = "127.0.0.1:1") const {
        return said_by(address_.port, "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
    }
    std::string with_token(const std::string& path) const { return path + "?token=" + address_.token; }
    /// Publishes a state as soon as a reader waits for one.
    void publish_when_wanted(const std::string& state) {
        for (int i = 0; i < 2000 && !server_.wanted(); ++i) std::this_thread::sleep_for(1ms);
        ASSERT_TRUE(server_.wanted());
        server_.publish([state] { return state; });
    }

    LiveServer server_{0, [] { return std::string("<!DOCTYPE html>page"); }, "first"};
    LiveAddress address_ = live_address(server_.address());
};

TEST_F(LiveServing, GivesNeitherPageNorDataWithoutItsToken) {
    EXPECT_THAT(get(with_token("/")), AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("<!DOCTYPE html>page"),
                                            HasSubstr("Cache-Control: no-store")));
    std::string other = address_.token;
    other.back() = other.back() == '0' ? '1' : '0';
    for (const std::string& target :
         {std::string("/"), std::string("/state"), "/?token=" + other, "/state?token=" + other,
          std::string("/state?token="), "/state?token=" + address_.token + "0", std::string("/no-such-page")})
        EXPECT_THAT(get(target), AllOf(StartsWith("HTTP/1.1 403"), Not(HasSubstr("page\"")), Not(HasSubstr("first")),
                                       Not(HasSubstr(address_.token))))
            << target;
    EXPECT_THROW(live_state_at({address_.port, other}, 5s), ConfigError);
}

/// A page of somebody else's that has its name point here gets nothing.
TEST_F(LiveServing, AnswersAsTheLoopbackInterfaceAlone) {
    EXPECT_THAT(get(with_token("/"), "example.org"), StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(get(with_token("/"), "localhost:9000"), StartsWith("HTTP/1.1 200")) << "through a tunnel";
}

TEST_F(LiveServing, ReadsAlone) {
    EXPECT_THAT(said_by(address_.port, "POST " + with_token("/state") + " HTTP/1.1\r\nHost: localhost\r\n"),
                StartsWith("HTTP/1.1 405"));
    EXPECT_THAT(get(with_token("/elsewhere")), StartsWith("HTTP/1.1 404"));
}

/// Nothing but 127.0.0.1 is bound: another address of the same machine has nobody that listens.
TEST_F(LiveServing, IsNotBoundElsewhere) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    ASSERT_GE(socket, 0);
    sockaddr_in other{};
    other.sin_family = AF_INET;
    other.sin_port = htons(address_.port);
    other.sin_addr.s_addr = htonl(0x7f000002); // 127.0.0.2
    EXPECT_NE(::connect(socket, reinterpret_cast<const sockaddr*>(&other), sizeof other), 0);
    ::close(socket);
}

TEST_F(LiveServing, WaitsForASnapshotAndHasItMadeOnlyThen) {
    EXPECT_FALSE(server_.wanted()) << "nobody reads";
    auto answer = std::async(std::launch::async, [this] { return live_state_at(address_, 20s); });
    publish_when_wanted("second");
    EXPECT_EQ(answer.get(), "second");
    EXPECT_FALSE(server_.wanted()) << "one look, one snapshot";
    EXPECT_EQ(live_state_at(address_, 20s), "second") << "it is fresh";
    EXPECT_FALSE(server_.wanted()) << "a reader that asks more often costs nothing";
}

TEST_F(LiveServing, TellsItsEndToWhoWaits) {
    auto answer = std::async(std::launch::async, [this] { return live_state_at(address_, 20s); });
    for (int i = 0; i < 2000 && !server_.wanted(); ++i) std::this_thread::sleep_for(1ms);
    server_.end([] { return std::string("last"); });
    EXPECT_EQ(answer.get(), "last");
    EXPECT_EQ(live_state_at(address_, 5s), std::nullopt) << "nothing answers any more";
}

/// A reader that rests is told the end, and has nothing made until its rest is over.
TEST_F(LiveServing, TellsItsEndToWhoRests) {
    auto answer = std::async(std::launch::async, [this] { return live_state_at(address_, 20s, 5s); });
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(server_.wanted());
    server_.end([] { return std::string("last"); });
    EXPECT_EQ(answer.get(), "last");
}

TEST_F(LiveServing, AsksWhenARestIsOver) {
    const auto begin = std::chrono::steady_clock::now();
    auto answer = std::async(std::launch::async, [this] { return live_state_at(address_, 20s, 30ms); });
    publish_when_wanted("rested");
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 30ms);
    EXPECT_EQ(answer.get(), "rested");
}

/// What can't be made is no answer, and no end of the run: the state before stays.
TEST_F(LiveServing, OutlivesWhatCantBeMade) {
    auto answer = std::async(std::launch::async, [this] { return live_state_at(address_, 20s); });
    for (int i = 0; i < 2000 && !server_.wanted(); ++i) std::this_thread::sleep_for(1ms);
    server_.publish([]() -> std::string { throw ConfigError("page", "gone"); });
    EXPECT_EQ(answer.get(), "first");
}

/// Around a fork no thread is left, and readers wait. What the new process closes, they do not notice; it may open a
/// server of its own.
TEST(LiveServer, GoesOnAfterAFork) {
    auto forked = std::make_unique<LiveServer>(
        std::uint16_t{0}, [] { return std::string("page"); }, "other");
    const LiveAddress other = live_address(forked->address());
    auto second = std::async(std::launch::async, [other] { return live_state_at(other, 20s); });
    for (int i = 0; i < 2000 && !forked->wanted(); ++i) std::this_thread::sleep_for(1ms);
    forked->pause();
    const pid_t child = ::fork();
    if (child == 0) {
        forked->leave();
        forked.reset();
        const LiveServer own(
            std::uint16_t{0}, [] { return std::string("page"); }, "own");
        const LiveAddress place = live_address(own.address());
        ::_exit(place.port != other.port && place.token != other.token ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    forked->resume();
    forked->publish([] { return std::string("after the fork"); });
    EXPECT_EQ(second.get(), "after the fork") << "who waited before the fork is answered after it";
    EXPECT_EQ(live_state_at(other, 20s), "after the fork") << "and so is who comes then";
}

/// A process that is forked then begins with the last state that was published.
TEST_F(LiveServing, HasMadeWhatWasPublishedBeforeAPause) {
    int made = 0;
    constexpr int kPauses = 50; // the server's thread may be quicker in some
    for (int i = 1; i <= kPauses; ++i) {
        server_.publish([&made] {
            ++made;
            return std::string("state");
        });
        server_.pause();
        EXPECT_EQ(made, i);
        server_.resume();
    }
}

TEST_F(LiveServing, RefusesAPortThatIsTaken) {
    try {
        const LiveServer second(
            address_.port, [] { return std::string(); }, "");
        FAIL() << "two servers at one port";
    } catch (const ConfigError& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("--live: port " + std::to_string(address_.port) +
                                            " of 127.0.0.1 is in use; another port, or none for any that is free, is "
                                            "expected"));
    }
}

TEST(LiveAddress, IsReadAsItIsPrinted) {
    const LiveAddress address = live_address("http://127.0.0.1:8123/?token=ab12");
    EXPECT_EQ(address.port, 8123);
    EXPECT_EQ(address.token, "ab12");
    EXPECT_EQ(live_address(address.text()).token, "ab12");
    EXPECT_EQ(live_address("http://localhost:9000/?x=1&token=q").token, "q");
    for (const char* const other :
         {"", "8123", "https://127.0.0.1:8123/?token=a", "http://example.org:80/?token=a", "http://127.0.0.1/?token=a",
          "http://127.0.0.1:8123/", "http://127.0.0.1:0/?token=a", "http://127.0.0.1:70000/?token=a",
          "http://127.0.0.1:8123/?token="})
        EXPECT_THROW(live_address(other), ConfigError) << other;
}

/// A model that prints what looks like the line of a page gives nobody a link.
TEST(LiveAddress, OfNoPageIsNone) {
    EXPECT_EQ(live_address_or_none("http://127.0.0.1:8123/?token=ab12"), "http://127.0.0.1:8123/?token=ab12");
    for (const char* const other : {"", "yes", "javascript:alert(1)", "http://example.org:80/?token=a"})
        EXPECT_EQ(live_address_or_none(other), "") << other;
}

TEST(LiveAddress, HasATokenThatNobodyGuesses) {
    std::set<std::string> tokens;
    for (int i = 0; i < 100; ++i) tokens.insert(random_token());
    EXPECT_EQ(tokens.size(), 100U);
    EXPECT_EQ(tokens.begin()->size(), 32U) << "128 bits";
}

} // namespace
} // namespace numavp::test

#include "platform/live/live_address.h"

#include <random>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/words/number.h"

namespace numavp {

std::string LiveAddress::text() const { return fmt::format("http://127.0.0.1:{}/?token={}", port, token); }

std::string random_token() {
    std::random_device draw; // of the operating system
    std::string token;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", draw());
    return token;
}

std::string_view query_value(std::string_view target, std::string_view name) {
    const std::size_t mark = target.find('?');
    std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(pair.size() == rest.size() ? pair.size() : pair.size() + 1);
        if (pair.size() > name.size() && pair.substr(0, name.size()) == name && pair[name.size()] == '=')
            return pair.substr(name.size() + 1);
    }
    return {};
}

bool is_loopback_host(std::string_view host) {
    const std::string_view name = host.substr(0, host.find(':'));
    return name == "127.0.0.1" || name == "localhost";
}

bool same_token(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
    return difference == 0;
}

LiveAddress live_address(const std::string& text) {
    const std::string start = "http://";
    const auto refuse = [&]() {
        throw ConfigError("attach", fmt::format("'{}' is no address of a run; http://127.0.0.1:PORT/?token=TOKEN is "
                                                "expected, as run --live prints it",
                                                quotable(text)));
    };
    if (text.compare(0, start.size(), start) != 0) refuse();
    const std::string_view rest = std::string_view(text).substr(start.size());
    const std::size_t colon = rest.find(':'), slash = rest.find('/');
    if (!is_loopback_host(rest.substr(0, slash)) || colon == std::string_view::npos ||
        slash == std::string_view::npos || slash < colon)
        refuse();
    const auto port = number_in<std::uint16_t>(std::string(rest.substr(colon + 1, slash - colon - 1)));
    LiveAddress address{port.value_or(0), std::string(query_value(rest.substr(slash), "token"))};
    if (address.port == 0 || address.token.empty()) refuse();
    return address;
}

std::string live_address_or_none(const std::string& text) {
    try {
        return text.empty() ? "" : live_address(text).text();
    } catch (const ConfigError&) {
        return "";
    }
}

} // namespace numavp

/// Addresses of live runs: made by a run, typed by who attaches to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace numavp {

struct LiveAddress {
    std::uint16_t port = 0;
    std::string token;
    /// "http://127.0.0.1:8123/?token=..."
    std::string text() const;
};

/// 128 random bits as 32 digits of base 16.
std::string random_token();
/// Reads an address as text() writes it; "localhost" is a host too. ConfigError if it is another.
LiveAddress live_address(const std::string& text);
/// What a process told as the address of its page, if it is one; otherwise empty. A model may have printed a line of
/// that form, and pages show it as a link.
std::string live_address_or_none(const std::string& text);
/// Value of `name` in the query of a request's target such as "/state?token=ab&x=1"; empty if it is not there.
std::string_view query_value(std::string_view target, std::string_view name);
/// True for a Host header of the loopback interface, with any port (a tunnel has another), as a browser sends it.
bool is_loopback_host(std::string_view host);
/// True if both are the same; takes as long wherever they differ.
bool same_token(std::string_view a, std::string_view b);

} // namespace numavp

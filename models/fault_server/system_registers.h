/// Registers from which the driver reads the system's configuration, and to which it writes its console and watchdog.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/values/types.h"
#include "models/fault_server/machine_look.h"
#include "models/fault_server/register_block.h"

namespace numavp {

class SystemRegisters final : public RegisterDevice {
  public:
    void set(SystemRegister which, std::uint64_t value) { values_[static_cast<std::size_t>(which)] = value; }
    std::uint64_t get(SystemRegister which) const { return values_[static_cast<std::size_t>(which)]; }
    /// Text that the driver has written to its console.
    const std::string& console() const { return console_; }
    /// Called for each complete line, without its line end.
    std::function<void(const std::string&)> on_line;
    const std::string& last_line() const { return last_line_; } ///< that was complete
    std::uint64_t kicks() const { return kicks_; }
    /// What policies see of the machine: distances and use of links.
    MachineLook look;

    std::uint64_t read_register(std::size_t index) override {
        if (static_cast<SystemRegister>(index) == SystemRegister::link_use_0) look.sample();
        return peek_register(index);
    }
    std::uint64_t peek_register(std::size_t index) const override {
        const auto from = [index](SystemRegister first) {
            return static_cast<unsigned>(index - static_cast<std::size_t>(first));
        };
        if (between(index, SystemRegister::routers_0, SystemRegister::routers_3))
            return look.distances(get(SystemRegister::routers_of), from(SystemRegister::routers_0));
        if (between(index, SystemRegister::link_use_0, SystemRegister::link_use_7))
            return look.link_use(from(SystemRegister::link_use_0));
        return values_[index];
    }
    void write_register(std::size_t index, std::uint64_t value) override {
        if (static_cast<SystemRegister>(index) == SystemRegister::routers_of) set(SystemRegister::routers_of, value);
        if (static_cast<SystemRegister>(index) == SystemRegister::watchdog) ++kicks_;
        if (static_cast<SystemRegister>(index) == SystemRegister::console) print(static_cast<char>(value));
    }

  private:
    static bool between(std::size_t index, SystemRegister first, SystemRegister last) {
        return index >= static_cast<std::size_t>(first) && index <= static_cast<std::size_t>(last);
    }
    /// Bytes other than printable ASCII become question marks: results are JSON, and a terminal would obey escapes.
    void print(char c) {
        if (c != '\n' && c != '\t' && (c < ' ' || c > '~')) c = '?';
        if (console_.size() < kConsoleBytes) console_ += c;
        if (c != '\n') line_ += c;
        if (c != '\n' && line_.size() < kLineBytes) return;
        if (on_line) on_line(line_);
        last_line_ = std::move(line_);
        line_.clear();
    }
    static constexpr std::size_t kLineBytes = 4096;
    static constexpr std::size_t kConsoleBytes = 1 << 20; ///< kept for the results; more is only shown
    std::array<std::uint64_t, kSystemBlock.register_count> values_{};
    std::string console_, line_, last_line_;
    std::uint64_t kicks_ = 0;
};

} // namespace numavp

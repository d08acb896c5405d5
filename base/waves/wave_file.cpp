#include "base/waves/wave_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/values/error.h"

namespace numavp {

std::string ranged_name(const WaveSignal& signal, const char* between) {
    if (signal.bits == 1) return signal.name;
    return signal.name + between + "[" + std::to_string(signal.low + signal.bits - 1) + ":" +
           std::to_string(signal.low) + "]";
}

WaveScope scopes_of(const std::vector<WaveSignal>& signals) {
    WaveScope top;
    for (std::size_t i = 0; i < signals.size(); ++i) {
        WaveScope* scope = &top;
        const std::string& path = signals[i].scope;
        for (std::size_t begin = 0; begin < path.size();) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            scope = &scope->inner[path.substr(begin, end - begin)];
            begin = end + 1;
        }
        scope->signals.push_back(i);
    }
    return top;
}

namespace {

class VcdFile final : public WaveFile {
  public:
    explicit VcdFile(const std::string& path) : path_(path), out_(path, std::ios::binary | std::ios::trunc) { check(); }

    void declare(const std::vector<WaveSignal>& signals) override {
        out_ << "$version numavp $end\n$timescale 1ps $end\n";
        declare(scopes_of(signals), signals);
        out_ << "$enddefinitions $end\n";
    }
    void time(std::uint64_t ps) override { out_ << '#' << ps << '\n'; }
    void value(std::size_t signal, const std::string& bits) override {
        if (bits.size() == 1)
            out_ << bits << code(signal) << '\n';
        else
            out_ << 'b' << bits << ' ' << code(signal) << '\n';
    }
    void close() override {
        out_.close();
        check();
    }

  private:
    void declare(const WaveScope& scope, const std::vector<WaveSignal>& signals) {
        for (const std::size_t i : scope.signals)
            out_ << "$var wire " << signals[i].bits << ' ' << code(signals[i].same_as.value_or(i)) << ' '
                 << ranged_name(signals[i], " ") << " $end\n";
        for (const auto& [name, inner] : scope.inner) {
            out_ << "$scope module " << name << " $end\n";
            declare(inner, signals);
            out_ << "$upscope $end\n";
        }
    }
    /// Printable characters, lowest digit first.
    static std::string code(std::size_t signal) {
        constexpr std::size_t kDigits = '~' - '!' + 1;
        std::string text;
        do {
            text += static_cast<char>('!' + signal % kDigits);
            signal /= kDigits;
        } while (signal != 0);
        return text;
    }
    void check() const {
        if (!out_)
            throw ConfigError(path_, std::string("waveforms can't be written there: ") + std::strerror(errno) +
                                         "; a path that can be written to is expected");
    }

    std::string path_;
    std::ofstream out_;
};

} // namespace

std::unique_ptr<WaveFile> make_vcd_file(const std::string& path) { return std::make_unique<VcdFile>(path); }

} // namespace numavp

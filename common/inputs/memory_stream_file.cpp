#include "common/inputs/memory_stream_file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/whole_file.h"

namespace numavp {

namespace {
constexpr const char* kNoStream = "a file of lines such as 'R 0x1fc0' or 'W 0x2000' is expected";
constexpr unsigned char kNoDigit = 0xff;

/// The value of each character as a hexadecimal digit.
constexpr std::array<unsigned char, 256> hexadecimal_digits() {
    std::array<unsigned char, 256> table{};
    for (auto& value : table) value = kNoDigit;
    for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<unsigned char>(i);
    for (unsigned i = 0; i < 6; ++i) table['a' + i] = table['A' + i] = static_cast<unsigned char>(10 + i);
    return table;
}
constexpr std::array<unsigned char, 256> kDigits = hexadecimal_digits();

std::string content_of(const std::string& path) {
    const auto fail = [&](const std::string& why) { throw ConfigError(path, why + "; " + kNoStream); };
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) fail(fmt::format("it can't be read: {}", std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) fail("this is no regular file");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(fmt::format("it can't be read: {}", std::strerror(errno)));
    std::string content(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t size = 0;
    ssize_t got = 0;
    while (size < content.size() && (got = ::read(file, content.data() + size, content.size() - size)) > 0)
        size += static_cast<std::size_t>(got);
    ::close(file);
    if (got < 0) fail("reading it failed");
    content.resize(size);
    return content;
}

/// Reads lines from `at`; each call takes one. The text ends with a line feed.
class StreamParser {
  public:
    StreamParser(const std::string& path, const std::string& text, const MemoryDeviceConfig& device)
        : path_(path), at_(text.data()), end_(text.data() + text.size()), capacity_(device.decoder().capacity()),
          access_bytes_(device.access_bytes) {}
    bool done() const { return at_ == end_; }
    std::uint64_t request() {
        const char* const line = at_;
        const std::uint64_t write = *at_ == 'W' ? kStreamWrite : 0;
        if (*at_ != 'R' && write == 0) bad(line);
        ++at_;
        if (*at_ != ' ') bad(line);
        while (*at_ == ' ') ++at_;
        if (at_[0] != '0' || at_[1] != 'x') bad(line);
        at_ += 2;
        const char* const digits = at_;
        std::uint64_t address = 0;
        std::uint64_t lost = 0; // bits that do not fit
        for (unsigned char digit = 0; (digit = kDigits[static_cast<unsigned char>(*at_)]) != kNoDigit; ++at_) {
            lost |= address >> 60;
            address = address << 4 | digit;
        }
        if (at_ == digits) bad(line);
        while (*at_ == ' ' || *at_ == '\r') ++at_;
        if (*at_ != '\n') bad(line);
        if (lost != 0 || address >= capacity_) beyond(line);
        if ((address & (access_bytes_ - 1)) != 0) misaligned(address);
        ++at_;
        ++number_;
        return address | write;
    }

  private:
    std::string place() const { return fmt::format("{}:{}", path_, number_); }
    std::string text_of(const char* line) const {
        const void* const feed = std::memchr(line, '\n', static_cast<std::size_t>(end_ - line));
        return quotable(std::string_view(line, static_cast<std::size_t>(static_cast<const char*>(feed) - line)));
    }
    [[noreturn]] void bad(const char* line) const {
        throw ConfigError(place(), fmt::format("'{}' is no request; {}", text_of(line), kNoStream));
    }
    [[noreturn]] void beyond(const char* line) const {
        throw ConfigError(place(), fmt::format("'{}' is beyond the device; addresses below {:#x} are allowed",
                                               text_of(line), capacity_));
    }
    [[noreturn]] void misaligned(std::uint64_t address) const {
        throw ConfigError(
            place(), fmt::format("{:#x} is not aligned; multiples of {} bytes are allowed", address, access_bytes_));
    }

    const std::string& path_;
    const char* at_;
    const char* const end_;
    std::uint64_t capacity_;
    std::uint64_t access_bytes_;
    std::size_t number_ = 1;
};
} // namespace

MemoryStream read_memory_stream(const std::string& path, const MemoryDeviceConfig& device) {
    std::string text = content_of(path);
    if (text.empty()) throw ConfigError(path, std::string("it is empty; ") + kNoStream);
    if (text.back() != '\n') text += '\n';
    MemoryStream stream;
    stream.reserve(text.size() / 8);
    for (StreamParser parser(path, text, device); !parser.done();) stream.push_back(parser.request());
    return stream;
}

void write_memory_stream(const std::string& path, const MemoryStream& stream) {
    WholeFile file(path, path);
    for (const std::uint64_t request : stream)
        file.out() << fmt::format("{} {:#x}\n", (request & kStreamWrite) != 0 ? 'W' : 'R', request & ~kStreamWrite);
    file.keep();
}

} // namespace numavp

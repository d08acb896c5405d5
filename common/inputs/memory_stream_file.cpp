#include "common/inputs/memory_stream_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/whole_file.h"
#include "common/words/text.h"
#include "sw/traces/trace_text.h"

namespace numavp {

namespace {
constexpr const char* kNoStream =
    "a file of lines such as 'R 0x1fc0', 'LD 0x1fc0', '0x1fc0 R', '0x1fc0 READ 10', '10 0x1fc0 READ' or '10: read "
    "0x1fc0' is expected";
constexpr Cycle kMostCycles = 1'000'000'000'000;
constexpr std::size_t kMostRequests = 1'000'000'000;

std::shared_ptr<const TraceText> text_of(const std::string& path) {
    const auto fail = [&](const std::string& why) { throw ConfigError(path, why + "; " + kNoStream); };
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) fail(fmt::format("it can't be read: {}", std::strerror(errno)));
    if (!S_ISREG(status.st_mode)) fail("this is no regular file");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail(fmt::format("it can't be read: {}", std::strerror(errno)));
    ::close(file);
    return TraceText::load(path);
}

/// Words of a line, from the left.
class Words {
  public:
    explicit Words(std::string_view rest) : rest_(rest) {}
    /// Empty at the end of the line.
    std::string_view next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
        const std::string_view word = rest_.substr(0, rest_.find_first_of(kBlanks));
        rest_.remove_prefix(word.size());
        return word;
    }

  private:
    static constexpr const char* kBlanks = " \t\r";
    std::string_view rest_;
};

/// False if `text` is not a whole number and nothing else.
bool take_number(std::string_view text, int base, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    return error == std::errc() && end == text.data() + text.size();
}
bool has_prefix(std::string_view word) { return word.size() > 2 && word[0] == '0' && (word[1] | 0x20) == 'x'; }
/// A hexadecimal number with 0x before it.
bool take_prefixed(std::string_view word, std::uint64_t& number) {
    return has_prefix(word) && take_number(word.substr(2), 16, number);
}
bool take_hexadecimal(std::string_view word, std::uint64_t& number) {
    return has_prefix(word) ? take_prefixed(word, number) : take_number(word, 16, number);
}

/// Whether a word stands for a write; none if it is no kind of access.
std::optional<bool> is_write(std::string_view word) {
    constexpr std::array kReads = {"R", "READ", "read", "LD", "P_MEM_RD", "P_FETCH", "IFETCH"};
    constexpr std::array kWrites = {"W", "WRITE", "write", "ST", "P_MEM_WR", "BOFF"};
    const auto among = [word](const auto& words) { return std::find(words.begin(), words.end(), word) != words.end(); };
    if (among(kReads)) return false;
    if (among(kWrites)) return true;
    return {};
}

struct Request {
    std::uint64_t address = 0, bytes = 1;
    bool write = false;
    std::optional<std::uint64_t> cycle;
};

/// A line in one of the forms; none if it has none of them.
std::optional<Request> request_of(std::string_view line) {
    Words words(line);
    std::string_view first = words.next();
    Request r;
    std::uint64_t number = 0;
    if (const std::optional<bool> write = is_write(first)) { // R 0x1fc0, LD 8128
        const std::string_view address = words.next();
        const bool decimal = first == "LD" || first == "ST";
        r.write = *write;
        if (!take_prefixed(address, r.address) && !(decimal && take_number(address, 10, r.address))) return {};
    } else if (!first.empty() && first.back() == ':') { // 10: (64) read 0x1fc0 data
        first.remove_suffix(1);
        if (!take_number(first, 10, number)) return {};
        r.cycle = number;
        std::string_view word = words.next();
        if (word.size() > 2 && word.front() == '(' && word.back() == ')') {
            constexpr std::uint64_t kMostBytes = 1 << 20;
            if (!take_number(word.substr(1, word.size() - 2), 10, r.bytes) || r.bytes == 0 || r.bytes > kMostBytes)
                return {};
            word = words.next();
        }
        const std::optional<bool> kind = is_write(word);
        if (!kind || !take_hexadecimal(words.next(), r.address)) return {};
        r.write = *kind;
        if (*kind) words.next(); // its data
    } else {
        const std::string_view second = words.next();
        if (const std::optional<bool> behind = is_write(second)) { // 0x1fc0 R, 0x1fc0 READ 10
            r.write = *behind;
            if (!take_hexadecimal(first, r.address)) return {};
            if (const std::string_view cycle = words.next(); !cycle.empty()) {
                if (!take_number(cycle, 10, number)) return {};
                r.cycle = number;
            }
        } else { // 10 0x1fc0 READ
            const std::optional<bool> last = is_write(words.next());
            if (!last || !take_number(first, 10, number) || !take_hexadecimal(second, r.address)) return {};
            r.write = *last;
            r.cycle = number;
        }
    }
    return words.next().empty() ? std::optional(r) : std::nullopt;
}

/// Reads the lines of a file.
class StreamReader {
  public:
    StreamReader(const std::string& path, const MemoryDeviceConfig& device)
        : path_(path), capacity_(device.decoder().capacity()), access_bytes_(device.access_bytes) {}

    MemoryStreamFile read(std::string_view text) {
        if (text.empty()) throw ConfigError(path_, std::string("it is empty; ") + kNoStream);
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            ++number_;
            if (line.empty() || line.front() != '#') take(line);
        }
        if (made_.requests.empty()) throw ConfigError(path_, std::string("it has no request; ") + kNoStream);
        add_notes();
        return std::move(made_);
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw ConfigError(fmt::format("{}:{}", path_, number_), why);
    }
    void take(std::string_view line) {
        const std::optional<Request> request = request_of(line);
        if (!request) fail(fmt::format("'{}' is no request; {}", quotable(line), kNoStream));
        if (request->cycle) check_time(*request->cycle);
        if (made_.requests.size() >= kMostRequests)
            fail(fmt::format("there are more than {} requests, the most that are allowed", kMostRequests));
        if (!made_.requests.empty() && request->cycle.has_value() == made_.arrivals.empty())
            fail(fmt::format("'{}' has {} time, unlike the lines before; all or none are expected to have one",
                             quotable(line), request->cycle ? "a" : "no"));
        std::uint64_t address = request->address % capacity_;
        beyond_ += address != request->address ? 1 : 0;
        const std::uint64_t within = address % access_bytes_;
        unaligned_ += within != 0 ? 1 : 0;
        address -= within;
        for (std::uint64_t done = 0; done < within + request->bytes; done += access_bytes_) {
            made_.requests.push_back((address + done) % capacity_ | (request->write ? kStreamWrite : 0));
            if (request->cycle) made_.arrivals.push_back(*request->cycle);
        }
    }
    void check_time(Cycle cycle) const {
        if (cycle > kMostCycles) fail(fmt::format("its time is {}; at most {} is allowed", cycle, kMostCycles));
        if (!made_.arrivals.empty() && cycle < made_.arrivals.back())
            fail(fmt::format("its time is {}, before {} of the request before it; times that do not fall are allowed",
                             cycle, made_.arrivals.back()));
    }
    void add_notes() {
        const auto requests = [](std::uint64_t n) { return grouped(n) + (n == 1 ? " request" : " requests"); };
        if (unaligned_ != 0)
            made_.notes.push_back(
                fmt::format("{} within a block of {} B: the block is accessed", requests(unaligned_), access_bytes_));
        if (beyond_ != 0)
            made_.notes.push_back(
                fmt::format("{} beyond the device: addresses are taken modulo {:#x}", requests(beyond_), capacity_));
        if (!made_.arrivals.empty())
            made_.notes.emplace_back("times are cycles of the device's clock: no request is offered before its own");
    }

    const std::string& path_;
    std::uint64_t capacity_, access_bytes_;
    std::size_t number_ = 0;
    std::uint64_t unaligned_ = 0, beyond_ = 0;
    MemoryStreamFile made_;
};
} // namespace

MemoryStreamFile read_memory_stream(const std::string& path, const MemoryDeviceConfig& device) {
    return StreamReader(path, device).read(text_of(path)->view());
}

void write_memory_stream(const std::string& path, const MemoryStream& stream, const ArrivalTimes& arrivals) {
    WholeFile file(path, path);
    for (std::size_t i = 0; i < stream.size(); ++i) {
        const bool write = (stream[i] & kStreamWrite) != 0;
        const std::uint64_t address = stream[i] & ~kStreamWrite;
        file.out() << (arrivals.empty() ? fmt::format("{} {:#x}\n", write ? 'W' : 'R', address)
                                        : fmt::format("{:#x} {} {}\n", address, write ? "WRITE" : "READ", arrivals[i]));
    }
    file.keep();
}

} // namespace numavp

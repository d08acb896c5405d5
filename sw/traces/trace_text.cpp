#include "sw/traces/trace_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <lzma.h>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "sw/traces/trace_binary.h"

namespace numavp {
namespace {

constexpr std::uint64_t kDecoderMemory = std::uint64_t{512} << 20; ///< xz -9 needs 65 MiB
constexpr std::size_t kChunk = std::size_t{1} << 20;

/// A file descriptor that closes itself.
class Descriptor {
  public:
    explicit Descriptor(int value) : value_(value) {}
    ~Descriptor() {
        if (value_ >= 0) close(value_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return value_; }

  private:
    int value_;
};

int open_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe would wait for its writer
    if (descriptor < 0)
        throw ConfigError(path, "can't be opened: " + std::string(std::strerror(errno)) + "; a trace is expected");
    struct stat status {};
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(descriptor);
        throw ConfigError(path, "is not a regular file; a trace is expected");
    }
    return descriptor;
}

bool is_xz(const std::string& path) { return path.size() > 3 && path.compare(path.size() - 3, 3, ".xz") == 0; }

/// Streams an .xz file, chunk by chunk.
class XzReader {
  public:
    explicit XzReader(const std::string& path) : path_(path), file_(open_file(path)), input_(kChunk) {
        if (lzma_stream_decoder(&stream_, kDecoderMemory, LZMA_CONCATENATED) != LZMA_OK)
            throw ConfigError(path, "can't be decompressed: liblzma has no memory");
    }
    ~XzReader() { lzma_end(&stream_); }
    XzReader(const XzReader&) = delete;
    XzReader& operator=(const XzReader&) = delete;

    /// Fills `out` with up to `room` bytes; 0 at the end.
    std::size_t read(char* out, std::size_t room) {
        stream_.next_out = reinterpret_cast<std::uint8_t*>(out);
        stream_.avail_out = room;
        while (stream_.avail_out != 0 && !done_) {
            if (stream_.avail_in == 0 && !at_end_) refill();
            const lzma_ret result = lzma_code(&stream_, at_end_ ? LZMA_FINISH : LZMA_RUN);
            if (result == LZMA_STREAM_END)
                done_ = true;
            else if (result != LZMA_OK)
                fail(result);
        }
        return room - stream_.avail_out;
    }

  private:
    void refill() {
        const ssize_t got = ::read(file_.get(), input_.data(), input_.size());
        if (got < 0) throw ConfigError(path_, "can't be read: " + std::string(std::strerror(errno)));
        at_end_ = got == 0;
        stream_.next_in = input_.data();
        stream_.avail_in = static_cast<std::size_t>(got);
    }
    [[noreturn]] void fail(lzma_ret result) const {
        const std::string where = " at byte " + std::to_string(stream_.total_in);
        if (result == LZMA_BUF_ERROR) throw ConfigError(path_, "the xz data is truncated" + where);
        if (result == LZMA_FORMAT_ERROR) throw ConfigError(path_, "is not an xz file; name a plain trace .traceg");
        if (result == LZMA_MEMLIMIT_ERROR)
            throw ConfigError(path_, "its xz dictionary is too large; at most 512 MiB of decoder memory are allowed");
        throw ConfigError(path_, "the xz data is corrupt" + where);
    }

    const std::string& path_;
    Descriptor file_;
    std::vector<std::uint8_t> input_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool at_end_ = false;
    bool done_ = false;
};

void write_all(int descriptor, const char* data, std::size_t size, const std::string& path) {
    while (size != 0) {
        const ssize_t written = write(descriptor, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0)
            throw ConfigError(path, "its text can't be written to a temporary file: " +
                                        std::string(std::strerror(errno)) + "; set TMPDIR to where there is room");
        data += written;
        size -= static_cast<std::size_t>(written);
    }
}

int unnamed_temporary_file(const std::string& path) {
    const char* folder = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): read only
    std::string name = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/numavp-trace-XXXXXX";
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) throw ConfigError(path, "no temporary file could be made as " + name + "; set TMPDIR");
    unlink(name.c_str());
    return descriptor;
}

} // namespace

TraceText::~TraceText() {
    if (mapped_) munmap(const_cast<char*>(data_), size_); // NOLINT: mmap's own type
}

void TraceText::map(int descriptor, std::size_t size) {
    size_ = size;
    if (size == 0) return;
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED) { // NOLINT: the macro casts an integer
        size_ = 0;
        throw ConfigError(place_, "can't be mapped: " + std::string(std::strerror(errno)));
    }
    madvise(memory, size, MADV_SEQUENTIAL);
    data_ = static_cast<const char*>(memory);
    mapped_ = true;
}

void TraceText::load_plain(const std::string& path) {
    const Descriptor file(open_file(path));
    struct stat status {};
    fstat(file.get(), &status);
    map(file.get(), static_cast<std::size_t>(status.st_size));
}

template <class Reader> void TraceText::load_stream(Reader& reader) {
    const std::string& path = place_;
    while (owned_.size() < kInMemoryBytes) {
        const std::size_t had = owned_.size();
        owned_.resize(had + kChunk);
        const std::size_t got = reader.read(owned_.data() + had, kChunk);
        owned_.resize(had + got);
        if (got < kChunk) break;
    }
    if (owned_.size() < kInMemoryBytes) {
        data_ = owned_.data();
        size_ = owned_.size();
        return;
    }
    const Descriptor spill(unnamed_temporary_file(path));
    write_all(spill.get(), owned_.data(), owned_.size(), path);
    std::size_t total = owned_.size();
    owned_ = std::string();
    std::vector<char> chunk(kChunk);
    while (const std::size_t got = reader.read(chunk.data(), chunk.size())) {
        write_all(spill.get(), chunk.data(), got, path);
        total += got;
    }
    map(spill.get(), total);
}

std::shared_ptr<const TraceText> TraceText::load(const std::string& path) {
    std::shared_ptr<TraceText> text(new TraceText(path)); // the constructor is private
    if (is_xz(path)) {
        XzReader reader(path);
        text->load_stream(reader);
    } else if (is_binary_trace(path)) {
        TraceText file(path);
        file.load_plain(path);
        BinaryTrace reader(file.view(), path);
        text->load_stream(reader);
    } else {
        text->load_plain(path);
    }
    return text;
}

std::string TraceText::head(const std::string& path, std::size_t bytes) {
    std::string text(bytes, '\0');
    if (is_xz(path)) {
        XzReader reader(path);
        text.resize(reader.read(text.data(), bytes));
    } else if (is_binary_trace(path)) {
        TraceText file(path);
        file.load_plain(path);
        BinaryTrace reader(file.view(), path);
        text.resize(reader.read(text.data(), bytes));
    } else {
        const Descriptor file(open_file(path));
        const ssize_t got = pread(file.get(), text.data(), bytes, 0);
        if (got < 0) throw ConfigError(path, "can't be read: " + std::string(std::strerror(errno)));
        text.resize(static_cast<std::size_t>(got));
    }
    return text;
}

std::shared_ptr<const TraceText> TraceText::from_string(std::string text, std::string place) {
    std::shared_ptr<TraceText> result(new TraceText(std::move(place))); // the constructor is private
    result->owned_ = std::move(text);
    result->data_ = result->owned_.data();
    result->size_ = result->owned_.size();
    return result;
}

std::string TraceText::place_of(const char* position) const {
    const auto line = 1 + std::count(data_, std::min(position, end()), '\n');
    return place_ + ": line " + std::to_string(line);
}

} // namespace numavp

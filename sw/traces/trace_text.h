/// The text of one trace file in memory, plain or decompressed.
///
/// A plain file is mapped. An .xz or .tracez file is decompressed as a stream: up to `TraceText::kInMemoryBytes` stay
/// in memory, a longer text goes to an unnamed temporary file (in $TMPDIR or /tmp), which is then mapped. So memory is
/// bounded for any size of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace numavp {

/// Immutable text, and the name that error messages use for it.
class TraceText {
  public:
    static constexpr std::size_t kInMemoryBytes = std::size_t{64} << 20;

    /// Maps `path`, or decompresses it if the name ends with .xz or .tracez. ConfigError if it can't be read or is
    /// corrupt.
    static std::shared_ptr<const TraceText> load(const std::string& path);
    /// The first `bytes` of the text (fewer if it is shorter), without reading the rest of the file: for the header.
    static std::string head(const std::string& path, std::size_t bytes);
    /// Makes a text of a string.
    static std::shared_ptr<const TraceText> from_string(std::string text, std::string place);

    ~TraceText();
    TraceText(const TraceText&) = delete;
    TraceText& operator=(const TraceText&) = delete;

    std::string_view view() const { return {data_, size_}; }
    const char* begin() const { return data_; }
    const char* end() const { return data_ + size_; }
    const std::string& place() const { return place_; }
    /// "<file>: line <n>" for a position in the text. Slow, since it counts lines: for errors only.
    std::string place_of(const char* position) const;

  private:
    explicit TraceText(std::string place) : place_(std::move(place)) {}
    void map(int descriptor, std::size_t size);
    void load_plain(const std::string& path);
    /// Stores the text that `reader` gives, in memory or in a temporary file.
    template <class Reader> void load_stream(Reader& reader);

    std::string place_;
    std::string owned_;
    const char* data_ = "";
    std::size_t size_ = 0;
    bool mapped_ = false;
};

} // namespace numavp

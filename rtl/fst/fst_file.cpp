#include "rtl/fst_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include <gtkwave/fstapi.h>

#include "base/values/error.h"

namespace numavp::rtl {

std::string_view fst_missing() { return {}; }

namespace {

/// An FST is blocks, each a byte of its type and 8 of its length, most significant first. One that is not complete has
/// the type 255 or reaches beyond the end; the library's reader does not survive either.
bool is_whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = static_cast<std::uint64_t>(file.tellg());
    std::uint64_t at = 0;
    while (file && at < size) {
        std::array<unsigned char, 9> head{};
        file.seekg(static_cast<std::streamoff>(at));
        file.read(reinterpret_cast<char*>(head.data()), head.size());
        std::uint64_t length = 0;
        for (std::size_t i = 1; i < head.size(); ++i) length = length << 8 | head[i];
        if (head[0] == FST_BL_SKIP || length < 8 || length >= size - at) return false;
        at += 1 + length;
    }
    return file && at == size && size != 0;
}

class FstFile final : public WaveFile {
  public:
    explicit FstFile(const std::string& path) : path_(path), writer_(fstWriterCreate(path.c_str(), 1)) {
        if (writer_ == nullptr) fail();
        fstWriterSetTimescale(writer_, -12);
        fstWriterSetPackType(writer_, FST_WR_PT_LZ4);
        fstWriterSetVersion(writer_, "numavp");
        fstWriterSetDate(writer_, ""); // the same run gives the same bytes
    }
    ~FstFile() override {
        if (writer_ != nullptr) fstWriterClose(writer_);
    }
    FstFile(const FstFile&) = delete;
    FstFile& operator=(const FstFile&) = delete;

    void declare(const std::vector<WaveSignal>& signals) override {
        handles_.resize(signals.size());
        declare(scopes_of(signals), signals);
    }
    void time(std::uint64_t ps) override { fstWriterEmitTimeChange(writer_, ps); }
    void value(std::size_t signal, const std::string& bits) override {
        fstWriterEmitValueChange(writer_, handles_[signal], bits.data());
    }
    void close() override {
        const bool failed = fstWriterGetFseekFailed(writer_) != 0;
        fstWriterClose(writer_);
        writer_ = nullptr;
        if (failed || !is_whole(path_)) fail(); // the writer does not see a full disk
    }

  private:
    void declare(const WaveScope& scope, const std::vector<WaveSignal>& signals) {
        for (const std::size_t i : scope.signals) {
            fstHandle& handle = handles_[signals[i].same_as.value_or(i)]; // the first of several names makes it
            const fstHandle made = fstWriterCreateVar(writer_, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, signals[i].bits,
                                                      ranged_name(signals[i], " ").c_str(), handle);
            if (handle == 0) handle = made;
        }
        for (const auto& [name, inner] : scope.inner) {
            fstWriterSetScope(writer_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
            declare(inner, signals);
            fstWriterSetUpscope(writer_);
        }
    }
    [[noreturn]] void fail() const {
        throw ConfigError(path_, std::string("waveforms can't be written there: ") + std::strerror(errno) +
                                     "; a path that can be written to is expected");
    }

    std::string path_;
    void* writer_;
    std::vector<fstHandle> handles_;
};

} // namespace

std::unique_ptr<WaveFile> make_fst_file(const std::string& path) { return std::make_unique<FstFile>(path); }

} // namespace numavp::rtl

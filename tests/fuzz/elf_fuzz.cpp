/// Reader of executables: any bytes are refused by a sentence or loaded into RAM, and every symbol can be looked up.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/cpu/elf_image.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace numavp;
    constexpr std::uint64_t kBase = 0x80000000;
    try {
        const ElfImage image = ElfImage::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.elf");
        if (image.where(image.entry()).empty() || image.where(~std::uint64_t{0}).empty()) std::abort();
        if (const auto main = image.symbol("main"); main && image.where(main->address).empty()) std::abort();
        std::vector<unsigned char> ram(1 << 16);
        image.load(kBase, ram.size(), ram.data());
    } catch (const ConfigError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) std::abort(); // one sentence, one line
    }
    return 0;
}

/// Reader of executables: any bytes are refused by a sentence or loaded into RAM, and every symbol can be looked up.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/riscv/elf_image.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

void load(const std::string& bytes) {
    constexpr std::uint64_t kBase = 0x80000000;
    const ElfImage image = ElfImage::parse(bytes, "fuzz.elf");
    if (image.where(image.entry()).empty() || image.where(~std::uint64_t{0}).empty()) std::abort();
    if (const auto main = image.symbol("main"); main && image.where(main->address).empty()) std::abort();
    std::vector<unsigned char> ram(1 << 16);
    image.load(kBase, ram.size(), ram.data());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, load);
}

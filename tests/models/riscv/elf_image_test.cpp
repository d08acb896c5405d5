/// Executables, made here byte by byte: what is loaded where, what is known by name, what is refused and how.
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "models/riscv/elf_image.h"

namespace numavp {
namespace {

constexpr std::uint64_t kBase = 0x80000000, kRamBytes = 0x10000;

/// Offsets in the image below.
enum : std::size_t {
    kSegments = 64,
    kCode = 232,
    kData = 240,
    kSections = 248,
    kSymbols = 440,
    kStrings = 536,
    kSize = 560
};

/// Code at the base; data that run at 0x80001000 but are stored at 0x80000100, with zeros behind them; an empty segment
/// outside RAM; symbols main (8 bytes, function), table (4, object), start (a label at main) and one without a section.
std::string executable() {
    std::string image(kSize, '\0');
    const auto put = [&](std::size_t at, unsigned bytes, std::uint64_t value) {
        for (unsigned i = 0; i < bytes; ++i) image[at + i] = static_cast<char>(value >> 8 * i);
    };
    const auto segment = [&](unsigned i, std::uint64_t offset, std::uint64_t runs, std::uint64_t stored,
                             std::uint64_t file_bytes, std::uint64_t memory_bytes) {
        const std::size_t at = kSegments + 56 * i;
        put(at, 4, 1);
        put(at + 8, 8, offset);
        put(at + 16, 8, runs);
        put(at + 24, 8, stored);
        put(at + 32, 8, file_bytes);
        put(at + 40, 8, memory_bytes);
    };
    const auto section = [&](unsigned i, std::uint64_t type, std::uint64_t offset, std::uint64_t bytes,
                             std::uint64_t link) {
        const std::size_t at = kSections + 64 * i;
        put(at + 4, 4, type);
        put(at + 24, 8, offset);
        put(at + 32, 8, bytes);
        put(at + 40, 4, link);
    };
    const auto symbol = [&](unsigned i, std::uint64_t name, std::uint64_t type, std::uint64_t in_section,
                            std::uint64_t address, std::uint64_t bytes) {
        const std::size_t at = kSymbols + 24 * i;
        put(at, 4, name);
        put(at + 4, 1, type);
        put(at + 6, 2, in_section);
        put(at + 8, 8, address);
        put(at + 16, 8, bytes);
    };
    image.replace(0, 7, std::string("\177ELF\2\1\1", 7));
    put(16, 2, 2);
    put(18, 2, 243);
    put(20, 4, 1);
    put(24, 8, kBase);
    put(32, 8, kSegments);
    put(40, 8, kSections);
    put(48, 4, 1);
    put(52, 2, 64);
    put(54, 2, 56);
    put(56, 2, 3);
    put(58, 2, 64);
    put(60, 2, 3);
    segment(0, kCode, kBase, kBase, 8, 16);
    segment(1, kData, kBase + 0x1000, kBase + 0x100, 4, 100);
    segment(2, 0, 0x1000, 0x1000, 0, 0x100000);
    image.replace(kCode, 8, "codecode");
    image.replace(kData, 4, "data");
    section(1, 2, kSymbols, 96, 2);
    section(2, 3, kStrings, 24, 0);
    symbol(0, 1, 0, 1, kBase, 0);
    symbol(1, 7, 2, 1, kBase, 8);
    symbol(2, 12, 1, 1, kBase + 0x1000, 4);
    symbol(3, 18, 0, 0, 0, 0);
    image.replace(kStrings, 24, std::string("\0start\0main\0table\0other\0", 24));
    return image;
}

std::string with(std::size_t at, std::uint64_t value, unsigned bytes = 1) {
    std::string image = executable();
    for (unsigned i = 0; i < bytes; ++i) image[at + i] = static_cast<char>(value >> 8 * i);
    return image;
}

std::string refusal(const std::string& image) {
    std::vector<unsigned char> ram(kRamBytes, 7);
    try {
        ElfImage::parse(image, "a.elf").load(kBase, kRamBytes, ram.data());
    } catch (const ConfigError& e) {
        EXPECT_EQ(ram, std::vector<unsigned char>(kRamBytes, 7)); // nothing is loaded by half
        return e.what();
    }
    return "";
}

TEST(ElfImage, IsLoadedWhereItIsStored) {
    std::vector<unsigned char> ram(kRamBytes, 7);
    const ElfImage image = ElfImage::parse(executable(), "a.elf");
    image.load(kBase, kRamBytes, ram.data());
    EXPECT_EQ(image.entry(), kBase);
    EXPECT_EQ(std::memcmp(ram.data(), "codecode\0\0\0\0\0\0\0\0\7", 17), 0);
    EXPECT_EQ(std::memcmp(&ram[0x100], "data\7", 5), 0); // no zeros there: they belong to where it runs
    EXPECT_EQ(ram[0x1000], 7);
}

TEST(ElfImage, KnowsSymbolsByNameAndByAddress) {
    const ElfImage image = ElfImage::parse(executable(), "a.elf");
    ASSERT_TRUE(image.symbol("table"));
    EXPECT_EQ(image.symbol("table")->address, kBase + 0x1000);
    EXPECT_EQ(image.symbol("table")->bytes, 4U);
    EXPECT_FALSE(image.symbol("other")); // undefined
    EXPECT_FALSE(image.symbol("missing"));
    EXPECT_EQ(image.where(kBase), "main"); // a function before a label
    EXPECT_EQ(image.where(kBase + 6), "main+0x6");
    EXPECT_EQ(image.where(kBase + 8), "0x80000008");
    EXPECT_EQ(image.where(kBase - 1), "0x7fffffff");
    EXPECT_EQ(ElfImage::parse(with(60, 0, 2), "stripped").where(kBase), "0x80000000");
}

TEST(ElfImage, RefusesWhatIsNotForTheCore) {
    struct Row {
        std::string image;
        const char* says;
    };
    const Row rows[] = {
        {"", "is no ELF file"},
        {"#!/bin/sh\n", "is no ELF file"},
        {"\177ELF", "truncated or damaged: the file header"},
        {executable().substr(0, 63), "truncated or damaged: the file header"},
        {executable().substr(0, 100), "truncated or damaged: the table of segments"},
        {executable().substr(0, kData + 1), "truncated or damaged: a segment"},
        {executable().substr(0, kSymbols), "truncated or damaged: the table of symbols"},
        {with(4, 1), "32-bit"},
        {with(5, 2), "big-endian"},
        {with(18, 62), "ELF machine 62; 243 (RISC-V) is expected"},
        {with(16, 3), "no executable with fixed addresses"},
        {with(16, 1), "no executable with fixed addresses"},
        {with(48, 5), "floating-point ABI"},
        {with(48, 9), "ELF flags 0x9"}, // RV64E
        {with(56, 0), "no segment to load"},
        {with(54, 32), "program headers have an unknown size"},
        {with(58, 40), "section headers have an unknown size"},
        {with(32, ~std::uint64_t{0} - 8, 8), "the table of segments"},
        {with(40, ~std::uint64_t{0} - 8, 8), "the table of sections"},
        {with(kSegments + 8, ~std::uint64_t{0} - 4, 8), "truncated or damaged: a segment"},
        {with(kSegments + 40, 7, 8), "larger in the file than in memory"},
        {with(kSegments + 40, kRamBytes + 1, 8), "a segment of 65537 bytes at 0x80000000"},
        {with(kSegments + 40, ~std::uint64_t{0}, 8), "a segment of 18446744073709551615 bytes"},
        {with(kSegments + 56 + 24, kBase + kRamBytes - 3, 8), "a segment of 4 bytes at 0x8000fffd"},
        {with(kSegments + 56 + 24, kBase - 1, 8), "a segment of 4 bytes at 0x7fffffff"},
        {with(kSegments + 56 + 24, ~std::uint64_t{0} - 3, 8), "a segment of 4 bytes at 0xfffffffffffffffc"},
        {with(24, 0x1000, 8), "starts at 0x1000; the core's RAM is 65536 bytes at 0x80000000"},
        {with(kSections + 64 + 40, 9, 4), "its symbols have no names"},
    };
    for (const Row& row : rows) {
        const std::string text = refusal(row.image);
        EXPECT_THAT(text, ::testing::HasSubstr(row.says));
        EXPECT_EQ(text.substr(0, 7), "a.elf: ") << row.says;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
    EXPECT_EQ(refusal(with(48, 0)), ""); // without compressed code
    EXPECT_EQ(refusal(with(kSegments + 56 + 24, kBase + kRamBytes - 4, 8)), "");
}

TEST(ElfImage, NamesAFileThatCannotBeRead) {
    try {
        ElfImage::read("no/such/file.elf");
        FAIL();
    } catch (const ConfigError& e) {
        EXPECT_THAT(e.what(), ::testing::StartsWith("no/such/file.elf: cannot be opened"));
    }
}

} // namespace
} // namespace numavp

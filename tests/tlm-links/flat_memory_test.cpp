/// The flat memory against a map of bytes.
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp {
namespace {

TEST(FlatMemory, ReadsZeroWhereNothingWasWritten) {
    const FlatMemory memory;
    std::vector<unsigned char> bytes(300, 0xff);
    memory.read(~0ULL - 400, bytes.data(), bytes.size());
    EXPECT_EQ(bytes, std::vector<unsigned char>(300, 0));
    EXPECT_EQ(memory.bytes_held(), 0U) << "reading holds nothing";
}

TEST(FlatMemory, KeepsRandomWritesAcrossPages) {
    FlatMemory memory;
    std::map<std::uint64_t, unsigned char> reference;
    Rng rng(3);
    for (unsigned i = 0; i < 20'000; ++i) {
        const std::uint64_t address = (rng.below(4) << 40) + 4000 + rng.below(10'000);
        std::vector<unsigned char> bytes(1 + rng.below(200));
        if (rng.chance(1, 2)) {
            for (auto& byte : bytes) byte = static_cast<unsigned char>(rng.next());
            memory.write(address, bytes.data(), bytes.size());
            for (std::size_t k = 0; k < bytes.size(); ++k) reference[address + k] = bytes[k];
        } else {
            memory.read(address, bytes.data(), bytes.size());
            for (std::size_t k = 0; k < bytes.size(); ++k) {
                const auto it = reference.find(address + k);
                ASSERT_EQ(bytes[k], it == reference.end() ? 0 : it->second) << address + k;
            }
        }
    }
}

TEST(FlatMemory, WritesOnlyTheBytesOfTheMask) {
    FlatMemory memory;
    const std::vector<unsigned char> ones(kLineBytes, 1);
    const std::vector<unsigned char> twos(kLineBytes, 2);
    memory.write(0x3f80, ones.data(), ByteMask::full());
    const ByteMask mask = ByteMask::range(60, 10) | ByteMask::range(127, 1);
    memory.write(0x3f80, twos.data(), mask);
    std::vector<unsigned char> line(kLineBytes);
    memory.read(0x3f80, line.data(), line.size());
    for (unsigned i = 0; i < kLineBytes; ++i) EXPECT_EQ(line[i], mask.test(i) ? 2 : 1) << i;
}

TEST(FlatMemory, NamesTheFirstDifference) {
    FlatMemory a;
    FlatMemory b;
    const unsigned char value = 7;
    const unsigned char zero = 0;
    EXPECT_EQ(a.first_difference(b), std::nullopt);
    a.write(0x90'0001, &value, std::size_t{1});
    EXPECT_EQ(a.first_difference(b), 0x90'0001U);
    EXPECT_EQ(b.first_difference(a), 0x90'0001U);
    b.write(0x80'0002, &zero, std::size_t{1}); // a page of zeros is no page
    EXPECT_EQ(a.first_difference(b), 0x90'0001U);
    b.write(0x80'0002, &value, std::size_t{1});
    EXPECT_EQ(a.first_difference(b), 0x80'0002U);
}

} // namespace
} // namespace numavp

/// The writer of the page table against the fake platform's walker, over geometries.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "sw/driver/page_table.h"
#include "tests/sw/driver/fake_platform.h"

namespace numavp::driver_test {
namespace {

constexpr std::uint64_t kPhysical = 0x123456789000ULL;

struct Writer {
    explicit Writer(const Setting& setting) : platform(setting) {
        devices_init(&devices, platform.hal(), 0);
        wrong = page_table_init(&table, &devices);
    }
    FakePlatform platform;
    Devices devices{};
    PageTable table{};
    const char* wrong = nullptr;
};

TEST(PageTableWriter, WalkerFindsWhatWasWrittenInEveryGeometry) {
    Rng rng(1);
    for (const std::uint64_t page_shift : {12U, 16U, 21U}) {
        for (const std::uint64_t address_bits : {32U, 40U, 48U, 57U, 64U}) {
            Setting setting;
            setting.page_shift = page_shift;
            setting.address_bits = address_bits;
            setting.table_frames = 600;
            setting.tables_on_host = rng.chance(1, 2);
            Writer writer(setting);
            ASSERT_EQ(writer.wrong, nullptr) << writer.wrong;
            std::map<std::uint64_t, std::uint64_t> expected;
            const std::uint64_t pages = std::uint64_t{1} << (address_bits - page_shift);
            for (std::uint64_t i = 0; i < 100; ++i) {
                const std::uint64_t page = i == 0 ? 0 : i == 1 ? pages - 1 : rng.below(pages);
                const std::uint64_t slot = page_table_slot(&writer.table, page, true);
                ASSERT_NE(slot, PAGE_TABLE_NO_SLOT);
                if (expected.count(page) == 0) {
                    EXPECT_EQ(page_table_read(&writer.table, slot), 0U) << "not cleared";
                }
                page_table_map(&writer.table, slot, kPhysical + i * 4096);
                expected[page] = kPhysical + i * 4096;
            }
            for (const auto& [page, physical] : expected) {
                EXPECT_EQ(writer.platform.walk(page), physical | 3) << address_bits << " bits, page " << page;
            }
        }
    }
}

TEST(PageTableWriter, EntriesSayWhatTheyAre) {
    Writer writer{Setting{}};
    const std::uint64_t slot = page_table_slot(&writer.table, 77, true);
    page_table_map(&writer.table, slot, kPhysical);
    std::uint64_t pte = page_table_read(&writer.table, slot);
    EXPECT_TRUE(pte_is_mapped(pte) && !pte_is_on_host(pte));
    EXPECT_EQ(pte_address(pte), kPhysical);
    page_table_set_moving(&writer.table, slot, kPhysical);
    EXPECT_EQ(page_table_read(&writer.table, slot), kPhysical | 4U); // hardware writes its lines back there
    page_table_set_on_host(&writer.table, slot, kPhysical);
    pte = page_table_read(&writer.table, slot);
    EXPECT_TRUE(!pte_is_mapped(pte) && pte_is_on_host(pte));
    EXPECT_EQ(pte_address(pte), kPhysical);
    EXPECT_FALSE(pte_is_on_host(0) || pte_is_mapped(0) || pte_is_on_host(kPhysical | 4) || pte_is_mapped(4));
}

TEST(PageTableWriter, TablePagesGoRoundTheSocketsOrToTheHost) {
    for (const bool on_host : {false, true}) {
        Setting setting;
        setting.sockets = 3;
        setting.address_bits = 16 + 9 + 9 + 5;
        setting.tables_on_host = on_host;
        Writer writer(setting);
        ASSERT_EQ(writer.wrong, nullptr) << writer.wrong;
        const std::uint64_t base = setting.frames << setting.page_shift;
        std::vector<std::uint64_t> tables; // in the order of allocation, but for the root
        for (std::uint64_t i = 0; i < 5; ++i) {
            const std::uint64_t before = writer.table.tables;
            const std::uint64_t slot = page_table_slot(&writer.table, i << 9, true);
            EXPECT_EQ(writer.table.tables - before, i == 0 ? 2U : 1U);
            tables.push_back(slot);
        }
        for (std::uint64_t i = 0; i < 5; ++i) { // leaf tables are numbers 2 to 6
            const std::uint64_t memory = on_host ? 3 : (2 + i) % 3;
            const std::uint64_t index = on_host ? 2 + i : (2 + i) / 3;
            EXPECT_EQ(tables[i], (memory << setting.socket_shift) + base + index * 4096);
        }
    }
}

TEST(PageTableWriter, EndsWhenNoTablePageIsLeft) {
    Setting setting;
    setting.sockets = 1;
    setting.table_frames = 5; // root, then 3 levels below it: room for one more leaf
    setting.address_bits = 48;
    Writer writer(setting);
    EXPECT_NE(page_table_slot(&writer.table, 0, true), PAGE_TABLE_NO_SLOT);
    EXPECT_NE(page_table_slot(&writer.table, 512, true), PAGE_TABLE_NO_SLOT);
    EXPECT_EQ(page_table_slot(&writer.table, 1024, true), PAGE_TABLE_NO_SLOT);
    EXPECT_NE(page_table_slot(&writer.table, 511, true), PAGE_TABLE_NO_SLOT) << "those that are there still serve";
}

TEST(PageTableWriter, LooksWithoutCreating) {
    Writer writer{Setting{}};
    const std::size_t writes = writer.platform.writes.size();
    EXPECT_EQ(page_table_slot(&writer.table, 123, false), PAGE_TABLE_NO_SLOT);
    EXPECT_EQ(writer.table.tables, 1U);
    EXPECT_EQ(writer.platform.writes.size(), writes);
    const std::uint64_t slot = page_table_slot(&writer.table, 123, true);
    EXPECT_EQ(page_table_slot(&writer.table, 123, false), slot);
    EXPECT_EQ(page_table_slot(&writer.table, 124, false), slot + 8);
}

TEST(PageTableWriter, OneLevelIsTheRootItself) {
    Setting setting;
    setting.page_shift = 21;
    setting.address_bits = 30;
    setting.socket_shift = 40;
    Writer writer(setting);
    EXPECT_EQ(writer.table.levels, 1U);
    const std::uint64_t slot = page_table_slot(&writer.table, 511, true);
    EXPECT_EQ(slot, writer.platform.system(SystemRegister::root) + 511 * 8);
}

TEST(PageTableWriter, RefusesAConfigurationThatContradictsItself) {
    struct Case {
        SystemRegister which;
        std::uint64_t value;
        const char* sentence;
    };
    for (const Case& one : {Case{SystemRegister::levels, 3, "levels"},
                            {SystemRegister::address_bits, 16, "bits"},
                            {SystemRegister::address_bits, 15, "bits"},
                            {SystemRegister::table_frames, 0, "has room"},
                            {SystemRegister::root, 4096, "root"},
                            {SystemRegister::table_base, 4095, "aligned"}}) {
        FakePlatform platform{Setting{}};
        platform.system(one.which) = one.value;
        Devices devices;
        devices_init(&devices, platform.hal(), 0);
        PageTable table;
        const char* wrong = page_table_init(&table, &devices);
        ASSERT_NE(wrong, nullptr) << one.sentence;
        EXPECT_NE(std::string(wrong).find(one.sentence), std::string::npos) << wrong;
    }
}

} // namespace
} // namespace numavp::driver_test

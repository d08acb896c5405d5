#include "models/mmu/table_memory.h"

#include <cstring>

namespace numavp {

TableWord TableMemory::read(PhysicalAddress word) const {
    std::array<unsigned char, sizeof(TableWord)> bytes;
    memory_.read(word, bytes.data(), bytes.size());
    TableWord value;
    std::memcpy(&value, bytes.data(), bytes.size());
    return value;
}

void TableMemory::write(PhysicalAddress word, TableWord value) {
    std::array<unsigned char, sizeof(TableWord)> bytes;
    std::memcpy(bytes.data(), &value, bytes.size());
    memory_.write(word, bytes.data(), bytes.size());
    if (on_write) on_write(word, value);
}

PhysicalAddress RadixTable::slot(std::uint64_t page) const {
    if (!layout_.contains(page)) return 0;
    PhysicalAddress table = region_.root();
    for (unsigned level = layout_.levels() - 1; level != 0; --level) {
        const TableWord word = memory_.read(RadixLayout::word_at(table, level, page));
        if (!word.valid() || word.leaf()) return 0;
        table = word.address();
    }
    return RadixLayout::word_at(table, 0, page);
}

bool RadixTable::find_on_host(std::uint64_t page, PageEntry& entry) const {
    const TableWord word = leaf(page);
    if (word.valid() || !word.leaf()) return false;
    entry.first_line = word.address() >> kLineShift;
    return true;
}

bool RadixTable::find(std::uint64_t page, SocketId reader, Translation& entry) const {
    TableWord word = leaf(page);
    entry.read_only = word.valid() && word.replicated();
    if (entry.read_only) word = replica(word, reader.value);
    if (!word.valid() || !word.leaf()) return false;
    entry.first_line = word.address() >> kLineShift;
    return true;
}

bool RadixTable::write_leaf(std::uint64_t page, TableWord leaf) {
    PhysicalAddress table = region_.root();
    for (unsigned level = layout_.levels() - 1; level != 0; --level) {
        const PhysicalAddress at = RadixLayout::word_at(table, level, page);
        TableWord word = memory_.read(at);
        if (!word.valid()) {
            if (table_pages_ == region_.pages()) return false;
            word = TableWord::table(region_.page(table_pages_++));
            memory_.write(at, word);
        }
        table = word.address();
    }
    memory_.write(RadixLayout::word_at(table, 0, page), leaf);
    return true;
}

} // namespace numavp

#include "models/memory/dram/address_decoder.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {
constexpr unsigned kMostFieldBits = 31;
constexpr unsigned kMostAddressBits = 48;
constexpr unsigned kMostBankBits = 6; // the controller keeps sets of banks in words of 64 bits
constexpr unsigned kMostVaultBits = 8;

unsigned bits_of_piece(const std::string& text, const std::string& word, const std::string& place) {
    unsigned bits = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), bits);
    if (fault != std::errc() || end != text.data() + text.size() || bits > kMostFieldBits)
        throw ConfigError(place, fmt::format("'{}' has no number of bits after the colon; 0 to {} is allowed",
                                             quotable(word), kMostFieldBits));
    return bits;
}
} // namespace

AddressDecoder::AddressDecoder(unsigned access_bytes, const std::string& fields, const std::string& place) {
    if (access_bytes == 0 || (access_bytes & (access_bytes - 1)) != 0)
        throw ConfigError(place, fmt::format("accesses of {} bytes have no bits of an address; a power of two is "
                                             "allowed",
                                             access_bytes));
    total_bits_ = static_cast<unsigned>(__builtin_ctz(access_bytes));
    std::istringstream words(fields);
    for (std::string word; words >> word;) {
        if (word == "scatter") {
            scatters_ = true;
            continue;
        }
        const std::size_t colon = std::min(word.find(':'), word.size());
        const std::string name = word.substr(0, colon);
        const auto* const found = std::find(std::begin(kFieldNames), std::end(kFieldNames), name);
        if (found == std::end(kFieldNames))
            throw ConfigError(
                place, unknown_name("field of an address", name, {std::begin(kFieldNames), std::end(kFieldNames)}));
        const auto field = static_cast<Field>(found - std::begin(kFieldNames));
        const unsigned bits = bits_of_piece(colon == word.size() ? "" : word.substr(colon + 1), word, place);
        if (bits == 0) continue;
        pieces_.push_back({field, total_bits_, bits_[field], (std::uint64_t{1} << bits) - 1});
        bits_[field] += bits;
        total_bits_ += bits;
    }
    const auto at_most = [&](unsigned bits, unsigned most, const char* what) {
        if (bits > most)
            throw ConfigError(place, fmt::format("{} bits of {}; at most {} are allowed", bits, what, most));
    };
    at_most(total_bits_, kMostAddressBits, "address");
    at_most(bits_[kGroup] + bits_[kBank], kMostBankBits, "bank and group");
    at_most(bits_[kRow], kMostFieldBits, "row");
    at_most(bits_[kColumn], kMostFieldBits, "column");
    at_most(bits_[kVault], kMostVaultBits, "vault");
    if (scatters_ && bits_[kGroup] + bits_[kBank] == 0)
        throw ConfigError(place, "scatter moves rows to other banks, and there is one bank; bits of group or bank are "
                                 "expected");
    if (bits_[kRow] == 0) throw ConfigError(place, "no bits of row; a memory with several rows is expected");
}

std::uint64_t AddressDecoder::encode(const DramAddress& a) const {
    const std::uint32_t bank = a.bank ^ scattered(a.row);
    const std::uint64_t values[kFields] = {a.column, bank >> bits_[kBank], bank & ((1U << bits_[kBank]) - 1), a.row,
                                           a.vault};
    std::uint64_t address = 0;
    for (const Piece& p : pieces_) address |= ((values[p.field] >> p.position) & p.mask) << p.shift;
    return address;
}

} // namespace numavp

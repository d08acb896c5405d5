/// Decodes an address to vault, bank, row and column, by a linear map, optionally with banks permuted by the row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace numavp {

struct DramAddress {
    unsigned vault = 0;
    unsigned bank = 0; ///< of all bank groups: group * banks of a group + bank of the group
    std::uint32_t row = 0;
    std::uint32_t column = 0; ///< in accesses
};

class AddressDecoder {
  public:
    /// `fields`: "column:5 group:2 bank:2 row:14", least significant first, above the bytes of an access; a field may
    /// come in pieces. With the word "scatter" the bank among those of all groups is XORed with the row's bits, folded:
    /// an address keeps its vault, row and column (Liu et al., "Get Out of the Valley", ISCA 2018: permutation-based
    /// maps; NUBA, section 2, randomises banks so). ConfigError at `place` for anything else.
    AddressDecoder(unsigned access_bytes, const std::string& fields, const std::string& place);

    /// `address` is below capacity().
    DramAddress decode(std::uint64_t address) const {
        std::uint32_t values[kFields] = {};
        for (const Piece& p : pieces_)
            values[p.field] |= static_cast<std::uint32_t>((address >> p.shift) & p.mask) << p.position;
        const std::uint32_t bank = (values[kGroup] << bits_[kBank]) | values[kBank];
        return {values[kVault], bank ^ scattered(values[kRow]), values[kRow], values[kColumn]};
    }
    /// The address of an access; the inverse of decode().
    std::uint64_t encode(const DramAddress& a) const;

    std::uint64_t capacity() const { return std::uint64_t{1} << total_bits_; }
    unsigned vaults() const { return 1U << bits_[kVault]; }
    unsigned groups() const { return 1U << bits_[kGroup]; }
    unsigned banks() const { return 1U << (bits_[kGroup] + bits_[kBank]); }
    unsigned banks_of_group() const { return 1U << bits_[kBank]; }
    std::uint64_t rows() const { return std::uint64_t{1} << bits_[kRow]; }
    unsigned columns() const { return 1U << bits_[kColumn]; }

  private:
    enum Field : unsigned { kColumn, kGroup, kBank, kRow, kVault, kFields };
    struct Piece {
        Field field;
        unsigned shift;     ///< in the address
        unsigned position;  ///< in the field
        std::uint64_t mask; ///< of the bits, after the shift
    };
    /// The value with which `row` XORs bank numbers.
    std::uint32_t scattered(std::uint32_t row) const {
        if (!scatters_) return 0;
        const unsigned bits = bits_[kGroup] + bits_[kBank];
        std::uint32_t folded = 0;
        for (; row != 0; row >>= bits) folded ^= row;
        return folded & ((1U << bits) - 1);
    }
    static constexpr const char* kFieldNames[kFields] = {"column", "group", "bank", "row", "vault"};

    std::vector<Piece> pieces_;
    unsigned bits_[kFields] = {};
    unsigned total_bits_ = 0;
    bool scatters_ = false;
};

} // namespace numavp

/// Cutting payloads into lines, against the byte-by-byte reading of the standard.
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tests/tlm-links/bytewise.h"
#include "tlm-links/edge/line_access.h"
#include "tlm-links/edge/line_order.h"

namespace numavp {
namespace {

/// A random access with everything that a payload may ask for.
struct Access {
    explicit Access(Rng& rng) : bytes(1 + rng.below(600)) {
        for (auto& byte : bytes) byte = static_cast<unsigned char>(rng.next());
        const auto length = static_cast<unsigned>(bytes.size());
        payload.set_command(rng.chance(1, 2) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(rng.chance(1, 10) ? ~0ULL - length : rng.below(2000));
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(length);
        payload.set_streaming_width(static_cast<unsigned>(1 + rng.below(2 * length)));
        if (!rng.chance(1, 2)) return;
        enables.resize(1 + rng.below(300));
        for (auto& e : enables) e = rng.chance(1, 2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
        payload.set_byte_enable_ptr(enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    }
    std::vector<unsigned char> bytes;
    std::vector<unsigned char> enables;
    tlm::tlm_generic_payload payload;
};

TEST(LineAccess, LinesTogetherDoWhatThePayloadSays) {
    Rng rng(11);
    FlatMemory memory;
    FlatMemory reference;
    for (unsigned i = 0; i < 5000; ++i) {
        Access access(rng);
        const auto& payload = access.payload;
        ASSERT_EQ(check_access(payload, {}), tlm::TLM_OK_RESPONSE);
        std::vector<unsigned char> expected = access.bytes;
        test::perform_bytewise(payload, expected.data(), reference);
        const std::uint64_t last = last_line(payload);
        for (std::uint64_t line = first_line(payload);; line += kLineBytes) {
            unsigned char data[kLineBytes] = {};
            const ByteMask mask = gather_line(payload, line, data);
            if (payload.is_write()) {
                memory.write(line, data, mask);
            } else {
                memory.read(line, data, kLineBytes);
                scatter_line(payload, line, data);
            }
            if (line == last) break;
        }
        ASSERT_EQ(access.bytes, expected) << i;
    }
    EXPECT_EQ(memory.first_difference(reference), std::nullopt);
}

TEST(LineAccess, RefusesWhatCannotBeServed) {
    Rng rng(1);
    Access access(rng);
    tlm::tlm_generic_payload& p = access.payload;
    const AddressRange range{0x100, 0x100};
    p.set_byte_enable_ptr(nullptr);
    p.set_data_length(16);
    p.set_streaming_width(16);
    const auto at = [&](std::uint64_t address) {
        p.set_address(address);
        return check_access(p, range);
    };
    EXPECT_EQ(at(0x100), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(at(0x1f0), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(at(0x0ff), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(at(0x1f1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(at(0x200), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(at(~0ULL), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    p.set_address(0x1f8);
    p.set_streaming_width(8); // streams over the last 8 bytes
    EXPECT_EQ(check_access(p, range), tlm::TLM_OK_RESPONSE);
    p.set_streaming_width(0);
    EXPECT_EQ(check_access(p, range), tlm::TLM_BURST_ERROR_RESPONSE);
    p.set_streaming_width(8);
    p.set_byte_enable_ptr(access.bytes.data());
    p.set_byte_enable_length(0);
    EXPECT_EQ(check_access(p, range), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    p.set_byte_enable_length(1);
    p.set_data_ptr(nullptr);
    EXPECT_EQ(check_access(p, range), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

TEST(LineOrder, OnlyReadsShareALine) {
    LineOrder order;
    order.add(0, false);
    order.add(0, false);
    order.add(128, true);
    EXPECT_FALSE(order.must_wait(0, false));
    EXPECT_TRUE(order.must_wait(0, true));
    EXPECT_TRUE(order.must_wait(128, false));
    EXPECT_FALSE(order.must_wait(256, true));
    order.remove(0, false);
    EXPECT_TRUE(order.must_wait(0, true)) << "one reader is left";
    order.remove(0, false);
    order.remove(128, true);
    EXPECT_FALSE(order.must_wait(0, true));
    EXPECT_FALSE(order.must_wait(128, true));
    EXPECT_EQ(order.size(), 0U);
}

} // namespace
} // namespace numavp

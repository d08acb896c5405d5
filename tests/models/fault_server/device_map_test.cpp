/// The digest of what a driver writes: of addresses and of values, in order.
#include <cstdint>
#include <initializer_list>
#include <utility>

#include <gtest/gtest.h>

#include "models/fault_server/device_map.h"

namespace numavp::test {
namespace {

std::uint64_t digest_of(std::initializer_list<std::pair<std::uint64_t, std::uint64_t>> writes) {
    DeviceMap map;
    for (const auto& [address, value] : writes) {
        BusRequest request{};
        request.address = address;
        request.value = value;
        map.record(request);
    }
    EXPECT_EQ(map.recorded(), writes.size());
    return map.digest();
}

TEST(DeviceMap, TellsWritesApartByAddressValueAndOrder) {
    const std::uint64_t known = digest_of({{8, 1}, {16, 2}});
    EXPECT_EQ(digest_of({{8, 1}, {16, 2}}), known);
    EXPECT_NE(digest_of({{8, 1}, {24, 2}}), known);
    EXPECT_NE(digest_of({{8, 1}, {16, 3}}), known);
    EXPECT_NE(digest_of({{16, 2}, {8, 1}}), known);
    EXPECT_NE(digest_of({{8, 1}}), known);
}

} // namespace
} // namespace numavp::test

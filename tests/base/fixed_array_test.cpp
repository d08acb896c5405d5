#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "base/values/fixed_array.h"

namespace numavp {
namespace {

struct alignas(64) Pinned {
    Pinned(int number, int& count) : value(number), alive(count) { ++alive; }
    ~Pinned() { --alive; }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    int value;
    int& alive;
};

TEST(FixedArray, MakesObjectsSideBySideAndEndsThoseThatWereMade) {
    int alive = 0;
    {
        FixedArray<Pinned> array(5);
        for (int i = 0; i < 3; ++i) EXPECT_EQ(array.emplace_back(10 + i, alive).value, 10 + i);
        EXPECT_EQ(array.size(), 3U);
        EXPECT_EQ(alive, 3);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(array[i].value, 10 + static_cast<int>(i));
            EXPECT_EQ(&array[i], &array[0] + i);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&array[i]) % alignof(Pinned), 0U);
        }
    }
    EXPECT_EQ(alive, 0);
}

} // namespace
} // namespace numavp

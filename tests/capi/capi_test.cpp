/// The C entry points as a C program uses them: ports, memories, ends, and every way to call them wrongly.
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numavp/c.h>

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

using Line = std::array<unsigned char, NUMAVP_LINE_BYTES>;
using Strobes = std::array<unsigned char, NUMAVP_LINE_BYTES / 8>;
constexpr std::uint64_t kCyclePs = 1000;
constexpr const char* kSmall = "sockets=2;socket.sms=2;socket.memory.channels=1;socket.memory.capacity_gib=1;"
                               "socket.l2.slices=1;socket.l2.size_kib=16";

std::string error() { return numavp_last_error(); }

Line pattern(unsigned seed) {
    Line line{};
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<unsigned char>(seed * 31 + i * 7 + 1);
    return line;
}

/// Memories of the caller's: bytes by address, answers the newest request first.
struct Answering {
    explicit Answering(int socket) : memory(numavp_open_memory(socket, 0)) {}
    int memory;
    std::map<std::uint64_t, unsigned char> bytes;
    unsigned reads = 0, writes = 0;
    bool fail = false;

    void serve() {
        struct Taken {
            std::uint64_t id;
            Line data;
        };
        std::vector<Taken> taken;
        std::uint64_t id = 0, address = 0;
        int write = 0;
        unsigned count = 0;
        Line data{};
        Strobes strobes{};
        while (numavp_next_request(memory, &id, &write, &address, &count, data.data(), strobes.data()) == NUMAVP_OK) {
            ++(write ? writes : reads);
            for (unsigned i = 0; i < count; ++i) {
                if (write && ((strobes[i / 8] >> (i % 8)) & 1)) bytes[address + i] = data[i];
                if (!write) data[i] = bytes[address + i];
            }
            taken.push_back({id, data});
        }
        for (auto one = taken.rbegin(); one != taken.rend(); ++one)
            EXPECT_EQ(numavp_respond(memory, one->id, one->data.data(), fail), NUMAVP_OK) << error();
    }
};

/// Steps of a cycle until the next answer of a port; false after 10,000.
bool wait_for(int port, std::uint64_t& tag, int& failed, Line& data, Answering* memory = nullptr) {
    for (int i = 0; i < 10'000; ++i) {
        const int status = numavp_collect(port, &tag, &failed, data.data());
        if (status != NUMAVP_NOT_YET) return status == NUMAVP_OK;
        if (numavp_advance(kCyclePs) != NUMAVP_OK) return false;
        if (memory) memory->serve();
    }
    return false;
}

TEST(Capi, BeforeCreateEveryCallSaysWhatIsMissing) {
    Line data{};
    std::uint64_t tag = 0;
    int number = 0;
    double value = 0;
    EXPECT_EQ(error(), "");
    EXPECT_EQ(numavp_advance(1), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("no platform was created"));
    EXPECT_EQ(numavp_open_port(0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_open_memory(0, 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_ended(), NUMAVP_ERROR);
    EXPECT_EQ(numavp_address(0, 0), ~std::uint64_t{0});
    EXPECT_EQ(numavp_post_read(0, 0, 1, 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_collect(0, &tag, &number, data.data()), NUMAVP_ERROR);
    EXPECT_EQ(numavp_statistic("cycles", &value), NUMAVP_ERROR);
    EXPECT_EQ(numavp_results(), nullptr);
    EXPECT_EQ(numavp_end(1), NUMAVP_ERROR);
    EXPECT_EQ(numavp_time_ps(), 0U);
    EXPECT_NE(std::string(numavp_version()), "");
}

TEST(Capi, WrongNamesAndSettingsSayWhatIsRightAndMayBeCorrected) {
    EXPECT_EQ(numavp_create(nullptr, "", ""), NUMAVP_ERROR);
    EXPECT_EQ(numavp_create("numa-aware-44", "", ""), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("numa-aware-4"));
    EXPECT_EQ(numavp_create("numa-aware-4", "stream", ""), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("stream-triad"));
    EXPECT_EQ(numavp_create("numa-aware-4", nullptr, "sockets=300"), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("sockets"));
    EXPECT_EQ(numavp_create("numa-aware-4", "stream-triad", "workload.scale=huge"), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("workload.scale"));
    EXPECT_EQ(numavp_create("numa-aware-4", nullptr, nullptr), NUMAVP_OK) << error();
}

TEST(Capi, OnePlatformAProcess) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("has its platform already"));
}

TEST(Capi, WrongArgumentsChangeNothing) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_open_port(2), NUMAVP_ERROR);
    EXPECT_EQ(numavp_open_port(-1), NUMAVP_ERROR);
    EXPECT_EQ(numavp_open_memory(0, 1), NUMAVP_ERROR);
    const int port = numavp_open_port(1);
    const int memory = numavp_open_memory(1, 0);
    EXPECT_EQ(numavp_open_memory(1, 0), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("open already"));
    Line data{};
    std::uint64_t word = 0;
    int number = 0;
    unsigned bytes = 0;
    EXPECT_EQ(numavp_post_read(port, 0, 0, 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_post_read(port, 0, 129, 0), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("129"));
    EXPECT_EQ(numavp_post_read(port + 1, 0, 1, 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_post_write(port, 0, 4, nullptr, nullptr, 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_collect(port, &word, nullptr, data.data()), NUMAVP_ERROR);
    EXPECT_EQ(numavp_next_request(memory, &word, &number, &word, &bytes, data.data(), nullptr), NUMAVP_ERROR);
    EXPECT_EQ(numavp_respond(memory, 0, data.data(), 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_respond(memory, 99, data.data(), 0), NUMAVP_ERROR);
    EXPECT_EQ(numavp_address(2, 0), ~std::uint64_t{0});
    EXPECT_EQ(numavp_address(0, 1ULL << 30), ~std::uint64_t{0});
    EXPECT_EQ(numavp_address(1, 4), (1ULL << 30) + 4);
    EXPECT_EQ(numavp_statistic(nullptr, nullptr), NUMAVP_ERROR);
    EXPECT_EQ(numavp_advance(kCyclePs), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_open_port(0), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("before time begins"));
    EXPECT_EQ(numavp_time_ps(), kCyclePs);
    EXPECT_EQ(numavp_advance(2000 * kCyclePs), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_end(0), NUMAVP_OK) << error();
}

TEST(Capi, APortReadsWhatItWrote) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    const int port = numavp_open_port(0);
    const std::uint64_t far = numavp_address(1, 4096 - 40); // crosses a line
    const Line written = pattern(3);
    Strobes odd{};
    odd.fill(0xaa);
    ASSERT_EQ(numavp_post_write(port, far, 100, written.data(), odd.data(), 11), NUMAVP_OK) << error(); // before time
    ASSERT_EQ(numavp_post_read(port, far, 100, 12), NUMAVP_OK);
    Line data{};
    std::uint64_t tag = 0;
    int failed = 1;
    ASSERT_TRUE(wait_for(port, tag, failed, data)) << error();
    EXPECT_EQ(tag, 11U);
    EXPECT_EQ(failed, 0);
    ASSERT_TRUE(wait_for(port, tag, failed, data)) << error();
    EXPECT_EQ(tag, 12U);
    EXPECT_EQ(failed, 0);
    Line expected{};
    for (unsigned i = 1; i < 100; i += 2) expected[i] = written[i];
    EXPECT_EQ(data, expected);
    Line peeked{};
    EXPECT_EQ(numavp_peek(port, far, 100, peeked.data()), NUMAVP_OK) << error();
    EXPECT_EQ(peeked, expected);
    EXPECT_EQ(numavp_end(1), NUMAVP_OK) << error();
}

TEST(Capi, AtOnceTimeGoesByUntilTheAnswer) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    const int port = numavp_open_port(0);
    const std::uint64_t at = numavp_address(1, 1 << 20);
    const Line written = pattern(5);
    ASSERT_EQ(numavp_post_read(port, at + 4096, 8, 77), NUMAVP_OK); // stays for numavp_collect()
    EXPECT_EQ(numavp_write(port, at, 128, written.data(), nullptr), NUMAVP_OK) << error();
    const std::uint64_t before = numavp_time_ps();
    Line data{};
    EXPECT_EQ(numavp_read(port, at, 128, data.data()), NUMAVP_OK) << error();
    EXPECT_EQ(data, written);
    EXPECT_GT(numavp_time_ps(), before);
    EXPECT_EQ(numavp_time_ps() % kCyclePs, 0U);
    EXPECT_EQ(numavp_read(port, 1ULL << 40, 8, data.data()), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("failed"));
    EXPECT_EQ(numavp_end(1), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("port 0: 1 accesses were not collected"));
    std::uint64_t tag = 0;
    int failed = 0;
    EXPECT_TRUE(wait_for(port, tag, failed, data));
    EXPECT_EQ(tag, 77U);
    EXPECT_EQ(numavp_end(1), NUMAVP_OK) << error();
}

TEST(Capi, AFullPortTakesMoreWhenAnswersAreCollected) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    const int port = numavp_open_port(0);
    unsigned posted = 0;
    while (numavp_post_read(port, numavp_address(0, posted * 128), 128, posted) == NUMAVP_OK) ++posted;
    EXPECT_EQ(posted, 64U);
    EXPECT_EQ(numavp_advance(100'000 * kCyclePs), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_post_read(port, 0, 1, 0), NUMAVP_NOT_YET);
    Line data{};
    std::uint64_t tag = 0;
    int failed = 0;
    EXPECT_EQ(numavp_collect(port, &tag, &failed, data.data()), NUMAVP_OK);
    EXPECT_EQ(numavp_post_read(port, 0, 1, 64), NUMAVP_OK);
    for (unsigned i = 0; i < 64; ++i) EXPECT_TRUE(wait_for(port, tag, failed, data)) << i;
    EXPECT_EQ(numavp_collect(port, &tag, &failed, data.data()), NUMAVP_NOT_YET);
    EXPECT_EQ(numavp_end(0), NUMAVP_OK) << error();
}

TEST(Capi, AMemoryOfTheCallersHoldsWhatAPortWrites) {
    ASSERT_EQ(numavp_create("numa-aware-4", "stream-triad", (kSmall + std::string(";workload.scale=0.0001")).c_str()),
              NUMAVP_OK)
        << error();
    Answering memory(0);
    const int port = numavp_open_port(1);
    constexpr unsigned kLines = 256; // twice the L2
    unsigned wrong = 0;
    for (const bool write : {true, false})
        for (unsigned i = 0; i < kLines; ++i) {
            const Line expected = pattern(i);
            const std::uint64_t at = numavp_address(0, (64U << 20) + i * 128);
            if (write)
                ASSERT_EQ(numavp_post_write(port, at, 128, expected.data(), nullptr, i), NUMAVP_OK);
            else
                ASSERT_EQ(numavp_post_read(port, at, 128, i), NUMAVP_OK);
            Line data{};
            std::uint64_t tag = 0;
            int failed = 1;
            ASSERT_TRUE(wait_for(port, tag, failed, data, &memory)) << error();
            wrong += failed || tag != i || (!write && data != expected);
        }
    EXPECT_EQ(wrong, 0U);
    EXPECT_GT(memory.writes, kLines / 2);
    EXPECT_GT(memory.reads, kLines);
    for (int i = 0; i < 1'000'000 && numavp_ended() == 0; ++i) {
        ASSERT_EQ(numavp_advance(kCyclePs), NUMAVP_OK) << error();
        memory.serve();
    }
    double kernels = 0;
    EXPECT_EQ(numavp_statistic("workload.launches", &kernels), NUMAVP_OK) << error();
    EXPECT_EQ(kernels, 1);
    EXPECT_EQ(numavp_statistic("workload.name", &kernels), NUMAVP_ERROR);
    EXPECT_EQ(numavp_statistic("statistics.nothing", &kernels), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("no number of that path"));
    EXPECT_EQ(numavp_end(0), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_advance(1), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("has ended"));
    EXPECT_THAT(numavp_results(), HasSubstr("\"stream-triad\""));
}

TEST(Capi, TheEndSaysWhoHasNotAnswered) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    Answering memory(0);
    const int port = numavp_open_port(0);
    ASSERT_EQ(numavp_post_read(port, 0, 128, 5), NUMAVP_OK);
    ASSERT_EQ(numavp_advance(2000 * kCyclePs), NUMAVP_OK);
    EXPECT_EQ(numavp_ended(), 0);
    EXPECT_EQ(numavp_end(1), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("memory 0: 1 requests are not answered"));
    memory.serve();
    Line data{};
    std::uint64_t tag = 0;
    int failed = 1;
    EXPECT_TRUE(wait_for(port, tag, failed, data, &memory));
    EXPECT_EQ(failed, 0);
    ASSERT_EQ(numavp_advance(2000 * kCyclePs), NUMAVP_OK);
    EXPECT_EQ(numavp_end(0), NUMAVP_OK) << error();
}

TEST(Capi, WithoutDrainTheEndWaitsForNobody) {
    ASSERT_EQ(numavp_create("numa-aware-4", "stream-triad", (kSmall + std::string(";workload.scale=0.0001")).c_str()),
              NUMAVP_OK)
        << error();
    ASSERT_EQ(numavp_advance(kCyclePs), NUMAVP_OK);
    EXPECT_EQ(numavp_end(0), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("0 of 1 kernels have"));
    EXPECT_EQ(numavp_time_ps(), kCyclePs);
    EXPECT_EQ(numavp_end(1), NUMAVP_OK) << error();
    EXPECT_GT(numavp_time_ps(), kCyclePs);
}

TEST(Capi, AnAccessThatNobodyAnswersIsAnError) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", (kSmall + std::string(";checks.stuck_cycles=1000")).c_str()), NUMAVP_OK)
        << error();
    Answering memory(0);
    const int port = numavp_open_port(0);
    Line data{};
    EXPECT_EQ(numavp_read(port, 0, 128, data.data()), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("was not answered in 1000 cycles"));

    // Its late answer is nobody's: the next access has its own, here from the L2 that the write has filled.
    for (int i = 0; i < 1'000; ++i) {
        memory.serve();
        ASSERT_EQ(numavp_advance(kCyclePs), NUMAVP_OK) << error();
    }
    ASSERT_EQ(numavp_write(port, 4096, 128, pattern(7).data(), nullptr), NUMAVP_OK) << error();
    ASSERT_EQ(numavp_read(port, 4096, 128, data.data()), NUMAVP_OK) << error();
    EXPECT_EQ(data, pattern(7));
    EXPECT_EQ(numavp_ended(), 1);
    EXPECT_EQ(numavp_end(0), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_post_read(port, 0, 128, 1), NUMAVP_ERROR);
    EXPECT_THAT(error(), HasSubstr("the platform has ended"));
}

TEST(Capi, HasNotEndedWhileAnAccessIsPosted) {
    ASSERT_EQ(numavp_create("numa-aware-4", "", kSmall), NUMAVP_OK) << error();
    const int port = numavp_open_port(0);
    ASSERT_EQ(numavp_advance(100 * kCyclePs), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_ended(), 1);
    ASSERT_EQ(numavp_post_read(port, 0, 128, 1), NUMAVP_OK) << error();
    EXPECT_EQ(numavp_ended(), 0);
}

TEST(Capi, AFaultOfTheWorkloadEndsTimeForGood) {
    ASSERT_EQ(numavp_create("numa-aware-4", "stream-triad", (kSmall + std::string(";workload.scale=100")).c_str()),
              NUMAVP_OK)
        << error();
    EXPECT_EQ(numavp_advance(kCyclePs), NUMAVP_ERROR);
    const std::string sentence = error();
    EXPECT_THAT(sentence, HasSubstr("MiB"));
    EXPECT_EQ(numavp_advance(kCyclePs), NUMAVP_ERROR);
    EXPECT_EQ(error(), sentence);
    EXPECT_EQ(numavp_end(1), NUMAVP_ERROR);
}

} // namespace
} // namespace numavp::test

/// The traffic on which floors and the transport bench agree, and the clock of the process.
///
/// 256 SMs, each with its L1, share 8 crossbars (32 L1s each) to 64 last-level slices, each with its memory. A
/// transaction goes SM - L1 - crossbar - slice - memory and back: 8 hop-events, each after 5 to 125 cycles. 64
/// transactions of each SM, 16,384 in all, are always in flight; an idle system's mean latency is 520 cycles.
#pragma once

#include <cstdint>
#include <ctime>

namespace numavp {

struct Traffic {
    static constexpr unsigned kSms = 256;
    static constexpr unsigned kCrossbars = 8;
    static constexpr unsigned kSmsPerCrossbar = kSms / kCrossbars;
    static constexpr unsigned kSlices = 64;
    static constexpr unsigned kModules = 2 * kSms + kCrossbars + 2 * kSlices;
    static constexpr unsigned kPerSm = 64;
    static constexpr unsigned kInFlight = kSms * kPerSm;
    static constexpr unsigned kHops = 8;
    static constexpr unsigned kMinDelay = 5;
    static constexpr unsigned kMaxDelay = 125;
};

/// Delays and addresses: cheap, so that the floors measure events and not random numbers (xorshift64*).
class TrafficRng {
  public:
    explicit TrafficRng(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
    /// Uniform in [0, n), n up to 2^32.
    std::uint32_t below(std::uint32_t n) {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::uint32_t>(((state_ * 0x2545f4914f6cdd1dULL >> 32) * n) >> 32);
    }
    unsigned delay() { return Traffic::kMinDelay + below(Traffic::kMaxDelay - Traffic::kMinDelay + 1); }

  private:
    std::uint64_t state_;
};

/// What a floor or the transport bench did.
struct TrafficResult {
    std::uint64_t transactions = 0;
    std::uint64_t latency_sum = 0; ///< cycles
    double seconds = 0;            ///< CPU time
    double mean_latency() const { return static_cast<double>(latency_sum) / static_cast<double>(transactions); }
    double us_per_transaction() const { return seconds * 1e6 / static_cast<double>(transactions); }
};

/// CPU time of this process: what others do on the machine counts only through the caches.
inline double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace numavp

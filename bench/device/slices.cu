/// Finds which slice of the L2 performs the atomics of each 256 bytes of a megabyte.
///
/// usage: slices FILE     writes a flat JSON object: `slices`, the number found, and `slice_of_256_bytes`, a word of
/// one number a piece, from 0 in the order in which slices were met.
///
/// All warps add to two lines in turns: if both are in one slice, that takes twice as long as in two.
#include "gpu_check.h"

namespace numavp::device {
namespace {

constexpr unsigned kPieces = 4096, kPieceBytes = 256;
constexpr unsigned kBlocks = 64, kThreads = 256, kAdds = 32;

__global__ void add_to_two_lines(std::uint64_t first, std::uint64_t second) {
    const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const std::uint64_t at = (warp % 2 == 0 ? first : second) + threadIdx.x % 32 * 4;
    for (unsigned i = 0; i < kAdds; ++i) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(at) : "memory");
}

/// Seconds that adding to both pieces takes, the least of three times.
class Pair {
  public:
    explicit Pair(std::uint64_t base) : base_(base) {
        check(cudaEventCreate(&begin_), "event");
        check(cudaEventCreate(&end_), "event");
    }
    ~Pair() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    double seconds(unsigned a, unsigned b) const {
        float least = 1e9F;
        for (unsigned r = 0; r < 3; ++r) {
            check(cudaEventRecord(begin_), "event");
            add_to_two_lines<<<kBlocks, kThreads>>>(base_ + a * kPieceBytes, base_ + b * kPieceBytes);
            check(cudaEventRecord(end_), "event");
            check(cudaEventSynchronize(end_), "two lines");
            check(cudaGetLastError(), "two lines");
            float ms = 0;
            check(cudaEventElapsedTime(&ms, begin_, end_), "event");
            least = std::min(least, ms);
        }
        return least / 1e3;
    }

  private:
    std::uint64_t base_;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

int run(const char* path) {
    const DeviceBytes memory(8U << 20);
    const std::uint64_t base = (memory.address() + (2U << 20) - 1) / (2U << 20) * (2U << 20); // where a page begins
    check(cudaMemset(memory.as(), 0, 8U << 20), "memory");
    const Pair pair(base);
    const double same = pair.seconds(0, 0);
    std::vector<double> others;
    for (unsigned k = 1; k < 64; ++k) others.push_back(pair.seconds(0, k));
    const double limit = (same + *std::min_element(others.begin(), others.end())) / 2;

    Measured m(path);
    m.number("same_slice_us", same * 1e6);
    m.number("other_slice_us", *std::min_element(others.begin(), others.end()) * 1e6);
    std::vector<unsigned> first_piece; // of each slice
    std::string slices;
    for (unsigned k = 0; k < kPieces; ++k) {
        unsigned found = static_cast<unsigned>(first_piece.size());
        for (unsigned n = 0; n < first_piece.size() && found == first_piece.size(); ++n)
            if (pair.seconds(first_piece[n], k) > limit) found = n;
        if (found == first_piece.size()) first_piece.push_back(k);
        slices += (k == 0 ? "" : " ") + std::to_string(found);
    }
    m.number("slices", static_cast<double>(first_piece.size()));
    m.word("slice_of_256_bytes", slices);
    return 0;
}

} // namespace
} // namespace numavp::device

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: slices FILE\n");
        return 2;
    }
    return numavp::device::run(argv[1]);
}

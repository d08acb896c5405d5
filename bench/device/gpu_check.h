/// What the programs on the GPU share: errors as a sentence, memory that frees itself, times by events, a JSON file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <string>
#include <vector>

namespace numavp::device {

inline void check(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}
/// After a launch.
inline void check_launch(const char* what) {
    check(cudaGetLastError(), what);
    check(cudaDeviceSynchronize(), what);
}

/// Memory of the device.
class DeviceBytes {
  public:
    explicit DeviceBytes(std::size_t bytes) { check(cudaMalloc(&at_, bytes), "memory of the device"); }
    ~DeviceBytes() { cudaFree(at_); }
    DeviceBytes(const DeviceBytes&) = delete;
    DeviceBytes& operator=(const DeviceBytes&) = delete;
    template <class T = std::uint8_t> T* as() const { return static_cast<T*>(at_); }
    std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(at_); }

  private:
    void* at_ = nullptr;
};

/// Seconds between two events around `work`, the median of `repeats` after one that does not count; `before` runs
/// untimed before each.
template <class Work, class Before> double seconds_of(Work&& work, Before&& before, unsigned repeats = 7) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "event");
    check(cudaEventCreate(&end), "event");
    std::vector<double> times;
    for (unsigned r = 0; r <= repeats; ++r) {
        before();
        check(cudaEventRecord(begin), "event");
        work();
        check(cudaEventRecord(end), "event");
        check(cudaEventSynchronize(end), "timed work");
        check(cudaGetLastError(), "timed work");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end), "event");
        if (r != 0) times.push_back(ms / 1e3);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

template <class Work> double seconds_of(Work&& work) {
    return seconds_of(work, [] {});
}

/// Brings 256 MiB into the L2 by reads, so that it holds nothing else and nothing that it would have to write.
constexpr std::size_t kFlushBytes = 256U << 20;
static __global__ void flush_l2(std::uint64_t base, unsigned* out) {
    unsigned sum = 0;
    const std::uint64_t all = gridDim.x * static_cast<std::uint64_t>(blockDim.x) * 16;
    for (std::uint64_t at = (blockIdx.x * blockDim.x + threadIdx.x) * 16ULL; at < kFlushBytes; at += all) {
        const uint4 v = *reinterpret_cast<const uint4*>(base + at);
        sum |= v.x | v.y | v.z | v.w;
    }
    if (sum == 0x12345678U) *out = sum; // never, but the compiler can't know
}

/// A flat JSON object of numbers and words.
class Measured {
  public:
    explicit Measured(const char* path) : file_(std::fopen(path, "w")) {
        if (file_ == nullptr) {
            std::fprintf(stderr, "cannot write %s\n", path);
            std::exit(1);
        }
        std::fprintf(file_, "{");
    }
    ~Measured() {
        std::fprintf(file_, "\n}\n");
        std::fclose(file_);
    }
    Measured(const Measured&) = delete;
    Measured& operator=(const Measured&) = delete;
    void number(const std::string& key, double value) {
        entry(key);
        std::fprintf(file_, "%.10g", value);
        std::fflush(file_);
        std::printf("%s %.6g\n", key.c_str(), value);
        std::fflush(stdout);
    }
    void word(const std::string& key, const std::string& value) {
        entry(key);
        std::fprintf(file_, "\"%s\"", value.c_str());
    }

  private:
    void entry(const std::string& key) {
        std::fprintf(file_, "%s\n  \"%s\": ", first_ ? "" : ",", key.c_str());
        first_ = false;
    }
    std::FILE* file_;
    bool first_ = true;
};

} // namespace numavp::device

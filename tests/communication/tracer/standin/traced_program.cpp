/// A program as nvcc would make it, with two kernels on two GPUs: pinned memory to GPU 0, a kernel there, its result to
/// GPU 1, a kernel there on another stream, and pageable memory back. Its status says whether the values are right.
#include <cstddef>
#include <vector>

#define RUNTIME extern "C"

namespace {
struct Dim3 {
    unsigned x, y, z;
};
constexpr std::size_t kCount = 1024;
constexpr std::size_t kBytes = kCount * sizeof(float);
constexpr int kToDevice = 1, kToHost = 2;
} // namespace

RUNTIME int cudaSetDevice(int number);
RUNTIME int cudaMalloc(void** address, std::size_t bytes);
RUNTIME int cudaMallocHost(void** address, std::size_t bytes);
RUNTIME int cudaFree(void* address);
RUNTIME int cudaFreeHost(void* address);
RUNTIME int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
RUNTIME int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream);
RUNTIME int cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes);
RUNTIME int cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared,
                             void* stream);
RUNTIME void __cudaRegisterFunction(void** binary, const char* host, char* device, const char* symbol, // NOLINT
                                    int threads, void*, void*, void*, void*, int*);

namespace {
/// scale(float const*, float*, unsigned)
void scale(void** arguments) {
    const float* from = *static_cast<const float**>(arguments[0]);
    float* to = *static_cast<float**>(arguments[1]);
    for (unsigned i = 0; i < *static_cast<unsigned*>(arguments[2]); ++i) to[i] = 2 * from[i];
}
/// ns::add_one(float*)
void add_one(void** arguments) {
    float* values = *static_cast<float**>(arguments[0]);
    for (std::size_t i = 0; i < kCount; ++i) values[i] += 1;
}
void* function(void (*of)(void**)) { return reinterpret_cast<void*>(of); } // NOLINT
} // namespace

int main() {
    const auto known = [](void (*of)(void**), const char* symbol) {
        __cudaRegisterFunction(nullptr, static_cast<const char*>(function(of)), nullptr, symbol, -1, nullptr, nullptr,
                               nullptr, nullptr, nullptr);
    };
    known(scale, "_Z5scalePKfPfj");
    known(add_one, "_ZN2ns7add_oneEPf");
    void *host = nullptr, *first = nullptr, *second = nullptr, *other = nullptr;
    cudaMallocHost(&host, kBytes);
    cudaMalloc(&first, kBytes);
    cudaMalloc(&second, kBytes);
    for (std::size_t i = 0; i < kCount; ++i) static_cast<float*>(host)[i] = static_cast<float>(i);
    cudaMemcpy(first, host, kBytes, kToDevice);
    unsigned count = kCount;
    void* of_scale[] = {&first, &second, &count};
    cudaLaunchKernel(function(scale), {4, 1, 1}, {256, 1, 1}, of_scale, 0, nullptr);
    cudaSetDevice(1);
    cudaMalloc(&other, kBytes);
    cudaMemcpyPeer(other, 1, second, 0, kBytes);
    int stream = 0;
    void* of_add[] = {&other};
    cudaLaunchKernel(function(add_one), {4, 1, 1}, {256, 1, 1}, of_add, 0, &stream);
    std::vector<float> back(kCount);
    cudaMemcpyAsync(back.data(), other, kBytes / 2, kToHost, &stream);
    bool right = true;
    for (std::size_t i = 0; i < kCount / 2; ++i) right = right && back[i] == 2 * static_cast<float>(i) + 1;
    cudaFree(first);
    cudaFree(second);
    cudaFree(other);
    cudaFreeHost(host);
    return right ? 0 : 1;
}

/// A stand-in for the CUDA runtime library: the functions that the tracer sees, on the host's memory. A launch calls
/// the host's function of the kernel with its list of arguments.
#include <cstddef>
#include <cstdlib>
#include <cstring>

#define STANDIN extern "C" __attribute__((visibility("default")))

namespace {
struct Dim3 {
    unsigned x, y, z;
};
int device = 0;
} // namespace

STANDIN int cudaSetDevice(int number) {
    device = number;
    return 0;
}
STANDIN int cudaGetDevice(int* number) {
    *number = device;
    return 0;
}
STANDIN int cudaDeviceSynchronize() { return 0; }
STANDIN int cudaMalloc(void** address, std::size_t bytes) {
    *address = std::malloc(bytes); // NOLINT
    return *address == nullptr ? 2 : 0;
}
STANDIN int cudaMallocHost(void** address, std::size_t bytes) { return cudaMalloc(address, bytes); }
STANDIN int cudaHostAlloc(void** address, std::size_t bytes, unsigned /*flags*/) { return cudaMalloc(address, bytes); }
STANDIN int cudaFree(void* address) {
    std::free(address); // NOLINT
    return 0;
}
STANDIN int cudaFreeHost(void* address) { return cudaFree(address); }
STANDIN int cudaMemcpy(void* to, const void* from, std::size_t bytes, int /*kind*/) {
    std::memcpy(to, from, bytes);
    return 0;
}
STANDIN int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* /*stream*/) {
    return cudaMemcpy(to, from, bytes, kind);
}
STANDIN int cudaMemcpyPeer(void* to, int /*to_device*/, const void* from, int /*from_device*/, std::size_t bytes) {
    return cudaMemcpy(to, from, bytes, 3);
}
STANDIN int cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                void* /*stream*/) {
    return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}
STANDIN void __cudaRegisterFunction(void** /*binary*/, const char* /*host*/, char* /*device*/, // NOLINT
                                    const char* /*symbol*/, int, void*, void*, void*, void*, int*) {}
STANDIN int cudaLaunchKernel(const void* function, Dim3 /*grid*/, Dim3 /*block*/, void** arguments,
                             std::size_t /*shared*/, void* /*stream*/) {
    if (function == nullptr) return 98;
    reinterpret_cast<void (*)(void**)>(const_cast<void*>(function))(arguments); // NOLINT
    return 0;
}

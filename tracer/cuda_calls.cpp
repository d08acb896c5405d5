/// Functions of the CUDA runtime that programs call, with the record of each: a library to be preloaded (LD_PRELOAD).
/// The real function does the work. No header of CUDA is needed: the types that matter are in its documented interface.
///
/// The library sees a runtime that is a shared library (nvcc -cudart shared). With NUMAVP_TRACE_WAIT=0 it waits for
/// nothing and knows the times of calls alone; otherwise it waits behind each launch and copy, so that the record has
/// the time of the device's work, and streams do not overlap. Not recorded: unified memory, graphs, the driver's
/// interface.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tracer/kernel_parameters.h"
#include "tracer/recorder.h"

#define NUMAVP_TRACED extern "C" __attribute__((visibility("default")))

namespace {

using numavp::tracer::Call;
using numavp::tracer::MemoryKind;
using numavp::tracer::Recorder;

using Error = int; ///< cudaError_t; 0: success
using Stream = void*;
struct Dim3 {
    unsigned x, y, z;
};
constexpr Error kNoSuchFunction = 98; ///< cudaErrorInvalidDeviceFunction

struct KernelName {
    std::string symbol;
    std::vector<numavp::tracer::PointerParameter> pointers;
};

/// Made at the first call and never destroyed: programs call the runtime while they end.
struct Trace {
    std::ofstream file;
    Recorder recorder{file};
    std::mutex mutex;
    std::map<const void*, KernelName> kernels; ///< by the host's function
    bool waits = true;

    Trace() {
        const char* const path = std::getenv("NUMAVP_TRACE");
        const std::string name = path != nullptr && *path != 0 ? path : "output.cprof";
        file.open(name);
        if (!file) std::cerr << "numavp tracer: " << name << " can't be written; nothing is recorded\n";
        const char* const wait = std::getenv("NUMAVP_TRACE_WAIT");
        waits = wait == nullptr || std::strcmp(wait, "0") != 0;
    }
};
Trace& trace() {
    static auto* const made = new Trace; // NOLINT(cppcoreguidelines-owning-memory): see above
    return *made;
}

/// The function of that name behind this library; null if there is none.
template <class F> F* real(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name)); // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
}

/// A runtime may call its own functions by name: the program's call is recorded, and those inside it are not.
class Nesting {
  public:
    Nesting() : outermost_(depth()++ == 0) {}
    ~Nesting() { --depth(); }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool outermost() const { return outermost_; }

  private:
    static int& depth() {
        thread_local int calls = 0;
        return calls;
    }
    bool outermost_;
};

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
}

unsigned current_device() {
    int device = 0;
    static auto* const ask = real<Error(int*)>("cudaGetDevice");
    if (ask == nullptr || ask(&device) != 0) return 0;
    return static_cast<unsigned>(device);
}

void wait_for_device() {
    static auto* const wait = real<Error()>("cudaDeviceSynchronize");
    if (wait != nullptr) wait();
}

/// Calls `what` between two waits, if the trace waits; `call` gets its times.
template <class F> Error timed(Call& call, Stream stream, const F& what) {
    if (trace().waits) wait_for_device();
    call.device = current_device();
    call.stream = trace().recorder.stream_number(stream);
    call.begin = now_ns();
    const Error error = what();
    call.end = now_ns();
    if (!trace().waits) return error;
    wait_for_device();
    call.duration = now_ns() - call.begin;
    return error;
}

template <class F> Error copy(const char* name, Stream stream, void* to, const void* from, std::size_t bytes, F what) {
    const Nesting nesting;
    if (!nesting.outermost()) return what();
    Call call;
    call.name = name;
    const Error error = timed(call, stream, what);
    if (error == 0) trace().recorder.copied(call, to, from, bytes);
    return error;
}

Error allocate(const char* name, void** address, std::size_t bytes, MemoryKind kind) {
    auto* const next = real<Error(void**, std::size_t)>(name);
    if (next == nullptr) return kNoSuchFunction;
    const Nesting nesting;
    const Error error = next(address, bytes);
    if (error == 0 && nesting.outermost()) trace().recorder.allocated(*address, bytes, kind, current_device());
    return error;
}

Error release(const char* name, void* address) {
    auto* const next = real<Error(void*)>(name);
    if (next == nullptr) return kNoSuchFunction;
    const Nesting nesting;
    if (nesting.outermost()) trace().recorder.freed(address);
    return next(address);
}

} // namespace

NUMAVP_TRACED Error cudaMalloc(void** address, std::size_t bytes) {
    return allocate("cudaMalloc", address, bytes, MemoryKind::device);
}
NUMAVP_TRACED Error cudaMallocHost(void** address, std::size_t bytes) {
    return allocate("cudaMallocHost", address, bytes, MemoryKind::pinned);
}
NUMAVP_TRACED Error cudaHostAlloc(void** address, std::size_t bytes, unsigned flags) {
    auto* const next = real<Error(void**, std::size_t, unsigned)>("cudaHostAlloc");
    if (next == nullptr) return kNoSuchFunction;
    const Nesting nesting;
    const Error error = next(address, bytes, flags);
    if (error == 0 && nesting.outermost()) trace().recorder.allocated(*address, bytes, MemoryKind::pinned, 0);
    return error;
}
NUMAVP_TRACED Error cudaFree(void* address) { return release("cudaFree", address); }
NUMAVP_TRACED Error cudaFreeHost(void* address) { return release("cudaFreeHost", address); }

NUMAVP_TRACED Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
    auto* const next = real<Error(void*, const void*, std::size_t, int)>("cudaMemcpy");
    if (next == nullptr) return kNoSuchFunction;
    return copy("cudaMemcpy", nullptr, to, from, bytes, [&] { return next(to, from, bytes, kind); });
}
NUMAVP_TRACED Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Stream stream) {
    auto* const next = real<Error(void*, const void*, std::size_t, int, Stream)>("cudaMemcpyAsync");
    if (next == nullptr) return kNoSuchFunction;
    return copy("cudaMemcpyAsync", stream, to, from, bytes, [&] { return next(to, from, bytes, kind, stream); });
}
NUMAVP_TRACED Error cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
    auto* const next = real<Error(void*, int, const void*, int, std::size_t)>("cudaMemcpyPeer");
    if (next == nullptr) return kNoSuchFunction;
    return copy("cudaMemcpyPeer", nullptr, to, from, bytes,
                [&] { return next(to, to_device, from, from_device, bytes); });
}
NUMAVP_TRACED Error cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                        Stream stream) {
    auto* const next = real<Error(void*, int, const void*, int, std::size_t, Stream)>("cudaMemcpyPeerAsync");
    if (next == nullptr) return kNoSuchFunction;
    return copy("cudaMemcpyPeerAsync", stream, to, from, bytes,
                [&] { return next(to, to_device, from, from_device, bytes, stream); });
}

/// The compiler's code calls it for each kernel before main(): `symbol` is the kernel's mangled name.
NUMAVP_TRACED void __cudaRegisterFunction(void** binary, const char* host_function, char* device_function, // NOLINT
                                          const char* symbol, int threads, void* thread_id, void* block_id,
                                          void* block_size, void* grid_size, int* warp_size) {
    {
        const std::lock_guard lock(trace().mutex);
        trace().kernels[host_function] = {symbol, numavp::tracer::pointer_parameters(symbol)};
    }
    auto* const next = real<void(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*)>(
        "__cudaRegisterFunction");
    if (next != nullptr)
        next(binary, host_function, device_function, symbol, threads, thread_id, block_id, block_size, grid_size,
             warp_size);
}

NUMAVP_TRACED Error cudaLaunchKernel(const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared,
                                     Stream stream) {
    auto* const next = real<Error(const void*, Dim3, Dim3, void**, std::size_t, Stream)>("cudaLaunchKernel");
    if (next == nullptr) return kNoSuchFunction;
    const Nesting nesting;
    if (!nesting.outermost()) return next(function, grid, block, arguments, shared, stream);
    KernelName kernel;
    {
        const std::lock_guard lock(trace().mutex);
        const auto known = trace().kernels.find(function);
        if (known != trace().kernels.end()) kernel = known->second;
    }
    Call call;
    call.name = "cudaLaunchKernel";
    call.symbol = kernel.symbol;
    std::vector<const void*> reads, writes;
    for (const auto& pointer : kernel.pointers) { // read before the launch, which may use the list up
        const void* address = nullptr;
        std::memcpy(&address, arguments[pointer.position], sizeof address);
        reads.push_back(address);
        if (pointer.written) writes.push_back(address);
    }
    const Error error = timed(call, stream, [&] { return next(function, grid, block, arguments, shared, stream); });
    if (error == 0) trace().recorder.computed(call, reads, writes);
    return error;
}

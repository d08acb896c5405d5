/// A CUDA GPU as the machine of kernels.h: each call is one instruction, volatile so that none is dropped or merged.
#pragma once

#include "kernels.h"

namespace numavp::device {

/// Arguments of a kernel; what the compiler shall not know.
struct Arrays {
    std::uint64_t base[3];
    float words[8];       ///< different from each other
    float* never;         ///< where results would go
    unsigned nothing = 0; ///< 0
};

class Gpu {
  public:
    using Word = float;

    __device__ explicit Gpu(const Arrays& arrays) : arrays_(arrays) {
        extern __shared__ float own_shared[];
        shared_ = static_cast<unsigned>(__cvta_generic_to_shared(own_shared));
    }
    __device__ std::uint64_t array(unsigned n) const { return arrays_.base[n]; }
    __device__ std::uint64_t at(unsigned n, std::uint32_t index, unsigned bytes) const {
        return arrays_.base[n] + index * static_cast<std::uint64_t>(bytes);
    }
    __device__ unsigned in_block() const { return threadIdx.x; }
    __device__ std::uint32_t thread() const { return blockIdx.x * blockDim.x + threadIdx.x; }
    __device__ std::uint32_t threads() const { return gridDim.x * blockDim.x; }
    __device__ float word(unsigned n) const { return arrays_.words[n]; }
    __device__ std::uint32_t nothing() const {
        return threadIdx.x & arrays_.nothing;
    } // not known to be one of all lanes
    __device__ std::uint64_t pointer(std::uint64_t p) const { return p; }

    /// 2 or 4 words are added up, so that none is dropped.
    template <unsigned Width> __device__ float load(std::uint64_t p) {
        float a = 0, b = 0, c = 0, d = 0;
        if (Width == 4) asm volatile("ld.global.f32 %0, [%1];" : "=f"(a) : "l"(p));
        if (Width == 8) asm volatile("ld.global.v2.f32 {%0, %1}, [%2];" : "=f"(a), "=f"(b) : "l"(p));
        if (Width == 16)
            asm volatile("ld.global.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(p));
        if (Width >= 8) a = __fadd_rn(a, b);
        if (Width == 16) a = __fadd_rn(__fadd_rn(a, c), d);
        return a;
    }
    template <bool PastL1> __device__ std::uint64_t follow(std::uint64_t p, std::uint64_t) {
        std::uint64_t next;
        if (PastL1)
            asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(p));
        else
            asm volatile("ld.global.u64 %0, [%1];" : "=l"(next) : "l"(p));
        return next;
    }
    __device__ void store(std::uint64_t p, float v) {
        asm volatile("st.global.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
    }
    __device__ void add(std::uint64_t p) { asm volatile("red.global.add.u32 [%0], 1;" ::"l"(p) : "memory"); }
    __device__ float fma(float a, float b, float c) {
        float d;
        asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
        return d;
    }
    __device__ float special(float a) {
        float d;
        asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
        return d;
    }
    __device__ float integer(float a, float b, float c) {
        int d;
        asm volatile("mad.lo.s32 %0, %1, %2, %3;"
                     : "=r"(d)
                     : "r"(__float_as_int(a)), "r"(__float_as_int(b)), "r"(__float_as_int(c)));
        return __int_as_float(d);
    }
    __device__ void shared_store(unsigned at, float v) {
        asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(shared_ + at), "f"(v) : "memory");
    }
    __device__ float shared_load(unsigned at) {
        float v;
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(v) : "r"(shared_ + at));
        return v;
    }
    __device__ void barrier() { __syncthreads(); }
    /// Six integer instructions: two multiplications, and two shifts with exclusive or.
    __device__ std::uint32_t random(std::uint32_t x) {
        x = (x ^ (x >> 16)) * 0x7feb352dU;
        return (x ^ (x >> 15)) * 0x846ca68bU;
    }
    /// Uses a value, so that nothing of its making is lost.
    __device__ void keep(float v) {
        if (__float_as_uint(v) == 0x7fc12345U && arrays_.nothing != 0) *arrays_.never = v;
    }
    __device__ void keep(std::uint64_t v) {
        if (v == 1) *arrays_.never = 0.0F;
    }

  private:
    const Arrays& arrays_;
    unsigned shared_; ///< where the block's shared memory begins
};

template <class Body> __global__ void run_body(Body body, Arrays arrays) {
    Gpu gpu(arrays);
    body(gpu);
}

} // namespace numavp::device

/// Records of a CUDA program as C. Pearson's thesis has them (section 6.4): a line of JSON a record, allocations, the
/// values in them, calls with what they read and write, and what the calls made the device do. `numavp graph` reads
/// them (communication/records/cprof_reader.h).
///
/// Plain C++: a value is a whole allocation. Memory that no call has allocated is taken as pageable host memory, of the
/// size that the copy names. Not recorded: where in a value a copy begins, and what a kernel does with the memory that
/// its pointers reach through others.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

namespace numavp::tracer {

enum class MemoryKind : std::uint8_t { device, pinned, pageable };

/// A call that copies or computes. Times are in ns of one clock.
struct Call {
    std::string name;   ///< of the function: cudaMemcpy
    std::string symbol; ///< of the kernel, as the compiler writes it
    unsigned device = 0;
    std::uint64_t begin = 0, end = 0;
    std::uint64_t stream = 0;   ///< number of the stream
    std::uint64_t duration = 0; ///< of the device's work; 0: not known
};

/// Safe to call from several threads.
class Recorder {
  public:
    explicit Recorder(std::ostream& out) : out_(out) {}

    void allocated(const void* address, std::uint64_t bytes, MemoryKind kind, unsigned device);
    /// What lies at the address later is another allocation.
    void freed(const void* address);
    void copied(const Call& call, const void* to, const void* from, std::uint64_t bytes);
    /// `reads` and `writes` are addresses in allocations; others are left out.
    void computed(const Call& call, const std::vector<const void*>& reads, const std::vector<const void*>& writes);
    /// A small number for a stream's handle; 0 for null, the default stream.
    std::uint64_t stream_number(const void* handle);

  private:
    struct Range {
        std::uint64_t bytes = 0, value = 0;
    };
    std::uint64_t make(std::uint64_t address, std::uint64_t bytes, MemoryKind kind, unsigned device);
    /// Number of the value that the address lies in; 0: none.
    std::uint64_t value_at(const void* address, std::uint64_t bytes) const;
    std::uint64_t value_or_host(const void* address, std::uint64_t bytes);
    void write(const Call& call, const std::vector<std::uint64_t>& inputs, const std::vector<std::uint64_t>& outputs,
               std::uint64_t bytes, const char* activity);

    std::mutex mutex_;
    std::ostream& out_;
    std::map<std::uint64_t, Range> ranges_; ///< by first address
    std::map<const void*, std::uint64_t> streams_;
    std::uint64_t values_ = 0, calls_ = 0;
};

} // namespace numavp::tracer

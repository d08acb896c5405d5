/// An application drawn from a seed, written in the forms of recordings, and what each must give back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace numavp::test {

/// An operation of a program on GPUs: each has a size or a time that no other has.
struct DrawnOperation {
    enum class Kind : unsigned char { to_device, kernel, to_host, to_peer } kind = Kind::kernel;
    unsigned gpu = 0, stream = 0; ///< whose stream it is in; streams are numbered in a GPU
    unsigned peer = 0;            ///< target of a copy to another GPU
    std::uint64_t bytes = 0;      ///< of a copy
    unsigned us = 0;              ///< of a kernel
    /// Operations of other streams that it waits for: a kernel for what was copied to its GPU or computed there.
    std::vector<std::size_t> waits;

    /// The GPU on which there is what it made; of a copy to a host none.
    bool made_on(unsigned device) const {
        return kind == Kind::to_peer ? peer == device : kind != Kind::to_host && gpu == device;
    }
};

struct DrawnApplication {
    explicit DrawnApplication(std::uint64_t seed);

    unsigned gpus = 1;
    bool old_events = false;                ///< Nsight's export has the event's id alone, as before CUDA 12.8
    std::vector<DrawnOperation> operations; ///< in the order of their calls

    static constexpr std::size_t kNone = ~std::size_t{0};
    /// The operation before in the same stream, and the last kernel there; kNone if there is none.
    std::size_t before(std::size_t operation) const;
    std::size_t kernel_before(std::size_t operation) const;
    /// Whether an operation must have ended when another begins, by streams and waits: a row for each that waits.
    std::vector<std::vector<bool>> order() const;

    /// Statements for the tables of an export of Nsight Systems, without those that make them.
    std::string nsight() const;
    std::string nsight_tables() const;
    /// Chakra's trace of each GPU's rank.
    std::vector<std::string> chakra() const;
    std::string cprof() const;
};

} // namespace numavp::test

#include "sw/patterns/pattern_spmv.h"

#include <algorithm>

#include "sw/loops/program.h"
#include "sw/work/count.h"

namespace numavp {
namespace {

/// Segmented sum over a warp: five rounds of shuffle and add.
constexpr unsigned kScanRounds = 5;
/// A shuffle goes through the shared-memory crossbar: 23 cycles, as in the table of opcodes (sass_opcode.cpp).
constexpr unsigned kShuffleLatency = 23;

struct Matrix {
    std::shared_ptr<const Graph> graph;
    std::uint64_t offsets, columns, values, x, y; ///< array bases
    std::uint32_t per_warp;                       ///< nonzeros, for the kernel by nonzeros
    std::uint32_t threads;

    std::uint64_t nonzeros() const { return graph->edges(); }
};

struct ByRows : Matrix {
    class Warp final : public StepStream<Warp, 5, 3> {
      public:
        Warp(const ByRows& m, std::uint64_t block, unsigned warp)
            : m_(m), row_(block * m.threads + std::uint64_t{warp} * kWarpLanes),
              mask_(lanes_below(row_, m.graph->vertices())) {
            for (unsigned lane = 0; lane < kWarpLanes && (mask_ >> lane & 1) != 0; ++lane)
                longest_ = std::max(longest_, m.graph->degree(static_cast<std::uint32_t>(row_ + lane)));
        }

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_begin, r_end, r_column, r_value, r_x, r_sum };
            if (mask_ == 0) {
                e.exit();
            } else if (!started_) {
                started_ = true;
                e.compute(r_index, {});
                e.load(r_begin, contiguous(m_.offsets + row_ * kWordBytes, kWordBytes, mask_), {r_index}).read_only =
                    true;
                e.load(r_end, contiguous(m_.offsets + (row_ + 1) * kWordBytes, kWordBytes, mask_), {r_index})
                    .read_only = true;
                e.compute(r_sum, {r_begin, r_end});
            } else if (done_ < longest_) {
                LaneList column = e.list();
                LaneList value = e.list();
                LaneList x = e.list();
                for (unsigned lane = 0; lane < kWarpLanes && (mask_ >> lane & 1) != 0; ++lane) {
                    const auto row = static_cast<std::uint32_t>(row_ + lane);
                    if (done_ >= m_.graph->degree(row)) continue;
                    const std::uint64_t nonzero = std::uint64_t{m_.graph->offsets[row]} + done_;
                    column.set(lane, m_.columns + nonzero * kWordBytes);
                    value.set(lane, m_.values + nonzero * kDoubleBytes);
                    x.set(lane, m_.x + m_.graph->columns[nonzero] * kDoubleBytes);
                }
                e.load(r_column, column, kWordBytes, {r_begin}).read_only = true;
                e.load(r_value, value, kDoubleBytes, {r_begin}).read_only = true;
                e.load(r_x, x, kDoubleBytes, {r_column}).read_only = true;
                e.compute(r_sum, {r_value, r_x, r_sum});
                ++done_;
            } else {
                e.store(contiguous(m_.y + row_ * kDoubleBytes, kDoubleBytes, mask_), {r_index, r_sum});
                e.exit();
            }
        }

      private:
        const ByRows& m_;
        std::uint64_t row_;
        std::uint32_t mask_;
        std::uint32_t longest_ = 0;
        std::uint32_t done_ = 0;
        bool started_ = false;
    };
};

/// Sets y to zero, since split rows are added to it.
struct ClearResult {
    std::uint64_t y, rows;
    std::uint32_t threads;

    class Warp final : public StepStream<Warp, 3> {
      public:
        Warp(const ClearResult& c, std::uint64_t block, unsigned warp)
            : c_(c), row_(block * c.threads + std::uint64_t{warp} * kWarpLanes) {}
        void step(Emitter& e) {
            if (const std::uint32_t mask = lanes_below(row_, c_.rows)) {
                e.compute(0, {});
                e.store(contiguous(c_.y + row_ * kDoubleBytes, kDoubleBytes, mask), {0});
            }
            e.exit();
        }

      private:
        const ClearResult& c_;
        std::uint64_t row_;
    };
};

struct ByNonzeros : Matrix {
    class Warp final : public StepStream<Warp, 7 + kScanRounds, 3> {
      public:
        Warp(const ByNonzeros& m, std::uint64_t block, unsigned warp)
            : m_(m), begin_((block * (m.threads / kWarpLanes) + warp) * m.per_warp),
              end_(std::min(m.nonzeros(), begin_ + m.per_warp)), at_(begin_), high_(m.graph->vertices()) {}

        void step(Emitter& e) {
            if (at_ >= end_)
                e.exit();
            else if (low_ + 1 < high_)
                probe(e);
            else
                chunk(e);
        }

      private:
        enum : std::uint8_t { r_index, r_probe, r_column, r_value, r_x, r_sum, r_row };

        /// One step of the search for the row that holds nonzero `begin_`.
        void probe(Emitter& e) {
            const std::uint32_t middle = low_ + (high_ - low_) / 2;
            e.compute(r_index, {r_index});
            e.load(r_probe, broadcast(m_.offsets + middle * kWordBytes, kWordBytes), {r_index}).read_only = true;
            e.compute(r_index, {r_probe});
            if (m_.graph->offsets[middle] <= begin_)
                low_ = middle;
            else
                high_ = middle;
        }
        /// 32 nonzeros: multiply, sum by segments, store the rows that end here.
        void chunk(Emitter& e) {
            const std::uint32_t mask = lanes_below(at_, end_);
            e.load(r_column, contiguous(m_.columns + at_ * kWordBytes, kWordBytes, mask), {r_index}).read_only = true;
            e.load(r_value, contiguous(m_.values + at_ * kDoubleBytes, kDoubleBytes, mask), {r_index}).read_only = true;
            LaneList x = e.list();
            LaneList whole = e.list();
            LaneList split = e.list();
            for (unsigned lane = 0; lane < kWarpLanes && at_ + lane < end_; ++lane) {
                const std::uint64_t nonzero = at_ + lane;
                x.set(lane, m_.x + m_.graph->columns[nonzero] * kDoubleBytes);
                while (m_.graph->offsets[low_ + 1] <= nonzero) ++low_;
                const bool row_ends = nonzero + 1 == m_.graph->offsets[low_ + 1];
                if (!row_ends && nonzero + 1 != end_) continue;
                const bool is_whole = row_ends && m_.graph->offsets[low_] >= begin_;
                (is_whole ? whole : split).set(lane, m_.y + low_ * kDoubleBytes);
            }
            e.load(r_x, x, kDoubleBytes, {r_column}).read_only = true;
            e.compute(r_sum, {r_value, r_x, r_sum});
            e.shared(r_row, {r_index}); // the row of each nonzero, from the offsets kept in shared memory
            for (unsigned i = 0; i < kScanRounds; ++i) e.compute(r_sum, {r_sum, r_row}, 1, kShuffleLatency);
            if (whole.mask != 0) e.store(whole, kDoubleBytes, {r_row, r_sum});
            if (split.mask != 0) e.reduce(split, kDoubleBytes, {r_row, r_sum});
            at_ += kWarpLanes;
        }

        const ByNonzeros& m_;
        std::uint64_t begin_, end_, at_;
        std::uint32_t low_ = 0; ///< row of the search, then of the current nonzero
        std::uint32_t high_;
    };
};

} // namespace

void SpmvParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (nonzeros_per_warp % kWarpLanes != 0)
        throw ConfigError(place.at("nonzeros_per_warp"), "multiples of 32 are allowed");
}

Spmv::Spmv(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), graph_(context.graphs->get(scaled_graph(parameters.graph, context), true, context.data_seed)) {}

std::vector<ArrayNeed> Spmv::arrays() const {
    const std::uint64_t rows = graph_->vertices();
    return {{"offsets", (rows + 1) * kWordBytes},
            {"columns", graph_->edges() * kWordBytes},
            {"values", graph_->edges() * kDoubleBytes},
            {"x", rows * kDoubleBytes},
            {"y", rows * kDoubleBytes}};
}

std::vector<std::shared_ptr<Kernel>> Spmv::kernels(const ArrayBases& at) const {
    const auto blocks_for = [&](std::uint64_t threads) { return (threads + p_.threads - 1) / p_.threads; };
    const std::uint64_t rows = graph_->vertices();
    const auto with_accesses = [](auto kernel) -> std::shared_ptr<Kernel> {
        kernel->set_accesses(count_accesses(*kernel));
        return kernel;
    };
    // The two directions: y from x, then x from y.
    std::vector<std::shared_ptr<Kernel>> product[2];
    for (unsigned i = 0; i < std::min(p_.iterations, 2U); ++i) {
        const Matrix matrix{graph_,
                            at.at("offsets"),
                            at.at("columns"),
                            at.at("values"),
                            at.at(i == 0 ? "x" : "y"),
                            at.at(i == 0 ? "y" : "x"),
                            p_.nonzeros_per_warp,
                            p_.threads};
        if (p_.mapping == SpmvMapping::rows) {
            product[i].push_back(
                with_accesses(make_kernel(p_.shape("spmv_rows", blocks_for(rows), 0), ByRows{matrix})));
        } else {
            const std::uint64_t warps = (graph_->edges() + p_.nonzeros_per_warp - 1) / p_.nonzeros_per_warp;
            product[i].push_back(with_accesses(
                make_kernel(p_.shape("clear", blocks_for(rows), 0), ClearResult{matrix.y, rows, p_.threads})));
            product[i].push_back(with_accesses(
                make_kernel(p_.shape("spmv_nonzeros", blocks_for(warps * kWarpLanes), 0), ByNonzeros{matrix})));
        }
    }
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.iterations; ++i)
        launches.insert(launches.end(), product[i % 2].begin(), product[i % 2].end());
    return launches;
}

} // namespace numavp

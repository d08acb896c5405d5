#include "sw/workloads/pattern_table.h"

#include "sw/patterns/pattern_adaptive_mesh.h"
#include "sw/patterns/pattern_back_projection.h"
#include "sw/patterns/pattern_bfs.h"
#include "sw/patterns/pattern_butterfly.h"
#include "sw/patterns/pattern_cell_list.h"
#include "sw/patterns/pattern_compute.h"
#include "sw/patterns/pattern_convolution.h"
#include "sw/patterns/pattern_element_loop.h"
#include "sw/patterns/pattern_elimination.h"
#include "sw/patterns/pattern_flag_search.h"
#include "sw/patterns/pattern_graph_rounds.h"
#include "sw/patterns/pattern_grid_loop.h"
#include "sw/patterns/pattern_multigrid.h"
#include "sw/patterns/pattern_pair_list.h"
#include "sw/patterns/pattern_particle_transport.h"
#include "sw/patterns/pattern_ray_traversal.h"
#include "sw/patterns/pattern_reduction.h"
#include "sw/patterns/pattern_row_wavefront.h"
#include "sw/patterns/pattern_scratchpad_hash.h"
#include "sw/patterns/pattern_shape.h"
#include "sw/patterns/pattern_spmv.h"
#include "sw/patterns/pattern_stencil_2d.h"
#include "sw/patterns/pattern_stencil_3d.h"
#include "sw/patterns/pattern_stream_triad.h"
#include "sw/patterns/pattern_table_lookup.h"
#include "sw/patterns/pattern_tiled_matmul.h"
#include "sw/patterns/pattern_transport_sweep.h"
#include "sw/patterns/transformer/pattern_attention.h"
#include "sw/patterns/transformer/pattern_batched_gemm.h"
#include "sw/patterns/transformer/pattern_collective.h"
#include "sw/patterns/transformer/pattern_elementwise.h"
#include "sw/patterns/transformer/pattern_gemm.h"
#include "sw/patterns/transformer/pattern_gemv.h"
#include "sw/patterns/transformer/pattern_grouped_gemm.h"
#include "sw/patterns/transformer/pattern_transformer_layer.h"

namespace numavp {
namespace {

template <class P> ordered_json schema_of_pattern() {
    typename P::Parameters defaults;
    return schema_of_object(defaults);
}

template <class P> constexpr PatternEntry row(std::string_view name, std::string_view doc) {
    return {name, doc, &make_pattern<P>, &schema_of_pattern<P>};
}

} // namespace

const std::vector<PatternEntry>& patterns() {
    static const std::vector<PatternEntry> table = {
        row<StreamTriad>("stream_triad", "a[i] = b[i] + q * c[i] over long arrays, each element once"),
        row<Stencil2d>("stencil_2d", "Jacobi steps of the 5-point stencil on a plane, ping-pong between two arrays"),
        row<Stencil3d>("stencil_3d", "Jacobi steps of the 7-point stencil in a volume, marching along z"),
        row<TiledMatmul>("tiled_matmul", "C = A * B by 64 x 64 tiles through shared memory"),
        row<Gemm>("gemm", "C = A * B on tensor cores by tiles through shared memory, with splits along k"),
        row<Attention>("attention", "attention on tensor cores: FlashAttention-2 forward, split KV for decode"),
        row<Gemv>("gemv", "y = W * x for few vectors: a warp makes some outputs, each weight is read once"),
        row<GroupedGemm>("grouped_gemm", "products of a mixture's experts, with the tokens that routing draws"),
        row<BatchedGemm>("batched_gemm",
                         "products of equal sizes side by side, with parts of the same rows: of each head"),
        row<Elementwise>("elementwise", "out[i] = f(in_0[i], in_1[i], ...): residuals, activations, conversions"),
        row<AllReduce>("all_reduce", "the sum of all ranks' arrays to each: ring, one-shot, two-shot, tree"),
        row<AllGather>("all_gather", "all ranks' parts to each: ring, one-shot"),
        row<ReduceScatter>("reduce_scatter", "of the sum of all ranks' arrays a part to each: ring, one-shot"),
        row<AllToAll>("all_to_all", "a part of each rank's array to each other: in steps, one-shot"),
        row<TransformerLayer>(
            "transformer_layer",
            "a layer of a transformer, prefill or decode, with experts and tensor-parallel ranks in groups"),
        row<Spmv>("spmv", "y = A * x with A in compressed sparse rows on a generated graph"),
        row<Bfs>("bfs", "level-synchronous breadth-first search: one kernel for each level's real frontier"),
        row<Reduction>("reduction", "blocks read parts of their own, then all write one range at the end"),
        row<TableLookup>("table_lookup", "random reads in a table, shared by all blocks or one for each"),
        row<Butterfly>("butterfly", "stages of a radix-2 transform, a kernel for each"),
        row<Compute>("compute", "chains of arithmetic between one load and one store"),
        row<ElementLoop>("element_loop",
                         "a thread for each element: listed own, neighbour, table and result accesses, shared memory "
                         "and barriers"),
        row<GridLoopPattern>("grid_loop",
                             "a thread of a grid of two-dimensional blocks: listed accesses, linear in its "
                             "coordinates: tiles, halos, transforms"),
        row<Multigrid>("multigrid", "V-cycles on a box: smoothing, residual, restriction, prolongation on each level"),
        row<AdaptiveMesh>("adaptive_mesh", "steps on an adaptively refined mesh: ghost exchange, then a stencil"),
        row<CellList>("cell_list", "molecular dynamics in link cells: pair forces, positions, redistribution"),
        row<PairList>("pair_list", "molecular dynamics by pairs of patches: a block a pair, forces by atomics"),
        row<ParticleTransport>("particle_transport", "Monte Carlo particles: cells, cross-section look-ups, tallies"),
        row<TransportSweep>("transport_sweep",
                            "discrete ordinates: sweeps from each corner, a kernel a diagonal plane"),
        row<Convolution>("convolution", "a convolution layer: forward, or the gradient of input or weights"),
        row<BackProjection>("back_projection", "every voxel takes a pixel of each projection image"),
        row<RayTraversal>("ray_traversal", "rays down a tree of boxes to triangles, primary ones and bounces"),
        row<GraphRounds>("graph_rounds", "rounds over a graph: relaxation, worklist, levels, merging components"),
        row<FlagSearch>("flag_search", "breadth-first search by flags of all vertices: two kernels a level"),
        row<RowWavefront>("row_wavefront", "dynamic programming over rows, some rows a kernel"),
        row<Elimination>("elimination", "Gaussian elimination: two kernels a column, ever smaller"),
        row<ScratchpadHash>("scratchpad_hash", "hashing with a scratchpad a thread: much arithmetic, own memory"),
        row<Shape>("shape", "the four kernel shapes that Accel-Sim was measured on"),
    };
    return table;
}

const PatternEntry& find_pattern(std::string_view name, const Place& place) {
    std::vector<std::string_view> names;
    for (const PatternEntry& entry : patterns()) {
        if (entry.name == name) return entry;
        names.push_back(entry.name);
    }
    throw ConfigError(place, unknown_name("pattern", name, names));
}

} // namespace numavp

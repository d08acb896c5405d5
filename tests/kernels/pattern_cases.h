/// Small cases of every pattern, for the tests that hold all of them to the contract.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sw/kernels/workload_file.h"

namespace numavp {

struct PatternCase {
    const char* pattern;
    const char* parameters;
};

inline void PrintTo(const PatternCase& c, std::ostream* out) { *out << c.pattern << ' ' << c.parameters; }

inline std::vector<PatternCase> pattern_cases() {
    return {
        {"stream_triad", R"({"elements": 5000, "elements_per_thread": 3, "threads": 64})"},
        {"stream_triad", R"({"elements": 1024, "element_bytes": 4, "iterations": 2})"},
        {"stencil_2d", R"({"nx": 96, "ny": 37, "tile_x": 64, "tile_y": 8, "threads": 128, "iterations": 3})"},
        {"stencil_3d", R"({"nx": 96, "ny": 10, "nz": 11, "tile_x": 64, "tile_z": 4, "iterations": 2})"},
        {"tiled_matmul", R"({"m": 128, "n": 192, "k": 96, "iterations": 2})"},
        {"spmv", R"({"graph": {"kind": "mesh", "nx": 9, "ny": 8, "nz": 7}, "mapping": "rows"})"},
        {"spmv", R"({"graph": {"kind": "power_law", "vertices": 1000, "degree": 6}, "mapping": "rows"})"},
        {"spmv", R"({"graph": {"kind": "power_law", "vertices": 1000, "degree": 6}, "nonzeros_per_warp": 64})"},
        {"bfs", R"({"graph": {"kind": "mesh", "nx": 12, "ny": 11, "nz": 5}, "mapping": "vertices"})"},
        {"bfs", R"({"graph": {"kind": "power_law", "vertices": 2000, "degree": 8}, "mapping": "edges"})"},
        {"bfs", R"({"graph": {"kind": "power_law", "vertices": 2000, "degree": 8}, "mapping": "vertices"})"},
        {"reduction", R"({"blocks": 5, "read_bytes": 8192, "result_bytes": 2048, "iterations": 2})"},
        {"reduction", R"({"blocks": 5, "read_bytes": 1024, "result_bytes": 384, "combine": "reduce"})"},
        {"table_lookup", R"({"blocks": 3, "table_bytes": 10240, "lookups": 7, "in_flight": 3})"},
        {"table_lookup", R"({"blocks": 3, "table_bytes": 2048, "tables": "per_block", "lookups": 4})"},
        {"butterfly", R"({"log2_points": 9, "passes": 2, "threads": 64})"},
        {"butterfly", R"({"log2_points": 6, "threads": 256, "first_stage": 2})"},
        {"compute", R"({"blocks": 3, "rounds": 5, "independent": 4})"},
        {"shape", R"({"kind": "vecadd", "blocks": 3})"},
        {"shape", R"({"kind": "stream", "blocks": 3})"},
        {"shape", R"({"kind": "gather", "blocks": 3})"},
        {"shape", R"({"kind": "compute", "blocks": 3})"},
    };
}

/// The workload of one case.
inline Workload workload_of(const PatternCase& c, const WorkloadOptions& options = {}) {
    const json value = {{"name", "case"},
                        {"kernels", {{{"pattern", c.pattern}, {"parameters", json::parse(c.parameters)}}}}};
    return read_workload(value, "case", options);
}

} // namespace numavp

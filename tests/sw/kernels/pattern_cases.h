/// Small cases of every pattern, for the tests that hold all of them to the contract.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "base/values/error.h"
#include "sw/workloads/workload_file.h"

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
        {"gemm", R"({"m": 200, "n": 256, "k": 128, "warps_n": 4, "iterations": 2})"},
        {"gemm", R"({"m": 100, "n": 192, "k": 512, "tile_m": 64, "tile_n": 64, "tile_k": 64, "stages": 4, "split_k": 4,
                     "element": "fp8", "matrix": "QMMA.16832", "raster": "along_m"})"},
        {"gemm", R"({"m": 5, "n": 64, "k": 96, "tile_m": 16, "tile_n": 32, "tile_k": 96, "stages": 2, "warps_m": 1,
                     "bypass_l1": false})"},
        {"gemm",
         R"({"m": 200, "n": 256, "k": 256, "tile_n": 256, "tile_k": 64, "warps_n": 4, "matrix": "HGMMA.64x256x16"})"},
        {"gemm", R"({"m": 100, "n": 256, "k": 192, "tile_k": 64, "matrix": "UTCHMMA.128x128x16", "split_k": 3})"},
        {"attention", R"({"batch": 2, "queries": 300, "context": 300, "heads": 4, "kv_heads": 2, "head_dim": 64})"},
        {"attention",
         R"({"queries": 100, "context": 333, "heads": 2, "kv_heads": 2, "warps": 8, "row_groups": 4, "q_in_registers": true,
                          "layout": "heads_first", "matrix": "MFMA.16X16X16.F16"})"},
        {"attention", R"({"queries": 64, "context": 100, "heads": 2, "kv_heads": 1, "causal": false, "element": "fp8",
                          "matrix": "QMMA.16832", "tile_q": 64, "iterations": 2})"},
        {"attention", R"({"batch": 3, "queries": 1, "context": 777, "heads": 8, "kv_heads": 2, "splits": 5,
                          "tile_q": 64})"},
        {"attention", R"({"batch": 2, "queries": 150, "context": 150, "heads": 4, "kv_heads": 2, "head_dim": 64,
                          "layout": "packed", "tile_q": 64, "matrix": "HGMMA.64x64x16"})"},
        {"attention", R"({"queries": 200, "context": 300, "heads": 2, "kv_heads": 1, "matrix": "UTCHMMA.128x64x16"})"},
        {"attention", R"({"batch": 3, "queries": 1, "context": 777, "heads": 8, "kv_heads": 2, "splits": 5,
                          "tile_q": 64, "layout": "packed"})"},
        {"gemv", R"({"n": 101, "k": 520, "vectors": 3, "rows": 4, "iterations": 2})"},
        {"gemv", R"({"n": 40, "k": 8208, "element": "fp8", "rows": 1, "threads": 64, "bypass_l1": false})"},
        {"elementwise", R"({"elements": 5000, "inputs": 3, "per_thread": 2, "threads": 64, "iterations": 2})"},
        {"elementwise", R"({"elements": 77, "element_bytes": 4, "width": 4, "work": 0})"},
        {"grouped_gemm",
         R"({"tokens": 50, "experts": 5, "top": 2, "n": 128, "k": 64, "tile_m": 32, "gini_percent": 30})"},
        {"grouped_gemm", R"({"tokens": 2, "experts": 16, "top": 1, "n": 64, "k": 64, "tile_m": 32, "tile_n": 32,
                             "raster": "along_m", "iterations": 2})"},
        {"batched_gemm", R"({"count": 3, "m": 70, "n": 128, "k": 64, "a_part": 96, "c_part": 160, "tile_n": 64})"},
        {"batched_gemm", R"({"count": 2, "m": 40, "n": 64, "k": 64, "tile_n": 64, "element": "fp8",
                             "matrix": "QMMA.16832", "raster": "along_m", "iterations": 2})"},
        {"gemm", R"({"m": 100, "n": 128, "k": 96, "a_pitch": 160})"},
        {"attention", R"({"batch": 2, "queries": 1, "context": 300, "heads": 40, "kv_heads": 1, "head_dim": 96,
                          "value_dim": 64, "latent": true, "splits": 3, "tile_q": 32, "warps": 2})"},
        {"attention", R"({"queries": 128, "context": 200, "heads": 2, "kv_heads": 1, "head_dim": 192, "value_dim": 128,
                          "latent": true, "matrix": "UTCHMMA.128x64x16"})"},
        {"attention", R"({"queries": 90, "context": 90, "heads": 3, "kv_heads": 3, "head_dim": 96, "value_dim": 64,
                          "value_pitch": 128, "tile_q": 64})"},
        {"all_reduce", R"({"bytes": 20160, "ranks": 3, "blocks": 2, "threads": 64})"},
        {"all_reduce", R"({"bytes": 65536, "ranks": 4, "blocks": 3, "threads": 64, "algorithm": "one_shot",
                           "in_flight": 3, "iterations": 2})"},
        {"all_reduce", R"({"bytes": 20160, "ranks": 5, "blocks": 2, "threads": 64, "algorithm": "two_shot"})"},
        {"all_reduce", R"({"bytes": 20160, "ranks": 6, "blocks": 2, "threads": 64, "algorithm": "tree"})"},
        {"all_reduce", R"({"bytes": 20160, "ranks": 3, "blocks": 2, "threads": 64, "algorithm": "in_switch",
                           "barrier": "flags", "element": "bf16"})"},
        {"all_gather", R"({"bytes": 20160, "ranks": 3, "blocks": 2, "threads": 64})"},
        {"all_gather", R"({"bytes": 8192, "ranks": 8, "blocks": 2, "threads": 64, "algorithm": "one_shot"})"},
        {"reduce_scatter", R"({"bytes": 20160, "ranks": 3, "blocks": 2, "threads": 64})"},
        {"reduce_scatter", R"({"bytes": 8192, "ranks": 8, "blocks": 2, "threads": 64, "algorithm": "one_shot"})"},
        {"all_to_all", R"({"bytes": 20160, "ranks": 3, "blocks": 2, "threads": 64})"},
        {"all_to_all", R"({"bytes": 8192, "ranks": 2, "blocks": 2, "threads": 64, "algorithm": "one_shot"})"},
        {"transformer_layer", R"({"hidden": 256, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 512, "tokens": 100,
                                  "tensor_parallel": 2, "tile_n": 64, "tile_m": 64, "blocks": 2})"},
        {"transformer_layer", R"({"hidden": 256, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 512, "tokens": 100,
                                  "tensor_parallel": 2, "data_parallel": 3, "tile_n": 64, "tile_m": 64, "blocks": 2})"},
        {"transformer_layer", R"({"hidden": 256, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 128, "experts": 8,
                                  "phase": "decode", "batch": 3, "context": 70, "splits": 2, "tile_m": 16, "tile_n": 32,
                                  "warps_m": 1, "warps_n": 4, "tile_q": 16, "row_groups": 1, "algorithm": "ring",
                                  "tensor_parallel": 2, "blocks": 1})"},
        {"transformer_layer",
         R"({"hidden": 256, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 104, "phase": "decode",
                                  "batch": 2, "context": 70, "splits": 2, "tile_q": 16, "row_groups": 1,
                                  "products": "vectors"})"},
        {"transformer_layer", R"({"hidden": 256, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 128, "experts": 8,
                                  "tokens": 100, "tile_n": 64, "tile_k": 64, "matrix": "UTCHMMA.128x64x16",
                                  "attention_matrix": "UTCHMMA.128x64x16"})"},
        {"transformer_layer",
         R"({"hidden": 256, "heads": 4, "head_dim": 64, "q_lora": 128, "kv_lora": 192, "rope_dim": 64,
                                  "ffn": 128, "experts": 8, "shared_experts": 1, "tokens": 100, "tile_m": 64,
                                  "tile_n": 64, "tensor_parallel": 2, "blocks": 1})"},
        {"transformer_layer", R"({"hidden": 256, "heads": 40, "head_dim": 32, "kv_lora": 96, "rope_dim": 32, "ffn": 128,
                                  "phase": "decode", "batch": 3, "context": 70, "splits": 2, "tile_m": 16, "tile_n": 32,
                                  "warps_m": 1, "warps_n": 4, "tile_q": 32, "warps": 2})"},
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
        {"element_loop",
         R"({"items": 1000, "per_block": 64, "threads": 64, "window": 100, "iterations": 2, "accesses": [
            {"array": "links", "fields": 2}, {"array": "x", "reach": "neighbour", "shifts": [1, -10], "fields": 2,
             "dependent": true, "width": 8}, {"array": "x", "kind": "store", "width": 8, "fields": 2}]})"},
        {"element_loop", R"({"items": 4096, "per_block": 512, "sample": 3, "accesses": [
            {"array": "x", "reach": "near", "shifts": [0, -1, 64], "width": 8},
            {"array": "t", "reach": "table", "elements": 4096, "fields": 2, "turns": 2}, {"array": "r", "reach": "record",
             "fields": 3}, {"array": "g", "reach": "random", "elements": 999, "run": 8, "cluster": 40, "fields": 9},
            {"array": "n", "kind": "atomic", "reach": "random", "elements": 64},
            {"array": "s", "kind": "reduce", "reach": "result", "elements": 512, "turns": 2}]})"},
        {"element_loop", R"({"items": 999, "per_block": 32, "threads": 32, "sample": 8, "accesses": [
            {"array": "x", "fields": 20}, {"array": "x", "kind": "store", "first_field": 3}]})"},
        {"element_loop",
         R"({"items": 1000, "per_block": 320, "threads": 128, "sample": 2, "accesses": [
            {"array": "x", "fields": 2}, {"array": "t", "memory": "shared", "kind": "store", "elements": 99, "fields": 9},
            {"kind": "barrier"}, {"array": "t", "memory": "shared", "elements": 99, "stride": 33, "dependent": true},
            {"array": "b", "memory": "shared", "kind": "atomic", "reach": "random", "elements": 64, "skew": 1},
            {"array": "t", "memory": "shared", "kind": "reduce", "reach": "record", "elements": 99, "lanes": 40},
            {"kind": "barrier"}, {"array": "x", "kind": "store", "fields": 2},
            {"array": "b", "memory": "shared", "reach": "result", "elements": 64, "lanes": 50},
            {"array": "s", "kind": "reduce", "reach": "result", "elements": 130, "lanes": 50, "fields": 2, "turns": 9}]})"},
        {"grid_loop",
         R"({"grid_x": 3, "grid_y": 4, "block_x": 16, "block_y": 8, "barriers": 3, "shared": 7, "accesses": [
            {"array": "j", "elements": 1600, "scaled": true, "offset": -48, "block_x": 16, "block_y": 384, "thread_x": 1, "thread_y": 48},
            {"array": "j", "elements": 1600, "offset": -1, "block_y": 384, "thread_y": 48, "lanes_x": 1, "count": 2,
             "step": 17}, {"array": "d", "elements": 6, "when": "before", "lanes_y": 1},
            {"array": "c", "kind": "store", "width": 8, "elements": 1536, "block_x": 128, "thread_y": 16}]})"},
        {"grid_loop",
         R"({"grid_x": 5, "block_x": 64, "turns": 3, "items": 700, "work": 0, "accesses": [
            {"array": "t", "elements": 999, "random": 32, "thread_x": 0, "count": 7},
            {"array": "t", "elements": 999, "random": 1, "draw": 3, "dependent": true},
            {"array": "n", "kind": "atomic", "elements": 1, "thread_x": 0},
            {"array": "o", "kind": "reduce", "elements": 64, "scaled": true, "turn": 32, "ahead": 1},
            {"array": "n", "kind": "reduce", "elements": 1, "when": "after", "lanes_x": 1}]})"},
        {"grid_loop", R"({"grid_y": 4, "block_x": 64, "turns": 3, "active": 100, "barriers": 1, "accesses": [
            {"array": "t", "elements": 300, "block_y": 64, "turn": 64, "lanes_x": 40},
            {"array": "t", "kind": "store", "elements": 300, "scaled": true, "when": "after", "offset": 44}]})"},
        {"grid_loop",
         R"({"grid_x": 3, "grid_y": 7, "block_x": 32, "iterations": 4, "grid_launch": 2, "stretch": 2, "sample": 3,
                          "barriers": 2, "accesses": [{"array": "t", "elements": 900, "launch": 77, "block_x": 32},
            {"array": "n", "elements": 517, "random": 32, "among": 9, "grain": 50, "thread_x": 1},
            {"array": "t", "kind": "store", "elements": 900, "scaled": true, "block_y": 32}]})"},
        {"flag_search", R"({"graph": {"kind": "drawn_ends", "vertices": 700, "degree": 6}, "threads": 64})"},
        {"multigrid", R"({"nx": 20, "ny": 9, "nz": 12, "cycles": 2, "per_block": 128, "threads": 64})"},
        {"multigrid", R"({"nx": 16, "ny": 9, "nz": 12, "matrix": true, "points": 27, "pre": 2, "residual": false,
                          "sample": 5, "per_block": 64, "threads": 32, "post": 0, "levels": 2})"},
        {"adaptive_mesh", R"({"nx": 3, "ny": 4, "nz": 3, "edge": 3, "variables": 2, "threads": 64, "steps": 2})"},
        {"adaptive_mesh", R"({"nx": 2, "ny": 2, "nz": 3, "edge": 6, "variables": 5, "sample": 40})"},
        {"cell_list", R"({"nx": 3, "ny": 4, "nz": 3, "threads": 64, "sample": 2})"},
        {"cell_list", R"({"nx": 3, "ny": 4, "nz": 3, "threads": 64, "list": 5, "fields": 0, "atoms_per_block": 96})"},
        {"cell_list", R"({"nx": 3, "ny": 3, "nz": 3, "list": 64, "worker": "warp", "sample": 20, "steps": 1})"},
        {"pair_list", R"({"nx": 2, "ny": 1, "nz": 1, "atoms": 64, "list": 3, "threads": 64, "steps": 2})"},
        {"particle_transport", R"({"particles": 500, "record": 3, "cells": 77, "drift": 9, "segments": 2})"},
        {"particle_transport", R"({"particles": 500, "cells": 64, "index": 40, "data": 90, "entry": 5, "sample": 4})"},
        {"transport_sweep", R"({"nx": 3, "ny": 2, "nz": 4, "angles": 64, "threads": 64, "octants": 3, "sweeps": 2})"},
        {"convolution", R"({"images": 2, "channels": 3, "filters": 70, "height": 9, "width": 7, "stride": 2})"},
        {"convolution", R"({"images": 2, "channels": 8, "filters": 40, "height": 6, "width": 6, "pass": "data",
                            "sample": 3})"},
        {"convolution", R"({"images": 2, "channels": 8, "filters": 40, "height": 6, "width": 6, "pass": "weights",
                            "tile_pixels": 32, "tile_filters": 16, "threads": 64})"},
        {"back_projection", R"({"nx": 32, "ny": 11, "nz": 9, "image_width": 31, "image_height": 17, "sample": 2})"},
        {"ray_traversal", R"({"width": 64, "height": 9, "depth": 6, "frames": 2})"},
        {"ray_traversal", R"({"width": 32, "height": 8, "depth": 12, "bounces": 2, "frames": 1, "sample": 3})"},
        {"graph_rounds", R"({"graph": {"kind": "mesh", "nx": 40, "ny": 30, "nz": 1, "dropped_percent": 10},
                             "per_block": 64, "threads": 64})"},
        {"graph_rounds", R"({"graph": {"kind": "random", "vertices": 900, "degree": 5}, "kind": "worklist", "queue": 8,
                             "blocks": 7, "threads": 64})"},
        {"graph_rounds", R"({"graph": {"kind": "random", "vertices": 900, "degree": 5}, "kind": "level", "rounds": 20,
                             "weights": false})"},
        {"graph_rounds", R"({"graph": {"kind": "mesh", "nx": 30, "ny": 20, "nz": 1}, "kind": "merge", "rounds": 3})"},
        {"row_wavefront", R"({"columns": 1000, "rows": 12, "height": 4, "threads": 96, "per_block": 96, "sample": 2})"},
        {"elimination", R"({"n": 96, "sample": 30, "per_block": 256})"},
        {"scratchpad_hash", R"({"blocks": 2, "chunks": 8, "threads": 64, "sample": 3, "hashes": 2})"},
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

/// Why the pattern refuses its parameters; empty if it takes them.
inline std::string refusal_of(const PatternCase& c) {
    try {
        workload_of(c);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

} // namespace numavp

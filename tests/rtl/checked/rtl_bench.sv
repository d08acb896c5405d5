// All RTL blocks with their assertions and mutants as one Verilated model. Each has a clock of its own, so that a test
// of one leaves the others at rest. The narrow evaluator can be tried with every input there is.
module rtl_bench (
    input  logic        lanes_clk,
    input  logic        ways_clk,
    input  logic        model_clk,
    input  logic        narrow_clk,
    input  logic        rst,
    input  logic [4:0]  mutant,
    input  logic [6:0]  saturation_percent,
    input  logic        launch,
    input  logic        sample,
    // lane balancer
    input  logic [56:0] busy_out,
    input  logic [56:0] available_out,
    input  logic [56:0] busy_in,
    input  logic [56:0] available_in,
    input  logic [7:0]  lanes_out,
    input  logic [7:0]  lanes_in,
    input  logic [7:0]  turning,
    output logic [7:0]  launch_out,
    output logic [7:0]  launch_in,
    output logic [1:0]  lane_decision,
    // way-partition controller
    input  logic [15:0] ways,
    input  logic [56:0] local_bytes,
    input  logic [56:0] local_capacity_bytes,
    input  logic [47:0] outgoing_reads,
    input  logic [8:0]  response_bytes,
    input  logic [56:0] ingress_capacity_bytes,
    output logic [15:0] local_ways,
    output logic [1:0]  way_decision,
    // replication evaluators
    input  logic        start,
    input  logic [47:0] lookups,
    input  logic [47:0] hits,
    input  logic [47:0] misses,
    input  logic [47:0] requests,
    input  logic [47:0] local_requests,
    input  logic [47:0] remote_requests,
    input  logic [23:0] llc,
    input  logic [23:0] memory,
    input  logic [23:0] noc,
    output logic        model_busy,
    output logic        model_done,
    output logic [25:0] model_none,
    output logic [25:0] model_full,
    output logic        model_decided,
    output logic        model_replicate,
    output logic        narrow_busy,
    output logic        narrow_done,
    output logic [4:0]  narrow_none,
    output logic [4:0]  narrow_full,
    output logic        narrow_decided,
    output logic        narrow_replicate
);
    lane_balancer balancer (
        .clk(lanes_clk),
        .mutant,
        .decision(lane_decision),
        .*
    );

    way_partition #(
        .CACHES(2)
    ) partition (
        .clk(ways_clk),
        .mutant,
        .decision(way_decision),
        .*
    );

    replication_model model (
        .clk(model_clk),
        .busy(model_busy),
        .done(model_done),
        .bandwidth_none(model_none),
        .bandwidth_full(model_full),
        .decided(model_decided),
        .replicate(model_replicate),
        .*
    );

    replication_model #(
        .COUNT_BITS(2),
        .FRACTION_BITS(3),
        .BANDWIDTH_BITS(3)
    ) narrow (
        .clk(narrow_clk),
        .rst,
        .mutant,
        .start,
        .lookups({lookups[25:24], lookups[1:0]}),
        .hits({hits[25:24], hits[1:0]}),
        .misses({misses[25:24], misses[1:0]}),
        .requests({requests[25:24], requests[1:0]}),
        .local_requests({local_requests[25:24], local_requests[1:0]}),
        .remote_requests({remote_requests[25:24], remote_requests[1:0]}),
        .llc(llc[2:0]),
        .memory(memory[2:0]),
        .noc(noc[2:0]),
        .busy(narrow_busy),
        .done(narrow_done),
        .bandwidth_none(narrow_none),
        .bandwidth_full(narrow_full),
        .decided(narrow_decided),
        .replicate(narrow_replicate)
    );
endmodule

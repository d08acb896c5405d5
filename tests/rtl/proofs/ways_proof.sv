// The way-partition controller with any load, any launches and any associativities that stay as they are. Proved by
// induction: each cache keeps a way each for local and remote lines, and moves at most one a sample. The assertions
// are those of rtl/way_partition.sv.
module ways_proof #(
    parameter int unsigned MUTANT = 0,
    parameter int unsigned COUNT_BITS = 2,
    parameter int unsigned RESPONSE_BITS = 2,
    parameter int unsigned WAY_BITS = 5
) (
    input logic                                clk,
    input logic                                rst,
    input logic [6:0]                          saturation_percent,
    input logic [2*WAY_BITS-1:0]               ways,  // any, but for ever
    input logic                                launch,
    input logic                                sample,
    input logic [COUNT_BITS+RESPONSE_BITS-1:0] local_bytes,
    input logic [COUNT_BITS+RESPONSE_BITS-1:0] local_capacity_bytes,
    input logic [COUNT_BITS-1:0]               outgoing_reads,
    input logic [RESPONSE_BITS-1:0]            response_bytes,
    input logic [COUNT_BITS+RESPONSE_BITS-1:0] ingress_capacity_bytes
);
    logic [2*WAY_BITS-1:0] were;
    logic known;
    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;
        were <= ways;
        assume (known || rst);
        assume (!known || ways == were);
        assume (ways[WAY_BITS-1:0] >= 2 && ways[2*WAY_BITS-1:WAY_BITS] >= 2);
    end

    way_partition #(
        .COUNT_BITS(COUNT_BITS),
        .RESPONSE_BITS(RESPONSE_BITS),
        .WAY_BITS(WAY_BITS),
        .CACHES(2)
    ) controller (
        .clk(clk),
        .rst(rst),
`ifdef FAULTY
        .mutant(5'(MUTANT)),
`endif
        .saturation_percent(saturation_percent),
        .ways(ways),
        .launch(launch),
        .sample(sample),
        .local_bytes(local_bytes),
        .local_capacity_bytes(local_capacity_bytes),
        .outgoing_reads(outgoing_reads),
        .response_bytes(response_bytes),
        .ingress_capacity_bytes(ingress_capacity_bytes),
        .local_ways(),
        .decision()
    );
endmodule

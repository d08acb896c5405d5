// The control of the replication evaluator at its real length, with any starts and any data (of few bits, which the
// control does not see). Proved by induction: done is high 116 cycles after a start and at no other time, the decision
// one later, both ALUs keep to the schedule. The assertions are those of rtl/replication_*.sv.
module control_proof #(
    parameter int unsigned MUTANT = 0
) (
    input logic       clk,
    input logic       rst,
    input logic       start,
    input logic [3:0] lookups,
    input logic [3:0] hits,
    input logic [3:0] misses,
    input logic [3:0] requests,
    input logic [3:0] local_requests,
    input logic [3:0] remote_requests,
    input logic [1:0] llc,
    input logic [1:0] memory,
    input logic [1:0] noc
);
    logic known, busy, done, decided;
    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;
        assume (known || rst);
    end

    replication_model #(
        .COUNT_BITS(2),
        .FRACTION_BITS(24),
        .BANDWIDTH_BITS(2)
    ) model (
        .clk(clk),
        .rst(rst),
`ifdef FAULTY
        .mutant(5'(MUTANT)),
`endif
        .start(start),
        .lookups(lookups),
        .hits(hits),
        .misses(misses),
        .requests(requests),
        .local_requests(local_requests),
        .remote_requests(remote_requests),
        .llc(llc),
        .memory(memory),
        .noc(noc),
        .busy(busy),
        .done(done),
        .decided(decided),
        .bandwidth_none(),
        .bandwidth_full(),
        .replicate()
    );
endmodule

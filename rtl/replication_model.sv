// The model-driven replication evaluator (NUBA, section 5.1): whether the next epoch replicates read-only shared lines.
//
// Twin of models/cache/replication_model. Two ALUs evaluate both cases side by side. At an edge with `start` the inputs
// are taken; 116 cycles later `done` is high for a cycle and the bandwidths stand; a cycle after that, for the last
// comparison, which the paper's 116 leave out, `decided` is high and `replicate` holds until the next decision.
// Equal bandwidths do not replicate: a copy would cost capacity for nothing.
module replication_model #(
    parameter int unsigned COUNT_BITS = 24,
    parameter int unsigned FRACTION_BITS = 24,
    parameter int unsigned BANDWIDTH_BITS = 24
) (
    input  logic                      clk,
    input  logic                      rst,  // synchronous
    input  logic                      start,  // ignored while busy
    // Counted in the epoch that ends, or estimated, for each case: 0 without replication, 1 with full replication.
    input  logic [2*COUNT_BITS-1:0]   lookups,
    input  logic [2*COUNT_BITS-1:0]   hits,
    input  logic [2*COUNT_BITS-1:0]   misses,
    input  logic [2*COUNT_BITS-1:0]   requests,
    input  logic [2*COUNT_BITS-1:0]   local_requests,
    input  logic [2*COUNT_BITS-1:0]   remote_requests,
    input  logic [BANDWIDTH_BITS-1:0] llc,
    input  logic [BANDWIDTH_BITS-1:0] memory,
    input  logic [BANDWIDTH_BITS-1:0] noc,
    output logic                      busy,
    output logic                      done,
    output logic [BANDWIDTH_BITS+1:0] bandwidth_none,
    output logic [BANDWIDTH_BITS+1:0] bandwidth_full,
    output logic                      decided,
    output logic                      replicate
);
    logic [1:0] running, ends;
    localparam int unsigned SUM_BITS = BANDWIDTH_BITS + 2;
    logic [2*SUM_BITS-1:0] bandwidth;
`ifdef NUMAVP_ASSERTIONS
    logic [15:0] of_alus;  // their cycles
`endif

    // A new start waits for the comparison, which reads the ALUs' results.
    wire go = start && !busy;
    for (genvar i = 0; i < 2; i++) begin : alu
        replication_alu #(
            .FULL(i == 1),
            .COUNT_BITS(COUNT_BITS),
            .FRACTION_BITS(FRACTION_BITS),
            .BANDWIDTH_BITS(BANDWIDTH_BITS)
        ) core (
            .clk,
            .rst,
            .start(go),
            .lookups(lookups[i*COUNT_BITS+:COUNT_BITS]),
            .hits(hits[i*COUNT_BITS+:COUNT_BITS]),
            .misses(misses[i*COUNT_BITS+:COUNT_BITS]),
            .requests(requests[i*COUNT_BITS+:COUNT_BITS]),
            .local_requests(local_requests[i*COUNT_BITS+:COUNT_BITS]),
            .remote_requests(remote_requests[i*COUNT_BITS+:COUNT_BITS]),
            .llc,
            .memory,
            .noc,
            .running(running[i]),
            .ends(ends[i]),
`ifdef NUMAVP_ASSERTIONS
            .elapsed(of_alus[i*8+:8]),
`endif
            .bandwidth(bandwidth[i*SUM_BITS+:SUM_BITS])
        );
    end

    assign busy = (|running) || done;
    assign {bandwidth_full, bandwidth_none} = bandwidth;

    always_ff @(posedge clk) begin
        if (rst) begin
            done      <= 0;
            decided   <= 0;
            replicate <= 0;
        end else begin
            done    <= &ends;
            decided <= done;
            if (done) replicate <= bandwidth_full > bandwidth_none;
        end
    end

`ifdef NUMAVP_ASSERTIONS
    // 4 divisions, 4 multiplications, 2 additions, 2 minima.
    localparam logic [7:0] CYCLES = 8'(4 * (FRACTION_BITS + 1) + 4 * 3 + 2 + 2);
    logic known, was_done, was_go;
    logic [7:0] elapsed;  // edges since the one that took the inputs
    initial known = 0;
    always_ff @(posedge clk) begin
        known    <= 1;  // the first edge is in reset
        was_done <= done && !rst;
        was_go   <= go && !rst;
        elapsed  <= go ? 1 : elapsed + 1;
        if (known && !rst) begin
            starts_at_once : assert (!was_go || running == 3);
            ends_together : assert (ends == 0 || ends == 3);
            runs_together : assert (running == 0 || running == 3);
            counts_as_alus : assert (running == 0 || of_alus == {2{elapsed - 8'd1}});
            done_in_time : assert (!busy || done == (elapsed == CYCLES + 1));
            never_late : assert (!busy || elapsed <= CYCLES + 1);
            decided_after_done : assert (decided == was_done);
        end
    end
`endif
endmodule

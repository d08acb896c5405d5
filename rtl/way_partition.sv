// The way-partition controller: how many ways of a socket's caches hold local lines, how many remote ones (NUMA-aware
// GPUs, section 5.1, steps 0 to 5).
//
// Twin of NumaAwareWayPartition (models/cache/way_partition.h). It drives CACHES kinds of caches, whose associativities
// are constant inputs. One clock edge a sample: after an edge with `sample` the verdict is on `decision` and the new
// split on `local_ways`; an edge without clears the verdict. An edge with `launch` goes back to half of the ways each.
module way_partition #(
    parameter int unsigned COUNT_BITS = 48,
    parameter int unsigned RESPONSE_BITS = 9,
    parameter int unsigned WAY_BITS = 8,
    parameter int unsigned CACHES = 2
) (
    input  logic                                clk,
    input  logic                                rst,  // synchronous
    input  logic [6:0]                          saturation_percent,
    input  logic [CACHES*WAY_BITS-1:0]          ways,  // of each cache, 2 or more; cache 0 lowest
    input  logic                                launch,
    input  logic                                sample,
    input  logic [COUNT_BITS+RESPONSE_BITS-1:0] local_bytes,
    input  logic [COUNT_BITS+RESPONSE_BITS-1:0] local_capacity_bytes,
    input  logic [COUNT_BITS-1:0]               outgoing_reads,
    input  logic [RESPONSE_BITS-1:0]            response_bytes,
    input  logic [COUNT_BITS+RESPONSE_BITS-1:0] ingress_capacity_bytes,
    output logic [CACHES*WAY_BITS-1:0]          local_ways,
    output logic [1:0]                          decision
);
    localparam int unsigned BYTE_BITS = COUNT_BITS + RESPONSE_BITS;
    localparam logic [1:0] NONE = 0, MORE_REMOTE = 1, MORE_LOCAL = 2, TOWARD_EQUAL = 3;

    // Step 1: what the reads on their way will bring in, against the lanes that face in.
    wire [BYTE_BITS-1:0] incoming = BYTE_BITS'(outgoing_reads) * BYTE_BITS'(response_bytes);

    logic link_full, memory_full;
    saturation #(BYTE_BITS) of_link (
        .used(incoming),
        .capacity(ingress_capacity_bytes),
        .percent(saturation_percent),
        .full(link_full)
    );
    saturation #(BYTE_BITS) of_memory (
        .used(local_bytes),
        .capacity(local_capacity_bytes),
        .percent(saturation_percent),
        .full(memory_full)
    );

    logic [1:0] verdict;
    always_comb begin
        if (link_full && memory_full) verdict = TOWARD_EQUAL;
        else if (link_full) verdict = MORE_REMOTE;
        else if (memory_full) verdict = MORE_LOCAL;
        else verdict = NONE;
    end

    for (genvar i = 0; i < CACHES; i++) begin : cache
        wire [WAY_BITS-1:0] all = ways[i*WAY_BITS+:WAY_BITS];
        wire [WAY_BITS-1:0] near = local_ways[i*WAY_BITS+:WAY_BITS];
        wire [WAY_BITS-1:0] far = all - near;

        logic [WAY_BITS-1:0] next;
        always_comb begin
            next = near;
            case (verdict)
                MORE_REMOTE: if (near > 1) next = near - 1;
                MORE_LOCAL: if (far > 1) next = near + 1;
                TOWARD_EQUAL: begin
                    // Apart by one is equal: an odd number of ways rests there.
                    if (near > far && near - far > 1) next = near - 1;
                    else if (far > near && far - near > 1) next = near + 1;
                end
                default: ;
            endcase
        end

        always_ff @(posedge clk) begin
            if (rst || launch) local_ways[i*WAY_BITS+:WAY_BITS] <= all - (all >> 1);
            else if (sample) local_ways[i*WAY_BITS+:WAY_BITS] <= next;
        end
    end

    always_ff @(posedge clk) decision <= sample && !rst && !launch ? verdict : NONE;

`ifdef NUMAVP_ASSERTIONS
    logic [CACHES*WAY_BITS-1:0] was;
    logic known, was_launch, was_sample;
    initial known = 0;
    always_ff @(posedge clk) begin
        known      <= 1;  // the first edge is in reset
        was        <= local_ways;
        was_launch <= launch || rst;
        was_sample <= sample && !rst;
        if (known && !rst) begin
            answers_a_sample : assert (decision == NONE || (was_sample && !was_launch));
        end
    end
    for (genvar i = 0; i < CACHES; i++) begin : of
        wire [WAY_BITS-1:0] all = ways[i*WAY_BITS+:WAY_BITS];
        wire [WAY_BITS-1:0] near = local_ways[i*WAY_BITS+:WAY_BITS];
        wire [WAY_BITS-1:0] then = was[i*WAY_BITS+:WAY_BITS];
        always_ff @(posedge clk) begin
            if (known && !rst) begin
                // A way each is always left, at most one moves, and only with a verdict; a launch makes halves.
                assert (near != 0);
                assert (near < all);
                assert (was_launch || near == then || near == then + 1 || near + 1 == then);
                assert (was_launch || near == then || decision != NONE);
                assert (!was_launch || near == all - near || near == all - near + 1);
            end
        end
    end
`endif
endmodule

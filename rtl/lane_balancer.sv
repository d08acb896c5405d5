// The link load balancer: which way the lanes of a socket's link face (NUMA-aware GPUs, section 4).
//
// Twin of DynamicLaneBalancer (tlm-links/lanes/lane_balancer.h). One clock edge a sample: what is on the inputs at an edge
// with `sample` is answered on `decision` after it; an edge without `sample` clears it. At an edge with `launch` the
// lane inputs are the wired split, and `launch_out` and `launch_in` hold how the lanes face from then on.
// The lanes themselves, quiescing and switch time are the link's.
module lane_balancer #(
    parameter int unsigned COUNT_BITS = 57,
    parameter int unsigned LANE_BITS  = 8
) (
    input  logic                  clk,
    input  logic                  rst,  // synchronous
    input  logic [6:0]            saturation_percent,
    input  logic                  launch,
    input  logic                  sample,
    input  logic [COUNT_BITS-1:0] busy_out,
    input  logic [COUNT_BITS-1:0] available_out,
    input  logic [COUNT_BITS-1:0] busy_in,
    input  logic [COUNT_BITS-1:0] available_in,
    input  logic [LANE_BITS-1:0]  lanes_out,
    input  logic [LANE_BITS-1:0]  lanes_in,
    input  logic [LANE_BITS-1:0]  turning,
    output logic [LANE_BITS-1:0]  launch_out,
    output logic [LANE_BITS-1:0]  launch_in,
    output logic [1:0]            decision
);
    localparam logic [1:0] NONE = 0, TURN_ONE_OUT = 1, TURN_ONE_IN = 2;
    localparam logic [LANE_BITS:0] ONE = 1;

    logic out_full, in_full;
    saturation #(COUNT_BITS) of_out (
        .used(busy_out),
        .capacity(available_out),
        .percent(saturation_percent),
        .full(out_full)
    );
    saturation #(COUNT_BITS) of_in (
        .used(busy_in),
        .capacity(available_in),
        .percent(saturation_percent),
        .full(in_full)
    );

    // Both saturated: the side with more lanes gives, down to symmetry. One saturated: the other gives, down to one.
    // A lane more than can be counted is kept by nobody: the sums are one bit wider.
    wire [LANE_BITS:0] keep_out = out_full ? {1'b0, lanes_in} + 1'b1 : ONE;
    wire [LANE_BITS:0] keep_in = in_full ? {1'b0, lanes_out} + 1'b1 : ONE;
    wire out_can = {1'b0, lanes_out} > keep_out;
    wire in_can = {1'b0, lanes_in} > keep_in;
    wire free = turning == 0;

    logic [1:0] verdict;
    always_comb begin
        verdict = NONE;
        if (free) begin  // never both questions are answered yes: their order does not matter
            if (in_full && out_can) verdict = TURN_ONE_IN;
            else if (out_full && in_can) verdict = TURN_ONE_OUT;
        end
    end

    wire [LANE_BITS:0] lanes = {1'b0, lanes_out} + {1'b0, lanes_in};
    wire [LANE_BITS-1:0] half = lanes[LANE_BITS:1];
    wire [LANE_BITS-1:0] rest = half + LANE_BITS'(lanes[0]);  // an odd lane faces out

    always_ff @(posedge clk) begin
        if (rst) begin
            decision   <= NONE;
            launch_out <= 0;
            launch_in  <= 0;
        end else begin
            decision <= sample ? verdict : NONE;
            if (launch) begin
                launch_out <= rest;
                launch_in  <= half;
            end
        end
    end

`ifdef NUMAVP_ASSERTIONS
    // What a sample was, for the edge that shows its answer.
    logic [LANE_BITS-1:0] was_out, was_in, was_turning;
    logic was_sample, was_launch, known;
    initial known = 0;
    always_ff @(posedge clk) begin
        known       <= 1;  // the first edge is in reset
        was_sample  <= sample && !rst;
        was_launch  <= launch && !rst;
        was_out     <= lanes_out;
        was_in      <= lanes_in;
        was_turning <= turning;
        if (known && !rst) begin
            legal_decision : assert (decision != 3);
            answers_a_sample : assert (decision == NONE || was_sample);
            one_turn_at_a_time : assert (decision == NONE || was_turning == 0);
            out_keeps_a_lane : assert (decision != TURN_ONE_IN || was_out > 1);
            in_keeps_a_lane : assert (decision != TURN_ONE_OUT || was_in > 1);
            launch_keeps_lanes : assert (!was_launch || launch_out + launch_in == LANE_BITS'(was_out + was_in));
            launch_is_symmetric : assert (!was_launch || launch_out == launch_in || launch_out == launch_in + 1);
        end
    end
`endif
endmodule

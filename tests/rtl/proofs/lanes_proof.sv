// A link in miniature around the lane balancer: any load, any sample times, and lanes that take SWITCH cycles to turn.
// Proved by induction: no direction is ever without a lane, at most one lane turns, none is lost, and the decisions'
// own assertions (rtl/lane_balancer.sv) hold.
module lanes_proof #(
    parameter int unsigned MUTANT = 0,
    parameter int unsigned LANES = 7,
    parameter int unsigned SWITCH = 3,
    parameter int unsigned COUNT_BITS = 3,
    parameter int unsigned LANE_BITS = 4
) (
    input logic                  clk,
    input logic                  rst,
    input logic                  any_launch,
    input logic                  any_sample,
    input logic [6:0]            saturation_percent,
    input logic [COUNT_BITS-1:0] busy_out,
    input logic [COUNT_BITS-1:0] available_out,
    input logic [COUNT_BITS-1:0] busy_in,
    input logic [COUNT_BITS-1:0] available_in
);
    localparam logic [1:0] NONE = 0, TURN_ONE_OUT = 1;

    logic [LANE_BITS-1:0] out, in, turning, launch_out, launch_in;
    logic [2:0] timer;
    logic to_out, launched, known;
    logic [1:0] decision;

    // A link samples at most every 10 cycles: not while a decision or a launch is on its way.
    wire waits = decision != NONE || launched;
    wire sample = any_sample && !waits;
    wire launch = any_launch && !waits && !sample && turning == 0;

    lane_balancer #(
        .COUNT_BITS(COUNT_BITS),
        .LANE_BITS(LANE_BITS)
    ) balancer (
        .clk(clk),
        .rst(rst),
`ifdef FAULTY
        .mutant(5'(MUTANT)),
`endif
        .saturation_percent(saturation_percent),
        .launch(launch),
        .sample(sample),
        .busy_out(busy_out),
        .available_out(available_out),
        .busy_in(busy_in),
        .available_in(available_in),
        .lanes_out(out),
        .lanes_in(in),
        .turning(turning),
        .launch_out(launch_out),
        .launch_in(launch_in),
        .decision(decision)
    );

    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;
        launched <= launch && !rst;
        if (rst) begin
            out <= LANE_BITS'(LANES - 1);  // as wired: as lopsided as can be
            in <= 1;
            turning <= 0;
            timer <= 0;
            to_out <= 0;
        end else if (launched) begin
            out <= launch_out;
            in <= launch_in;
        end else if (decision != NONE) begin
            to_out <= decision == TURN_ONE_OUT;
            if (decision == TURN_ONE_OUT) in <= in - 1;
            else out <= out - 1;
            turning <= turning + 1;
            timer <= SWITCH;
        end else if (timer != 0) begin
            timer <= timer - 1;
            if (timer == 1) begin
                turning <= turning - 1;
                if (to_out) out <= out + 1;
                else in <= in + 1;
            end
        end

        assume (known || rst);
        if (known) begin
            out_has_a_lane : assert (out != 0);
            in_has_a_lane : assert (in != 0);
            no_lane_is_lost : assert (out + in + turning == LANES);
            one_lane_turns : assert (turning <= 1);
            turns_in_time : assert ((turning != 0) == (timer != 0) && timer <= SWITCH);
            never_two_at_once : assert (decision == NONE || turning == 0);
        end
    end
endmodule

// Assertions on the pins of the receiving end of a line that repeats flits, whatever stands there: the flits that come with
// errors or without, its answers, and what it passes on. The rules are those of FlitRetryReceiverMonitor
// (tlm-links/flits/flit_retry_monitor.h). For simulation: to be put beside a device or bound to it.
//
// Liveness: a wait of PATIENCE cycles for an answer, or for the credit of a place that is free, is a breach. How long a flit
// waits before it is passed on is not checked: that is up to the receiver below.
module flit_retry_receiver_checker #(
    parameter int unsigned DEPTH      = 64,
    parameter int unsigned DATA_BITS  = 256,
    parameter int unsigned CNTL_BITS  = 14,
    parameter int unsigned PLACE_BITS = 8,
    parameter int unsigned TRIP_BITS  = 10,
    parameter int unsigned PATIENCE   = 1000
) (
    input logic                  clk,
    input logic                  rst,
    input logic [TRIP_BITS-1:0]  round_trip,
    input logic                  line_valid,
    input logic [PLACE_BITS-1:0] line_number,
    input logic [CNTL_BITS-1:0]  line_cntl,
    input logic [DATA_BITS-1:0]  line_data,
    input logic [31:0]           line_crc,
    input logic                  acknowledge,
    input logic                  again,
    input logic [PLACE_BITS-1:0] answered,
    input logic                  credit,
    input logic                  tx_valid,
    input logic [DATA_BITS-1:0]  tx_data,
    input logic [CNTL_BITS-1:0]  tx_cntl
);
    logic [CNTL_BITS+DATA_BITS-1:0] came[2**PLACE_BITS];
    logic [PLACE_BITS-1:0] expected;  // behind the last one that came as it should
    logic [PLACE_BITS-1:0] told;      // behind the last one that was acknowledged
    logic [PLACE_BITS-1:0] passed;    // behind the last one that went on
    logic [PLACE_BITS-1:0] places;    // credits that are out
    logic missing;                    // another flit, or a wrong one, has come since
    logic known;
    logic [31:0] since;               // cycles since the last request for the expected flit; 0: there was none
    logic [31:0] untold, unasked, uncredited;
    initial known = 0;

    logic [31:0] crc;
    flit_crc #(
        .DATA_BITS(DATA_BITS),
        .CNTL_BITS(CNTL_BITS),
        .PLACE_BITS(PLACE_BITS)
    ) code (
        .number(line_number),
        .cntl(line_cntl),
        .data(line_data),
        .crc
    );
    wire good = line_valid && line_crc == crc && line_number == expected;
    wire [PLACE_BITS-1:0] held = expected - passed;
    wire has_place = 32'(places) + 32'(held) < DEPTH;

    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        if (good) came[expected] <= {line_cntl, line_data};
        expected <= expected + PLACE_BITS'(good);
        told <= told + PLACE_BITS'(acknowledge);
        passed <= passed + PLACE_BITS'(tx_valid);
        places <= places + PLACE_BITS'(credit) - PLACE_BITS'(good);
        missing <= !good && (line_valid || missing);
        since <= good ? 0 : again ? 1 : since == 0 ? 0 : since + 1;
        untold <= told != expected && !acknowledge ? untold + 1 : 0;
        unasked <= missing && !again && since == 0 ? unasked + 1 : 0;
        uncredited <= has_place && !credit ? uncredited + 1 : 0;
        if (rst) begin
            expected <= 0;
            told <= 0;
            passed <= 0;
            places <= 0;
            missing <= 0;
            since <= 0;
            untold <= 0;
            unasked <= 0;
            uncredited <= 0;
        end
    end

    always_ff @(posedge clk) begin
        if (known && !rst) begin
            one_answer : assert (!acknowledge || !again);
            acknowledges_what_has_come : assert (!acknowledge || told != expected);
            acknowledges_in_order : assert (!acknowledge || answered == told);
            asks_with_reason : assert (!again || missing);
            asks_for_the_expected : assert (!again || answered == expected);
            asks_when_it_is_due : assert (!again || since == 0 || since >= 32'(round_trip));
            what_comes_is_acknowledged : assert (untold < PATIENCE);
            what_is_missing_is_asked_for : assert (unasked < PATIENCE);
            what_does_not_come_is_asked_for : assert (since <= 32'(round_trip) + PATIENCE);
            passes_what_has_come : assert (!tx_valid || held != 0);
            passes_it_as_it_came : assert (!tx_valid || held == 0 || {tx_cntl, tx_data} == came[passed]);
            flit_has_a_place : assert (!good || places != 0);
            places_are_there : assert (!credit || has_place);
            places_are_given : assert (uncredited < PATIENCE);
        end
    end
endmodule

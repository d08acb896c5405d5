// Assertions on the pins of the sending end of a line that repeats flits, whatever stands there: the flits that it takes, what
// it puts on the line, and the answers that it gets. The rules are those of FlitRetrySenderMonitor
// (tlm-links/flits/flit_retry_monitor.h). For simulation: to be put beside a device or bound to it.
//
// Liveness: a wait of PATIENCE cycles for a repetition, or for a flit that could go, is a breach.
module flit_retry_sender_checker #(
    parameter int unsigned DATA_BITS  = 256,
    parameter int unsigned CNTL_BITS  = 14,
    parameter int unsigned PLACE_BITS = 8,
    parameter int unsigned PATIENCE   = 1000
) (
    input logic                  clk,
    input logic                  rst,
    input logic [PLACE_BITS-1:0] buffer_flits,
    input logic                  rx_valid,
    input logic [DATA_BITS-1:0]  rx_data,
    input logic [CNTL_BITS-1:0]  rx_cntl,
    input logic                  line_valid,
    input logic [PLACE_BITS-1:0] line_number,
    input logic [CNTL_BITS-1:0]  line_cntl,
    input logic [DATA_BITS-1:0]  line_data,
    input logic [31:0]           line_crc,
    input logic                  acknowledge,
    input logic                  again,
    input logic [PLACE_BITS-1:0] answered,
    input logic                  credit
);
    // Flits are counted with a bit more than their numbers have: some wait while all numbers are in the retry buffer.
    localparam int unsigned COUNT_BITS = PLACE_BITS + 1;
    logic [CNTL_BITS+DATA_BITS-1:0] came[2**COUNT_BITS];
    logic [COUNT_BITS-1:0] newest;       // behind the last one that came from above
    logic [COUNT_BITS-1:0] sent;         // behind the last one that was on the line
    logic [COUNT_BITS-1:0] oldest;       // that is not acknowledged
    logic [COUNT_BITS-1:0] next;         // on the line, unless a repetition begins
    logic asked;                         // a repetition has not begun yet
    logic known;
    logic [PLACE_BITS:0] credits;
    logic [31:0] waited, silent;
    initial known = 0;

    wire begins = asked && line_number == oldest[PLACE_BITS-1:0];
    wire [COUNT_BITS-1:0] now = begins ? oldest : next;
    wire is_new = line_valid && now == sent;
    wire [COUNT_BITS-1:0] sent_now = sent + COUNT_BITS'(is_new);
    wire [COUNT_BITS-1:0] in_buffer = sent - oldest;
    wire [COUNT_BITS-1:0] oldest_now = oldest + COUNT_BITS'(acknowledge);
    wire can_take = sent != newest && credits != 0 && in_buffer < {1'b0, buffer_flits};
    wire can_go = !asked && (next != sent || can_take);  // a repetition goes on in any case
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

    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        if (rx_valid) came[newest] <= {rx_cntl, rx_data};
        newest <= newest + COUNT_BITS'(rx_valid);
        sent <= sent_now;
        oldest <= oldest_now;
        if (line_valid) next <= now + 1'b1;
        asked <= again || (asked && !(line_valid && begins));
        credits <= credits + (PLACE_BITS + 1)'(credit) - (PLACE_BITS + 1)'(is_new);
        waited <= asked && !(line_valid && begins) ? waited + 1 : 0;
        silent <= can_go && !line_valid ? silent + 1 : 0;
        if (rst) begin
            newest <= 0;
            sent <= 0;
            oldest <= 0;
            next <= 0;
            asked <= 0;
            credits <= 0;
            waited <= 0;
            silent <= 0;
        end
    end

    always_ff @(posedge clk) begin
        if (known && !rst) begin
            numbers_are_in_order : assert (!line_valid || line_number == now[PLACE_BITS-1:0]);
            flit_has_come : assert (!is_new || sent != newest);
            flit_is_as_it_came : assert (!line_valid || now == newest || {line_cntl, line_data} == came[now]);
            code_is_right : assert (!line_valid || line_crc == crc);
            flit_has_credit : assert (!is_new || credits != 0);
            buffer_has_room : assert (!is_new || in_buffer < {1'b0, buffer_flits});
            one_answer : assert (!acknowledge || !again);
            acknowledges_what_was_sent : assert (!acknowledge || oldest != sent_now);
            acknowledges_in_order : assert (!acknowledge || answered == oldest[PLACE_BITS-1:0]);
            asks_for_what_was_sent : assert (!again || oldest != sent_now);
            asks_for_the_oldest : assert (!again || answered == oldest[PLACE_BITS-1:0]);
            repetition_begins : assert (waited < PATIENCE);
            line_goes_on : assert (silent < PATIENCE);
        end
    end
endmodule

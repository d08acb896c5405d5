// The sending side of a line that repeats what arrives with an error: a retry buffer with go-back-N.
//
// Twin of RetryLine (tlm-links/retry/retry_line.h) for a line that carries a unit a cycle. One clock edge a cycle: an item
// on the inputs at an edge is taken if `taken` is 1 after it, and the owner shows the next one then; `valid` tells that the
// line carries a unit of item `sequence` in the cycle behind the edge, `last` that it is the item's last one. At an edge
// with `acknowledge` the oldest item in the buffer has arrived. At an edge with `again` the oldest item that is left is
// asked for again: what is under way is broken off, and all that is in the buffer is sent anew, in order.
// Numbers are those of places in the buffer, of which there are 2^PLACE_BITS.
module retry_sender #(
    parameter int unsigned PLACE_BITS = 8,
    parameter int unsigned UNIT_BITS  = 8,
    parameter int unsigned HELD_BITS  = 20
) (
    input  logic                  clk,
    input  logic                  rst,            // synchronous
    input  logic [UNIT_BITS-1:0]  largest_units,  // of an item: a new one is taken where this has room
    input  logic [HELD_BITS-1:0]  buffer_units,
    input  logic                  item,
    input  logic [UNIT_BITS-1:0]  item_units,     // 1 or more
    input  logic                  acknowledge,
    input  logic                  again,
    output logic                  taken,
    output logic                  valid,
    output logic                  last,
    output logic [PLACE_BITS-1:0] sequence_number
);
    logic [UNIT_BITS-1:0] units[2**PLACE_BITS];
    logic [PLACE_BITS-1:0] oldest, next, newest;  // newest: behind the last item
    logic [HELD_BITS-1:0] held;
    logic [UNIT_BITS-1:0] left;  // units of the item under way, behind the one that the line carries

    wire [PLACE_BITS-1:0] oldest_now = acknowledge ? oldest + 1'b1 : oldest;
    wire [HELD_BITS-1:0] held_now = acknowledge ? held - HELD_BITS'(units[oldest]) : held;
    wire [PLACE_BITS-1:0] next_now = again ? oldest_now : next;
    wire under_way = left != 0 && !again;
    wire repeats = !under_way && next_now != newest;
    wire room = {1'b0, held_now} + (HELD_BITS + 1)'(largest_units) <= {1'b0, buffer_units} &&
                newest + 1'b1 != oldest_now;
    wire takes = !under_way && !repeats && item && room;

    wire [PLACE_BITS-1:0] place = under_way ? sequence_number : next_now;
    wire [UNIT_BITS-1:0] to_send = under_way ? left : repeats ? units[next_now] : takes ? item_units : '0;

    always_ff @(posedge clk) begin
        if (rst) begin
            oldest          <= 0;
            next            <= 0;
            newest          <= 0;
            held            <= 0;
            left            <= 0;
            taken           <= 0;
            valid           <= 0;
            last            <= 0;
            sequence_number <= 0;
        end else begin
            oldest          <= oldest_now;
            held            <= held_now + (takes ? HELD_BITS'(item_units) : '0);
            next            <= repeats || takes ? next_now + 1'b1 : next_now;
            newest          <= takes ? newest + 1'b1 : newest;
            left            <= to_send == 0 ? '0 : to_send - 1'b1;
            taken           <= takes;
            valid           <= to_send != 0;
            last            <= to_send == 1;
            sequence_number <= place;
            if (takes) units[newest] <= item_units;
        end
    end

`ifdef NUMAVP_ASSERTIONS
    always_ff @(posedge clk) begin
        if (!rst) begin
            acknowledges_what_is_there : assert (!acknowledge || oldest != newest);
            repeats_what_is_there : assert (!again || oldest_now != newest);
            holds_no_more_than_fits : assert (held <= buffer_units);
            items_have_units : assert (!item || item_units != 0);
        end
    end
`endif
endmodule

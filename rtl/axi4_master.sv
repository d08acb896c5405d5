// A traffic generator behind an AXI4 manager port of 512 bits that checks what it reads: random INCR bursts of full
// beats, reads and writes, several out at once, some with the same id, some unaligned, some with missing strobes.
//
// It uses WORDS beats of memory from `base` on and keeps a copy of them, which starts as zeros: whoever is at the other
// end has zeros there too, and nobody else writes there. `bursts` is how many it sends in all; it can be raised later.
// `rate` is how often in 1/256 a burst is drawn, `stall` how often each channel holds back, `most_beats` how long a
// burst is at most.
// A burst waits for those that it overlaps, but a read for no read, and a write for no write of its id, as AXI keeps
// their order.
module axi4_master #(
    parameter int unsigned ID_BITS = 4,
    parameter int unsigned WORDS = 1024,  // a multiple of the 64 beats of 4 KB
    parameter int unsigned PLACES = 8  // bursts of a direction that may be out
) (
    input  logic               clk,
    input  logic               rst,  // synchronous; takes the seed
    input  logic [63:0]        seed,
    input  logic [63:0]        base,  // a multiple of 4 KB
    input  logic [31:0]        bursts,
    input  logic [8:0]         rate,
    input  logic [7:0]         stall,
    input  logic [6:0]         most_beats,  // 1 to 64
    output logic               idle,  // all was sent and answered
    output logic [31:0]        answered,
    output logic [31:0]        wrong,  // answers with other bytes than were written, other than OKAY, or not awaited
    output logic               awvalid,
    input  logic               awready,
    output logic [ID_BITS-1:0] awid,
    output logic [63:0]        awaddr,
    output logic [7:0]         awlen,
    output logic               wvalid,
    input  logic               wready,
    output logic [511:0]       wdata,
    output logic [63:0]        wstrb,
    output logic               wlast,
    input  logic               bvalid,
    output logic               bready,
    input  logic [ID_BITS-1:0] bid,
    input  logic [1:0]         bresp,
    output logic               arvalid,
    input  logic               arready,
    output logic [ID_BITS-1:0] arid,
    output logic [63:0]        araddr,
    output logic [7:0]         arlen,
    input  logic               rvalid,
    output logic               rready,
    input  logic [ID_BITS-1:0] rid,
    input  logic [511:0]       rdata,
    input  logic [1:0]         rresp,
    input  logic               rlast
);
    localparam int unsigned INDEX_BITS = $clog2(WORDS);
    localparam logic [1:0] OKAY = 0;

    logic [511:0] copy[WORDS];  // what the memory should hold
    initial for (int i = 0; i < WORDS; i++) copy[i] = 0;

    // --- chance: 64 bits of a xorshift generator, a step a cycle

    logic [63:0] chance;
    function automatic logic [63:0] shifted(input logic [63:0] x);
        logic [63:0] y;
        y = x ^ (x << 13);
        y = y ^ (y >> 7);
        return y ^ (y << 17);
    endfunction
    wire [63:0] more = chance * 64'h9e3779b97f4a7c15;  // of the same step
    logic [4:0] open;  // per channel: aw, w, b, ar, r
    always_comb for (int i = 0; i < 5; i++) open[i] = chance[8*i+:8] >= stall;

    // --- the next burst: drawn, then begun when it may

    logic drawn, is_write;
    logic [ID_BITS-1:0] id;
    logic [INDEX_BITS-1:0] first;
    logic [5:0] offset, len;
    wire [63:0] address = base + 64'({first, offset});

    wire [INDEX_BITS-1:0] draw_first = INDEX_BITS'(more >> 8);
    wire [5:0] most_len = 6'(most_beats - 7'd1);
    wire [5:0] draw_len = more[28:23] > most_len ? most_len : more[28:23];
    wire [5:0] in_page = ~draw_first[5:0];  // beats after the first in its 4 KB

    logic sending;  // a write whose data is not all on the pins
    logic writes_full, writes_empty, write_overlaps, write_overlaps_other;
    logic reads_full, reads_empty, read_overlaps;
    wire must_wait = is_write ? writes_full || write_overlaps_other || read_overlaps || awvalid || sending
                              : reads_full || write_overlaps || arvalid;
    wire begins = drawn && !must_wait && open[is_write ? 0 : 3];
    wire begins_write = begins && is_write;
    wire begins_read = begins && !is_write;

    logic [31:0] count;  // drawn so far
    always_ff @(posedge clk) begin
        if (rst) begin
            chance  <= seed | 1;
            drawn   <= 0;
            count   <= 0;
            awvalid <= 0;
            arvalid <= 0;
        end else begin
            chance <= shifted(chance);
            if (begins) drawn <= 0;
            if (!drawn && count != bursts && 9'(more[63:56]) < rate) begin
                drawn <= 1;
                count <= count + 1;
                is_write <= more[55];
                id <= ID_BITS'(more >> 48);
                first <= draw_first;
                offset <= more[47] ? 0 : more[46:41];
                len <= draw_len > in_page ? in_page : draw_len;
            end
            if (awready) awvalid <= 0;
            if (begins_write) begin
                awvalid <= 1;
                awid <= id;
                awaddr <= address;
                awlen <= 8'(len);
            end
            if (arready) arvalid <= 0;
            if (begins_read) begin
                arvalid <= 1;
                arid <= id;
                araddr <= address;
                arlen <= 8'(len);
            end
        end
    end

    // --- write data: one burst after the other, whether or not its address was taken

    logic [INDEX_BITS-1:0] send_word;
    logic [5:0] send_left, send_offset;
    wire shows = sending && (!wvalid || wready) && open[1];
    logic [511:0] data;
    always_comb for (int i = 0; i < 8; i++) data[64*i+:64] = chance ^ (more >> (7 * i)) ^ {8{8'(i)}};
    wire [63:0] strobes = (chance[53] ? ~64'h0 : more) & (~64'h0 << send_offset);

    always_ff @(posedge clk) begin
        if (rst) begin
            sending <= 0;
            wvalid  <= 0;
        end else begin
            if (wready) wvalid <= 0;
            if (shows) begin
                wvalid <= 1;
                wdata <= data;
                wstrb <= strobes;
                wlast <= send_left == 0;
                send_word <= send_word + 1;
                send_left <= send_left - 1;
                send_offset <= 0;
                if (send_left == 0) sending <= 0;
            end
            if (begins_write) begin
                sending <= 1;
                send_word <= first;
                send_left <= len;
                send_offset <= offset;
            end
        end
    end
    always_ff @(posedge clk)
        if (shows) for (int i = 0; i < 64; i++) if (strobes[i]) copy[send_word][8*i+:8] <= data[8*i+:8];

    // --- answers

    logic write_known, read_known, read_last;
    logic [INDEX_BITS-1:0] read_word;
    logic [5:0] read_offset;
    wire takes_write = bvalid && bready;
    wire takes_read = rvalid && rready;
    wire read_ends = takes_read && read_known && read_last;
    wire write_ends = takes_write && write_known;

    // verilator lint_off PINCONNECTEMPTY
    axi4_open_bursts #(ID_BITS, INDEX_BITS, PLACES) writes (
        .begins(begins_write),
        .next_id(id),
        .next_first(first),
        .next_offset(offset),
        .next_len(len),
        .full(writes_full),
        .empty(writes_empty),
        .overlaps(write_overlaps),
        .overlaps_other(write_overlaps_other),
        .takes(1'b0),  // nothing comes of beats here
        .ends(write_ends),
        .id(bid),
        .known(write_known),
        .word(),
        .offset(),
        .last(),
        .*
    );
    axi4_open_bursts #(ID_BITS, INDEX_BITS, PLACES) reads (
        .begins(begins_read),
        .next_id(id),
        .next_first(first),
        .next_offset(offset),
        .next_len(len),
        .full(reads_full),
        .empty(reads_empty),
        .overlaps(read_overlaps),
        .overlaps_other(),
        .takes(takes_read && read_known),
        .ends(read_ends),
        .id(rid),
        .known(read_known),
        .word(read_word),
        .offset(read_offset),
        .last(read_last),
        .*
    );
    // verilator lint_on PINCONNECTEMPTY

    wire [511:0] expected = copy[read_word];
    logic differs;
    always_comb begin
        differs = 0;
        for (int i = 0; i < 64; i++) differs |= i >= 32'(read_offset) && rdata[8*i+:8] != expected[8*i+:8];
    end
    wire read_is_wrong = takes_read && (!read_known || rresp != OKAY || rlast != read_last || differs);
    wire write_is_wrong = takes_write && (!write_known || bresp != OKAY);

    always_ff @(posedge clk) begin
        if (rst) begin
            bready <= 0;
            rready <= 0;
            answered <= 0;
            wrong <= 0;
        end else begin
            bready <= open[2];
            rready <= open[4];
            answered <= answered + 32'(read_ends) + 32'(write_ends);
            wrong <= wrong + 32'(read_is_wrong) + 32'(write_is_wrong);
        end
    end
    assign idle = count == bursts && !drawn && writes_empty && reads_empty;

`ifdef NUMAVP_ASSERTIONS
    logic known, aw_waits, ar_waits, w_waits;
    logic [63:0] was_awaddr, was_araddr, was_wstrb;
    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        aw_waits <= awvalid && !awready && !rst;
        ar_waits <= arvalid && !arready && !rst;
        w_waits <= wvalid && !wready && !rst;
        was_awaddr <= awaddr;
        was_araddr <= araddr;
        was_wstrb <= wstrb;
        if (known && !rst) begin
            write_address_waits : assert (!aw_waits || (awvalid && awaddr == was_awaddr));
            read_address_waits : assert (!ar_waits || (arvalid && araddr == was_araddr));
            write_data_waits : assert (!w_waits || (wvalid && wstrb == was_wstrb));
            writes_stay_in_4k : assert (!awvalid || 9'(awaddr[11:6]) + 9'(awlen) < 64);
            reads_stay_in_4k : assert (!arvalid || 9'(araddr[11:6]) + 9'(arlen) < 64);
            write_response_is_awaited : assert (!takes_write || write_known);
            read_data_is_awaited : assert (!takes_read || read_known);
            last_beat_is_last : assert (!takes_read || rlast == read_last);
            idle_is_the_end : assert (!idle || (answered == count && !awvalid && !arvalid && !sending));
        end
    end
`endif
endmodule

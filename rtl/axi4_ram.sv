// A memory behind an AXI4 subordinate port of 512 bits: INCR bursts of full beats, byte strobes, several reads and
// writes at once, answered in any order between ids and in order within one.
//
// Four reads and four write responses are held at a time; one a cycle is answered, of a read one beat, chosen by a
// shift register, so that beats of different ids mix. `stall` is how often, in 1/256, each channel holds back.
// An address whose burst is not all in the memory is answered DECERR and changes nothing. Not done: FIXED and WRAP
// bursts, narrow beats, locks and other attributes, which have no pins here.
module axi4_ram #(
    parameter int unsigned ID_BITS = 4,
    parameter int unsigned WORDS = 1024
) (
    input  logic               clk,
    input  logic               rst,  // synchronous
    input  logic [7:0]         stall,
    input  logic               awvalid,
    output logic               awready,
    input  logic [ID_BITS-1:0] awid,
    input  logic [63:0]        awaddr,
    input  logic [7:0]         awlen,
    input  logic               wvalid,
    output logic               wready,
    input  logic [511:0]       wdata,
    input  logic [63:0]        wstrb,
    input  logic               wlast,
    output logic               bvalid,
    input  logic               bready,
    output logic [ID_BITS-1:0] bid,
    output logic [1:0]         bresp,
    input  logic               arvalid,
    output logic               arready,
    input  logic [ID_BITS-1:0] arid,
    input  logic [63:0]        araddr,
    input  logic [7:0]         arlen,
    output logic               rvalid,
    input  logic               rready,
    output logic [ID_BITS-1:0] rid,
    output logic [511:0]       rdata,
    output logic [1:0]         rresp,
    output logic               rlast
);
    localparam int unsigned INDEX_BITS = $clog2(WORDS);
    localparam logic [1:0] OKAY = 0, DECERR = 3;

    logic [511:0] words[WORDS]  /* verilator public_flat_rw */;

    function automatic logic contains(input logic [63:0] address, input logic [7:0] length);
        return (address >> 6) + 64'(length) < 64'(WORDS);
    endfunction

    // --- chance: 64 bits of a xorshift generator, a step a cycle

    logic [63:0] chance;
    function automatic logic [63:0] shifted(input logic [63:0] x);
        logic [63:0] y;
        y = x ^ (x << 13);
        y = y ^ (y >> 7);
        return y ^ (y << 17);
    endfunction
    logic [4:0] open;  // per channel: aw, w, b, ar, r
    always_comb for (int i = 0; i < 5; i++) open[i] = chance[8*i+:8] >= stall;
    wire [1:0] first = chance[49:48];  // who is asked first

    // --- writes: addresses wait in order for their data, responses in any order

    logic taking;  // an address whose data is due
    logic [ID_BITS-1:0] take_id;
    logic [63:0] take_word;
    logic take_inside;
    logic [3:0] due;  // responses
    logic [ID_BITS-1:0] due_id[4];
    logic due_inside[4];
    logic [1:0] due_free, due_pick;
    logic due_same;
    always_comb begin
        due_free = 0;
        for (int i = 3; i >= 0; i--) if (!due[i]) due_free = 2'(i);
        due_same = taking && take_id == awid;
        for (int i = 0; i < 4; i++) due_same |= due[i] && due_id[i] == awid;
        if (bvalid && bid == awid) due_same = 1;
        due_pick = first;
        for (int i = 3; i >= 0; i--) if (due[first+2'(i)]) due_pick = first + 2'(i);
    end
    // The next address may come with the last beat.
    assign awready = open[0] && (!taking || (wvalid && wready && wlast)) && !due_same && !rst;
    assign wready = open[1] && taking && due != 4'hf && !rst;

    always_ff @(posedge clk) begin
        if (rst) begin
            taking <= 0;
            due <= 0;
            bvalid <= 0;
        end else begin
            if (bvalid && bready) bvalid <= 0;
            if ((!bvalid || bready) && due != 0 && open[2]) begin
                bvalid <= 1;
                bid <= due_id[due_pick];
                bresp <= due_inside[due_pick] ? OKAY : DECERR;
                due[due_pick] <= 0;
            end
            if (wvalid && wready) begin
                take_word <= take_word + 1;
                if (wlast) begin
                    taking <= 0;
                    due[due_free] <= 1;
                    due_id[due_free] <= take_id;
                    due_inside[due_free] <= take_inside;
                end
            end
            if (awvalid && awready) begin
                taking <= 1;
                take_id <= awid;
                take_word <= awaddr >> 6;
                take_inside <= contains(awaddr, awlen);
            end
        end
    end
    always_ff @(posedge clk) begin
        if (wvalid && wready && take_inside)
            for (int i = 0; i < 64; i++) if (wstrb[i]) words[take_word[INDEX_BITS-1:0]][8*i+:8] <= wdata[8*i+:8];
    end

    // --- reads: a beat a cycle of any of four

    logic [3:0] reading;
    logic [ID_BITS-1:0] read_id[4];
    logic [63:0] read_word[4];
    logic [7:0] read_left[4];
    logic read_inside[4];
    logic [1:0] read_free, read_pick;
    logic read_same;
    always_comb begin
        read_free = 0;
        for (int i = 3; i >= 0; i--) if (!reading[i]) read_free = 2'(i);
        read_same = 0;
        for (int i = 0; i < 4; i++) read_same |= reading[i] && read_id[i] == arid;
        read_pick = first;
        for (int i = 3; i >= 0; i--) if (reading[first+2'(i)]) read_pick = first + 2'(i);
    end
    assign arready = open[3] && reading != 4'hf && !read_same && !rst;

    always_ff @(posedge clk) begin
        if (rst) begin
            reading <= 0;
            rvalid <= 0;
            chance <= 64'h9e3779b97f4a7c15;
        end else begin
            chance <= shifted(chance);
            if (arvalid && arready) begin
                reading[read_free] <= 1;
                read_id[read_free] <= arid;
                read_word[read_free] <= araddr >> 6;
                read_left[read_free] <= arlen;
                read_inside[read_free] <= contains(araddr, arlen);
            end
            if (rvalid && rready) rvalid <= 0;
            if ((!rvalid || rready) && reading != 0 && open[4]) begin
                rvalid <= 1;
                rid <= read_id[read_pick];
                rdata <= read_inside[read_pick] ? words[read_word[read_pick][INDEX_BITS-1:0]] : 0;
                rresp <= read_inside[read_pick] ? OKAY : DECERR;
                rlast <= read_left[read_pick] == 0;
                read_left[read_pick] <= read_left[read_pick] - 1;
                read_word[read_pick] <= read_word[read_pick] + 1;
                if (read_left[read_pick] == 0) reading[read_pick] <= 0;
            end
        end
    end
endmodule

// A memory channel behind an AXI4 subordinate port of 512 bits: the latency and the bandwidth of our C++ channel
// (models/memory/channel/channel.h), which reads and writes share, and any number of bytes. INCR bursts of full beats.
//
// A burst is served behind those that came before: a read when its address is taken, a write when its last beat is.
// It occupies the channel for its bytes, of a write the 32-byte sectors that it writes. The handshake of its last answer
// is `latency` cycles after the edge at which its last byte has passed, if the pins let it. A beat of data is on the pins
// one edge after its address at the earliest. Reads are answered in order, so are writes; the reads' data and the
// writes' responses do not wait for each other. `stall` is how often, in 1/256, each of the five channels holds back.
// Bandwidth is a fraction: a byte costs `byte_cost` units, of which a cycle gives `cycle_units`.
// Latency, bandwidth, `beats` and `stores` are constant. Storage grows as it is written: not for synthesis.
module axi4_channel #(
    parameter int unsigned ID_BITS = 8,
    parameter int unsigned DEPTH   = 256  // bursts inside, of reads and of writes; a power of two
) (
    input  logic               clk,
    input  logic               rst,          // synchronous
    input  logic [7:0]         stall,
    input  logic [31:0]        latency,
    input  logic [39:0]        byte_cost,
    input  logic [39:0]        cycle_units,
    input  logic [63:0]        beats,        // size; a burst beyond is answered DECERR and changes nothing
    input  logic               stores,       // 0: data is dropped and read as 0, for runs of time alone
    output logic [63:0]        bytes,        // of bursts that are being served or were
    output logic [63:0]        backlog,      // units that it has not passed yet
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
    localparam int unsigned PLACE_BITS = $clog2(DEPTH);
    localparam logic [1:0] OKAY = 0, DECERR = 3;
    typedef logic [PLACE_BITS-1:0] place_t;
    typedef logic [PLACE_BITS:0] count_t;  // of bursts ever, modulo twice the depth: a difference tells how many

    function automatic logic contains(input logic [63:0] address, input logic [7:0] length);
        return (address >> 6) + 64'(length) < beats;
    endfunction

    logic [63:0] random;
    chance chance_of_stall (.clk, .rst, .bits(random));
    logic [4:0] open;  // per channel: aw, w, b, ar, r
    always_comb for (int i = 0; i < 5; i++) open[i] = random[8*i+:8] >= stall;

    // --- who is inside

    count_t read_tail, read_head;
    logic [ID_BITS-1:0] read_id[DEPTH];
    logic [63:0] read_first[DEPTH];  // its number of beats from address 0
    logic [7:0] read_length[DEPTH];
    logic read_inside[DEPTH];
    logic [63:0] read_due[DEPTH];    // edge of its last handshake
    wire place_t read_next = place_t'(read_head);
    assign arready = open[3] && read_tail - read_head != count_t'(DEPTH) && !rst;
    wire ar_taken = arvalid && arready;

    count_t write_tail, write_data, write_head;  // addresses, then data, then responses
    logic [ID_BITS-1:0] write_id[DEPTH];
    logic [63:0] write_first[DEPTH];
    logic write_inside[DEPTH];
    logic [63:0] write_due[DEPTH];
    wire place_t write_next = place_t'(write_head);
    assign awready = open[0] && write_tail - write_head != count_t'(DEPTH) && !rst;
    wire aw_taken = awvalid && awready;
    // Data may come with its address.
    wire data_waits = write_data != write_tail;
    assign wready = open[1] && (data_waits || aw_taken) && !rst;
    wire w_taken = wvalid && wready;

    // --- time and bandwidth

    logic [63:0] now;
    logic [8:0] sectors;  // of the write whose data comes, before this beat
    wire [8:0] sectors_now = sectors + 9'(|wstrb[31:0]) + 9'(|wstrb[63:32]);
    wire w_ends = w_taken && wlast;
    wire [63:0] read_size = ar_taken ? (64'(arlen) + 1) << 6 : 0;
    wire [63:0] write_size = w_ends ? 64'(sectors_now) << 5 : 0;
    wire [63:0] behind_read = backlog + read_size * 64'(byte_cost);
    wire [63:0] behind_write = behind_read + write_size * 64'(byte_cost);

    function automatic logic [63:0] due(input logic [63:0] units);
        return now + (units + 64'(cycle_units) - 1) / 64'(cycle_units) + 64'(latency);
    endfunction

    always_ff @(posedge clk) begin
        if (rst) begin
            now <= 0;
            backlog <= 0;
            sectors <= 0;
            bytes <= 0;
        end else begin
            now <= now + 1;
            backlog <= behind_write > 64'(cycle_units) ? behind_write - 64'(cycle_units) : 0;
            if (w_taken) sectors <= wlast ? 0 : sectors_now;
            bytes <= bytes + read_size + write_size;
        end
    end

    // --- writes

    logic [7:0] written;  // beats of the write whose data comes
    wire [63:0] write_word = 64'(written) + (data_waits ? write_first[place_t'(write_data)] : awaddr >> 6);
    wire write_hits = data_waits ? write_inside[place_t'(write_data)] : contains(awaddr, awlen);

    always_ff @(posedge clk) begin
        if (rst) begin
            write_tail <= 0;
            write_data <= 0;
            write_head <= 0;
            written <= 0;
            bvalid <= 0;
        end else begin
            if (aw_taken) begin
                write_id[place_t'(write_tail)] <= awid;
                write_first[place_t'(write_tail)] <= awaddr >> 6;
                write_inside[place_t'(write_tail)] <= contains(awaddr, awlen);
                write_tail <= write_tail + 1;
            end
            if (w_taken) written <= wlast ? 0 : written + 1;
            if (w_ends) begin
                write_due[place_t'(write_data)] <= due(behind_write);
                write_data <= write_data + 1;
            end
            if (bvalid && bready) bvalid <= 0;
            if ((!bvalid || bready) && open[2] && write_head != write_data && now + 1 >= write_due[write_next]) begin
                bvalid <= 1;
                bid <= write_id[write_next];
                bresp <= write_inside[write_next] ? OKAY : DECERR;
                write_head <= write_head + 1;
            end
        end
    end

    // --- reads

    logic [7:0] left;  // beats of the read whose data goes out, behind the next one
    logic begun;
    wire [7:0] left_now = begun ? left : read_length[read_next];
    wire shows = (!rvalid || rready) && open[4] && read_head != read_tail &&
        now + 1 + 64'(left_now) >= read_due[read_next];
    wire [63:0] read_word = read_first[read_next] + 64'(read_length[read_next]) - 64'(left_now);

    always_ff @(posedge clk) begin
        if (rst) begin
            read_tail <= 0;
            read_head <= 0;
            begun <= 0;
            rvalid <= 0;
        end else begin
            if (ar_taken) begin
                read_id[place_t'(read_tail)] <= arid;
                read_first[place_t'(read_tail)] <= araddr >> 6;
                read_length[place_t'(read_tail)] <= arlen;
                read_inside[place_t'(read_tail)] <= contains(araddr, arlen);
                read_due[place_t'(read_tail)] <= due(behind_read);
                read_tail <= read_tail + 1;
            end
            if (rvalid && rready) rvalid <= 0;
            if (shows) begin
                rvalid <= 1;
                rid <= read_id[read_next];
                rresp <= read_inside[read_next] ? OKAY : DECERR;
                rlast <= left_now == 0;
                left <= left_now - 1;
                begun <= left_now != 0;
                if (left_now == 0) read_head <= read_head + 1;
            end
        end
    end

    // --- storage: pages of 64 beats in the order of their first writes; page 0 is zeros, of what was never written

    logic [511:0] store[$]  /* verilator public_flat_rw */;
    // By the upper bits of a beat's number. A value is as wide as a key: Verilator 5.032 cuts the key that exists() is given to
    // the width of a value.
    longint unsigned page_of[longint unsigned]  /* verilator public_flat_rw */;
    initial repeat (64) store.push_back(0);

    logic [31:0] read_at, write_at;
    logic [511:0] merged;
    /* verilator lint_off BLKSEQ */
    always_ff @(posedge clk) begin
        if (shows) begin
            read_at = 0;
            if (page_of.exists(read_word >> 6) != 0) read_at = {26'(page_of[read_word>>6]), read_word[5:0]};
            rdata <= store[read_at];
        end
        if (w_taken && write_hits && stores) begin
            if (page_of.exists(write_word >> 6) == 0) begin
                page_of[write_word>>6] = 64'(store.size()) >> 6;
                repeat (64) store.push_back(0);
            end
            write_at = {26'(page_of[write_word>>6]), write_word[5:0]};
            merged = wdata;
            if (wstrb != '1) begin
                merged = store[write_at];
                for (int i = 0; i < 64; i++) if (wstrb[i]) merged[8*i+:8] = wdata[8*i+:8];
            end
            store[write_at] = merged;
        end
    end
    /* verilator lint_on BLKSEQ */
endmodule

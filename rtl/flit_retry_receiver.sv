// The receiving end of a line with errors between pins of credited flits: takes the flit with the number that it expects if its
// CRC is right, and asks for that number again when another or a wrong one comes; the sending end is rtl/flit_retry_sender.sv.
//
// After a request all flits but the expected one are dropped until its repetition is due, `round_trip` edges later; if that is
// wrong or does not come, it is asked for again. A pin that is too large makes this slower. One that is too small breaks the
// contract: the flit is asked for while its repetition is on its way, and the checker of the sending end reports what follows.
// Below (tx) is a transmitter with the signals of AMBA CXS: flits go on in order, each once. It asks for activation when it
// holds a flit and ends it after LINGER edges without one, between packets. All outputs are registers.
module flit_retry_receiver #(
    parameter int unsigned DEPTH      = 64,  // places for flits: a power of two, below 2^PLACE_BITS
    parameter int unsigned DATA_BITS  = 256,
    parameter int unsigned CNTL_BITS  = 14,
    parameter int unsigned PLACE_BITS = 8,   // of numbers
    parameter int unsigned TRIP_BITS  = 10,
    parameter int unsigned LINGER     = 16
) (
    input  logic                  clk,
    input  logic                  rst,         // synchronous
    input  logic [TRIP_BITS-1:0]  round_trip,  // constant: 3, and the cycles that line and answers take besides
    // the line
    input  logic                  line_valid,
    input  logic [PLACE_BITS-1:0] line_number,
    input  logic [CNTL_BITS-1:0]  line_cntl,
    input  logic [DATA_BITS-1:0]  line_data,
    input  logic [31:0]           line_crc,
    output logic                  acknowledge,
    output logic                  again,
    output logic [PLACE_BITS-1:0] answered,
    output logic                  credit,
    // to the receiver below
    output logic                  tx_activereq,
    input  logic                  tx_activeack,
    output logic                  tx_valid,
    output logic [DATA_BITS-1:0]  tx_data,
    output logic [CNTL_BITS-1:0]  tx_cntl,
    input  logic                  tx_crdgnt,
    output logic                  tx_crdrtn
);
    localparam int unsigned INDEX_BITS = $clog2(DEPTH);
    localparam int unsigned COUNT_BITS = INDEX_BITS + 1;
    localparam int unsigned QUIET_BITS = $clog2(LINGER + 1);
    localparam int unsigned END = 4;  // of CNTL

    // --- the line

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

    logic [PLACE_BITS-1:0] expected;
    logic [TRIP_BITS-1:0] waiting;  // edges until the repetition is due, 1: now; 0: nothing was asked for
    wire good = line_valid && line_crc == crc && line_number == expected;
    wire ask = !good && (waiting == 0 ? line_valid : waiting == 1);

    always_ff @(posedge clk) begin
        answered <= expected;
        if (rst) begin
            acknowledge <= 0;
            again <= 0;
            expected <= 0;
            waiting <= 0;
        end else begin
            acknowledge <= good;
            again <= ask;
            expected <= expected + PLACE_BITS'(good);
            waiting <= ask ? round_trip : good || waiting == 0 ? '0 : waiting - 1'b1;
        end
    end

    // --- those that have come: every flit has a place before it is sent

    logic [DATA_BITS-1:0] data[DEPTH];
    logic [CNTL_BITS-1:0] cntl[DEPTH];
    logic [INDEX_BITS-1:0] head, tail;
    logic [COUNT_BITS-1:0] held;
    logic [COUNT_BITS-1:0] out;  // credits of the sending end
    wire room = held + out < COUNT_BITS'(DEPTH);
    logic send;  // the first one goes

    always_ff @(posedge clk) begin
        if (good) begin
            data[tail] <= line_data;
            cntl[tail] <= line_cntl;
        end
        if (rst) begin
            head <= 0;
            tail <= 0;
            held <= 0;
            out <= 0;
            credit <= 0;
        end else begin
            tail <= tail + INDEX_BITS'(good);
            head <= head + INDEX_BITS'(send);
            held <= held + COUNT_BITS'(good) - COUNT_BITS'(send);
            out <= out + COUNT_BITS'(room) - COUNT_BITS'(good);
            credit <= room;
        end
    end

    // --- below

    logic [4:0] credits;
    logic in_packet;
    logic [QUIET_BITS-1:0] quiet;  // edges without a flit
    wire running = tx_activereq && tx_activeack;
    assign send = running && held != 0 && credits != 0;
    wire give_back = !tx_activereq && tx_activeack && credits != 0;
    wire done = held == 0 && !in_packet && quiet == QUIET_BITS'(LINGER);

    always_ff @(posedge clk) begin
        if (rst) begin
            tx_activereq <= 0;
            tx_valid <= 0;
            tx_crdrtn <= 0;
            credits <= 0;
            in_packet <= 0;
            quiet <= 0;
        end else begin
            tx_valid <= send;
            tx_crdrtn <= give_back;
            credits <= credits + 5'(tx_crdgnt) - 5'(send) - 5'(give_back);
            if (send) in_packet <= !cntl[head][END];
            quiet <= held != 0 ? '0 : quiet + QUIET_BITS'(quiet != QUIET_BITS'(LINGER));
            if (tx_activereq) tx_activereq <= !(tx_activeack && done);
            else tx_activereq <= !tx_activeack && held != 0;
        end
        if (send) begin
            tx_data <= data[head];
            tx_cntl <= cntl[head];
        end
    end

`ifdef NUMAVP_ASSERTIONS
    logic known;
    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        if (known && !rst) begin
            buffer_has_room : assert (!good || held < COUNT_BITS'(DEPTH));
            places_are_kept : assert (held + out <= COUNT_BITS'(DEPTH));
            buffer_is_counted : assert (INDEX_BITS'(held) == tail - head);
        end
    end

    flit_retry_receiver_checker #(
        .DEPTH(DEPTH),
        .DATA_BITS(DATA_BITS),
        .CNTL_BITS(CNTL_BITS),
        .PLACE_BITS(PLACE_BITS),
        .TRIP_BITS(TRIP_BITS)
    ) above (
        .clk,
        .rst,
        .round_trip,
        .line_valid,
        .line_number,
        .line_cntl,
        .line_data,
        .line_crc,
        .acknowledge,
        .again,
        .answered,
        .credit,
        .tx_valid,
        .tx_data,
        .tx_cntl
    );

    flit_checker below (
        .clk,
        .rst,
        .activereq(tx_activereq),
        .activeack(tx_activeack),
        .valid(tx_valid),
        .cntl(tx_cntl),
        .crdgnt(tx_crdgnt),
        .crdrtn(tx_crdrtn)
    );
`endif
endmodule

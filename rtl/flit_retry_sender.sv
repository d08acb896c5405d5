// The sending end of a line with errors between pins of credited flits: numbers each flit, adds a CRC, keeps it in a retry
// buffer until the other end acknowledges it, and repeats it with all behind it when that asks for it (go-back-N).
//
// Above (rx) it is a receiver with the signals of AMBA CXS and has places for DEPTH flits. Below is a line that carries a flit
// a cycle, to rtl/flit_retry_receiver.sv. The answers come back without errors: `acknowledge` and `again` with the number of
// the flit, one of them a cycle, and `credit`, a place for a new flit; a repeated one has its place. A flit goes on the line
// two cycles after the edge at which retry_sender.sv takes it. Activation above ends when every flit is acknowledged. All
// outputs are registers.
module flit_retry_sender #(
    parameter int unsigned DEPTH      = 8,  // a power of two, at most 8: CXS has 15 credits at most
    parameter int unsigned DATA_BITS  = 256,
    parameter int unsigned CNTL_BITS  = 14,
    parameter int unsigned PLACE_BITS = 8   // of numbers
) (
    input  logic                  clk,
    input  logic                  rst,           // synchronous
    input  logic [PLACE_BITS-1:0] buffer_flits,  // constant: of the retry buffer
    // from the transmitter above
    input  logic                  rx_activereq,
    output logic                  rx_activeack,
    input  logic                  rx_valid,
    input  logic [DATA_BITS-1:0]  rx_data,
    input  logic [CNTL_BITS-1:0]  rx_cntl,
    output logic                  rx_crdgnt,
    input  logic                  rx_crdrtn,
    // the line
    output logic                  line_valid,
    output logic [PLACE_BITS-1:0] line_number,
    output logic [CNTL_BITS-1:0]  line_cntl,
    output logic [DATA_BITS-1:0]  line_data,
    output logic [31:0]           line_crc,
    input  logic                  acknowledge,
    input  logic                  again,
    input  logic [PLACE_BITS-1:0] answered,
    input  logic                  credit
);
    localparam int unsigned INDEX_BITS = $clog2(DEPTH);

    logic taken;  // by the retry buffer: the first flit of those that wait
    logic sends;
    logic [PLACE_BITS-1:0] number;

    // --- above: every flit has a place before it comes

    logic [4:0] held;  // flits that wait, with the one that is taken
    logic [4:0] out;   // credits that the transmitter has or that are on their way
    logic [PLACE_BITS:0] unacknowledged;
    wire [4:0] back = 5'(rx_valid) + 5'(rx_crdrtn);
    wire grant = rx_activereq && held + out < 5'(DEPTH);
    wire empty = held == 0 && unacknowledged == 0;

    always_ff @(posedge clk) begin
        if (rst) begin
            rx_activeack <= 0;
            rx_crdgnt <= 0;
            out <= 0;
            unacknowledged <= 0;
        end else begin
            rx_crdgnt <= grant;
            out <= out + 5'(grant) - back;
            unacknowledged <= unacknowledged + (PLACE_BITS + 1)'(taken) - (PLACE_BITS + 1)'(acknowledge);
            if (rx_activereq) rx_activeack <= 1;
            else if (out == back && empty && !rx_valid) rx_activeack <= 0;
        end
    end

    // --- those that wait for the line

    logic [DATA_BITS-1:0] data[DEPTH];
    logic [CNTL_BITS-1:0] cntl[DEPTH];
    logic [INDEX_BITS-1:0] head, tail;
    logic [PLACE_BITS-1:0] credits;  // places of the other end

    always_ff @(posedge clk) begin
        if (rx_valid) begin
            data[tail] <= rx_data;
            cntl[tail] <= rx_cntl;
        end
        if (rst) begin
            head <= 0;
            tail <= 0;
            held <= 0;
            credits <= 0;
        end else begin
            tail <= tail + INDEX_BITS'(rx_valid);
            head <= head + INDEX_BITS'(taken);
            held <= held + 5'(rx_valid) - 5'(taken);
            credits <= credits + PLACE_BITS'(credit) - PLACE_BITS'(taken);
        end
    end

    wire item = held != 5'(taken) && credits != PLACE_BITS'(taken);  // one more than the one that is taken
    logic unused_last;                                              // a flit is one unit
    retry_sender #(
        .PLACE_BITS(PLACE_BITS),
        .UNIT_BITS(1),
        .HELD_BITS(PLACE_BITS)
    ) buffer (
        .clk,
        .rst,
        .largest_units(1'b1),
        .buffer_units(buffer_flits),
        .item,
        .item_units(1'b1),
        .acknowledge,
        .again,
        .taken,
        .valid(sends),
        .last(unused_last),
        .sequence_number(number)
    );

    // --- the line

    logic [DATA_BITS-1:0] kept_data[2**PLACE_BITS];
    logic [CNTL_BITS-1:0] kept_cntl[2**PLACE_BITS];
    wire [DATA_BITS-1:0] next_data = taken ? data[head] : kept_data[number];
    wire [CNTL_BITS-1:0] next_cntl = taken ? cntl[head] : kept_cntl[number];
    logic [31:0] next_crc;
    flit_crc #(
        .DATA_BITS(DATA_BITS),
        .CNTL_BITS(CNTL_BITS),
        .PLACE_BITS(PLACE_BITS)
    ) code (
        .number,
        .cntl(next_cntl),
        .data(next_data),
        .crc(next_crc)
    );

    always_ff @(posedge clk) begin
        if (taken) begin
            kept_data[number] <= data[head];
            kept_cntl[number] <= cntl[head];
        end
        line_valid <= !rst && sends;
        if (sends) begin
            line_number <= number;
            line_data <= next_data;
            line_cntl <= next_cntl;
            line_crc <= next_crc;
        end
    end

`ifdef NUMAVP_ASSERTIONS
    logic known;
    initial known = 0;
    always_ff @(posedge clk) begin
        known <= 1;  // the first edge is in reset
        if (known && !rst) begin
            waiting_flits_have_room : assert (!rx_valid || held < 5'(DEPTH));
            places_are_kept : assert (held + out <= 5'(DEPTH));
            buffer_is_bounded : assert (unacknowledged <= {1'b0, buffer_flits});
            a_flit_is_a_unit : assert (sends == unused_last);
        end
    end

    flit_checker #(
        .MOST_CREDITS(DEPTH)
    ) above (
        .clk,
        .rst,
        .activereq(rx_activereq),
        .activeack(rx_activeack),
        .valid(rx_valid),
        .cntl(rx_cntl),
        .crdgnt(rx_crdgnt),
        .crdrtn(rx_crdrtn)
    );

    flit_retry_sender_checker #(
        .DATA_BITS(DATA_BITS),
        .CNTL_BITS(CNTL_BITS),
        .PLACE_BITS(PLACE_BITS)
    ) below (
        .clk,
        .rst,
        .buffer_flits,
        .rx_valid,
        .rx_data,
        .rx_cntl,
        .line_valid,
        .line_number,
        .line_cntl,
        .line_data,
        .line_crc,
        .acknowledge,
        .again,
        .answered,
        .credit
    );
`else
    wire unused_answered = &{1'b0, answered};  // a request is for the oldest flit that is left
`endif
endmodule

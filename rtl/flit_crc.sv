// CRC of a flit on a line with errors: the 32 bits of IEEE 802.3 (polynomial 0x04C11DB7) over its number, its control and its
// data, highest bit first, from all ones and not inverted. It sees each error of up to 4 bits of a flit of 280 (Koopman, "32-bit
// cyclic redundancy codes for Internet applications", DSN 2002: distance 5 up to 2,974 bits), and all but one in 2^32 others.
module flit_crc #(
    parameter int unsigned DATA_BITS  = 256,
    parameter int unsigned CNTL_BITS  = 14,
    parameter int unsigned PLACE_BITS = 8
) (
    input  logic [PLACE_BITS-1:0] number,
    input  logic [CNTL_BITS-1:0]  cntl,
    input  logic [DATA_BITS-1:0]  data,
    output logic [31:0]           crc
);
    localparam int unsigned CNTL_BYTES = (CNTL_BITS + 7) / 8;
    localparam int unsigned BITS = PLACE_BITS + 8 * CNTL_BYTES + DATA_BITS;
    wire [BITS-1:0] bits = {number, (8 * CNTL_BYTES)'(cntl), data};  // control fills bytes, from its lowest bit

    always_comb begin
        crc = '1;
        for (int i = int'(BITS) - 1; i >= 0; --i)
            crc = {crc[30:0], 1'b0} ^ (crc[31] != bits[i] ? 32'h04c11db7 : 32'h0);
    end
endmodule

// Chance for those who hold back: 64 bits of a xorshift generator, a step a cycle.
module chance (
    input  logic        clk,
    input  logic        rst,  // synchronous
    output logic [63:0] bits
);
    function automatic logic [63:0] shifted(input logic [63:0] x);
        logic [63:0] y;
        y = x ^ (x << 13);
        y = y ^ (y >> 7);
        return y ^ (y << 17);
    endfunction
    always_ff @(posedge clk) bits <= rst ? 64'h9e3779b97f4a7c15 : shifted(bits);
endmodule

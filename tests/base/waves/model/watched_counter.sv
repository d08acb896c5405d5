// Counts while it is enabled; as wide as no integer of C++.
module watched_counter (
    input  logic        clk,
    input  logic        enable,
    output logic [95:0] count
);
    logic [31:0] low;
    initial low = 0;
    always_ff @(posedge clk) if (enable) low <= low + 1;
    assign count = {low, ~low, low};
endmodule

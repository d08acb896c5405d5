// A block that ends the simulation two edges after its reset, as `how` says.
module ending (
    input  logic       clk,
    input  logic       rst,
    input  logic [1:0] how,
    output logic [7:0] count
);
    always_ff @(posedge clk) begin
        count <= rst ? 0 : count + 1;
        if (!rst && count == 1) begin
            $display("the block counts %0d", count);
            if (how == 1) $finish;
            if (how == 2) $stop;
        end
    end
    counts: assert property (@(posedge clk) !(how == 3 && count == 1));
endmodule

/// A convolution layer as an implicit matrix product: forward, towards the input, or towards the weights.
///
/// A block computes an output tile of `tile_pixels` by `tile_filters`. It walks the input channels and the filter's
/// window and loads a strip of the input and the part of the weights that all blocks of these filters load (Chetlur et
/// al. 2014, cuDNN). `weights` is the backward pass for the weights: blocks divide the images among them and at their
/// end add their sums to the gradient, one array for all. Arithmetic is that of the product of the tiles: a
/// multiply-add for each pixel, filter, channel and place in the window.
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class ConvolutionPass : std::uint8_t { forward, data, weights };
inline constexpr NameTable<ConvolutionPass> kConvolutionPassNames{
    "pass of a convolution",
    {{ConvolutionPass::forward, "forward", "output from input and weights"},
     {ConvolutionPass::data, "data", "gradient of the input from that of the output and weights"},
     {ConvolutionPass::weights, "weights", "gradient of the weights from input and gradient of the output"}}};

struct ConvolutionParameters : BlockParameters {
    std::uint64_t images = 16;
    std::uint64_t channels = 64;
    std::uint64_t filters = 64;
    std::uint64_t height = 28;
    std::uint64_t width = 28;
    std::uint32_t stride = 1;
    std::uint32_t window = 3;
    std::uint64_t tile_pixels = 128;
    std::uint64_t tile_filters = 64;
    ConvolutionPass pass = ConvolutionPass::forward;
    std::uint32_t iterations = 3;
    std::uint32_t sample = 1;
    std::uint32_t work = 0;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, ConvolutionParameters& c) {
    v.integer("images", c.images, 1, 1U << 20, "images", "images of the batch (scaled)");
    v.integer("channels", c.channels, 1, 65536, "channels", "channels of the input");
    v.integer("filters", c.filters, 1, 65536, "filters", "channels of the output");
    v.integer("height", c.height, 1, 65536, "pixels", "height of the output");
    v.integer("width", c.width, 1, 65536, "pixels", "width of the output");
    v.integer("stride", c.stride, 1, 16, "pixels", "elements of the input from one element of the output to the next");
    v.integer("window", c.window, 1, 32, "pixels", "edge of a filter");
    v.integer("tile_pixels", c.tile_pixels, 32, 65536, "pixels", "output pixels of a block, a multiple of 32");
    v.integer("tile_filters", c.tile_filters, 1, 65536, "filters", "filters of a block");
    v.choice("pass", c.pass, kConvolutionPassNames, "product of the three that is computed");
    v.integer("iterations", c.iterations, 1, 1U << 16, "launches", "number of passes over the layer");
    v.integer("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions",
              "multiply-adds of a thread for what a warp loads at once; 0: as many as the product has");
    describe_block(v, c);
}

class Convolution final : public Pattern {
  public:
    using Parameters = ConvolutionParameters;
    Convolution(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t pixels() const { return p_.images * p_.height * p_.width; }
    std::uint64_t input_elements() const;
    std::uint64_t output_elements() const;
    std::uint64_t weight_elements() const;
    std::uint64_t multiply_adds(std::uint64_t tile_filters) const;
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
};

} // namespace numavp

#include "sw/patterns/pattern_convolution.h"

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

/// Channels and filters of which a block of the weights' gradient takes pixels at once.
constexpr std::uint32_t kDeep = 8;

constexpr std::uint64_t tiles(std::uint64_t n, std::uint64_t tile) { return (n + tile - 1) / tile; }

/// Images of `channels` planes of height x width pixels.
struct Planes {
    std::uint64_t channels, height, width;
    std::uint64_t at(std::uint64_t image, std::uint64_t channel, std::uint64_t y, std::uint64_t x) const {
        return ((image * channels + channel) * height + y) * width + x;
    }
};

} // namespace

void ConvolutionParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (tile_pixels % kWarpLanes != 0) throw ConfigError(place.at("tile_pixels"), "multiples of 32 are allowed");
}

Convolution::Convolution(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), data_seed_(context.data_seed) {
    p_.images = context.scaled(p_.images);
    // Towards the input, filters are what is read and channels are what is written.
    if (p_.pass == ConvolutionPass::data) std::swap(p_.channels, p_.filters);
}

std::uint64_t Convolution::input_elements() const {
    return p_.images * p_.channels * (p_.height * p_.stride + p_.window - 1) * (p_.width * p_.stride + p_.window - 1);
}
std::uint64_t Convolution::output_elements() const {
    return whole_groups(p_.filters * tiles(pixels(), p_.tile_pixels) * p_.tile_pixels);
}
std::uint64_t Convolution::weight_elements() const {
    const std::uint64_t slots = tiles(p_.window * std::min(p_.filters, p_.tile_filters), kWarpLanes);
    return tiles(p_.filters, p_.tile_filters) * p_.channels * p_.window * slots * kWarpLanes;
}

/// Of a thread for what its warp loads at once: a row of the window for the whole tile, or, towards the weights, as
/// much of the tile's product with 32 pixels as the channels and filters that are loaded are of the tile's.
std::uint64_t Convolution::multiply_adds(std::uint64_t tile_filters) const {
    if (p_.work != 0) return p_.work;
    const std::uint64_t of_tile = p_.tile_pixels * tile_filters;
    if (p_.pass == ConvolutionPass::weights) return of_tile * 2 * kDeep / (p_.tile_pixels + tile_filters);
    return of_tile * p_.window / kWarpLanes;
}

std::vector<ArrayNeed> Convolution::arrays() const {
    if (p_.pass == ConvolutionPass::weights)
        return {{"input", input_elements() * kFloatBytes},
                {"output_gradient", output_elements() * kFloatBytes},
                {"weight_gradient", weight_elements() * kFloatBytes}};
    const bool forward = p_.pass == ConvolutionPass::forward;
    return {{forward ? "input" : "output_gradient", input_elements() * kFloatBytes},
            {"weights", weight_elements() * kFloatBytes},
            {forward ? "output" : "input_gradient", output_elements() * kFloatBytes}};
}

std::vector<std::shared_ptr<Kernel>> Convolution::kernels(const ArrayBases& at) const {
    const Parameters& p = p_;
    const Planes in{p.channels, p.height * p.stride + p.window - 1, p.width * p.stride + p.window - 1};
    const std::uint64_t pixel_tiles = tiles(pixels(), p.tile_pixels);
    const std::uint64_t filter_tiles = tiles(p.filters, p.tile_filters);
    const std::uint64_t last_pixel = pixels() - 1;
    const std::uint64_t tile_filters = std::min(p.filters, p.tile_filters);
    ItemLoop loop;
    loop.warps = p.warps();
    loop.share = share_;
    loop.seed = data_seed_;
    loop.work = static_cast<std::uint32_t>(multiply_adds(tile_filters));
    // Pixel `pixel` of the output under window row `r`, and along the row as far to the right.
    const auto under = [=](std::uint64_t pixel, std::uint64_t channel, std::uint64_t r) {
        pixel = std::min(pixel, last_pixel);
        const std::uint64_t image = pixel / (p.height * p.width);
        const std::uint64_t y = pixel / p.width % p.height;
        return in.at(image, channel, y * p.stride + r, pixel % p.width * p.stride + r);
    };
    const auto result = [&](Op op, const std::string& array, std::uint64_t elements, std::uint64_t of_block,
                            std::uint64_t turns) {
        Access access = own_access(op, at.at(array), whole_groups(elements), kFloatBytes);
        access.walk = Walk::result;
        access.fields = static_cast<std::uint32_t>(tiles(of_block, std::uint64_t{loop.warps} * kWarpLanes));
        access.turns = turns;
        return access;
    };
    const char* name = "convolve";
    if (p.pass != ConvolutionPass::weights) {
        // A group of items is a channel and a row of the window: a step of the product's inner dimension.
        const bool forward = p.pass == ConvolutionPass::forward;
        name = forward ? "convolve" : "convolve_back";
        const std::uint64_t steps = p.channels * p.window;
        loop.per_block = steps * kWarpLanes;
        loop.items = pixel_tiles * filter_tiles * loop.per_block;
        const std::uint64_t per_block = loop.per_block;
        const auto strip = make_map([=](std::uint64_t item, std::uint32_t slot) {
            const std::uint64_t step = item % per_block / kWarpLanes;
            const std::uint64_t tile = item / per_block % pixel_tiles; // pixels vary fastest: blocks of a filter tile
            return under(tile * p.tile_pixels + slot * kWarpLanes + item % kWarpLanes, step / p.window,
                         step % p.window);
        });
        loop.body.push_back(mapped_access(Op::load, at.at(forward ? "input" : "output_gradient"), kFloatBytes, strip,
                                          static_cast<std::uint32_t>(p.tile_pixels / kWarpLanes)));
        Access weights = own_access(Op::load, at.at("weights"), weight_elements(), kFloatBytes,
                                    static_cast<std::uint32_t>(tiles(p.window * tile_filters, kWarpLanes)));
        weights.walk = Walk::table;
        weights.every = pixel_tiles;
        weights.turns = filter_tiles;
        loop.body.push_back(std::move(weights));
        loop.finish.push_back(result(Op::store, forward ? "output" : "input_gradient", output_elements(),
                                     p.tile_pixels * tile_filters, pixel_tiles * filter_tiles));
    } else {
        // Blocks of one tile of weights take parts of the pixels; an item is a pixel.
        name = "convolve_weights";
        const std::uint64_t weight_tiles = tiles(weight_elements(), p.tile_pixels * tile_filters);
        const std::uint64_t splits = std::max<std::uint64_t>(1, pixel_tiles * filter_tiles / weight_tiles);
        loop.per_block = whole_groups(tiles(pixels(), splits));
        loop.items = weight_tiles * splits * loop.per_block;
        const std::uint64_t per_block = loop.per_block;
        const auto pixel = [=](std::uint64_t item) {
            return item / per_block / weight_tiles * per_block + item % per_block;
        };
        const std::uint64_t filters = p.filters;
        const std::uint64_t area = p.height * p.width;
        const auto input = make_map([=](std::uint64_t item, std::uint32_t slot) {
            const std::uint64_t deep = item / per_block % weight_tiles * kDeep + slot;
            return under(pixel(item), deep % p.channels, deep / p.channels % p.window);
        });
        const auto gradient = make_map([=](std::uint64_t item, std::uint32_t slot) {
            const std::uint64_t deep = item / per_block % weight_tiles * kDeep + slot;
            const std::uint64_t at_pixel = std::min(pixel(item), last_pixel);
            return (at_pixel / area * filters + deep % filters) * area + at_pixel % area;
        });
        loop.body.push_back(mapped_access(Op::load, at.at("input"), kFloatBytes, input, kDeep));
        loop.body.push_back(mapped_access(Op::load, at.at("output_gradient"), kFloatBytes, gradient, kDeep));
        loop.finish.push_back(
            result(Op::reduce, "weight_gradient", weight_elements(), p.tile_pixels * tile_filters, weight_tiles));
    }
    return {p.iterations, make_item_loop(p_.shape(name, 0, 0), std::move(loop))};
}

} // namespace numavp

/// Rays through a tree of boxes: a primary ray for each pixel, then bounces.
///
/// A ray descends a binary tree of bounding boxes (levels stored one behind the other), reads triangles in the leaf and
/// writes its pixel at the end (Aila and Laine 2009). Primary rays of neighbouring pixels take nearly the same path,
/// bounced ones random paths. All rays read the top of the tree, few read the same leaf.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct RayTraversalParameters : BlockParameters {
    std::uint64_t width = 256;
    std::uint64_t height = 192;
    std::uint32_t depth = 12;
    std::uint32_t triangles = 4;
    std::uint32_t bounces = 1;
    std::uint32_t frames = 3;
    std::uint64_t per_block = 256;
    std::uint32_t sample = 1;
    std::uint32_t work = 200;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, RayTraversalParameters& c) {
    v.integer("width", c.width, 32, 65536, "pixels", "width of the picture, a multiple of 32");
    v.integer("height", c.height, 1, 65536, "pixels", "height of the picture (scaled)");
    v.integer("depth", c.depth, 1, 30, "levels", "depth of the tree: 2^depth leaves (not scaled)");
    v.integer("triangles", c.triangles, 1, 64, "triangles", "triangles of a leaf, 48 bytes each");
    v.integer("bounces", c.bounces, 0, 64, "rays", "bounces that follow the primary ray");
    v.integer("frames", c.frames, 1, 1U << 16, "frames", "frames that are added up in the picture");
    v.integer("per_block", c.per_block, 32, 1U << 20, "pixels", "pixels of a block, a multiple of 32");
    v.integer("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a ray with its bounces");
    describe_block(v, c);
}

class RayTraversal final : public Pattern {
  public:
    using Parameters = RayTraversalParameters;
    RayTraversal(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t seed_, data_seed_;
};

} // namespace numavp

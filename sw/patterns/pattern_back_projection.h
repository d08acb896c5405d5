/// Cone-beam back-projection: adds a pixel of each projection image to every voxel of a volume.
///
/// Each image has a kernel over the volume: a voxel is projected into the image, the four pixels around that place are
/// read and added to the voxel (Rohkohl et al. 2009, RabbitCT). The volume is read and written once per image. The
/// image is small, shared by all blocks, and reused by voxels that lie behind each other. The next image, from another
/// angle, is read from the same buffer.
#pragma once

#include "sw/patterns/pattern.h"

namespace numavp {

struct BackProjectionParameters : BlockParameters {
    std::uint64_t nx = 128;
    std::uint64_t ny = 128;
    std::uint64_t nz = 128;
    std::uint64_t image_width = 312;
    std::uint64_t image_height = 240;
    std::uint64_t per_block = 1024;
    std::uint32_t projections = 3;
    std::uint32_t of = 496;
    double sample = 1;
    std::uint32_t work = 24;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, BackProjectionParameters& c) {
    v.integer("nx", c.nx, 32, 16384, "voxels", "voxels in x, a multiple of 32");
    v.integer("ny", c.ny, 1, 16384, "voxels", "voxels in y of the volume");
    v.integer("nz", c.nz, 1, 16384, "voxels", "voxels in z (scaled)");
    v.integer("image_width", c.image_width, 2, 65536, "pixels", "width of a projection");
    v.integer("image_height", c.image_height, 2, 65536, "pixels", "height of a projection");
    v.integer("per_block", c.per_block, 32, 1U << 24, "voxels", "voxels of a block, a multiple of 32");
    v.integer("projections", c.projections, 1, 65536, "images", "images that are projected back");
    v.integer("of", c.of, 1, 65536, "images", "images of a whole turn: the angle between two is a turn over `of`");
    v.real("sample", c.sample, 1, 1U << 20, "", "a block does one of so many parts of its work");
    v.integer("work", c.work, 0, 65535, "instructions", "arithmetic of a voxel");
    describe_block(v, c);
}

class BackProjection final : public Pattern {
  public:
    using Parameters = BackProjectionParameters;
    BackProjection(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    Parameters p_;
    double share_;
    std::uint64_t data_seed_;
};

} // namespace numavp

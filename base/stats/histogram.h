/// Log-linear histogram: exact below 32, then 32 buckets to each power of two (within 1/32 of the value).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace numavp {

/// Counts of integer values (latencies in cycles) in buckets that depend on nothing but the value, so that two
/// runs, and two histograms merged, agree to the count. Grows to the largest bucket that was used.
class Histogram {
  public:
    /// The bucket of a value; buckets ascend with the value without gaps.
    static constexpr std::size_t bucket_of(std::uint64_t value) {
        if (value < kPerPower) return static_cast<std::size_t>(value);
        const unsigned power = 63U - static_cast<unsigned>(__builtin_clzll(value));
        const std::uint64_t within = (value >> (power - kPerPowerBits)) - kPerPower;
        return (power - kPerPowerBits + 1) * kPerPower + static_cast<std::size_t>(within);
    }
    /// The largest value of a bucket.
    static constexpr std::uint64_t upper_bound(std::size_t bucket) {
        if (bucket < kPerPower) return bucket;
        const std::size_t shift = bucket / kPerPower - 1;
        return ((std::uint64_t{kPerPower} + bucket % kPerPower + 1) << shift) - 1;
    }

    void add(std::uint64_t value) {
        const std::size_t bucket = bucket_of(value);
        if (bucket >= counts_.size()) counts_.resize(bucket + 1);
        ++counts_[bucket];
        ++count_;
        sum_ += value;
        if (value < min_) min_ = value;
        if (value > max_) max_ = value;
    }
    void merge(const Histogram& other) {
        if (other.counts_.size() > counts_.size()) counts_.resize(other.counts_.size());
        for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[i] += other.counts_[i];
        count_ += other.count_;
        sum_ += other.sum_;
        if (other.min_ < min_) min_ = other.min_;
        if (other.max_ > max_) max_ = other.max_;
    }

    /// Values added since `before`, an earlier copy of this histogram. Smallest and largest value are those of their
    /// buckets: up to 1/32 off, but never beyond the extremes of all values.
    Histogram since(const Histogram& before) const {
        Histogram grown;
        grown.counts_ = counts_;
        for (std::size_t i = 0; i < before.counts_.size(); ++i) grown.counts_[i] -= before.counts_[i];
        grown.count_ = count_ - before.count_;
        grown.sum_ = sum_ - before.sum_;
        for (std::size_t i = 0; i < grown.counts_.size(); ++i) {
            if (grown.counts_[i] == 0) continue;
            const std::uint64_t least = i == 0 ? 0 : upper_bound(i - 1) + 1;
            if (grown.max_ == 0 && grown.min_ > least) grown.min_ = least > min_ ? least : min_;
            grown.max_ = upper_bound(i) < max_ ? upper_bound(i) : max_;
        }
        return grown;
    }

    std::uint64_t count() const { return count_; }
    std::uint64_t sum() const { return sum_; }
    /// Smallest and largest value, exactly; 0 if there is none.
    std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
    std::uint64_t max() const { return max_; }
    /// An upper bound of the value that `percent` % of all values do not exceed (nearest rank, 0 to 100): the largest
    /// value of that rank's bucket, but never above max(). 0 if there is no value.
    std::uint64_t percentile(unsigned percent) const { return per_mille(10 * percent); }
    /// The same for thousandths: 999 is the value that 99.9 % do not exceed. Counts are below 2^54.
    std::uint64_t per_mille(unsigned thousandths) const {
        const std::uint64_t rank = (count_ * thousandths + 999) / 1000;
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            below += counts_[i];
            if (below != 0 && below >= rank) return upper_bound(i) < max_ ? upper_bound(i) : max_;
        }
        return max_;
    }
    /// Counts by bucket, up to the last one used.
    const std::vector<std::uint64_t>& counts() const { return counts_; }

  private:
    static constexpr unsigned kPerPowerBits = 5;
    static constexpr std::size_t kPerPower = std::size_t{1} << kPerPowerBits;

    std::vector<std::uint64_t> counts_;
    std::uint64_t count_ = 0;
    std::uint64_t sum_ = 0;
    std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_ = 0;
};

} // namespace numavp

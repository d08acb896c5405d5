/// A first-in first-out queue that keeps its memory: it allocates only when it gets longer than ever before.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace numavp {

template <class T> class Ring {
  public:
    bool empty() const { return count_ == 0; }
    std::size_t size() const { return count_; }
    /// For the next three functions the queue must not be empty.
    T& front() { return places_[head_]; }
    const T& front() const { return places_[head_]; }
    T pop() {
        T value = places_[head_];
        head_ = (head_ + 1) & (places_.size() - 1);
        --count_;
        return value;
    }
    /// Calls `use` with each, the oldest first.
    template <class F> void for_each(const F& use) const {
        for (std::size_t i = 0; i < count_; ++i) use(places_[(head_ + i) & (places_.size() - 1)]);
    }
    void push(const T& value) {
        if (count_ == places_.size()) grow();
        places_[(head_ + count_++) & (places_.size() - 1)] = value;
    }

  private:
    void grow() {
        std::vector<T> larger(places_.size() * 2);
        for (std::size_t i = 0; i < count_; ++i) larger[i] = places_[(head_ + i) & (places_.size() - 1)];
        places_ = std::move(larger);
        head_ = 0;
    }
    std::vector<T> places_ = std::vector<T>(8); ///< a power of two of them
    std::size_t head_ = 0;
    std::size_t count_ = 0;
};

} // namespace numavp

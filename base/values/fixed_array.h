/// Objects side by side that are neither copied nor moved: made in place, one after the other.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace numavp {

/// What a vector would be for objects that can't move, such as arbiters. A deque needs a look-up more for each access.
template <class T> class FixedArray {
  public:
    /// Room for so many, none made yet.
    explicit FixedArray(std::size_t capacity)
        : first_(static_cast<T*>(::operator new (capacity * sizeof(T), std::align_val_t{alignof(T)}))) {}
    ~FixedArray() {
        std::destroy_n(first_, size_);
        ::operator delete (first_, std::align_val_t{alignof(T)});
    }
    FixedArray(const FixedArray&) = delete;
    FixedArray& operator=(const FixedArray&) = delete;

    /// No more than the capacity.
    template <class... Args> T& emplace_back(Args&&... args) {
        T* const made = new (first_ + size_) T(std::forward<Args>(args)...);
        ++size_;
        return *made;
    }
    T& operator[](std::size_t i) { return first_[i]; }
    const T& operator[](std::size_t i) const { return first_[i]; }
    std::size_t size() const { return size_; }

  private:
    T* first_;
    std::size_t size_ = 0;
};

} // namespace numavp

/// A file descriptor that is closed by its destructor.
#pragma once

#include <unistd.h>
#include <utility>

namespace numavp {

class Descriptor {
  public:
    explicit Descriptor(int descriptor = -1) : value_(descriptor) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    /// Negative if there is none.
    int value() const { return value_; }
    void close() {
        if (value_ >= 0) ::close(std::exchange(value_, -1));
    }

  private:
    int value_ = -1;
};

} // namespace numavp

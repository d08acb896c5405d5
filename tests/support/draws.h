/// Random numbers that are the same with every standard library.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace numavp::test {

class Draws {
  public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}
    unsigned below(unsigned bound) { return static_cast<unsigned>(engine_() % bound); }
    unsigned from(unsigned least, unsigned most) { return least + below(most - least + 1); }
    bool once_in(unsigned times) { return below(times) == 0; }
    template <class T> T one_of(const std::vector<T>& choices) {
        return choices[below(static_cast<unsigned>(choices.size()))];
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace numavp::test

/// Runs a libFuzzer target without libFuzzer: the seed corpus, then a fixed number of mutations of it.
///
/// Usage: fuzz_<target> <corpus folder> [inputs]. The same inputs on every machine; with NUMAVP_TEST_DEPTH=all in the
/// environment, as in ./numavp test --all, it goes on for 10 s. The input that is being tried lies in last_input beside
/// the program until it has passed, so that a crash can be repeated.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "base/values/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// libsystemc, which the layers link, asks for it.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace {

namespace fs = std::filesystem;
using numavp::Rng;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kLongestInput = 16384;

std::vector<Bytes> load_corpus(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end()); // the order of a folder differs from machine to machine
    std::vector<Bytes> corpus;
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    if (corpus.empty()) corpus.emplace_back();
    return corpus;
}

std::size_t place_in(const Bytes& input, Rng& rng) { return static_cast<std::size_t>(rng.below(input.size() + 1)); }

auto at(const Bytes& input, std::size_t index) { return input.begin() + static_cast<std::ptrdiff_t>(index); }

/// A piece of up to 32 bytes of some seed.
Bytes piece(const std::vector<Bytes>& corpus, Rng& rng) {
    const Bytes& from = corpus[rng.below(corpus.size())];
    const std::size_t first = place_in(from, rng);
    const std::size_t count = std::min<std::size_t>(rng.below(33), from.size() - first);
    return Bytes(at(from, first), at(from, first + count));
}

void mutate_once(Bytes& input, const std::vector<Bytes>& corpus, Rng& rng) {
    const std::size_t where = place_in(input, rng);
    const std::size_t length = std::min<std::size_t>(1 + rng.below(16), input.size() - where);
    switch (rng.below(6)) {
    case 0: // a bit
        if (length > 0) input[where] = static_cast<std::uint8_t>(input[where] ^ (1U << rng.below(8)));
        break;
    case 1: // a byte, often one that means something in a text format
        if (length > 0) {
            constexpr char kTelling[] = "{}[]\":,.-+eE0123456789\\ntfx \n\t/%=";
            input[where] = rng.chance(1, 2) ? static_cast<std::uint8_t>(rng.below(256))
                                            : static_cast<std::uint8_t>(kTelling[rng.below(sizeof kTelling - 1)]);
        }
        break;
    case 2: input.erase(at(input, where), at(input, where + length)); break;
    case 3: { // a piece of another seed
        const Bytes inserted = piece(corpus, rng);
        input.insert(at(input, where), inserted.begin(), inserted.end());
        break;
    }
    case 4: { // the same again
        const Bytes copy(at(input, where), at(input, where + length));
        input.insert(at(input, where), copy.begin(), copy.end());
        break;
    }
    default: // cut short, as a full disk does
        if (rng.chance(1, 4)) input.resize(where);
        break;
    }
    if (input.size() > kLongestInput) input.resize(kLongestInput);
}

void try_one(const Bytes& input, const fs::path& note) {
    {
        std::ofstream out(note, std::ios::binary);
        out.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    }
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: " << argv[0] << " <corpus folder> [inputs]\n";
        return 2;
    }
    const std::vector<Bytes> corpus = load_corpus(argv[1]);
    const std::uint64_t inputs = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 2000;
    const fs::path note = std::string(argv[0]) + ".last_input";

    const char* const depth = std::getenv("NUMAVP_TEST_DEPTH");
    const auto least = std::chrono::seconds(depth != nullptr && std::string(depth) == "all" ? 10 : 0);
    const auto began = std::chrono::steady_clock::now();
    for (const Bytes& seed : corpus) try_one(seed, note);
    std::uint64_t i = 0;
    for (; i < inputs || std::chrono::steady_clock::now() - began < least; ++i) {
        Rng rng(i);
        Bytes input = corpus[rng.below(corpus.size())];
        for (std::uint64_t n = 1 + rng.below(8); n > 0; --n) mutate_once(input, corpus, rng);
        try_one(input, note);
    }
    fs::remove(note);
    std::cout << corpus.size() << " seeds and " << i << " mutations passed\n";
    return 0;
}

/// Writes the kernels of kernels.h as traces: `numavp_device_traces FOLDER SMS [NAME ...]`, FOLDER/NAME/kernelslist.g.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "bench/device/recorder.h"

namespace numavp::device {
namespace {

int run(int argc, char** argv) {
    const unsigned long sms = argc >= 3 ? std::strtoul(argv[2], nullptr, 10) : 0;
    if (sms == 0 || sms > 1024) {
        std::cerr
            << "usage: numavp_device_traces FOLDER SMS [NAME ...]     SMS: 1 to 1024, of the GPU to compare with\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    const std::vector<std::string> wanted(argv + 3, argv + argc);
    std::vector<std::string> known;
    const auto write = [&](const char* name, const auto& body, unsigned blocks, unsigned warps, unsigned shared) {
        known.emplace_back(name);
        const bool launch = std::string_view(name) == "empty-1"; // which a comparison subtracts
        if (!launch && !wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return;
        std::filesystem::create_directories(folder / name);
        std::ofstream trace(folder / name / "kernel-1.traceg");
        write_trace(trace, {name, blocks, warps, shared}, body);
        std::ofstream list(folder / name / "kernelslist.g");
        list << "kernel-1.traceg\n";
        trace.close();
        list.close();
        if (!trace || !list)
            throw std::runtime_error(fmt::format("{}/{}: could not be written", folder.string(), name));
    };
    for_each_kernel(write, static_cast<unsigned>(sms));
    for (const std::string& name : wanted) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        std::cerr << fmt::format("{}: no such kernel; there are {}\n", name, fmt::join(known, ", "));
        return 2;
    }
    return 0;
}

} // namespace
} // namespace numavp::device

int main(int argc, char** argv) {
    try {
        return numavp::device::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}

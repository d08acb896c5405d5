/// A program outside the repository, on the installed headers and libraries only.
#include <iostream>

#include <systemc>

#include "models/base/config.h"
#include "models/base/types.h"

int sc_main(int /*argc*/, char** /*argv*/) {
    const numavp::ByteMask sector = numavp::ByteMask::range(32, numavp::kSectorBytes);
    const bool masks = sector.count() == numavp::kSectorBytes && numavp::ByteMask::full().covers(sector);
    const bool library = numavp::parse_json("{\"a\": 1}", "text").at("a") == 1;
    std::cout << (masks && library ? "the installed package works\n" : "the installed package is broken\n");
    return masks && library ? 0 : 1;
}

/// Text for people in the width of their terminal.
#pragma once

#include <cstddef>
#include <string>

namespace numavp {

/// Columns of the terminal behind a file descriptor; 0 if it is none, as in a file or a pipe.
std::size_t terminal_width(int descriptor);

/// `text` with its lines broken between words at `width` columns; 0 breaks none. What follows goes below the last
/// column of a table, which begins behind two spaces, or four columns in where that column is too narrow. Lines of
/// drawings stay whole. Escape sequences of colours take no column.
std::string fit_width(const std::string& text, std::size_t width);

} // namespace numavp

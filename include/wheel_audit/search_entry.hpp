// Search entries of placed libraries: what an entry means depends on the wheel that has it.
#pragma once

#include <string>
#include <string_view>

#include "wheel_audit/loader.hpp"

namespace wheel_audit {

/// The directory below `lib` of the only Python that a wheel's tags allow (`python3.11`,
/// `python3.13t`, `pypy3.10`); empty where they allow several.
std::string only_python(const WheelFacts& wheel);

/// Takes an entry of a placed library apart. Where its wheel's tags fix one Python, that Python's
/// own `lib/python3.11/site-packages` is site-packages, too.
SearchEntry search_entry(std::string_view text, const Placed& library);

}  // namespace wheel_audit

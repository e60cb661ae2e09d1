// Catch2 2 and 3 have different headers; tests include this one.
#pragma once

#if WHEEL_AUDIT_CATCH2 == 3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include "wheel_audit/gpu.hpp"
#include "catch.hpp"
TEST_CASE("placeholder") { CHECK(wheel_audit::known_devices().size() == 11); }

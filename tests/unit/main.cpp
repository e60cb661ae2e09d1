// Catch2 2 wants its main in one file; Catch2 3 brings its own.
#if WHEEL_AUDIT_CATCH2 == 2
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

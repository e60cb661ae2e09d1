# The third-party libraries, behind one target. LIEF and ISA-L may be absent: the first is a second
# opinion, the second a faster inflate; the build says what is lost and goes on.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)

add_library(dependencies INTERFACE)
target_link_libraries(dependencies INTERFACE Threads::Threads fmt::fmt-header-only
  nlohmann_json::nlohmann_json CLI11::CLI11 OpenSSL::Crypto ZLIB::ZLIB PkgConfig::libzip
  PkgConfig::tomlplusplus PkgConfig::utf8proc)

option(WHEEL_AUDIT_WITH_ISAL "inflate with ISA-L where it is found" ON)
if(WHEEL_AUDIT_WITH_ISAL)
  find_path(ISAL_INCLUDE_DIR isa-l/igzip_lib.h)
  find_library(ISAL_LIBRARY isal)
endif()
if(ISAL_INCLUDE_DIR AND ISAL_LIBRARY)
  target_include_directories(dependencies SYSTEM INTERFACE ${ISAL_INCLUDE_DIR})
  target_link_libraries(dependencies INTERFACE ${ISAL_LIBRARY})
  target_compile_definitions(dependencies INTERFACE WHEEL_AUDIT_ISAL=1)
else()
  message(STATUS "ISA-L not found: inflate and CRC-32 by zlib, several times slower "
                 "(Debian: libisal-dev)")
endif()

option(WHEEL_AUDIT_WITH_LIEF "build --cross-check where LIEF is found" ON)
if(WHEEL_AUDIT_WITH_LIEF)
  find_path(LIEF_INCLUDE_DIR LIEF/ELF.hpp)
  find_library(LIEF_LIBRARY LIEF)
endif()
if(LIEF_INCLUDE_DIR AND LIEF_LIBRARY)
  target_include_directories(dependencies SYSTEM INTERFACE ${LIEF_INCLUDE_DIR})
  target_link_libraries(dependencies INTERFACE ${LIEF_LIBRARY})
  target_compile_definitions(dependencies INTERFACE WHEEL_AUDIT_LIEF=1)
else()
  message(STATUS "LIEF not found: check --cross-check will say so (Debian: liblief-dev)")
endif()

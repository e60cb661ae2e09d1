# WHEEL_AUDIT_STATIC: an executable that needs no shared library, so that it runs whatever C library
# the machine has. Static archives come from Debian's development packages and, where these have
# none, from scripts/static-libraries.sh.
option(WHEEL_AUDIT_STATIC "link a static executable (scripts/build-static.sh)" OFF)
if(NOT WHEEL_AUDIT_STATIC)
  return()
endif()

set(WHEEL_AUDIT_STATIC_LIBRARIES ${CMAKE_SOURCE_DIR}/build/static-libraries/lib CACHE PATH
    "what scripts/static-libraries.sh built")
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
list(PREPEND CMAKE_LIBRARY_PATH ${WHEEL_AUDIT_STATIC_LIBRARIES})
set(OPENSSL_USE_STATIC_LIBS ON)

# A static PIE: relocated by itself at start, at an address that a hostile file cannot know.
# Debian's compilers make objects for it without being told, so these are those of a release.
add_link_options(-static-pie -s -Wl,-z,relro,-z,now)
# glibc's start-up code of a static PIE dies of a search path, which CMake gives to what it takes for
# a shared library.
set(CMAKE_SKIP_RPATH ON)

# Mends what the packages' own descriptions say about static linking.
function(prefer_static_libraries)
  find_library(FMT_ARCHIVE fmt REQUIRED)
  set_target_properties(fmt::fmt PROPERTIES IMPORTED_CONFIGURATIONS RELEASE
                        IMPORTED_LOCATION_RELEASE ${FMT_ARCHIVE})
  # A target of its own, because only a target can say that what it needs comes behind it.
  add_library(libzip-archive STATIC IMPORTED)
  set_target_properties(libzip-archive PROPERTIES IMPORTED_LOCATION ${libzip_LINK_LIBRARIES}
                        INTERFACE_LINK_LIBRARIES "BZip2::BZip2;ZLIB::ZLIB")
  set_target_properties(PkgConfig::libzip PROPERTIES INTERFACE_LINK_LIBRARIES libzip-archive)
  # Debian has no archive of toml++; its headers hold all of it.
  set_target_properties(PkgConfig::tomlplusplus PROPERTIES INTERFACE_LINK_LIBRARIES ""
                        INTERFACE_COMPILE_OPTIONS "" INTERFACE_COMPILE_DEFINITIONS TOML_HEADER_ONLY=1)
endfunction()

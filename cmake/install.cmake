# What is installed, from one list for the packages (CPack) and the wheel (scikit-build-core): the
# tool, and for the packages the documents. A static binary carries other people's code, whose
# licences come along.
include(GNUInstallDirs)

if(SKBUILD)
  if(WHEEL_AUDIT_PREBUILT)
    install(PROGRAMS ${WHEEL_AUDIT_PREBUILT} DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT tool)
  else()
    install(TARGETS wheel-audit RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT tool)
  endif()
  set(licenses ${SKBUILD_METADATA_DIR}/licenses)
  set(licenses_component tool)
else()
  install(TARGETS wheel-audit RUNTIME COMPONENT tool)
  install(FILES docs/wheel-audit.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)
  install(FILES README.md CHANGELOG.md LICENSE TYPE DOC COMPONENT documents)
  # The tool writes its own completions, into the folders where the shells look for them.
  install(CODE "
    foreach(place bash:bash-completion/completions/wheel-audit zsh:zsh/vendor-completions/_wheel-audit
                  fish:fish/vendor_completions.d/wheel-audit.fish)
      string(REPLACE : \";\" place \${place})
      list(GET place 0 shell)
      list(GET place 1 file)
      set(file \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/\${file})
      get_filename_component(folder \${file} DIRECTORY)
      file(MAKE_DIRECTORY \${folder})
      execute_process(COMMAND ${CMAKE_BINARY_DIR}/wheel-audit completion \${shell}
                      OUTPUT_FILE \${file} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT documents)
  install(DIRECTORY docs TYPE DOC COMPONENT documents FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
          PATTERN "*.1")
  set(licenses ${CMAKE_INSTALL_DOCDIR}/licenses)
  set(licenses_component documents)
endif()

if(WHEEL_AUDIT_STATIC OR WHEEL_AUDIT_PREBUILT)
  foreach(package libbz2-dev libc6-dev libcli11-dev libfmt-dev libisal-dev libssl-dev libstdc++-12-dev
                  libtomlplusplus-dev libutf8proc-dev libyaml-cpp-dev libzip-dev
                  nlohmann-json3-dev zlib1g-dev)
    set(license /usr/share/doc/${package}/copyright)
    if(NOT EXISTS ${license})
      message(WARNING "${license} is not there: a package would be without the licence of what it contains")
      continue()
    endif()
    file(REAL_PATH ${license} license)
    install(FILES ${license} DESTINATION ${licenses} RENAME ${package}.txt COMPONENT ${licenses_component})
  endforeach()
endif()

set(CPACK_PACKAGE_NAME wheel-audit)
set(CPACK_PACKAGE_VENDOR "wheel-audit maintainers")
set(CPACK_PACKAGE_CONTACT "wheel-audit maintainers <maintainers@wheel-audit.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "audits Python wheels that carry native and GPU code")
set(CPACK_PACKAGE_DESCRIPTION
    "The last gate between a wheel build and an index: holds wheels to what their names, texts and \
platform tags promise, down to ELF files and GPU code. It never runs what it audits.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_FILE_NAME wheel-audit-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
if(NOT WHEEL_AUDIT_STATIC)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
include(CPack)

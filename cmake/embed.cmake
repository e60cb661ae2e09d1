# embed_directory(TARGET NAME): puts every JSON file below NAME/ into TARGET as bytes, listed by
# path in the table that include/wheel_audit/embedded.hpp declares.
function(embed_directory target name)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
       ${CMAKE_SOURCE_DIR}/${name}/*.json)
  list(SORT files)
  set(assembly "    .section .rodata\n")
  set(table "#include \"wheel_audit/embedded.hpp\"\n\nextern \"C\" {\n")
  set(rows "")
  set(index 0)
  foreach(file IN LISTS files)
    set(symbol "embedded_${name}_${index}")
    string(APPEND assembly "    .global ${symbol}\n${symbol}:\n    .incbin \"${CMAKE_SOURCE_DIR}/${file}\"\n"
                           "    .global ${symbol}_end\n${symbol}_end:\n    .byte 0\n")
    string(APPEND table "extern const char ${symbol};\nextern const char ${symbol}_end;\n")
    string(APPEND rows "    {\"${file}\", &${symbol}, &${symbol}_end},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")
  string(APPEND table "}\n\nnamespace wheel_audit {\nnamespace {\n"
                      "const EmbeddedFile kFiles[] = {\n${rows}    {nullptr, nullptr, nullptr}};\n}\n"
                      "std::span<const EmbeddedFile> embedded_${name}() { return {kFiles, ${index}}; }\n}\n")
  set(out ${CMAKE_BINARY_DIR}/embedded/${name})
  file(CONFIGURE OUTPUT ${out}.S CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${out}.cpp CONTENT "${table}" @ONLY)
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  set_source_files_properties(${out}.S PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${out}.S ${out}.cpp)
endfunction()

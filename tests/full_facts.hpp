// Facts in which every field has a value of its own: what goes to JSON and back must be all of it.
#pragma once

#include <memory>

#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// Symbols over one pool, as readers make them.
inline void add_symbols(ElfFacts& elf) {
  const auto pool = std::make_shared<const std::string>("PyInit_xmemcpyGLIBC_2.17libc.so.6");
  const std::string_view view = *pool;
  elf.symbols = {
      {view.substr(0, 8), {}, {}, Binding::global, 2, true, false},
      {view.substr(8, 6), view.substr(14, 10), view.substr(24), Binding::weak, 0, false, false},
      {view.substr(8, 6), view.substr(14, 10), {}, Binding::unique, 255, true, true},
      {{}, {}, {}, Binding::local, 3, false, true}};
  elf.pool = pool;
}

inline ElfFacts full_elf() {
  ElfFacts elf;
  elf.path = "x/_C.so";
  elf.bits = 32;
  elf.big_endian = true;
  elf.machine_code = 65535;
  elf.machine = "em_65535";
  elf.os_abi = 255;
  elf.flags = 4294967295U;
  elf.type = "dyn";
  elf.dynamic = true;
  elf.soname = "lib\"x\".so";
  elf.needed = {"libc.so.6", "libc.so.6", ""};
  elf.has_rpath = true;
  elf.rpath = {""};
  elf.has_runpath = true;
  elf.runpath = {"$ORIGIN", "", "/opt"};
  elf.version_needs = {{"libz.so", "Z_2", false},
                       {"libc.so.6", "GLIBC_2.17", false},
                       {"libc.so.6", "GLIBC_2.4", false},
                       {"libc.so.6", "GLIBC_2.4", true}};
  elf.defines_versions = {"V2", "V1"};
  elf.stack = Stack::rwx;
  elf.text_relocations = true;
  elf.bind_now = true;
  elf.relro = true;
  elf.static_tls = true;
  elf.packed_relocations = true;
  elf.interpreter = "";
  elf.build_id = "00ff";
  elf.isa_needed = {"x86-64-v2"};
  elf.segments = {{1, 2, 3, 4, UINT64_MAX, 7}};
  elf.section_headers = true;
  elf.sections = {{".text", 1, 6, 4096, 77}, {"", 0, 0, 0, 0}};
  elf.symtab = true;
  elf.symtab_bytes = 11;
  elf.debug = true;
  elf.debug_bytes = 12;
  elf.exports = 13;
  elf.imports = 14;
  elf.paths = {"/home/a/b.c", "/root/\"x\".c"};
  elf.more_paths = true;
  elf.all_symbols = true;
  add_symbols(elf);
  return elf;
}

inline WheelFacts full_wheel() {
  WheelFacts w;
  w.given = "dist/x-1.0-cp312-cp312-linux_x86_64.whl";
  w.file_name = "x-1.0-cp312-cp312-linux_x86_64.whl";
  w.file_size = UINT64_MAX;
  w.file_sha256 = "ab";
  w.name =
      NameFacts{"x", "1.0", "7_b", {"cp312", "py3"}, {"cp312"}, {"linux_x86_64"}, "cu130_abcd"};
  w.name_problem = "has seven parts, expected five or six";
  w.dist_infos = {"x-1.0.dist-info", "X-1.0.dist-info"};
  w.metadata = MetadataFacts{"x-1.0.dist-info/METADATA",
                             {{"name", "x"},
                              {"Version", "1.0"},
                              {"Requires-Python", ">=3.9"},
                              {"Requires-Dist", "a"},
                              {"requires-dist", "b; extra == 'c'"}},
                             true,
                             {"line 9 is no header"}};
  w.wheel = WheelFileFacts{"x-1.0.dist-info/WHEEL",
                           {{"Root-Is-Purelib", "false"}, {"Tag", "cp312-cp312-linux_x86_64"}},
                           {"it is not UTF-8"}};
  w.record = RecordFacts{"x-1.0.dist-info/RECORD",
                         {{"x/_C.so", "sha512=abc", "12"}, {"", "", ""}},
                         {"line 2 has 1 field"},
                         {{"x/_C.so", "sha512=abd"}}};
  w.entry_points = {{"console_scripts", "x", "x.cli:main"}};
  w.entry_point_problems = {"line 4 is no entry"};
  w.variant_properties = {{"nvidia", "cuda_version_lower_bound", {"12.8", "13.0"}}};
  w.variant_problem = "has no label \"cu130_abcd\"";
  w.claim = {"cuda", "cu130", 13, "local version"};
  w.archive_problems = {{"ambiguous", "x/_C.so", 99, "stands twice"}, {"corrupt", {}, 0, "cut"}};
  MemberFacts plain;
  plain.path = "x/__init__.py";
  plain.kind = MemberKind::text;
  w.members = {{"x/_C.so",
                1,
                2,
                33188,
                0x0a0b0c0dU,
                "cd",
                MemberKind::elf,
                65535,
                255,
                false,
                "private key",
                "/usr/bin/sh -e",
                {"liba.so", "torch"}},
               plain};
  w.elves = {full_elf(), {}};
  w.gpu = {{"x/_C.so",
            3,
            {{".nv_fatbin", 2}, {"bytes", 1}},
            4,
            {{"ptx", "9.0a", 1, 2, 3, 4, "8.7", "12.8"}, {"sass", "8.0", 5, 6, 7, 0, "", ""}},
            {{".nv_fatbin", {"ptx 9.0a", "sass 8.0"}, 2}},
            {"at 12: short header"}}};
  w.objects = {{"x/y.dll", "pe", "x86_64"}, {"x/z.a", "ar", ""}};
  w.headers = {{"x/include/a.h", {{"b.h", 3, true, false}, {"c/d.h", 4, false, true}}, ""},
               {"x/include/b.h", {}, "is too long"}};
  w.cmake = {{"x/a.cmake", {{"if", {"TARGET", "a b"}, 1, {}}, {"set", {}, 2, 0}}, {"@A@"}, ""},
             {"x/b.cmake", {}, {}, "line 1: cut"}};
  w.unread = {{"x/broken.so", "is cut", "elf"}, {std::nullopt, "is no zip", "archive"}};
  return w;
}

}  // namespace wheel_audit

// The machines of platform tags: numbers, flags and relocation types of their psABIs, and a
// function that returns 0 in their code.
#include <algorithm>

#include "forge/elf_spec.hpp"

namespace wheel_audit::forge {

namespace {

const std::vector<Machine>& machines() {
  static const std::vector<Machine> kMachines = {
      {"x86_64", 62, true, false, 0, 0x1000, true, 6, 8, "31c0c3", 4},
      {"i686", 3, false, false, 0, 0x1000, false, 6, 8, "31c0c3", 4},
      {"aarch64", 183, true, false, 0, 0x10000, true, 1025, 1027, "00008052c0035fd6", 4},
      {"armv7l", 40, false, false, 0x05000400, 0x1000, false, 21, 23, "0000a0e31eff2fe1", 4},
      {"ppc64le", 21, true, false, 2, 0x10000, true, 20, 22, "000060382000804e", 4},
      {"s390x", 22, true, true, 0, 0x1000, true, 10, 12, "a729000007fe", 8},
      {"riscv64", 243, true, false, 5, 0x1000, true, 2, 3, "1305000067800000", 4},
      {"loongarch64", 258, true, false, 0x43, 0x10000, true, 2, 3, "040015002000004c", 4},
  };
  return kMachines;
}

}  // namespace

const Machine* find_machine(std::string_view word) {
  const auto at = std::find_if(machines().begin(), machines().end(),
                               [&](const Machine& machine) { return machine.word == word; });
  return at == machines().end() ? nullptr : &*at;
}

std::vector<std::string> machine_words() {
  std::vector<std::string> words;
  for (const Machine& machine : machines()) words.push_back(machine.word);
  return words;
}

}  // namespace wheel_audit::forge

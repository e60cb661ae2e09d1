// The words that platform tags use for machines, by e_machine, class and byte order. Every other
// code is no host machine: GPU code, BPF and the like are in wheels as data.
#include <fmt/format.h>

#include <array>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

namespace {

enum class Bits : std::uint8_t { any, narrow, wide };
enum class Order : std::uint8_t { any, little, big };

struct Machine {
  std::uint16_t code;
  Bits bits;
  Order order;
  std::string_view word;
};

// x86_64 with 32 bits is x32: same word, and the class is a fact of its own.
constexpr std::array kMachines = {
    Machine{62, Bits::any, Order::any, "x86_64"},
    Machine{183, Bits::any, Order::little, "aarch64"},
    Machine{183, Bits::any, Order::big, "aarch64_be"},
    Machine{3, Bits::any, Order::any, "i686"},
    Machine{40, Bits::any, Order::little, "armv7l"},
    Machine{40, Bits::any, Order::big, "armv7b"},
    Machine{21, Bits::any, Order::little, "ppc64le"},
    Machine{21, Bits::any, Order::big, "ppc64"},
    Machine{20, Bits::any, Order::any, "ppc"},
    Machine{22, Bits::wide, Order::any, "s390x"},
    Machine{22, Bits::narrow, Order::any, "s390"},
    Machine{243, Bits::wide, Order::any, "riscv64"},
    Machine{243, Bits::narrow, Order::any, "riscv32"},
    Machine{258, Bits::wide, Order::any, "loongarch64"},
    Machine{258, Bits::narrow, Order::any, "loongarch32"},
    Machine{8, Bits::wide, Order::any, "mips64"},
    Machine{8, Bits::narrow, Order::any, "mips"},
    Machine{43, Bits::any, Order::any, "sparc64"},
    Machine{0x9026, Bits::any, Order::any, "alpha"},
    Machine{4, Bits::any, Order::any, "m68k"},
    Machine{50, Bits::any, Order::any, "ia64"},
};

std::string_view known_word(const Header& header) {
  const Bits bits = header.wide ? Bits::wide : Bits::narrow;
  const Order order = header.order == Endian::big ? Order::big : Order::little;
  for (const Machine& machine : kMachines) {
    if (machine.code != header.machine) continue;
    if (machine.bits != Bits::any && machine.bits != bits) continue;
    if (machine.order != Order::any && machine.order != order) continue;
    return machine.word;
  }
  return {};
}

}  // namespace

std::string machine_word(const Header& header) {
  const std::string_view word = known_word(header);
  return word.empty() ? fmt::format("em_{}", header.machine) : std::string(word);
}

bool is_host_machine(const Header& header) { return !known_word(header).empty(); }

}  // namespace wheel_audit::elf_reader

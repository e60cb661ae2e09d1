// One fault for each group of checks in .clang-tidy; canary.py demands that each mark below
// stands before a line that is refused for the reasons it names, and no other line is. Part of no
// target.
#include <cstdint>
#include <string>
#include <utility>

namespace canary {

// refused: readability-identifier-naming
class badly_named {};

char second(const char* text) {
  // refused: cppcoreguidelines-pro-bounds-pointer-arithmetic
  return *(text + 1);
}

const std::uint8_t* bytes(const char* text) {
  // refused: cppcoreguidelines-pro-type-reinterpret-cast
  return reinterpret_cast<const std::uint8_t*>(text);
}

std::size_t moved(std::string text) {
  const std::string kept = std::move(text);
  // refused: bugprone-use-after-move clang-analyzer-cplusplus.Move
  return text.size() + kept.size();
}

// refused: performance-unnecessary-value-param
std::size_t copied(std::string text) { return text.size(); }

int nothing(bool wide) {
  int* place = nullptr;
  if (wide) return 8;
  // refused: clang-analyzer-core.NullDereference
  return *place;
}

// refused: readability-function-size
int long_function(int value) {
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  value += 1;
  return value;
}

}  // namespace canary

// One fault for each group of checks in .clang-tidy; canary.py demands that each line marked below is
// refused for the reasons named there, and no other line. Part of no target.
#include <cstdint>
#include <string>
#include <utility>

namespace canary {

class badly_named {};  // refused: readability-identifier-naming

char second(const char* text) {
  return *(text + 1);  // refused: cppcoreguidelines-pro-bounds-pointer-arithmetic
}

const std::uint8_t* bytes(const char* text) {
  return reinterpret_cast<const std::uint8_t*>(text);  // refused: cppcoreguidelines-pro-type-reinterpret-cast
}

std::size_t moved(std::string text) {
  const std::string kept = std::move(text);
  return text.size() + kept.size();  // refused: bugprone-use-after-move clang-analyzer-cplusplus.Move
}

std::size_t copied(std::string text) {  // refused: performance-unnecessary-value-param
  return text.size();
}

int nothing(bool wide) {
  int* place = nullptr;
  if (wide) return 8;
  return *place;  // refused: clang-analyzer-core.NullDereference
}

int long_function(int value) {  // refused: readability-function-size
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

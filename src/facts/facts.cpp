// Small questions that many rules ask of the facts.
#include "wheel_audit/facts.hpp"

#include <algorithm>
#include <array>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const std::string* first_of(const std::vector<Field>& fields, std::string_view name) {
  const std::string wanted = lower(name);
  for (const Field& field : fields) {
    if (lower(field.name) == wanted) return &field.value;
  }
  return nullptr;
}

std::vector<std::string> all_of(const std::vector<Field>& fields, std::string_view name) {
  const std::string wanted = lower(name);
  std::vector<std::string> values;
  for (const Field& field : fields) {
    if (lower(field.name) == wanted) values.push_back(field.value);
  }
  return values;
}

template <typename T>
const T* with_path(const std::vector<T>& items, std::string_view path) {
  const auto found = std::ranges::find(items, path, &T::path);
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

const std::string* MetadataFacts::first(std::string_view name) const {
  return first_of(fields, name);
}
std::vector<std::string> MetadataFacts::all(std::string_view name) const {
  return all_of(fields, name);
}
const std::string* WheelFileFacts::first(std::string_view name) const {
  return first_of(fields, name);
}
std::vector<std::string> WheelFileFacts::all(std::string_view name) const {
  return all_of(fields, name);
}

std::optional<bool> WheelFileFacts::root_is_purelib() const {
  const std::string* value = first("Root-Is-Purelib");
  if (value == nullptr) return std::nullopt;
  const std::string word = lower(trim(*value));
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}

bool ElfFacts::is_host() const { return !machine.starts_with("em_"); }

std::string_view ElfFacts::module_entry() const {
  constexpr std::array<std::string_view, 3> kPrefixes = {"PyInit_", "PyInitU_", "PyModExport_"};
  for (const Symbol& symbol : symbols) {
    if (!symbol.defined || !symbol.name.starts_with("Py")) continue;
    for (std::string_view prefix : kPrefixes) {
      if (symbol.name.size() > prefix.size() && symbol.name.starts_with(prefix)) return symbol.name;
    }
  }
  return {};
}

bool ElfFacts::needs(std::string_view library) const {
  return std::ranges::find(needed, library) != needed.end();
}

const MemberFacts* WheelFacts::member(std::string_view path) const {
  return with_path(members, path);
}
const ElfFacts* WheelFacts::elf(std::string_view path) const { return with_path(elves, path); }
const GpuFacts* WheelFacts::gpu_of(std::string_view path) const { return with_path(gpu, path); }

}  // namespace wheel_audit

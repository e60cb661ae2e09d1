// Fat binary containers (docs/fatbin.md), and the lies that a recipe writes into them.
#include "forge/fatbin_writer.hpp"

#include <fmt/format.h>

#include "forge/content.hpp"
#include "forge/fatbin_entry.hpp"

namespace wheel_audit::forge {

namespace {

/// Writes lies into a finished container. Those that start with `entry_` are of the first entry.
Result<void> corrupt(const Json& spec, const std::string& place, Out& out) {
  struct Place {
    std::string_view key;
    std::uint64_t offset;
    std::size_t width;
  };
  constexpr Place kPlaces[] = {{"magic", 0, 4},
                               {"version", 4, 2},
                               {"header_size", 6, 2},
                               {"total", 8, 8},
                               {"entry_kind", 16, 2},
                               {"entry_version", 18, 2},
                               {"entry_header_size", 20, 4},
                               {"entry_size", 24, 8},
                               {"entry_compressed", 32, 4},
                               {"entry_options", 36, 4},
                               {"entry_arch", 44, 4},
                               {"entry_name", 48, 4},
                               {"entry_name_length", 52, 4},
                               {"entry_flags", 56, 8}};
  Fields fields(spec, place);
  if (const std::int64_t delta = fields.whole("size", 0); delta != 0) {
    out.set(8, out.size() - 16 + static_cast<std::uint64_t>(delta), 8);
  }
  for (const Place& lie : kPlaces) {
    if (const auto value = fields.maybe_number(lie.key)) out.set(lie.offset, *value, lie.width);
  }
  if (const auto size = fields.maybe_number("truncate")) {
    if (*size < out.size()) out.bytes.resize(static_cast<std::size_t>(*size));
  }
  return fields.finish();
}

Result<Container> read_container(const Json& spec, const std::string& place,
                                 const std::string& section, Build& build) {
  Fields fields(spec, place);
  Container container;
  container.place = fields.text("place", section);
  Out out;
  out.u32(0xba55ed50);
  out.u16(1);
  out.u16(16);
  out.u64(0);
  const Json::Array& code = fields.array("code");
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Result<Entry> entry = read_entry(code[i], fmt::format("{}.code[{}]", place, i), build);
    if (!entry) return entry.error();
    write_entry(out, *entry);
  }
  out.set(8, out.size() - 16, 8);
  if (const Json* lies = fields.find("corrupt")) {
    if (const Result<void> done = corrupt(*lies, fields.at("corrupt"), out); !done) {
      return done.error();
    }
  }
  if (const Result<void> done = fields.finish(); !done) return done.error();
  container.bytes = std::move(out.bytes);
  return container;
}

}  // namespace

Result<std::vector<Container>> read_containers(const Json& spec, const std::string& place,
                                               Build& build) {
  Json object = spec;
  if (spec.is_array()) {
    Json container = Json::object();
    container.set("code", spec);
    object = Json::object();
    object.set("containers", Json(Json::Array{container}));
  }
  Fields fields(object, place);
  const std::string section = fields.text("section", ".nv_fatbin");
  std::vector<Container> containers;
  for (const Json& item : fields.array("containers")) {
    const std::string at = fmt::format("{}.containers[{}]", place, containers.size());
    Result<Container> container = read_container(item, at, section, build);
    if (!container) return container.error();
    containers.push_back(std::move(*container));
  }
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return containers;
}

Result<Bytes> build_fatbin(const Json& spec, const std::string& place, Build& build) {
  const Result<std::vector<Container>> containers = read_containers(spec, place, build);
  if (!containers) return containers.error();
  Out out;
  for (const Container& container : *containers) {
    out.pad(8);
    out.raw(container.bytes);
  }
  return out.bytes;
}

}  // namespace wheel_audit::forge

// The texts of dist-info, read through the archive within the limits.
#include "wheel/texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/limits.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// Lines that have an end: CR, LF, or both.
std::uint64_t count_lines(std::string_view text) {
  std::uint64_t lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  for (std::size_t at = text.find('\r'); at != std::string_view::npos;
       at = text.find('\r', at + 1)) {
    if (!text.substr(at + 1).starts_with('\n')) ++lines;
  }
  return lines;
}

/// The lines before the first empty one.
std::string_view headers_of(std::string_view text) {
  char before = '\n';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool ends = text[at] == '\n' || text[at] == '\r';
    const bool pair = before == '\r' && text[at] == '\n';
    if (ends && !pair && (before == '\n' || before == '\r')) return text.substr(0, at);
    before = text[at];
  }
  return text;
}

/// The decoded bytes of the first member of that path, or nothing.
std::optional<std::string> text_of(const Archive& archive, const std::string& path,
                                   WheelFacts& wheel) {
  const auto& members = archive.members();
  const auto found = std::ranges::find(members, path, &ArchiveMember::path);
  if (found == members.end()) return std::nullopt;
  if (found->size > limits().text_bytes) {
    wheel.unread.push_back({path, too_many_bytes(found->size), "member"});
    return std::nullopt;
  }
  std::string text;
  constexpr std::uint64_t kBelieved = 8 << 20U;  // no more of a size that may be a lie
  text.reserve(static_cast<std::size_t>(std::min(found->size, kBelieved)));
  const auto index = static_cast<std::size_t>(found - members.begin());
  const Result<void> streamed = archive.stream(index, [&](ByteView chunk) {
    text += chunk.text();
    return true;
  });
  if (!streamed) return std::nullopt;
  return text;
}

bool has_member(const Archive& archive, const std::string& path) {
  return std::ranges::find(archive.members(), path, &ArchiveMember::path) !=
         archive.members().end();
}

std::vector<std::string> dist_info_directories(const Archive& archive) {
  std::vector<std::string> found;
  NameSet seen;
  for (const ArchiveMember& member : archive.members()) {
    const std::size_t slash = member.path.find('/');
    if (slash == std::string::npos) continue;
    const std::string_view top = std::string_view(member.path).substr(0, slash);
    if (!top.ends_with(".dist-info")) continue;
    if (seen.insert(top).second) found.emplace_back(top);
  }
  return found;
}

}  // namespace

std::optional<std::string> too_many_lines(std::string_view name, std::string_view text) {
  const bool headers = name == "METADATA" || name == "WHEEL";
  const std::uint64_t most = headers ? limits().header_lines : limits().record_lines;
  // What comes of them in memory is many times their bytes.
  const std::uint64_t lines = count_lines(headers ? headers_of(text) : text);
  if (lines <= most) return std::nullopt;
  return fmt::format("has {} {}; such a text is read up to {}{}", lines,
                     headers ? "lines before its first empty one" : "lines", most,
                     limit_hint(headers ? &Limits::header_lines : &Limits::record_lines));
}

std::string too_many_bytes(std::uint64_t size) {
  return fmt::format("has {} bytes; such a text is read up to {}{}", size, limits().text_bytes,
                     limit_hint(&Limits::text_bytes));
}

void read_texts(const Archive& archive, WheelFacts& wheel) {
  wheel.dist_infos = dist_info_directories(archive);
  if (wheel.dist_infos.empty()) return;
  const std::string own = own_dist_info(wheel);
  const auto text = [&](std::string_view name) -> std::optional<std::string> {
    const std::string path = fmt::format("{}/{}", own, name);
    std::optional<std::string> found = text_of(archive, path, wheel);
    if (!found) return found;
    const std::optional<std::string> reason = too_many_lines(name, *found);
    if (!reason) return found;
    wheel.unread.push_back({path, *reason, "member"});
    return std::nullopt;
  };
  if (const auto found = text("METADATA"))
    wheel.metadata = parse_metadata(own + "/METADATA", *found);
  if (const auto found = text("WHEEL")) wheel.wheel = parse_wheel_file(own + "/WHEEL", *found);
  if (const auto found = text("RECORD")) wheel.record = parse_record(own + "/RECORD", *found);
  if (const auto found = text("entry_points.txt")) {
    wheel.entry_points = parse_entry_points(*found, wheel.entry_point_problems);
  }
  if (!wheel.name || !wheel.name->variant) return;
  if (const auto found = text("variant.json")) {
    auto properties = parse_variant(*found, *wheel.name->variant);
    if (properties) {
      wheel.variant_properties = std::move(*properties);
    } else {
      wheel.variant_problem = properties.error().message();
    }
  } else if (!has_member(archive, own + "/variant.json")) {
    wheel.variant_problem = own + " has no variant.json";
  }
}

}  // namespace wheel_audit

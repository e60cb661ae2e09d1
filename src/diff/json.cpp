// The comparison as JSON (schema wheel-audit.diff/1), with everything that changed.
#include "wheel_audit/json.hpp"

#include "diff/formats.hpp"

namespace wheel_audit {

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json change_json(Json before, Json after) {
  Json json = Json::object();
  json.append("old", std::move(before));
  json.append("new", std::move(after));
  return json;
}

Json change_json(const Change<std::uint64_t>& change) {
  return change_json(Json(change.before), Json(change.after));
}

Json change_json(const Change<std::string>& change) {
  return change_json(text_or_null(change.before), text_or_null(change.after));
}

Json list_json(const ListChange& change) {
  Json json = Json::object();
  json.append("gained", change.gained);
  json.append("lost", change.lost);
  return json;
}

Json side_json(const DiffSide& side) {
  Json unread = Json::array();
  for (const Unread& one : side.unread) {
    Json item = Json::object();
    item.append("where", one.where ? Json(*one.where) : Json());
    item.append("reason", one.reason);
    unread.push(std::move(item));
  }
  Json json = Json::object();
  json.append("file", side.given);
  json.append("size", side.file_size);
  json.append("installed", side.installed);
  json.append("oldest_glibc", text_or_null(side.oldest_glibc));
  json.append("unread", std::move(unread));
  return json;
}

Json library_json(const LibraryDiff& library) {
  Json needed = list_json(library.needed);
  needed.append("outside", library.new_needs);
  Json json = Json::object();
  json.append("path", change_json(library.path));
  json.append("size", change_json(library.size));
  json.append("machine", change_json(library.machine));
  json.append("archs", list_json(library.archs));
  json.append("needed", std::move(needed));
  json.append("soname", change_json(library.soname));
  json.append("search_path", change_json(library.search_path));
  json.append("versions", list_json(library.versions));
  json.append("symbols", library.symbols_compared ? list_json(library.symbols) : Json());
  return json;
}

Json member_json(const MemberDiff& member) {
  Json json = Json::object();
  json.append("path", change_json(member.path));
  json.append("size", change_json(member.size));
  json.append("compressed", change_json(member.compressed));
  return json;
}

/// What is of the wheel as a whole.
Json wheel_json(const WheelDiff& diff) {
  Json properties = Json::object();
  for (const PropertyDiff& property : diff.properties)
    properties.append(property.name, change_json(property.value));
  Json packages = Json::object();
  for (const PackageDiff& package : diff.packages)
    packages.append(package.name, change_json(package.texts.before, package.texts.after));
  Json code = Json::object();
  for (const CodeDiff& one : diff.code) code.append(one.code, change_json(one.bytes));
  Json json = Json::object();
  json.append("properties", std::move(properties));
  json.append("packages", std::move(packages));
  json.append("archs", list_json(diff.archs));
  json.append("code_bytes", std::move(code));
  return json;
}

}  // namespace

std::string render_diff_json(const DiffReport& report) {
  const WheelDiff& diff = report.diff;
  Json libraries = Json::array();
  for (const LibraryDiff& library : diff.libraries) libraries.push(library_json(library));
  Json members = Json::array();
  for (const MemberDiff& member : diff.members) members.push(member_json(member));
  Json failures = Json::array();
  for (const DiffFailure& failure : report.failures) {
    Json one = Json::object();
    one.append("what", failure.word);
    one.append("where", text_or_null(failure.where));
    one.append("message", failure.message);
    failures.push(std::move(one));
  }
  Json json = Json::object();
  json.append("schema", "wheel-audit.diff/1");
  json.append("old", side_json(diff.sides.before));
  json.append("new", side_json(diff.sides.after));
  json.append("wheel", wheel_json(diff));
  json.append("libraries", std::move(libraries));
  json.append("libraries_alike", std::uint64_t{diff.libraries_alike});
  json.append("members", std::move(members));
  json.append("members_alike", std::uint64_t{diff.members_alike});
  json.append("failures", std::move(failures));
  json.append("undecided", report.undecided);
  json.append("exit", report.exit);
  return json.dump(1) + "\n";
}

}  // namespace wheel_audit

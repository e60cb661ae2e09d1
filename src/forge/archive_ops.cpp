// One function and one table row for each operation.
#include "forge/archive_ops.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "forge/content.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::uint64_t kMostMembers = 200000;

/// The member that a key names; a fault and a scratch member when there is none.
ZipMember& member(Fields& fields, std::string_view key, ZipPlan& plan, const Build& build) {
  static thread_local ZipMember scratch;
  const std::string path = build.path(fields.text(key));
  for (ZipMember& candidate : plan.members) {
    if (candidate.path == path) return candidate;
  }
  std::vector<std::string> paths;
  for (const ZipMember& candidate : plan.members) paths.push_back(candidate.path);
  fields.fail(key, fmt::format("no member \"{}\"{}", printable(path), did_you_mean(path, paths)));
  scratch = {};
  return scratch;
}

ZipMember& member(Fields& fields, ZipPlan& plan, const Build& build) {
  return member(fields, "path", plan, build);
}

void duplicate(Fields& fields, ZipPlan& plan, Build& build) {
  ZipMember copy = member(fields, plan, build);
  const Bytes content = read_content(fields, build);
  copy.content = content;
  plan.members.push_back(std::move(copy));
}

void local_name(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).local_name = fields.text("name");
}

void local_field(Fields& fields, ZipPlan& plan, Build& build) {
  const std::string name =
      fields.word("field", "",
                  {"signature", "version", "flags", "method", "time", "date", "crc", "compressed",
                   "size", "name_length", "extra_length"});
  member(fields, plan, build).local[name] = fields.number("value", 0, UINT32_MAX);
}

void central_field(Fields& fields, ZipPlan& plan, Build& build) {
  const std::string name =
      fields.word("field", "",
                  {"signature", "made_by", "version", "flags", "method", "time", "date", "crc",
                   "compressed", "size", "name_length", "extra_length", "comment_length", "disk",
                   "internal", "external", "offset"});
  member(fields, plan, build).central[name] = fields.number("value", 0, UINT32_MAX);
}

void data_descriptor(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).descriptor =
      fields.flag("signed", true) ? Descriptor::with_signature : Descriptor::plain;
}

void hide(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).hidden = true;
}

void prepend(Fields& fields, ZipPlan& plan, Build&) {
  plan.before = fields.hex("hex");
  plan.adjust_offsets = fields.flag("adjust", true);
}

void append(Fields& fields, ZipPlan& plan, Build&) { plan.after = fields.hex("hex"); }

void gap(Fields& fields, ZipPlan& plan, Build& build) {
  const bool at_directory = fields.find("before") == nullptr;
  Bytes& place =
      at_directory ? plan.gap_before_directory : member(fields, "before", plan, build).gap;
  place = fields.hex("hex");
}

/// The stored bytes of `path` end with the whole record of `with`: both entries are sound, and
/// share bytes.
void overlap(Fields& fields, ZipPlan& plan, Build& build) {
  ZipMember& inner = member(fields, "with", plan, build);
  const Bytes record = local_record(inner);
  if (fields.failed()) return;
  ZipMember& outer = member(fields, plan, build);
  if (&outer == &inner) return fields.fail("with", "a member cannot overlap itself");
  if (!inner.swallows.empty()) return fields.fail("with", "overlaps another already");
  outer.method = kStored;
  outer.content.insert(outer.content.end(), record.begin(), record.end());
  outer.swallows = inner.path;
}

void count(Fields& fields, ZipPlan& plan, Build&) {
  plan.count = fields.number("value", 0, UINT32_MAX);
}

void directory_offset(Fields& fields, ZipPlan& plan, Build&) {
  plan.directory_offset = fields.number("value", 0, UINT64_MAX);
}

void directory_size(Fields& fields, ZipPlan& plan, Build&) {
  plan.directory_size = fields.number("value", 0, UINT64_MAX);
}

void comment(Fields& fields, ZipPlan& plan, Build&) {
  const Bytes raw = fields.hex("hex");
  plan.comment = fields.text("text", std::string(raw.begin(), raw.end()));
}

void comment_length(Fields& fields, ZipPlan& plan, Build&) {
  plan.comment_length = fields.number("value", 0, 0xffff);
}

void entry_comment(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).comment = fields.text("text");
}

void extra(Fields& fields, ZipPlan& plan, Build& build) {
  ZipMember& target = member(fields, plan, build);
  const std::string where = fields.word("where", "both", {"local", "central", "both"});
  const Bytes bytes = fields.hex("hex");
  if (where != "central") {
    target.local_extra.insert(target.local_extra.end(), bytes.begin(), bytes.end());
  }
  if (where != "local") {
    target.central_extra.insert(target.central_extra.end(), bytes.begin(), bytes.end());
  }
}

void zip64(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).zip64 = true;
}

void zip64_end(Fields& fields, ZipPlan& plan, Build&) {
  plan.zip64_end = true;
  plan.zip64_locator = fields.flag("locator", true);
  plan.zip64_record_size = fields.number("record_size", 44, UINT64_MAX);
}

void flip(Fields& fields, ZipPlan& plan, Build& build) {
  ZipMember& target = member(fields, plan, build);
  const std::uint64_t at = fields.number("offset", 0, kMostBytes);
  const std::uint64_t stored = compress(target.content, target.method).size();
  if (at >= stored) {
    fields.fail("offset", fmt::format("is {}, and the member has {} stored bytes", at, stored));
  }
  target.flips.emplace_back(at, static_cast<std::uint8_t>(fields.number("xor", 255, 255)));
}

void encrypt_flag(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).flags |= 1U;
}

void raw_name(Fields& fields, ZipPlan& plan, Build& build) {
  const Bytes name = fields.hex("hex");
  member(fields, plan, build).name = std::string(name.begin(), name.end());
}

void utf8_flag(Fields& fields, ZipPlan& plan, Build& build) {
  ZipMember& target = member(fields, plan, build);
  constexpr std::uint16_t kUtf8 = 0x800;
  target.flags = static_cast<std::uint16_t>(fields.flag("value", true) ? target.flags | kUtf8
                                                                       : target.flags & ~kUtf8);
}

void host(Fields& fields, ZipPlan& plan, Build& build) {
  member(fields, plan, build).host = static_cast<std::uint8_t>(fields.number("value", 3, 255));
}

void directory_member(Fields& fields, ZipPlan& plan, Build& build) {
  ZipMember made;
  made.path = build.path(fields.text("path"));
  made.name = made.path;
  made.mode = 040755;
  made.method = kStored;
  made.directory = true;
  made.row = fields.flag("record", false);
  if (!made.path.ends_with('/')) fields.fail("path", "a directory's name ends with a slash");
  const bool first = fields.flag("first", true);
  plan.members.insert(first ? plan.members.begin() : plan.members.end(), std::move(made));
}

void truncate(Fields& fields, ZipPlan& plan, Build&) { plan.truncate = fields.whole("size", 0); }

void patch(Fields& fields, ZipPlan& plan, Build&) {
  plan.patches.emplace_back(fields.whole("offset", 0), fields.hex("hex"));
}

void order(Fields& fields, ZipPlan& plan, Build& build) {
  auto next = plan.members.begin();
  for (const std::string& name : fields.texts("paths")) {
    const std::string path = build.path(name);
    const auto at = std::find_if(next, plan.members.end(),
                                 [&](const ZipMember& item) { return item.path == path; });
    if (at == plan.members.end()) {
      return fields.fail("paths", fmt::format("no member \"{}\"", printable(path)));
    }
    std::rotate(next, at, at + 1);
    ++next;
  }
}

void many(Fields& fields, ZipPlan& plan, Build& build) {
  const std::string prefix = build.path(fields.text("prefix", "demo/many/"));
  const std::string suffix = fields.text("suffix");
  const std::uint64_t wanted = fields.number("count", 0, kMostMembers);
  const bool row = fields.flag("record", true);
  const std::string method = fields.word("method", "stored", {"stored", "bzip2"});
  for (std::uint64_t i = 0; i < wanted; ++i) {
    ZipMember made;
    made.path = fmt::format("{}{}{}", prefix, i, suffix);
    made.name = made.path;
    made.mode = 0100644;
    made.method = method == "bzip2" ? kBzip2 : kStored;
    made.row = row;
    plan.members.push_back(std::move(made));
  }
}

struct Operation {
  std::string_view name;
  void (*apply)(Fields&, ZipPlan&, Build&);
  bool before_record;
};

constexpr Operation kOperations[] = {{"duplicate", duplicate, false},
                                     {"local-name", local_name, false},
                                     {"local-field", local_field, false},
                                     {"central-field", central_field, false},
                                     {"data-descriptor", data_descriptor, false},
                                     {"hide", hide, false},
                                     {"prepend", prepend, false},
                                     {"append", append, false},
                                     {"gap", gap, false},
                                     {"overlap", overlap, true},
                                     {"count", count, false},
                                     {"directory-offset", directory_offset, false},
                                     {"directory-size", directory_size, false},
                                     {"comment", comment, false},
                                     {"comment-length", comment_length, false},
                                     {"entry-comment", entry_comment, false},
                                     {"extra", extra, false},
                                     {"zip64", zip64, false},
                                     {"zip64-end", zip64_end, false},
                                     {"flip", flip, false},
                                     {"encrypt-flag", encrypt_flag, false},
                                     {"raw-name", raw_name, false},
                                     {"utf8-flag", utf8_flag, false},
                                     {"host", host, false},
                                     {"directory-member", directory_member, true},
                                     {"truncate", truncate, false},
                                     {"patch", patch, false},
                                     {"order", order, false},
                                     {"many", many, true}};

const Operation* find_operation(std::string_view name) {
  const auto* at = std::find_if(std::begin(kOperations), std::end(kOperations),
                                [&](const Operation& row) { return row.name == name; });
  return at == std::end(kOperations) ? nullptr : at;
}

}  // namespace

bool runs_before_record(const Json& operation) {
  const Operation* row = find_operation(operation["op"].as_string());
  return row != nullptr && row->before_record;
}

Result<void> apply_operation(const Json& operation, const std::string& place, ZipPlan& plan,
                             Build& build) {
  Fields fields(operation, place);
  const std::string name = fields.text("op");
  const Operation* row = find_operation(name);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const Operation& known : kOperations) names.emplace_back(known.name);
    fields.fail("op", fmt::format("unknown operation \"{}\"{}", printable(name),
                                  did_you_mean(name, names)));
    return fields.finish();
  }
  row->apply(fields, plan, build);
  return fields.finish();
}

}  // namespace wheel_audit::forge

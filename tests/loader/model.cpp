// Answers for the comparison with the real loaders: reads scenarios as JSON from standard input and
// prints what the model loads. Facts come from the script, not from this project's ELF reader.
#include <iostream>
#include <iterator>
#include <string>

#include "wheel_audit/json.hpp"
#include "wheel_audit/loader.hpp"

namespace {

using namespace wheel_audit;

ElfFacts elf_from(const std::string& path, const Json& json) {
  ElfFacts elf;
  elf.path = path;
  elf.bits = static_cast<int>(json["bits"].as_int());
  elf.big_endian = json["big_endian"].as_bool();
  elf.machine = json["machine"].as_string();
  elf.type = json["type"].as_string();
  elf.dynamic = true;
  elf.soname = json["soname"].as_string();
  elf.needed = json["needed"].strings();
  elf.has_rpath = json["rpath"].is_array();
  elf.has_runpath = json["runpath"].is_array();
  elf.rpath = json["rpath"].strings();
  elf.runpath = json["runpath"].strings();
  return elf;
}

WheelFacts wheel_from(const Json& scenario) {
  WheelFacts wheel;
  for (const auto& [path, file] : scenario["members"].entries()) {
    MemberFacts member;
    member.path = path;
    if (file.is_object()) {
      member.kind = MemberKind::elf;
      wheel.elves.push_back(elf_from(path, file));
    }
    wheel.members.push_back(std::move(member));
  }
  return wheel;
}

Json answer(const Json& scenario) {
  const WheelFacts wheel = wheel_from(scenario);
  Site site;
  site.add(wheel);
  Json out = Json::object();
  const Placed* root = site.of(wheel, scenario["root"].as_string());
  if (root == nullptr) return out;
  const Libc libc = scenario["libc"].as_string() == "musl" ? Libc::musl : Libc::glibc;
  const Closure closure = load(site, *root, libc);
  Json loaded = Json::array();
  for (const Placed* object : closure.loaded) loaded.push(object->path);
  Json edges = Json::array();
  for (const Edge& edge : closure.edges) {
    Json item = Json::object();
    item.set("from", edge.from->path);
    item.set("need", edge.need);
    item.set("met", edge.met == Met::loaded  ? "loaded"
                    : edge.met == Met::found ? "found"
                                             : "absent");
    item.set("to", edge.to == nullptr ? Json() : Json(edge.to->path));
    item.set("entry", edge.entry);
    item.set("owner", edge.entry_owner == nullptr ? Json() : Json(edge.entry_owner->path));
    edges.push(std::move(item));
  }
  out.set("loaded", std::move(loaded));
  out.set("edges", std::move(edges));
  return out;
}

}  // namespace

int main() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const Result<Json> scenarios = Json::parse(text);
  if (!scenarios) {
    std::cerr << scenarios.error().message() << '\n';
    return 2;
  }
  Json answers = Json::array();
  for (const Json& scenario : scenarios->items()) answers.push(answer(scenario));
  std::cout << answers.dump(1) << '\n';
}

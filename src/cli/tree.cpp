// tree: who needs what, from where it resolves, and which search entry found it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/subject.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

std::string target_text(const Edge& edge) {
  if (edge.met == Met::absent) return "=> outside the wheels";
  if (edge.met == Met::loaded)
    return fmt::format("=> {} (loaded already)", printable(shown_path(edge.to->path)));
  const std::string owner =
      edge.entry_owner == edge.from ? "" : " of " + printable(shown_path(edge.entry_owner->path));
  return fmt::format("=> {} (by \"{}\"{})", printable(shown_path(edge.to->path)),
                     printable(edge.entry), owner);
}

void append_needs(const Closure& closure, const Placed* object, int depth,
                  std::set<const Placed*>& shown, std::string& text) {
  constexpr int kDeepest = 64;  // closures are breadth first: chains of this length do not occur
  if (!shown.insert(object).second || depth > kDeepest) return;
  for (const Edge& edge : closure.edges) {
    if (edge.from != object) continue;
    text += fmt::format("{:>{}}{} {}\n", "", 2 * depth, printable(edge.need), target_text(edge));
    if (edge.met == Met::found) append_needs(closure, edge.to, depth + 1, shown, text);
  }
}

std::string closure_text(const Closure& closure) {
  std::string text = fmt::format("  {}\n", printable(shown_path(closure.root->path)));
  std::set<const Placed*> shown;
  append_needs(closure, closure.root, 2, shown, text);
  return text;
}

/// The chains by which roots come to need a library, from the root to it.
std::string why_text(const std::vector<Closure>& closures, const std::string& soname) {
  std::string text;
  for (const Closure& closure : closures) {
    for (const Edge& edge : closure.edges) {
      if (edge.need != soname) continue;
      std::vector<const Placed*> chain = closure.chain_to(edge.from);
      std::string line = "  ";
      for (auto up = chain.rbegin(); up != chain.rend(); ++up)
        line += printable(shown_path((*up)->path)) + " -> ";
      text += line + printable(shown_path(edge.from->path)) + " -> " + printable(soname) + " " +
              target_text(edge) + "\n";
    }
  }
  return text.empty() ? fmt::format("  nothing needs {}\n", printable(soname)) : text;
}

Json closure_json(const Closure& closure) {
  Json edges = Json::array();
  for (const Edge& edge : closure.edges) {
    Json one = Json::object();
    one.append("from", shown_path(edge.from->path));
    one.append("need", edge.need);
    one.append("met", edge.met == Met::absent   ? "absent"
                      : edge.met == Met::loaded ? "loaded"
                                                : "found");
    one.append("to", edge.to != nullptr ? Json(shown_path(edge.to->path)) : Json());
    one.append("entry", edge.met == Met::found ? Json(edge.entry) : Json());
    one.append("entry_of",
               edge.met == Met::found ? Json(shown_path(edge.entry_owner->path)) : Json());
    edges.push(std::move(one));
  }
  Json json = Json::object();
  json.append("root", shown_path(closure.root->path));
  json.append("edges", std::move(edges));
  return json;
}

}  // namespace

int tree(const TreeOptions& options) {
  const Result<std::vector<std::string>> paths = wheel_paths({options.wheel});
  if (!paths) return wrong_use(paths.error().message());
  ReadOptions reading;
  reading.hash = false;
  reading.jobs = jobs_or_cores(0);
  std::vector<WheelFacts> others;
  if (!options.with.empty()) {
    const Result<std::vector<std::string>> with = wheel_paths(options.with);
    if (!with) return wrong_use(with.error().in("--with").message());
    others = read_wheels(*with, reading);
  }
  Context context;
  for (const WheelFacts& other : others) context.wheels.push_back(&other);
  std::string text;
  Json list = Json::array();
  bool complete = true;
  for (WheelFacts& wheel : read_wheels(*paths, reading)) {
    std::erase_if(wheel.unread, [](const Unread& unread) { return unread.what == "digest"; });
    complete = complete && wheel.unread.empty();
    const Expectations expect;
    const Subject subject(wheel, expect, context);
    text += printable(wheel.given) + "\n";
    for (const Unread& unread : wheel.unread) {
      text += fmt::format("  unread: {}{}\n", unread.where ? printable(*unread.where) + ": " : "",
                          printable(unread.reason));
    }
    const std::vector<Closure>& closures = subject.closures(subject.libcs().front());
    if (!options.why.empty()) text += why_text(closures, options.why);
    for (const Closure& closure : closures) {
      if (options.why.empty()) text += closure_text(closure);
      list.push(closure_json(closure));
    }
    if (closures.empty()) text += "  no library for a host machine\n";
  }
  if (options.json) text = list.dump(1) + "\n";
  if (!write_output("", text)) return kIncomplete;
  return complete ? kOk : kIncomplete;
}

}  // namespace wheel_audit::cli

// tree: who needs what, from where it resolves, and which search entry found it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "cli/tree_needs.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/need_tree.hpp"
#include "wheel_audit/subject.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

std::string target_text(const Edge& edge, const OutsideNeeds& outside) {
  if (edge.met == Met::absent) return "=> " + printable(outside.of(edge).words);
  if (edge.met == Met::loaded)
    return fmt::format("=> {} (loaded already)", printable(shown_path(edge.to->path)));
  const std::string owner =
      edge.entry_owner == edge.from ? "" : " of " + printable(shown_path(edge.entry_owner->path));
  return fmt::format("=> {} (by \"{}\"{})", printable(shown_path(edge.to->path)),
                     printable(edge.entry), owner);
}

/// The needs of an object that is `depth` levels below the root.
void append_needs(const NeedTree<Edge>& tree, const OutsideNeeds& outside, const Placed* object,
                  int depth, std::set<const Placed*>& shown, std::string& text) {
  if (!shown.insert(object).second) return;
  const int indent = 2 * (depth + 2);
  if (depth == kDeepestDrawn) {
    const std::size_t deeper = tree.count_below(object);
    if (deeper != 0) {
      text += fmt::format("{:>{}}… {} deeper {} not shown (--json has all)\n", "", indent, deeper,
                          deeper == 1 ? "need" : "needs");
    }
    return;
  }
  for (const Edge* edge : tree.of(object)) {
    text += fmt::format("{:>{}}{} {}\n", "", indent, printable(edge->need),
                        target_text(*edge, outside));
    if (edge->met == Met::found) append_needs(tree, outside, edge->to, depth + 1, shown, text);
  }
}

std::string closure_text(const Closure& closure, const OutsideNeeds& outside) {
  std::string text = fmt::format("  {}\n", printable(shown_path(closure.root->path)));
  std::set<const Placed*> shown;
  append_needs(NeedTree<Edge>(closure.edges), outside, closure.root, 0, shown, text);
  return text;
}

/// The chains by which roots come to need a library, from the root to it.
std::string why_text(const std::vector<Closure>& closures, const OutsideNeeds& outside,
                     const std::string& soname) {
  std::string text;
  for (const Closure& closure : closures) {
    Chains chains(closure);
    for (const Edge& edge : closure.edges) {
      if (edge.need != soname) continue;
      const std::vector<const Placed*> chain = chains.to(edge.from);
      std::string line = "  ";
      for (auto up = chain.rbegin(); up != chain.rend(); ++up)
        line += printable(shown_path((*up)->path)) + " -> ";
      text += line + printable(shown_path(edge.from->path)) + " -> " + printable(soname) + " " +
              target_text(edge, outside) + "\n";
    }
  }
  return text.empty() ? fmt::format("  nothing needs {}\n", printable(soname)) : text;
}

Json closure_json(const Closure& closure, const OutsideNeeds& outside) {
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
    if (edge.met == Met::absent) {
      const Outside& need = outside.of(edge);
      one.append("state", need.state);
      one.append("package", need.package.empty() ? Json() : Json(need.package));
      one.append("unresolved", need.unresolved);
    }
    edges.push(std::move(one));
  }
  Json json = Json::object();
  json.append("root", shown_path(closure.root->path));
  json.append("edges", std::move(edges));
  return json;
}

}  // namespace

int tree(const TreeOptions& options) {
  const Result<RuleSet> rules = load_all_rules();
  if (!rules) return wrong_use(rules.error().message());
  const Result<std::vector<std::string>> paths = wheel_paths({options.wheel});
  if (!paths) return wrong_use(paths.error().message());
  Result<ReadOptions> reading = read_options(options.reading, 0);
  if (!reading) return wrong_use(reading.error().message());
  reading->hash = false;
  const Result<std::vector<WheelFacts>> others = read_context(options.with, options.env, *reading);
  if (!others) return wrong_use(others.error().message());
  Context context;
  for (const WheelFacts& other : *others) context.wheels.push_back(&other);
  std::string text;
  Json list = Json::array();
  bool complete = true;
  for (WheelFacts& wheel : read_with_progress(*paths, *reading)) {
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
    if (subject.closures_cut()) {
      complete = false;
      text += "  unread: not every need was followed" + limit_hint(&Limits::load_needs) + "\n";
    }
    const OutsideNeeds outside(subject, *rules);
    if (options.tag) {
      const std::string tag = honest_tag_of(subject, *rules);
      text += fmt::format("  {}\n", tag.empty() ? "no platform tag of Linux" : printable(tag));
      Json one = Json::object();
      one.append("file", wheel.given);
      one.append("tag", tag.empty() ? Json() : Json(tag));
      list.push(std::move(one));
      continue;
    }
    if (!options.why.empty()) text += why_text(closures, outside, options.why);
    for (const Closure& closure : closures) {
      if (options.why.empty()) text += closure_text(closure, outside);
      list.push(closure_json(closure, outside));
    }
    if (closures.empty()) text += "  no library for a host machine\n";
  }
  if (options.json) text = list.dump(1) + "\n";
  if (!write_output("", text)) return kIncomplete;
  return complete ? kOk : kIncomplete;
}

}  // namespace wheel_audit::cli

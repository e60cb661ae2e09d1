// What loading each root of a wheel brings in: trees that open without a script.
#include <fmt/format.h>

#include <set>
#include <vector>

#include "report/html.hpp"
#include "report/markup.hpp"
#include "report/parts.hpp"
#include "wheel_audit/need_tree.hpp"

namespace wheel_audit {

namespace {

using Needs = NeedTree<LoadedNeed>;

std::string needs_html(const Needs& needs, const std::string& from, int depth,
                       std::set<std::string>& shown);

std::string need_html(const Needs& needs, const LoadedNeed& need, int depth,
                      std::set<std::string>& shown) {
  const std::string name = fmt::format("<code>{}</code>", xml(need.need));
  if (need.met == Met::absent)
    return fmt::format("<li class=\"absent\">{} <small>outside the wheels</small></li>\n", name);
  if (need.met == Met::loaded)
    return fmt::format("<li class=\"loaded\">{} <small>loaded already</small></li>\n", name);
  const std::string owner = need.entry_of == need.from ? "" : " of " + xml(need.entry_of);
  const std::string line =
      fmt::format("{} <small>→ {} by “{}”{}</small>", name, xml(need.to), xml(need.entry), owner);
  const std::string below = needs_html(needs, need.to, depth + 1, shown);
  if (below.empty()) return fmt::format("<li class=\"found\">{}</li>\n", line);
  return fmt::format("<li class=\"found\"><details open><summary>{}</summary>{}</details></li>\n",
                     line, below);
}

std::string needs_html(const Needs& needs, const std::string& from, int depth,
                       std::set<std::string>& shown) {
  const std::vector<const LoadedNeed*>& own = needs.of(from);
  if (own.empty() || !shown.insert(from).second) return {};
  std::string html = "<ul>\n";
  if (depth == kDeepestDrawn) {
    const std::size_t deeper = needs.count_below(from);
    return fmt::format("{}<li class=\"deeper\">… {} not shown</li>\n</ul>\n", html,
                       count(deeper, "deeper need", "deeper needs"));
  }
  for (const LoadedNeed* need : own) html += need_html(needs, *need, depth, shown);
  return html + "</ul>\n";
}

}  // namespace

std::string html_loads(const WheelReport& wheel) {
  if (wheel.loads.empty()) return {};
  constexpr std::size_t kOpen = 3;  // with more roots, all begin closed
  std::string html = fmt::format(
      "<section class=\"loads\">\n<h3>What loading brings in</h3>\n<p>{}: extensions, programs, "
      "and "
      "libraries that no other file of the wheel needs.</p>\n",
      wheel.loads.size() + wheel.more_loads == 1
          ? "1 file is loaded by itself"
          : fmt::format("{} files are loaded by themselves{}",
                        wheel.loads.size() + wheel.more_loads,
                        wheel.more_loads == 0
                            ? std::string()
                            : fmt::format(", of which {} are drawn", wheel.loads.size())));
  for (const LoadTree& tree : wheel.loads) {
    const Needs needs(tree.needs);
    std::set<std::string> shown;
    html += fmt::format(
        "<details{}><summary><code>{}</code> <small>{}</small></summary>\n{}"
        "</details>\n",
        wheel.loads.size() <= kOpen ? " open" : "", xml(tree.root),
        count(tree.needs.size(), "need", "needs"), needs_html(needs, tree.root, 0, shown));
  }
  return html + "</section>\n";
}

}  // namespace wheel_audit

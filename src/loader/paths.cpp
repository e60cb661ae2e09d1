// Where an installer puts a wheel's members. Follows the binary distribution format (PEP 427) and
// the scheme paths of a virtual environment. Names are as hostile as their wheel: none of them
// can make a path that is not normal.
#include <algorithm>
#include <vector>

#include "wheel_audit/search_entry.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// The part before the first slash; `rest` becomes what follows it.
std::string_view take_part(std::string_view& rest) {
  const std::size_t slash = rest.find('/');
  const std::string_view part = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash + 1);
  return part;
}

/// Whether a path has no empty part, and none that begins with a full stop. Most have not, and a
/// wheel's are looked at again and again.
bool is_plain(std::string_view path) {
  if (path.empty() || path.starts_with('.') || path.starts_with('/') || path.ends_with('/'))
    return false;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', slash + 1)) {
    if (path[slash + 1] == '/' || path[slash + 1] == '.') return false;
  }
  return true;
}

/// `directory` is plain.
std::string below(std::string_view directory, std::string_view path) {
  std::string joined;
  joined.reserve(directory.size() + 1 + path.size());
  joined += directory;
  joined += '/';
  joined += path;
  return is_plain(path) ? joined : normal_path(joined);
}

/// Wheels that were built for one Python put `lib/python3.11/site-packages/…` below `data`, which
/// the environment's site-packages then holds. `lib64` is a link to `lib` in an environment.
std::string below_prefix(std::string_view path) {
  std::string_view rest = path;
  const std::string_view lib = take_part(rest);
  const std::string_view python = take_part(rest);
  const std::string_view packages = take_part(rest);
  const bool known = (lib == "lib" || lib == "lib64") && packages == "site-packages" &&
                     (python.starts_with("python3") || python.starts_with("pypy3"));
  return known && !rest.empty() ? below(kSitePackages, rest) : std::string(path);
}

}  // namespace

std::string normal_path(std::string_view path) {
  if (is_plain(path)) return std::string(path);
  const bool absolute = path.starts_with('/');
  std::vector<std::string_view> kept;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    const bool climbs = part == "..";
    if (climbs && !kept.empty() && kept.back() != "..") {
      kept.pop_back();
    } else if (!climbs || !absolute) {
      kept.push_back(part);
    }
  }
  std::string out = absolute ? "/" : "";
  for (const std::string_view part : kept) {
    if (!out.empty() && out.back() != '/') out += '/';
    out += part;
  }
  return out;
}

std::string install_path(std::string_view member) {
  // An absolute name is taken as one below site-packages: no installer writes outside.
  member.remove_prefix(std::min(member.find_first_not_of('/'), member.size()));
  std::string_view path = member;
  std::string normal;
  if (!is_plain(path)) path = normal = normal_path(path);
  std::string_view rest = path;
  const std::string_view top = take_part(rest);
  const std::string_view scheme = take_part(rest);
  if (top.ends_with(".data") && !rest.empty()) {
    if (scheme == "purelib" || scheme == "platlib") return below(kSitePackages, rest);
    if (scheme == "data") return below_prefix(rest);
    if (scheme == "scripts") return below("bin", rest);
    if (scheme == "headers") {
      const std::string_view distribution = top.substr(0, top.find('-'));
      return below("include/site/python3", std::string(distribution) + "/" + std::string(rest));
    }
  }
  return below(kSitePackages, path);
}

bool is_in_site_packages(std::string_view directory) {
  if (!directory.starts_with(kSitePackages)) return false;
  const std::string_view rest = directory.substr(std::string_view(kSitePackages).size());
  return rest.empty() || rest.starts_with('/');
}

std::string only_python(const WheelFacts& wheel) {
  if (!wheel.name || wheel.name->python.size() != 1 || wheel.name->abi.size() != 1) return {};
  const std::string& abi = wheel.name->abi.front();
  const std::optional<PythonTag> tag = parse_python_tag(wheel.name->python.front());
  if (!tag || tag->major != 3 || tag->minor < 0 || abi == "abi3") return {};
  const std::string version = std::to_string(tag->major) + "." + std::to_string(tag->minor);
  if (tag->implementation == "cp") return "python" + version + (abi.ends_with('t') ? "t" : "");
  return tag->implementation == "pp" ? "pypy" + version : std::string();
}

std::string shown_path(std::string_view install_path) {
  if (install_path == kSitePackages) return ".";
  std::string_view rest = install_path;
  if (rest.starts_with(kSitePackages) && rest[kSitePackages.size()] == '/') {
    return std::string(rest.substr(kSitePackages.size() + 1));
  }
  return "<prefix>/" + std::string(install_path);
}

}  // namespace wheel_audit

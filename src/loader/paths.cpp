// Where installers put members, and paths of the virtual environment.
#include <fmt/format.h>

#include "wheel_audit/loader.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::string normal_path(std::string_view path) {
  std::vector<std::string_view> parts;
  for (const std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out;
  for (const std::string_view part : parts) {
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

namespace {

/// `lib/python3.11/site-packages/x` → the same below kSitePackages: wheels that place files at the
/// prefix by hand name the Python that built them.
std::string real_site_packages(const std::string& path) {
  for (const std::string_view library : {"lib/python", "lib64/python"}) {
    if (!path.starts_with(library)) continue;
    const std::size_t slash = path.find('/', library.size());
    constexpr std::string_view kRest = "/site-packages/";
    if (slash == std::string::npos || !std::string_view(path).substr(slash).starts_with(kRest))
      return path;
    return fmt::format("{}/{}", kSitePackages, path.substr(slash + kRest.size()));
  }
  return path;
}

}  // namespace

std::string install_path(std::string_view member) {
  const std::size_t slash = member.find('/');
  const std::string_view top = member.substr(0, slash);
  if (slash == std::string_view::npos || !top.ends_with(".data")) {
    return normal_path(fmt::format("{}/{}", kSitePackages, member));
  }
  const std::string_view below = member.substr(slash + 1);
  const std::size_t end = below.find('/');
  const std::string_view scheme = below.substr(0, end);
  const std::string_view rest =
      end == std::string_view::npos ? std::string_view() : below.substr(end + 1);
  if (scheme == "purelib" || scheme == "platlib")
    return normal_path(fmt::format("{}/{}", kSitePackages, rest));
  if (scheme == "data") return real_site_packages(normal_path(rest));
  if (scheme == "scripts") return normal_path(fmt::format("bin/{}", rest));
  if (scheme == "headers") {
    const std::string_view distribution = top.substr(0, top.find('-'));
    return normal_path(fmt::format("include/site/python3/{}/{}", distribution, rest));
  }
  return normal_path(fmt::format("{}/{}", kSitePackages, member));
}

std::string shown_path(std::string_view path) {
  const std::string below = std::string(kSitePackages) + "/";
  if (path == kSitePackages) return "site-packages";
  if (path.starts_with(below)) return std::string(path.substr(below.size()));
  return fmt::format("<prefix>/{}", path);
}

}  // namespace wheel_audit

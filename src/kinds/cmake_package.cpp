// Questions about the CMake package that a wheel ships for users of its libraries. Commands are
// looked at as they stand; nothing is evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/cmake_table.hpp"
#include "kinds/groups.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

Fault cmake_fault(const std::string& where, std::string message, std::string found,
                  std::string expected, std::string subject) {
  return {.where = where,
          .message = std::move(message),
          .evidence = {{"found", std::move(found)}, {"expected", std::move(expected)}},
          .subject = std::move(subject),
          .fix = {}};
}

/// Calls `judge` for each config file that is shipped and was read.
template <typename Judge>
bool each_config(const Subject& subject, const Package& package, Report& report,
                 const Judge& judge) {
  const std::vector<const MemberFacts*> members = shipped_members(subject, package.configs());
  for (const MemberFacts* member : members) {
    const auto cmake = std::ranges::find(subject.wheel.cmake, member->path, &CMakeFacts::path);
    if (cmake == subject.wheel.cmake.end()) {
      report.unread(member->path, "these facts do not hold its commands");
      continue;
    }
    if (!cmake->problem.empty()) report.unread(member->path, cmake->problem);
    judge(*cmake);
  }
  return !members.empty();
}

void report_places(const Subject& subject, const Package& package, Report& report) {
  for (const std::string& place : package.places) {
    for (const std::string& file : package.files) {
      const std::string path = place + "/" + file;
      if (ships_member(subject, {path})) continue;
      report({.where = std::nullopt,
              .message = fmt::format("does not ship {} of its CMake package", path),
              .evidence = {{"found", "no " + path}, {"expected", path}},
              .subject = path,
              .fix = {}});
    }
  }
}

void report_placeholders(const Subject& subject, const Package& package, Report& report) {
  for (const CMakeFacts& cmake : subject.wheel.cmake) {
    const std::string_view path = site_path_of(cmake.path);
    const bool own = std::ranges::any_of(
        package.places, [&](const std::string& place) { return directory_name(path) == place; });
    if (!own || cmake.placeholders.empty()) continue;
    report(cmake_fault(
        cmake.path,
        fmt::format("has placeholders that configuring left: {}", shortened(cmake.placeholders)),
        join(cmake.placeholders, ", "), "none", "placeholders"));
  }
}

/// Library files that a command names outside any test for them, and that are not shipped.
void report_absent(const Subject& subject, const CMakeFacts& cmake, Report& report) {
  std::set<std::string, std::less<>> shipped;
  for (const MemberFacts& member : subject.wheel.members) shipped.emplace(base_name(member.path));
  for (const CMakeCommand& command : cmake.commands) {
    if (command.name == "message" || is_test(command) || is_guarded(cmake, command)) continue;
    for (const std::string& argument : command.arguments) {
      for (const std::string& name : library_names(argument)) {
        if (shipped.contains(name)) continue;
        report(cmake_fault(cmake.path,
                           fmt::format("names {} in {}() (line {}), which the wheel does not ship, "
                                       "and no test guards it",
                                       name, command.name, command.line),
                           name, "a shipped library, or if(EXISTS …) around it", name));
      }
    }
  }
}

/// Whether a command defines a component: `add_library(demo::x …)`, or a call of the package's own
/// with the component and the library's name.
bool defines(const CMakeCommand& command, const Package& package, const CMakeLibrary& library) {
  if (command.name == "add_library")
    return has_argument(command, package.target + library.component);
  const bool own_call = !command.arguments.empty() &&
                        command.arguments.front() == library.component &&
                        (mentions(command, library.stem()) ||
                         mentions(command, std::string_view(library.stem()).substr(3)));
  return own_call;
}

/// Shipped components for which the config defines no target.
void report_targets(const Subject& subject, const Package& package, const CMakeFacts& cmake,
                    Report& report) {
  for (const CMakeLibrary& library : package.components) {
    if (!ships_member(subject, library.files)) continue;
    const bool defined = std::ranges::any_of(cmake.commands, [&](const CMakeCommand& command) {
      return defines(command, package, library);
    });
    if (defined) continue;
    report(cmake_fault(cmake.path,
                       fmt::format("defines no target {}{}, and the wheel ships {}", package.target,
                                   library.component, base_name(library.files.front())),
                       "no such target", package.target + library.component, library.component));
  }
}

/// `cmake.package`: package files that are absent from one of their places, placeholders,
/// libraries that are named and not shipped, and shipped ones without a target.
Check cmake_package(Params& params) {
  const Package package = package_of(params);
  return [package](const Subject& subject, Report& report) {
    if (subject.wheel.members.empty()) return Looked::nothing;
    report_places(subject, package, report);
    report_placeholders(subject, package, report);
    each_config(subject, package, report, [&](const CMakeFacts& cmake) {
      report_absent(subject, cmake, report);
      report_targets(subject, package, cmake, report);
    });
    return Looked::something;
  };
}

/// Whether a command appends to, or sets, the default set.
bool fills_default(const CMakeCommand& command, const Package& package) {
  return (command.name == "list" || command.name == "set") &&
         has_argument(command, package.default_set);
}

/// The first command by which the component that is opt-in becomes part of the default set.
const CMakeCommand* default_has_it(const CMakeFacts& cmake, const Package& package,
                                   const CMakeLibrary& library) {
  for (std::size_t i = 0; i < cmake.commands.size(); ++i) {
    const CMakeCommand& command = cmake.commands[i];
    const std::string stem = library.stem();
    if (fills_default(command, package) &&
        (mentions(command, stem) || has_argument(command, package.target + library.component)))
      return &command;
    if (command.name == "foreach" && mentions(command, stem)) {
      const bool fills = std::ranges::any_of(cmake.commands, [&](const CMakeCommand& inner) {
        if (!fills_default(inner, package)) return false;
        for (std::optional<std::uint32_t> at = inner.block; at; at = cmake.commands[*at].block) {
          if (*at == i) return true;
        }
        return false;
      });
      if (fills) return &command;
    }
    const bool call = command.name != "add_library" && defines(command, package, library);
    if (call && !has_argument(command, package.opt_in_word)) return &command;
  }
  return nullptr;
}

/// One of the two routes on which the variable must name the component apart.
void report_route(const CMakeFacts& cmake, const Package& package, const std::string& route,
                  const std::string& value, Report& report) {
  const bool set = std::ranges::any_of(cmake.commands, [&](const CMakeCommand& command) {
    return command.name != "if" && has_argument(command, package.opt_in_variable) &&
           mentions(command, value);
  });
  if (set) return;
  report(cmake_fault(cmake.path,
                     fmt::format("does not set {} on the route {}", package.opt_in_variable, route),
                     "not set", fmt::format("{} in {}", value, package.opt_in_variable), route));
}

/// `cmake.default-set`: the default set holds the component that is opt-in, or the variable that
/// names it apart is not set on both routes, by path and by target.
Check default_set(Params& params) {
  const Package package = package_of(params);
  return [package](const Subject& subject, Report& report) {
    const auto found =
        std::ranges::find(package.components, package.opt_in, &CMakeLibrary::component);
    if (found == package.components.end() || !ships_member(subject, found->files))
      return Looked::nothing;
    const bool any = each_config(subject, package, report, [&](const CMakeFacts& cmake) {
      if (const CMakeCommand* command = default_has_it(cmake, package, *found)) {
        report(cmake_fault(
            cmake.path,
            fmt::format("puts {} into {} (line {}), which everybody links", found->component,
                        package.default_set, command->line),
            fmt::format("line {}", command->line),
            fmt::format("{} apart, in {}", found->component, package.opt_in_variable), "default"));
      }
      report_route(cmake, package, "by path", found->stem(), report);
      report_route(cmake, package, "by target", package.target + found->component, report);
    });
    return any ? Looked::something : Looked::nothing;
  };
}

void package_texts(Params& params, TextWishes& wishes) {
  const Package package = package_of(params);
  for (const std::string& place : package.places) {
    for (const std::string& file : package.files) {
      wishes.cmake.push_back(place + "/" + file);
      wishes.cmake.push_back("*.data/*lib/" + place + "/" + file);
    }
  }
}

}  // namespace

std::vector<Kind> cmake_kinds() {
  return {{.name = "cmake.package", .bind = cmake_package, .texts = package_texts},
          {.name = "cmake.default-set", .bind = default_set, .texts = package_texts}};
}

}  // namespace wheel_audit

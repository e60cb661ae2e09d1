// gpu: the table of libraries by architecture, and the devices that can run them.
#include "wheel_audit/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/commands.hpp"
#include "cli/gpu_driver.hpp"
#include "cli/progress.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/ptx_isa.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::cli {

namespace {

/// Containers of a library that hold code: the empty ones are aside.
std::uint64_t filled_containers(const GpuFacts& gpu) {
  std::uint64_t count = 0;
  for (const GpuProfile& profile : gpu.profiles) count += profile.containers;
  return count;
}

/// What a library has for an architecture: `SASS`, `PTX`, `LTO`, with a share of the containers
/// where not all of them have it.
std::string cell(const GpuFacts& gpu, const std::string& arch) {
  std::vector<std::string> parts;
  for (const GpuCode& code : gpu.code) {
    if (code.arch != arch) continue;
    std::string word = code.form == "sass" ? "SASS" : code.form == "ptx" ? "PTX" : "LTO";
    const std::uint64_t all = filled_containers(gpu);
    if (code.containers > 0 && code.containers < all)
      word += fmt::format(" {}/{}", code.containers, all);
    parts.push_back(std::move(word));
  }
  return join(parts, "+");
}

std::set<Arch> archs_of(const WheelFacts& wheel) {
  std::set<Arch> archs;
  for (const GpuFacts& gpu : wheel.gpu) {
    for (const GpuCode& code : gpu.code) {
      if (const auto arch = parse_arch(code.arch)) archs.insert(*arch);
    }
  }
  return archs;
}

std::string table_text(const WheelFacts& wheel) {
  std::vector<std::vector<std::string>> rows = {{"library"}};
  const std::set<Arch> archs = archs_of(wheel);
  for (const Arch& arch : archs) rows.front().push_back(to_string(arch));
  std::map<Arch, std::uint64_t> bytes;
  for (const GpuFacts& gpu : wheel.gpu) {
    rows.push_back({printable(gpu.path)});
    for (const Arch& arch : archs) rows.back().push_back(cell(gpu, to_string(arch)));
    for (const GpuCode& code : gpu.code) {
      if (const auto arch = parse_arch(code.arch)) bytes[*arch] += code.bytes;
    }
  }
  rows.push_back({"MB"});
  for (const Arch& arch : archs)
    rows.back().push_back(fmt::format("{:.1f}", static_cast<double>(bytes[arch]) / 1e6));
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}}", row[i], widths[i]);
    text += std::string(line.substr(0, line.find_last_not_of(' ') + 1)) + "\n";
  }
  return text;
}

std::string with_family(const std::string& release) {
  const std::string_view family = driver_family(release);
  return family.empty() ? "CUDA " + release : fmt::format("CUDA {} ({})", release, family);
}

std::string driver_text(const DriverNeeds& needs) {
  if (!needs.unknown_isa.empty()) {
    const PtxIsa newest = newest_ptx_isa();
    return fmt::format("  driver: unknown: PTX ISA {} is newer than known ({} is of CUDA {})\n",
                       printable(needs.unknown_isa), newest.isa, newest.cuda);
  }
  if (needs.newest().empty()) return {};
  std::vector<std::string> parts;
  if (!needs.sass.empty()) parts.push_back("SASS " + with_family(needs.sass));
  if (!needs.ptx.empty()) parts.push_back("PTX " + with_family(needs.ptx));
  return fmt::format("  driver: of {} or later takes all of it ({})\n", with_family(needs.newest()),
                     join(parts, ", "));
}

Json driver_json(const DriverNeeds& needs) {
  const auto text = [](const std::string& release) {
    return release.empty() ? Json() : Json(release);
  };
  Json json = Json::object();
  // What takes all of it is not known where one PTX ISA version is not.
  const bool known = needs.unknown_isa.empty();
  const std::string newest = known ? needs.newest() : std::string();
  json.append("cuda", text(newest));
  json.append("family", text(std::string(driver_family(newest))));
  json.append("sass", text(needs.sass));
  json.append("ptx", text(known ? needs.ptx : std::string()));
  json.append("newer_than_known", text(needs.unknown_isa));
  return json;
}

std::string wheel_text(const WheelFacts& wheel) {
  std::string text = printable(wheel.given) + "\n";
  for (const Unread& unread : wheel.unread) {
    text += fmt::format("  unread: {}{}\n", unread.where ? printable(*unread.where) + ": " : "",
                        printable(unread.reason));
  }
  if (archs_of(wheel).empty()) return text + "  no device code\n";
  text += table_text(wheel);
  std::vector<std::string> devices;
  for (const Arch& device : known_devices()) {
    devices.push_back(fmt::format("{} {}", to_string(device), to_string(covers(wheel, device))));
  }
  text += "  devices: " + join(devices, ", ") + "\n";
  return text + driver_text(driver_needs(wheel));
}

Json wheel_json(const WheelFacts& wheel) {
  Json libraries = Json::array();
  for (const GpuFacts& gpu : wheel.gpu) {
    Json devices = Json::object();
    for (const Arch& device : known_devices()) {
      Json one = Json::object();
      one.append("coverage", to_string(covers(gpu, device)));
      one.append("containers_without", containers_without(gpu, device));
      devices.append(to_string(device), std::move(one));
    }
    Json code = Json::array();
    for (const GpuCode& entry : gpu.code) {
      Json one = Json::object();
      one.append("form", entry.form);
      one.append("arch", entry.arch);
      one.append("containers", entry.containers);
      one.append("bytes", entry.bytes);
      code.push(std::move(one));
    }
    Json library = Json::object();
    library.append("path", gpu.path);
    library.append("containers", filled_containers(gpu));
    library.append("code", std::move(code));
    library.append("devices", std::move(devices));
    libraries.push(std::move(library));
  }
  Json devices = Json::object();
  for (const Arch& device : known_devices())
    devices.append(to_string(device), to_string(covers(wheel, device)));
  Json json = Json::object();
  json.append("file", wheel.given);
  json.append("libraries", std::move(libraries));
  json.append("devices", std::move(devices));
  json.append("driver", driver_json(driver_needs(wheel)));
  Json unread = Json::array();
  for (const Unread& part : wheel.unread) {
    Json one = Json::object();
    one.append("where", part.where ? Json(*part.where) : Json());
    one.append("reason", part.reason);
    unread.push(std::move(one));
  }
  json.append("unread", std::move(unread));
  return json;
}

}  // namespace

int gpu(const GpuOptions& options) {
  const Result<std::vector<std::string>> paths = wheel_paths(options.wheels);
  if (!paths) return wrong_use(paths.error().message());
  Result<ReadOptions> reading = read_options(options.reading, options.jobs);
  if (!reading) return wrong_use(reading.error().message());
  reading->hash = false;
  std::string text;
  Json list = Json::array();
  bool complete = true;
  for (WheelFacts& wheel : read_with_progress(*paths, *reading)) {
    // Digests are not asked for here, so that they were not computed is no gap.
    std::erase_if(wheel.unread, [](const Unread& unread) { return unread.what == "digest"; });
    complete = complete && wheel.unread.empty();
    if (options.json) {
      list.push(wheel_json(wheel));
    } else {
      text += wheel_text(wheel) + "\n";
    }
  }
  if (options.json) text = list.dump(1) + "\n";
  if (!write_output("", text)) return kIncomplete;
  return complete ? kOk : kIncomplete;
}

}  // namespace wheel_audit::cli

// The heat map of a wheel's device code, and its bytes as bars.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "report/html.hpp"
#include "report/markup.hpp"
#include "wheel_audit/gpu.hpp"

namespace wheel_audit {

namespace {

/// What a library has for an architecture.
struct Cell {
  std::uint64_t sass = 0;  ///< containers
  std::uint64_t ptx = 0;
  std::uint64_t lto = 0;
};

std::vector<Arch> archs_of(const WheelReport& wheel) {
  std::vector<Arch> archs;
  for (const GpuFacts& gpu : wheel.gpu) {
    for (const GpuCode& code : gpu.code) {
      if (const auto arch = parse_arch(code.arch)) archs.push_back(*arch);
    }
  }
  std::ranges::sort(archs);
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
  return archs;
}

Cell cell_of(const GpuFacts& gpu, const Arch& arch) {
  Cell cell;
  for (const GpuCode& code : gpu.code) {
    if (parse_arch(code.arch) != arch) continue;
    // Bare cubins are in no container, and count as one.
    const std::uint64_t number = std::max<std::uint64_t>(1, code.containers);
    (code.form == "sass" ? cell.sass : code.form == "ptx" ? cell.ptx : cell.lto) += number;
  }
  return cell;
}

std::uint64_t filled_containers(const GpuFacts& gpu) {
  std::uint64_t count = 0;
  for (const GpuProfile& profile : gpu.profiles) count += profile.containers;
  return count;
}

std::string cell_html(const GpuFacts& gpu, const Arch& arch) {
  const Cell cell = cell_of(gpu, arch);
  const std::uint64_t all = filled_containers(gpu);
  std::string words;
  std::uint64_t most = 0;
  for (const auto& [word, number] :
       {std::pair("SASS", cell.sass), std::pair("PTX", cell.ptx), std::pair("LTO", cell.lto)}) {
    if (number == 0) continue;
    words += (words.empty() ? "" : "+<wbr>") + std::string(word);
    most = std::max(most, number);
  }
  if (words.empty()) return "<td class=\"heat nothing\"><span>nothing</span></td>";
  const std::string_view heat = cell.sass > 0 && cell.ptx > 0 ? "both"
                                : cell.sass > 0               ? "sass"
                                : cell.ptx > 0                ? "ptx"
                                                              : "lto";
  const std::string share = most < all ? fmt::format("<small>{}/{}</small>", most, all) : "";
  return fmt::format("<td class=\"heat {}\">{}{}</td>", heat, words, share);
}

std::string heat_map(const WheelReport& wheel, const std::vector<Arch>& archs) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"GPU code by library and "
      "architecture\"><table><thead><tr><th scope=\"col\">library</th>";
  for (const Arch& arch : archs) html += fmt::format("<th scope=\"col\">{}</th>", to_string(arch));
  html += "</tr></thead><tbody>\n";
  for (const GpuFacts& gpu : wheel.gpu) {
    if (gpu.code.empty()) continue;
    html += fmt::format("<tr><th scope=\"row\">{}</th>", xml(gpu.path));
    for (const Arch& arch : archs) html += cell_html(gpu, arch);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string bars(const WheelReport& wheel, const std::vector<Arch>& archs) {
  std::map<Arch, std::map<std::string, std::uint64_t>> bytes;
  for (const GpuFacts& gpu : wheel.gpu) {
    for (const GpuCode& code : gpu.code) {
      if (const auto arch = parse_arch(code.arch)) bytes[*arch][code.form] += code.bytes;
    }
  }
  std::uint64_t most = 1;
  for (const auto& [arch, forms] : bytes) {
    std::uint64_t sum = 0;
    for (const auto& [form, number] : forms) sum += number;
    most = std::max(most, sum);
  }
  std::string html = "<h4>Bytes of device code</h4>\n<ul class=\"bars\">\n";
  for (const Arch& arch : archs) {
    std::string segments;
    std::string words;
    for (const std::string form : {"sass", "ptx", "lto"}) {
      const std::uint64_t number = bytes[arch][form];
      if (number == 0) continue;
      segments += fmt::format("<i class=\"{}\" style=\"width:{:.2f}%\"></i>", form,
                              100 * static_cast<double>(number) / static_cast<double>(most));
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ",
                           form == "sass"  ? "SASS"
                           : form == "ptx" ? "PTX"
                                           : "LTO",
                           bytes_text(number));
    }
    html += fmt::format("<li><b>{}</b><span class=\"bar\">{}</span><span>{}</span></li>\n",
                        to_string(arch), segments, words);
  }
  return html + "</ul>\n";
}

std::string devices_html(const WheelReport& wheel) {
  std::string html = "<h4>Devices</h4>\n<ul class=\"devices\">\n";
  for (const auto& [device, coverage] : wheel.devices)
    html += fmt::format("<li class=\"{0}\"><b>{1}</b> {0}</li>\n", coverage, device);
  return html + "</ul>\n";
}

}  // namespace

std::string html_gpu(const WheelReport& wheel) {
  const std::vector<Arch> archs = archs_of(wheel);
  if (archs.empty()) return {};
  return "<section class=\"gpu\">\n<h3>GPU code</h3>\n" + heat_map(wheel, archs) +
         devices_html(wheel) + bars(wheel, archs) + "</section>\n";
}

}  // namespace wheel_audit

// A wheel's bytes as they are; or, so that mutations are not lost on checksums, parts that are put
// into a sound archive: a byte for the name, three for the length, and the bytes, over and over.
#include "wheel_audit/wheel.hpp"

#include <array>

#include "fuzz/audit.hpp"
#include "fuzz/stored_zip.hpp"
#include "fuzz/targets.hpp"
#include "wheel_audit/facts_json.hpp"

namespace wheel_audit::fuzz {

namespace {

constexpr const char* kName = "demo-1.0+cu130-cp312-cp312-manylinux_2_28_x86_64.whl";
constexpr std::array<const char*, 12> kPaths = {"demo-1.0+cu130.dist-info/METADATA",
                                                "demo-1.0+cu130.dist-info/WHEEL",
                                                "demo-1.0+cu130.dist-info/RECORD",
                                                "demo-1.0+cu130.dist-info/entry_points.txt",
                                                "demo/_C.cpython-312-x86_64-linux-gnu.so",
                                                "demo/lib/libdemo.so.1",
                                                "demo.libs/libz-0123abcd.so.1",
                                                "demo/include/demo.h",
                                                "demo/cmake/demo-config.cmake",
                                                "demo/__init__.py",
                                                "demo-1.0+cu130.data/scripts/tool",
                                                "demo/kernels.fatbin"};

std::vector<std::uint8_t> bytes_of(ByteView input) {
  if (input.text().starts_with("PK")) return {input.span().begin(), input.span().end()};
  StoredZip zip;
  Cursor cursor(input);
  for (int parts = 0; cursor.left() >= 4 && parts < 40; ++parts) {
    const std::uint8_t name = cursor.u8();
    const std::uint64_t length = cursor.u16() | static_cast<std::uint64_t>(cursor.u8()) << 16U;
    zip.add(kPaths.at(name % kPaths.size()), cursor.take(std::min(length, cursor.left())));
  }
  return zip.finish();
}

std::vector<std::string> told(const WheelReport& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings)
    lines.push_back(finding.rule + " " + finding.where.value_or("") + " " + finding.message);
  for (const Unread& unread : report.unread) lines.push_back(unread.reason);
  return lines;
}

}  // namespace

void wheel(ByteView input) {
  ReadOptions options;
  options.all_symbols = true;
  options.texts = {.headers = {"*.h"}, .cmake = {"*.cmake"}, .paths = {}};
  const WheelFacts read = read_wheel_bytes(kName, bytes_of(input), options);
  const WheelReport report = audited(read);
  const Result<WheelFacts> again = facts_from_json(facts_to_json(read));
  require(bool(again), "facts that were written can be read");
  require(told(audited(*again)) == told(report), "facts are judged like the wheel");
  render(report);
}

}  // namespace wheel_audit::fuzz

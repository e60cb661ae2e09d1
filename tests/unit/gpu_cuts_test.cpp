// Inputs that fuzzing found: however the bytes are cut into chunks, a broken container is told.
#include <fstream>
#include <iterator>
#include <string>

#include "catch.hpp"
#include "wheel_audit/gpu.hpp"

using namespace wheel_audit;

namespace {

/// An input of the fuzz target without its first byte, which tells how to cut.
std::string fuzzed(const std::string& name) {
  std::ifstream in(std::string(SOURCE_DIR "/tests/data/gpu/") + name, std::ios::binary);
  const std::string bytes = std::string(std::istreambuf_iterator<char>(in), {});
  REQUIRE(bytes.size() > 300);
  return bytes.substr(1);
}

std::optional<GpuFacts> scanned(const std::string& bytes, std::size_t chunk) {
  GpuScanner scanner(bytes.size(), 2);
  for (std::size_t at = 0; at < bytes.size(); at += chunk)
    scanner.feed(ByteView(std::string_view(bytes).substr(at, chunk)));
  return scanner.finish({});
}

}  // namespace

TEST_CASE("cuts between chunks hide no broken container") {
  for (const char* name : {"gpu-broken-outer.bin", "gpu-broken-nested.bin"}) {
    const std::string bytes = fuzzed(name);
    for (std::size_t chunk = 64; chunk < bytes.size() + 64; chunk += 7) {
      const std::optional<GpuFacts> facts = scanned(bytes, chunk);
      INFO(name << " in chunks of " << chunk);
      REQUIRE(facts);
      CHECK_FALSE(facts->problems.empty());
    }
  }
}

TEST_CASE("which of the containers that overlap counts does not depend on cuts") {
  for (const char* name :
       {"gpu-overlap-broken.bin", "gpu-overlap-sound.bin", "gpu-overlap-three.bin"}) {
    const std::string bytes = fuzzed(name);
    const std::optional<GpuFacts> whole = scanned(bytes, bytes.size() + 1);
    REQUIRE(whole);
    CHECK(whole->containers > 0);
    for (std::size_t chunk = 64; chunk < bytes.size() + 64; ++chunk) {
      const std::optional<GpuFacts> cut = scanned(bytes, chunk);
      INFO(name << " in chunks of " << chunk);
      REQUIRE(cut);
      CHECK(cut->problems.empty() == whole->problems.empty());
      CHECK(cut->containers == whole->containers);
      CHECK(cut->code == whole->code);
    }
  }
}

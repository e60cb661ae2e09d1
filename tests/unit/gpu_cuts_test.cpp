// Inputs that fuzzing found: however the bytes are cut into chunks, a broken container is told.
#include <fstream>
#include <iterator>
#include <string>

#include "catch.hpp"
#include "wheel_audit/gpu.hpp"

using namespace wheel_audit;

TEST_CASE("cuts between chunks hide no broken container") {
  for (const char* name : {"gpu-broken-outer.bin", "gpu-broken-nested.bin"}) {
    std::ifstream in(std::string(SOURCE_DIR "/tests/data/gpu/") + name, std::ios::binary);
    // The first byte tells the fuzz target how to cut.
    const std::string bytes = std::string(std::istreambuf_iterator<char>(in), {}).substr(1);
    REQUIRE(bytes.size() > 300);
    for (std::size_t chunk = 64; chunk < bytes.size() + 64; chunk += 7) {
      GpuScanner scanner(bytes.size(), 2);
      for (std::size_t at = 0; at < bytes.size(); at += chunk)
        scanner.feed(ByteView(std::string_view(bytes).substr(at, chunk)));
      const std::optional<GpuFacts> facts = scanner.finish({});
      INFO(name << " in chunks of " << chunk);
      REQUIRE(facts);
      CHECK_FALSE(facts->problems.empty());
    }
  }
}

// What of a member lies outside of containers, for scanners that pass device code over.
#include <string>

#include "catch.hpp"
#include "gpu_containers.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"
#include "zip_writer.hpp"

using namespace wheel_audit;

namespace {

struct Outside {
  std::string bytes;
  std::size_t gaps = 0;
  bool left_out_too_much = false;
  bool operator==(const Outside&) const = default;
};

Outside outside_of(const std::string& member, std::size_t chunk) {
  GpuScanner scanner(member.size(), 8);
  Outside outside;
  std::uint64_t end = 0;
  for (std::size_t at = 0; at < member.size(); at += chunk) {
    scanner.feed(ByteView(std::string_view(member).substr(at, chunk)));
    for (const GpuScanner::Piece& piece : scanner.outside()) {
      CHECK(piece.bytes.text() == member.substr(piece.offset, piece.bytes.size()));
      if (piece.offset != end) ++outside.gaps;
      end = piece.offset + piece.bytes.size();
      outside.bytes += piece.bytes.text();
    }
  }
  static_cast<void>(scanner.finish({}));
  outside.left_out_too_much = scanner.left_out_too_much();
  return outside;
}

const std::string kHost = std::string("\0libhost.so.1\0\0\0", 16);
constexpr std::size_t kHeader = 16;  ///< a container's, which is looked at before it is one

made::EntrySpec payload(const std::string& text) {
  made::EntrySpec spec;
  spec.payload = text;
  return spec;
}

}  // namespace

TEST_CASE("what lies around sound containers is outside, wherever chunks end") {
  const std::string first = made::container({payload("libdevice.so.1\0\0"), payload("p")});
  const std::string second = made::container({payload(std::string(4096, 'x'))});
  const std::string before(16, 'a');
  const std::string between(24, 'b');
  std::string member = before + first;
  member.resize((member.size() + 7) / 8 * 8, 'c');
  const std::string padding(member.size() - before.size() - first.size(), 'c');
  member += between + second + before;
  const std::string expected =
      before + first.substr(0, kHeader) + padding + between + second.substr(0, kHeader) + before;
  for (const std::size_t chunk :
       {std::size_t{32}, std::size_t{33}, std::size_t{100}, member.size()}) {
    INFO("in chunks of " << chunk);
    CHECK(outside_of(member, chunk) == Outside{expected, 2, false});
  }
}

TEST_CASE("what a broken container was taken to hold is left out too much") {
  std::string broken = made::container({payload(std::string(64, 'x')), payload("y")});
  broken[kHeader + 64 + 64 + 4] = 1;  // the second entry's header has too few bytes
  CHECK(outside_of(broken + kHost, 64).left_out_too_much);
  // A header that promises more than there is holds nothing.
  const std::string too_long = made::container_of("", 1000);
  CHECK(outside_of(too_long + kHost, 64) == Outside{too_long + kHost, 0, false});
  // Inside a sound container nobody looks.
  CHECK_FALSE(outside_of(made::container({payload(broken)}), 64).left_out_too_much);
}

TEST_CASE("mentions are those outside of sound containers") {
  const auto mentions = [](const std::string& member) {
    // What has no NUL at its beginning is a text, and texts are looked at.
    const wheel_audit::zip_writer::Bytes wheel = wheel_audit::zip_writer::zip(
        {wheel_audit::zip_writer::stored("demo/notes", std::string(4096, ' ') + member)});
    const WheelFacts facts = read_wheel_bytes("demo-1.0-py3-none-any.whl", wheel, {});
    REQUIRE(facts.members.size() == 1);
    return join(facts.members.front().mentions, " ");
  };
  const std::string device = "libdevice.so.1";
  const std::string sound = made::container({payload(device), payload("y")});
  CHECK(mentions(kHost + sound) == "libhost.so.1");
  CHECK(mentions(sound + kHost) == "libhost.so.1");
  // A name does not go on behind the container.
  CHECK(mentions("libcut" + sound + "rest.so.1") == "");
  std::string broken = sound;
  broken[kHeader + 64 + device.size() + 4] = 1;
  CHECK(mentions(kHost + broken) == "libdevice.so.1 libhost.so.1");
  CHECK(mentions(broken + kHost) == "libdevice.so.1 libhost.so.1");
}

// The relay: whoever scans, each chunk is scanned once and in order.
#include "scan/relay.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "catch.hpp"

using namespace wheel_audit;

namespace {

std::string filler(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 2654435761U >> 13U);
  return text;
}

/// Gives `text` in chunks of up to `chunk` bytes, in the room where there is one.
void give(Relay::Stream& stream, std::string_view text, std::size_t chunk) {
  while (!text.empty()) {
    const std::span<std::uint8_t> room = stream.room();
    const std::string_view part =
        text.substr(0, room.empty() ? chunk : std::min(chunk, room.size()));
    if (room.empty()) {
      stream.give(ByteView(part));
    } else {
      std::ranges::copy(part, room.begin());
      stream.give(ByteView(room.first(part.size())));
    }
    text.remove_prefix(part.size());
  }
}

bool never() { return false; }

}  // namespace

TEST_CASE("without a helper the thread that decodes scans") {
  int wanted = 0;
  Relay relay([&] { ++wanted; });
  CHECK_FALSE(relay.join());
  const std::string text = filler(100000);
  std::string scanned;
  {
    const Relay::Scan scan = [&](ByteView bytes) { scanned += bytes.text(); };
    Relay::Stream stream(relay, scan);
    CHECK(wanted == 0);
    CHECK_FALSE(relay.join());  // nobody asked for a room: perhaps nobody will
    CHECK(stream.room().empty());
    CHECK(wanted == 1);
    give(stream, text, 777);
    CHECK(scanned == text);
  }
  CHECK_FALSE(relay.join());
  CHECK(scanned == text);
}

TEST_CASE("a helper scans what is decoded from then on, and all of it") {
  const std::string text = filler(5000000);
  for (const std::size_t chunk : {std::size_t{1000}, std::size_t{100000}, std::size_t{1} << 20U}) {
    Relay relay([] {});
    std::string scanned;
    std::atomic<bool> elsewhere = false;  // scanned by the helper, once it helps
    const std::thread::id own = std::this_thread::get_id();
    const Relay::Scan scan = [&](ByteView bytes) {
      scanned += bytes.text();
      if (std::this_thread::get_id() != own) elsewhere = true;
    };
    std::thread helper;
    {
      Relay::Stream stream(relay, scan);
      give(stream, text.substr(0, 1000000), chunk);
      REQUIRE(relay.join());
      CHECK_FALSE(relay.join());  // one is enough
      helper = std::thread([&] { relay.help(never); });
      give(stream, text.substr(1000000, 3000000), chunk);
      // What does not lie in the room is scanned in its turn too.
      stream.give(ByteView(std::string_view(text).substr(4000000, 10)));
      give(stream, text.substr(4000010), chunk);
    }
    CHECK(scanned == text);
    CHECK(elsewhere);
    helper.join();
    CHECK_FALSE(relay.join());
  }
}

TEST_CASE("a helper that is called away leaves nothing behind, and another may come") {
  const std::string text = filler(8000000);
  Relay relay([] {});
  std::string scanned;
  const Relay::Scan scan = [&](ByteView bytes) { scanned += bytes.text(); };
  std::vector<std::thread> helpers;
  {
    Relay::Stream stream(relay, scan);
    for (std::size_t at = 0; at < text.size(); at += 1000000) {
      if (relay.join()) {
        // Called away when asked for the fourth time, wherever the stream is then.
        helpers.emplace_back([&relay] {
          int asked = 0;
          relay.help([&asked] { return ++asked > 3; });
        });
      }
      give(stream, std::string_view(text).substr(at, 1000000), 10000);
    }
  }
  CHECK(scanned == text);
  CHECK(helpers.size() > 1);
  for (std::thread& helper : helpers) helper.join();
}

TEST_CASE("what a sleeping helper was not told of is scanned before what lies elsewhere") {
  Relay relay([] {});
  std::string scanned;
  const Relay::Scan scan = [&](ByteView bytes) { scanned += bytes.text(); };
  std::thread helper;
  {
    Relay::Stream stream(relay, scan);
    CHECK(stream.room().empty());
    stream.give(ByteView(std::string_view("one ")));
    REQUIRE(relay.join());
    helper = std::thread([&] { relay.help(never); });
    give(stream, "two ", 4);  // a single chunk, for which nobody is woken
    stream.give(ByteView(std::string_view("three")));
    CHECK(scanned == "one two three");
  }
  helper.join();
}

TEST_CASE("a helper that waits leaves when it is told to look up") {
  Relay relay([] {});
  std::atomic<bool> away = false;
  const Relay::Scan scan = [](ByteView) {};
  Relay::Stream stream(relay, scan);
  CHECK(stream.room().empty());
  REQUIRE(relay.join());
  std::thread helper([&] { relay.help([&] { return away.load(); }); });
  away = true;
  relay.look_up();
  helper.join();  // while the stream goes on
  CHECK(relay.join());
}

TEST_CASE("a helper of a stream that ends at once returns") {
  Relay relay([] {});
  std::thread helper;
  {
    const Relay::Scan scan = [](ByteView) {};
    Relay::Stream stream(relay, scan);
    CHECK(stream.room().empty());
    REQUIRE(relay.join());
    helper = std::thread([&] { relay.help(never); });
  }
  helper.join();
  CHECK_FALSE(relay.join());
}

// What counts as a mention, and that chunk boundaries change nothing.
#include <fmt/format.h>

#include <algorithm>

#include "catch.hpp"
#include "scan/mention_anchors.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

using namespace wheel_audit;

namespace {

std::string mentions(std::string_view text, std::size_t chunk = 1 << 16) {
  MentionScanner scanner;
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    scanner.feed(ByteView(text.substr(at, chunk)));
  }
  return join(scanner.finish(), " ");
}

}  // namespace

TEST_CASE("libraries are found whole, with their version") {
  CHECK(mentions("libnvrtc-builtins.so.13.0") == "libnvrtc-builtins.so.13.0");
  CHECK(mentions(std::string_view("\0libcuda.so.1\0libstdc++.so.6\0", 29)) ==
        "libcuda.so.1 libstdc++.so.6");
  CHECK(mentions("dlopen(\"/usr/lib/libx.so\")") == "libx.so");
  CHECK(mentions("libnvrtc-builtins.so.%d.%d") == "libnvrtc-builtins.so");
  CHECK(mentions("libx.so.1.%d") == "libx.so.1");
  CHECK(mentions("cannot open libx.so.2.") == "libx.so.2");
  CHECK(mentions("libcudart-0a1b2c3d.so.12.8.90,") == "libcudart-0a1b2c3d.so.12.8.90");
  for (const char* other :
       {"_C.cpython-311-x86_64-linux-gnu.so", "x.so.1", "lib.so", ".so", "libx.something",
        "libx.so.1abc", "libx.so_old", "libx.so.1-gdb.py", "libx.SO", "mylibx.so"}) {
    CHECK(mentions(other).empty());
  }
}

TEST_CASE("import libraries and archives") {
  CHECK(mentions("cudart.lib") == "cudart.lib");
  CHECK(mentions("-l:libcudart_static.a -lx") == "libcudart_static.a");
  CHECK(mentions("see libx.a.") == "libx.a");
  for (const char* other :
       {"x.a", "libx.ab", "os.lib.path", "a.b.c", "libx.a.b", "cudart.library"}) {
    CHECK(mentions(other).empty());
  }
}

TEST_CASE("words that begin with nvidia") {
  CHECK(mentions("pip install nvidia-nccl-cu12") == "nvidia-nccl-cu12");
  CHECK(mentions("import nvidia.cudnn, nvidia_cufft") == "nvidia.cudnn nvidia_cufft");
  CHECK(mentions("$ORIGIN/../../nvidia/cu13/lib/") == "nvidia/cu13/lib");
  CHECK(mentions("'nvidia-cublas'.") == "nvidia-cublas");
  for (const char* other : {"nvidia", "nvidia.", "nvidiaml-x", "developer.nvidia.com", "xnvidia-y",
                            "NVIDIA-x", "pynvidia_x", "envidia/x", "nvidi"}) {
    CHECK(mentions(other).empty());
  }
  CHECK(mentions("nvidia-" + std::string(100, 'x')) == "nvidia-" + std::string(73, 'x'));
}

TEST_CASE("a CUDA runtime that was linked in shows by the name of its shared memory") {
  CHECK(mentions(std::string_view("a\0/cudart.shm.%x.%x.%llx\0", 25)) == "cudart_static");
  CHECK(mentions("cudart.shm.").empty());
  CHECK(mentions("cudaErrorMissingConfiguration cudaGetErrorString").empty());
}

TEST_CASE("chunk boundaries do not change mentions") {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += fmt::format("libname{}.so.{}{}x{}.lib /cudart.shm.%x{}:nvidia-word{}/a.b ", i, i, '\0',
                        i, std::string(static_cast<std::size_t>(7 * i), '.'), i);
    text += std::string(static_cast<std::size_t>(40 * (i % 7)), 'n') + ' ';
  }
  const std::string whole = mentions(text);
  CHECK(whole.find("libname19.so.19") != std::string::npos);
  CHECK(whole.find("x7.lib") != std::string::npos);
  CHECK(whole.find("nvidia-word0/a.b") != std::string::npos);
  CHECK(whole.find("cudart_static") != std::string::npos);
  for (std::size_t chunk = 1; chunk < 700; chunk += chunk < 300 ? 1 : 37) {
    REQUIRE(mentions(text, chunk) == whole);
  }
}

TEST_CASE("mentions are bounded in length and count") {
  const std::string longest = "lib" + std::string(122, 'x') + ".so";
  CHECK(mentions(" " + longest) == longest);
  CHECK(mentions(" x" + longest).empty());
  CHECK(mentions(" lib" + std::string(123, 'x') + ".so").empty());
  CHECK(mentions("libx.so." + std::string(500, '1')).empty());
  CHECK(mentions(std::string(5000, 'x') + ".so").empty());
  std::string many;
  for (int i = 0; i < 600; ++i) many += fmt::format("lib{}.so ", i);
  MentionScanner scanner;
  scanner.feed(ByteView(std::string_view(many)));
  const auto found = scanner.finish();
  CHECK(found.size() == 512);
  CHECK(std::is_sorted(found.begin(), found.end()));
}

TEST_CASE("mentions are found wherever they begin, among bytes that look like one") {
  // Around what is looked at at once, by whichever instructions the processor has.
  const std::string decoys = ".c.q.f.|nfnvn.nv.n.s.a.l.li.so.shnvid";
  for (const std::string_view name : {"libq.so", "libq.a", "q.lib", "nvidia-x"}) {
    for (std::size_t before = 0; before < 200; ++before) {
      for (const std::size_t after : {0U, 1U, 2U, 3U, 61U, 62U, 63U, 64U, 65U, 130U}) {
        std::string text;
        while (text.size() < before) text += decoys;
        text.resize(before);
        if (before > 0) text.back() = ' ';
        text += name;
        std::string rest = after > 0 ? " " : "";
        while (rest.size() < after) rest += decoys;
        rest.resize(after);
        REQUIRE(mentions(text + rest) == name);
      }
    }
  }
}

TEST_CASE("anchors are the same with and without the processor's own instructions") {
  // Every byte after every byte of an anchor, at places that blocks and runs end.
  const std::string_view letters = ".nsalvishoib\x17\x7f";
  std::string text;
  for (const char first : letters) {
    for (int second = 0; second < 256; ++second) {
      text += first;
      text += static_cast<char>(second);
      text += letters[static_cast<std::size_t>(second) % letters.size()];
      if (second % 7 == 0) text += std::string(static_cast<std::size_t>(second % 67), 'z');
    }
  }
  std::size_t found = 0;
  for (const std::size_t to : {text.size(), text.size() - 1, text.size() / 2, std::size_t{130}}) {
    for (std::size_t at = 0; at < to; ++at) {
      const std::size_t next = next_anchor(text, at, to);
      REQUIRE(next == next_anchor_anywhere(text, at, to));
      if (next == std::string::npos) break;
      ++found;
      at = next;
    }
  }
  CHECK(found == 17);
  for (std::size_t size = 0; size < 70; ++size) {
    const std::string nothing(size, '.');
    CHECK(next_anchor(nothing, 0, nothing.size()) == std::string::npos);
    const std::string last = nothing + ".a";
    CHECK(next_anchor(last, 0, last.size()) == size);
    CHECK(next_anchor_anywhere(last, 0, last.size()) == size);
    CHECK(next_anchor(last, 0, size) == std::string::npos);
  }
}

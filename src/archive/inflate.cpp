// The two decoders behind one step (see the header). Neither keeps a pointer into `in` or `out`
// between steps.
#include "archive/inflate.hpp"

#include <fmt/format.h>

#include <limits>

#ifdef WHEEL_AUDIT_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

namespace wheel_audit {

#ifdef WHEEL_AUDIT_ISAL

std::uint32_t crc32_of(std::uint32_t crc, ByteView bytes) {
  return crc32_gzip_refl(crc, bytes.data(), bytes.size());
}

struct Inflater::State {
  inflate_state stream;
};

Inflater::Inflater() : state_(std::make_unique<State>()) { restart(); }
Inflater::~Inflater() = default;

void Inflater::restart() {
  isal_inflate_init(&state_->stream);
  state_->stream.crc_flag = ISAL_DEFLATE;
}

Result<Inflater::Step> Inflater::step(ByteView in, std::span<std::uint8_t> out) {
  inflate_state& stream = state_->stream;
  // The interface lacks a const that the decoder keeps.
  stream.next_in = const_cast<std::uint8_t*>(in.data());  // NOLINT(*-const-cast)
  stream.avail_in = static_cast<std::uint32_t>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<std::uint32_t>(out.size());
  const int status = isal_inflate(&stream);
  if (status < 0) {
    const char* what = status == ISAL_INVALID_BLOCK      ? "an invalid block"
                       : status == ISAL_INVALID_SYMBOL   ? "an invalid symbol"
                       : status == ISAL_INVALID_LOOKBACK ? "an invalid distance"
                                                         : "an invalid stream";
    return Error(fmt::format("the deflate stream is broken: {}", what));
  }
  Step step;
  step.produced = out.size() - stream.avail_out;
  step.consumed = in.size() - stream.avail_in;
  step.ended = stream.block_state == ISAL_BLOCK_FINISH;
  if (step.ended && stream.read_in_length > 0) {
    // Whole bytes that the decoder holds in its bit buffer are not part of the stream.
    const auto held = static_cast<std::size_t>(stream.read_in_length) / 8;
    step.consumed -= held < step.consumed ? held : step.consumed;
  }
  return step;
}

#else

std::uint32_t crc32_of(std::uint32_t crc, ByteView bytes) {
  return static_cast<std::uint32_t>(::crc32_z(crc, bytes.data(), bytes.size()));
}

struct Inflater::State {
  z_stream stream{};
  bool ready = false;
};

Inflater::Inflater() : state_(std::make_unique<State>()) {
  state_->ready = ::inflateInit2(&state_->stream, -MAX_WBITS) == Z_OK;
}

Inflater::~Inflater() {
  if (state_->ready) ::inflateEnd(&state_->stream);
}

void Inflater::restart() {
  if (state_->ready) ::inflateReset(&state_->stream);
}

Result<Inflater::Step> Inflater::step(ByteView in, std::span<std::uint8_t> out) {
  z_stream& stream = state_->stream;
  if (!state_->ready) return Error("cannot set up zlib's inflate");
  // The interface lacks a const that the decoder keeps.
  stream.next_in = const_cast<std::uint8_t*>(in.data());  // NOLINT(*-const-cast)
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = ::inflate(&stream, Z_NO_FLUSH);
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
    return Error(fmt::format("the deflate stream is broken: {}",
                             stream.msg != nullptr ? stream.msg : "an invalid stream"));
  }
  return Step{in.size() - stream.avail_in, out.size() - stream.avail_out, status == Z_STREAM_END};
}

#endif

}  // namespace wheel_audit

// SHA-2 by OpenSSL.
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>
#include <new>
#include <vector>

#include "archive/input_file.hpp"
#include "wheel_audit/archive.hpp"

namespace wheel_audit {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::size_t kChunk = std::size_t{256} * 1024;

const EVP_MD* algorithm_named(std::string_view name) {
  if (name == "sha256") return EVP_sha256();
  if (name == "sha384") return EVP_sha384();
  if (name == "sha512") return EVP_sha512();
  return nullptr;
}

}  // namespace

struct Digest::State {
  struct Free {
    void operator()(EVP_MD_CTX* held) const { EVP_MD_CTX_free(held); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};
};

Digest::Digest(std::unique_ptr<State> state) : state_(std::move(state)) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

std::optional<Digest> Digest::named(std::string_view algorithm) {
  // OpenSSL's own digests, whatever the machine's openssl.cnf would have it load instead.
  static const int kUnconfigured = OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  if (kUnconfigured != 1) return std::nullopt;
  const EVP_MD* type = algorithm_named(algorithm);
  if (type == nullptr) return std::nullopt;
  auto state = std::make_unique<State>();
  // A digest that is not computed must not look like one that was not asked for.
  if (!state->context || EVP_DigestInit_ex(state->context.get(), type, nullptr) != 1)
    throw std::bad_alloc();
  return Digest(std::move(state));
}

void Digest::update(ByteView bytes) {
  EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size());
}

std::string Digest::hex() {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> raw{};
  unsigned length = 0;
  EVP_DigestFinal_ex(state_->context.get(), raw.data(), &length);
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    text += kHexDigits[raw[i] >> 4U];
    text += kHexDigits[raw[i] & 15U];
  }
  return text;
}

std::string text_sha256(std::string_view text) {
  std::optional<Digest> digest = Digest::named("sha256");
  if (!digest) return {};
  digest->update(ByteView(text));
  return digest->hex();
}

Result<std::string> file_sha256(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  std::optional<Digest> digest = Digest::named("sha256");
  if (!digest) return Error("cannot set up SHA-256");
  std::vector<std::uint8_t> buffer(kChunk);
  for (std::uint64_t at = 0;;) {
    const Result<std::size_t> count = file->read(at, buffer);
    if (!count) return count.error();
    digest->update(ByteView(std::span<const std::uint8_t>(buffer).first(*count)));
    at += *count;
    if (*count < buffer.size()) return digest->hex();
  }
}

}  // namespace wheel_audit

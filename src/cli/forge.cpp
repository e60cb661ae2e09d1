// forge: builds the wheel that a recipe or a fixture describes. schema: prints a JSON Schema.
#include "wheel_audit/forge.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "wheel_audit/bytes.hpp"
#include "wheel_audit/embedded.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

int forge(const ForgeOptions& options) {
  const Result<std::string> text = read_text(options.recipe);
  if (!text) return wrong_use(text.error().message());
  Result<Json> json = Json::parse(*text);
  if (!json) return wrong_use(json.error().in(options.recipe).message());
  if (json->find("base") != nullptr) {
    const Result<Fixtures> fixtures = load_fixtures({});
    if (!fixtures) return wrong_use(fixtures.error().message());
    Fixture fixture;
    fixture.json = std::move(*json);
    Result<Json> recipe = recipe_of(*fixtures, fixture);
    if (!recipe) return wrong_use(recipe.error().in(options.recipe).message());
    json = std::move(*recipe);
  }
  const std::string folder = std::filesystem::path(options.recipe).parent_path().string();
  const Result<ForgedWheel> wheel = forge_wheel(*json, folder.empty() ? "." : folder);
  if (!wheel) return wrong_use(wheel.error().in(options.recipe).message());
  std::error_code failed;
  const bool into = options.output.empty() || std::filesystem::is_directory(options.output, failed);
  const std::string output =
      into ? (std::filesystem::path(options.output) / wheel->file_name).string() : options.output;
  const Result<void> place = writable_place(output);
  if (!place) return wrong_use(place.error().message());
  if (!write_output(output, ByteView(wheel->bytes).text())) return kIncomplete;
  fmt::print(stderr, "wheel-audit: wrote {}\n", printable(output));
  return kOk;
}

int schema(const SchemaOptions& options) {
  std::vector<std::string> known;
  for (const EmbeddedFile& file : embedded_schemas()) {
    std::string_view name = base_name(file.path);
    name.remove_suffix(std::string_view(".json").size());
    if (name == options.name) {
      const std::string_view text(file.begin, file.end);
      return write_output("", text) ? kOk : kIncomplete;
    }
    known.emplace_back(name);
  }
  return wrong_use(fmt::format("there is no schema \"{}\"; known: {}{}", options.name,
                               join(known, ", "), did_you_mean(options.name, known)));
}

}  // namespace wheel_audit::cli

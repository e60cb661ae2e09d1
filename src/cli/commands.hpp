// The subcommands: their options as plain data, and one function each. Options are read in
// command_line.cpp; a subcommand's file does its work.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/config.hpp"
#include "wheel_audit/rules.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::cli {

struct CommandShape;  // command_shape.hpp

/// Exit codes of design 4.2.
inline constexpr int kOk = 0;
inline constexpr int kFindings = 1;
inline constexpr int kWrongUse = 2;
inline constexpr int kIncomplete = 3;
inline constexpr int kInterrupted = 130;

/// Options that choose rules; shared by several subcommands. Empty ones were not given.
struct RuleOptions {
  std::string config;  ///< a configuration file
  bool no_config = false;
  std::vector<std::string> packs;
  std::vector<std::string> folders;
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::vector<std::string> enable;  ///< `ID[:param=value,…]`
};

/// Options that the configuration has too. Empty ones were not given.
struct SettingOptions {
  RuleOptions rules;
  std::vector<std::string> require;
  std::vector<std::string> severity;  ///< `ID=WORD`
  std::vector<std::string> provides;  ///< `SONAME=PACKAGE`
  std::string fail_on;
  unsigned jobs = 0;
  std::vector<std::string> limits;  ///< `NAME=N`
  std::vector<std::string> with;
  std::string train;
  std::string archs;
  std::string baseline;
  bool notes = false;
};

struct CheckOptions {
  std::vector<std::string> wheels;
  SettingOptions settings;
  std::vector<std::string> formats;  ///< `NAME` or `NAME=FILE`; none: text
  std::string output;
  std::string write_baseline;
  std::string today;  ///< a date instead of today's
  std::string env;    ///< an installed site-packages
  bool facts = false;
  bool no_hash = false;
  bool cross_check = false;
  bool stats = false;
  bool no_sandbox = false;
};

/// Options of every command that reads wheels. `check` has the limits among its settings.
struct ReadingOptions {
  std::vector<std::string> limits;  ///< `NAME=N`
  bool no_sandbox = false;
};

struct InspectOptions {
  std::vector<std::string> wheels;
  ReadingOptions reading;
  bool jsonl = false;
  bool symbols = false;
  bool no_hash = false;
  std::string output;
  unsigned jobs = 0;
};

struct ExplainOptions {
  std::string rule;
  bool all = false;
  std::string format = "text";
  RuleOptions rules;  ///< folders and configuration
};

struct ConfigOptions {
  SettingOptions settings;
  std::string format = "text";
};

struct RulesOptions {
  RuleOptions rules;
  std::string format = "text";
};

struct SelftestOptions {
  std::vector<std::string> folders;
};

struct ForgeOptions {
  std::string recipe;
  std::string output;
};

struct GpuOptions {
  std::vector<std::string> wheels;
  ReadingOptions reading;
  bool json = false;
  unsigned jobs = 0;
};

struct TreeOptions {
  std::string wheel;
  ReadingOptions reading;
  std::vector<std::string> with;
  std::string env;  ///< an installed site-packages
  std::string why;
  bool tag = false;
  bool json = false;
};

struct DiffOptions {
  std::string before;
  std::string after;
  ReadingOptions reading;
  std::vector<std::string> fail_on;
  std::string format = "text";
  std::string output;
  unsigned jobs = 0;
};

struct CompletionOptions {
  std::string shell;
};

/// Options of every `matrix …`; each reads its own of them.
struct MatrixOptions {
  std::string policy;      ///< a built-in name or a file; empty: the default
  std::string file = "-";  ///< the matrix of filter
  bool pull_request = false;
  bool jetpack = false;
  std::string train;
  std::string machine;
  std::string style = "torch";
  std::string text;                ///< an arch list, a row or a version
  std::vector<std::string> paths;  ///< workflow files, or wheels and directories
};

struct SchemaOptions {
  std::string name;
};

int check(const CheckOptions& options);
int inspect(const InspectOptions& options);
int explain(const ExplainOptions& options);
int rules(const RulesOptions& options);
int config(const ConfigOptions& options);
int selftest(const SelftestOptions& options);
int forge(const ForgeOptions& options);
int gpu(const GpuOptions& options);
int tree(const TreeOptions& options);
int diff(const DiffOptions& options);
int matrix_filter(const MatrixOptions& options);
int matrix_archs(const MatrixOptions& options);
int matrix_parse_archs(const MatrixOptions& options);
int matrix_classify(const MatrixOptions& options);
int matrix_check_workflow(const MatrixOptions& options);
int matrix_verify(const MatrixOptions& options);
int schema(const SchemaOptions& options);
int completion(const CompletionOptions& options, const CommandShape& root);
int manual(const CommandShape& root);

// ---- what they share (shared.cpp)

/// Prints `wheel-audit: <message>` to stderr and returns wrong use.
int wrong_use(const std::string& message);

/// Writes a report to `output`, or to stdout when it is empty or `-`; a file is written whole or
/// not at all, and a link stays one: what it points at is written. Returns false after a message
/// when that failed; a closed pipe gets none.
bool write_output(const std::string& output, std::string_view text);
/// Refuses, before any work, a file to write whose directory is not there or that is a directory
/// itself; an empty one and `-` are standard output.
Result<void> writable_place(const std::string& output);
/// Adds to the end of a file, whole or not at all.
bool append_output(const std::string& output, std::string_view text);

/// The report formats by name: `json, text`.
std::string format_names();

/// The wheels that arguments stand for: files, directories (every `*.whl` in them, sorted), `-`
/// (paths on stdin). Refuses what does not exist and an empty result.
Result<std::vector<std::string>> wheel_paths(const std::vector<std::string>& arguments);

/// The wheels that others are judged beside: those of `--with`, which messages call `with_label`,
/// or what `--env` has installed.
Result<std::vector<WheelFacts>> read_context(const std::vector<std::string>& with,
                                             const std::string& env, ReadOptions reading,
                                             const std::string& with_label = "--with");

/// The contents of a file, or of stdin for `-`.
Result<std::string> read_text(const std::string& path);

/// The configuration file and the options put together.
Result<InForce> values_of(const SettingOptions& options);
Result<InForce> values_of(const RuleOptions& options);
/// The facts of a file (stdin for `-`) that holds one JSON document, or one a line. Refuses what
/// holds none.
Result<std::vector<WheelFacts>> facts_in(const std::string& path);

/// Reads `NAME=N`.
using NamedLimits = std::vector<std::pair<std::string, std::uint64_t>>;
Result<NamedLimits::value_type> parse_limit(const std::string& text);

/// Sets the limits, and says how wheels are read. Refuses limits that are none.
Result<ReadOptions> read_options(const NamedLimits& limits, bool confine, unsigned jobs);
Result<ReadOptions> read_options(const ReadingOptions& options, unsigned jobs);

/// Threads: the number asked for, or one for each core.
unsigned jobs_or_cores(unsigned jobs);

}  // namespace wheel_audit::cli

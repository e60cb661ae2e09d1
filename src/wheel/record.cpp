// RECORD: comma-separated rows of path, hash and size, quoted as RFC 4180 has it. Rows that break
// the form are kept where their meaning is plain, so that one fault does not look like many; rows
// with broken quotes have none.
#include <fmt/format.h>

#include <algorithm>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kMostFields = 64;  // of one row that are kept; three are right

constexpr std::size_t kMostProblems = 100;  // that are listed; a broken writer breaks every row

/// One row as written.
struct Row {
  std::size_t line = 0;  ///< where it starts
  std::vector<std::string> fields;
  std::size_t count = 0;  ///< of fields, those not kept included
  std::string problem;
};

/// Reads rows one after the other.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }

  Row row() {
    Row row;
    row.line = line_;
    do {
      std::string field = this->field(row.problem);
      ++row.count;
      if (row.fields.size() < kMostFields) row.fields.push_back(std::move(field));
    } while (eat(','));
    eat('\r');
    if (eat('\n')) ++line_;
    return row;
  }

 private:
  bool eat(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool at_field_end() const {
    return at_end() || text_[at_] == ',' || text_[at_] == '\n' ||
           (text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n'));
  }

  std::string field(std::string& problem) {
    std::string out;
    if (eat('"')) quoted_part(out, problem);
    const std::size_t start = at_;
    while (!at_field_end()) {
      if (text_[at_] == '"' && problem.empty()) problem = "has a quote inside an unquoted field";
      ++at_;
    }
    if (at_ > start && start > 0 && text_[start - 1] == '"' && problem.empty()) {
      problem = "has text after a closing quote";
    }
    return out.append(text_.substr(start, at_ - start));
  }

  void quoted_part(std::string& out, std::string& problem) {
    for (;;) {
      const std::size_t end = text_.find('"', at_);
      const std::string_view part = text_.substr(at_, end - at_);
      out.append(part);
      line_ += static_cast<std::size_t>(std::ranges::count(part, '\n'));
      if (end == std::string_view::npos) {
        at_ = text_.size();
        problem = "has a quote that is never closed";
        return;
      }
      at_ = end + 1;
      if (!eat('"')) return;
      out += '"';
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

/// The row that a row of another length stands for: surplus empty fields add nothing, and a path
/// with an unquoted comma is taken as one again.
RecordRow plain_row(std::vector<std::string> fields) {
  while (fields.size() > 3 && fields.back().empty()) fields.pop_back();
  while (fields.size() < 3) fields.emplace_back();
  RecordRow row;
  row.size = std::move(fields.back());
  fields.pop_back();
  row.hash = std::move(fields.back());
  fields.pop_back();
  row.path = join(fields, ",");
  return row;
}

}  // namespace

RecordFacts parse_record(std::string path, std::string_view text) {
  RecordFacts facts;
  facts.path = std::move(path);
  if (!is_utf8(text)) facts.problems.emplace_back("it is not UTF-8");
  if (drop_byte_order_mark(text)) {
    facts.problems.emplace_back("line 1 starts with a byte order mark");
  }
  // Empty lines at the end are harmless.
  while (text.ends_with("\n\n") || text.ends_with("\n\r\n")) {
    text.remove_suffix(text.ends_with("\r\n") ? 2 : 1);
  }
  if (text == "\n" || text == "\r\n") text = {};
  CsvReader reader(text);
  std::size_t unlisted = 0;
  const auto problem = [&](std::string message) {
    if (facts.problems.size() < kMostProblems) {
      facts.problems.push_back(std::move(message));
    } else {
      ++unlisted;
    }
  };
  bool misquoted = false;
  while (!reader.at_end()) {
    Row row = reader.row();
    if (!row.problem.empty()) {
      // One quote too many or too few turns what follows inside out: the first is the fault, and
      // what such a row says is not known.
      if (!misquoted) problem(fmt::format("line {} {}", row.line, row.problem));
      misquoted = true;
      continue;
    }
    if (row.count == 1 && row.fields.front().empty()) {
      problem(fmt::format("line {} is empty", row.line));
      continue;
    }
    if (row.count != 3) {
      problem(fmt::format("line {} has {} field{}, expected 3: {}", row.line, row.count,
                          row.count == 1 ? "" : "s", quoted(join(row.fields, ","))));
    }
    if (row.count <= kMostFields) facts.rows.push_back(plain_row(std::move(row.fields)));
  }
  if (unlisted > 0) facts.problems.push_back(fmt::format("{} more problems", unlisted));
  return facts;
}

}  // namespace wheel_audit

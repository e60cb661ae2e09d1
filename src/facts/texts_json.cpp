// Facts of headers and CMake files, to and from JSON.
#include "facts/parts.hpp"

namespace wheel_audit {

namespace {

Json include_json(const Include& include) {
  Json json = Json::object();
  json.append("name", include.name);
  json.append("line", include.line);
  json.append("quoted", include.quoted);
  json.append("conditional", include.conditional);
  return json;
}

Json command_json(const CMakeCommand& command) {
  Json json = Json::object();
  json.append("name", command.name);
  json.append("arguments", command.arguments);
  json.append("line", command.line);
  json.append("block", command.block ? Json(*command.block) : Json());
  return json;
}

}  // namespace

Json header_to_json(const HeaderFacts& header) {
  Json json = Json::object();
  json.append("path", header.path);
  json.append("includes", array_of(header.includes, include_json));
  json.append("problem", or_null(header.problem));
  return json;
}

Json cmake_to_json(const CMakeFacts& cmake) {
  Json json = Json::object();
  json.append("path", cmake.path);
  json.append("commands", array_of(cmake.commands, command_json));
  json.append("placeholders", cmake.placeholders);
  json.append("problem", or_null(cmake.problem));
  return json;
}

HeaderFacts header_from_json(const Place& in) {
  HeaderFacts header;
  header.path = in["path"].text();
  header.includes = vector_from(in["includes"], [](const Place& one) {
    return Include{one["name"].text(), one["line"].number<std::uint32_t>(), one["quoted"].flag(),
                   one["conditional"].flag()};
  });
  header.problem = in["problem"].text_or_null();
  return header;
}

CMakeFacts cmake_from_json(const Place& in) {
  CMakeFacts cmake;
  cmake.path = in["path"].text();
  in["commands"].each([&](const Place& one) {
    CMakeCommand command;
    command.name = one["name"].text();
    command.arguments = one["arguments"].texts();
    command.line = one["line"].number<std::uint32_t>();
    if (const Place block = one["block"]; !block.is_null()) {
      command.block = block.number<std::uint32_t>();
      // Blocks are opened before what stands in them, so that a walk outwards ends.
      if (*command.block >= cmake.commands.size()) block.fail("the index of an earlier command");
    }
    cmake.commands.push_back(std::move(command));
  });
  cmake.placeholders = in["placeholders"].texts();
  cmake.problem = in["problem"].text_or_null();
  return cmake;
}

}  // namespace wheel_audit

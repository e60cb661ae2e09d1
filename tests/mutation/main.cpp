// `mutation rules|facts`: a line for each mutant, of tab-separated subject, mutation and `noticed`
// or `survived`. scripts/mutation.py makes the tables of docs/reliability.md of them.
#include <cstdio>
#include <string_view>

#include "mutation/mutation.hpp"

int main(int argc, char** argv) {
  using namespace wheel_audit::mutation;
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what != "rules" && what != "facts") {
    std::fputs("usage: mutation rules|facts\n", stderr);
    return 2;
  }
  const std::vector<Mutant> mutants = what == "rules" ? weaken_rules() : change_facts();
  for (const Mutant& mutant : mutants) {
    std::printf("%s\t%s\t%s\n", mutant.subject.c_str(), mutant.mutation.c_str(),
                mutant.noticed ? "noticed" : "survived");
  }
  return 0;
}

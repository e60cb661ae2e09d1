/* Loads a library by path, as Python loads an extension, and prints what the process then holds. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

static int print_object(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  (void)data;
  printf("object %s\n", info->dlpi_name);
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (dlopen(argv[1], RTLD_NOW) == NULL) {
    printf("error %s\n", dlerror());
    return 1;
  }
  dl_iterate_phdr(print_object, NULL);
  return 0;
}

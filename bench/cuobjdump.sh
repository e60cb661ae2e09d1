#!/bin/sh
# Lists the GPU code of every library of wheels: unpacks each and asks cuobjdump of each library.
#     cuobjdump.sh CUOBJDUMP WHEEL...
tool=$1
shift
for wheel; do
  folder=$(mktemp -d)
  unzip -qq -o "$wheel" '*.so' '*.so.*' -d "$folder" 2>/dev/null
  find "$folder" -type f -exec "$tool" --list-elf --list-ptx {} \;
  rm -rf "$folder"
done

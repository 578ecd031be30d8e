#!/bin/sh
# Takes out of installed packages what no program reads while the site runs. Licences stay.
#   deploy/container/leave-out.sh node_modules
set -eu
packages="$1"
# Headers and manuals of the runtime, and its symbol table, which only a debugger reads.
rm -rf "$packages"/node-*/include "$packages"/node-*/share
for runtime in "$packages"/node-*/bin/node; do strip --strip-unneeded "$runtime"; done
find "$packages" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
find "$packages" -type f -iname 'readme*' -delete
find "$packages" -type f -iname 'changelog*' -delete

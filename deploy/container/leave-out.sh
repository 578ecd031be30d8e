#!/bin/sh
# Takes out of installed packages what no program reads while the site runs. Licences stay.
#   deploy/container/leave-out.sh node_modules
set -eu
packages="$1"
# Headers and manuals of the runtime, and its symbol table, which only a debugger reads.
rm -rf "$packages"/node-*/include "$packages"/node-*/share
for runtime in "$packages"/node-*/bin/node; do strip --strip-unneeded "$runtime"; done
# Node takes no TypeScript from packages, only from the site itself.
find "$packages" -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.tsbuildinfo' \) -delete
find "$packages" -depth -type d \( -name test -o -name tests \) -exec rm -rf {} +
find "$packages" -type f -iname 'readme*' -delete
find "$packages" -type f -iname 'changelog*' -delete

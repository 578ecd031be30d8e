#!/bin/sh
# The operator's commands on a machine of docs/deploying.md, by root, from any folder:
#
#   deploy/site.sh doctor
#
# As the site's own user: what root leaves among its data, the site could not write to.
set -eu
home="${CHALKLINE_HOME:-/srv/chalkline}"
user="${CHALKLINE_USER:-chalkline}"
cd "$home/current"
if [ "$(id -un)" = "$user" ]; then exec npm run --silent site -- "$@"; fi
exec runuser -u "$user" -- env HOME="$home" npm run --silent site -- "$@"

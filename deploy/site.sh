#!/bin/sh
# The operator's commands on a machine of docs/deploying.md, by root, from any folder:
#
#   deploy/site.sh doctor
#
# As the site's own user: what root leaves among its data, the site could not write to.
set -eu
home="${CHALKLINE_HOME:-/srv/chalkline}"
user="${CHALKLINE_USER:-chalkline}"
# Where `doctor` looks for the site: the first of the copies whose ports release.sh knows.
ports="${CHALKLINE_PORTS:-3001 3002}"
export PORT="${PORT:-${ports%% *}}"
cd "$home/current"
if [ "$(id -un)" = "$user" ]; then exec npm run --silent site -- "$@"; fi
exec runuser -u "$user" -- env HOME="$home" npm run --silent site -- "$@"

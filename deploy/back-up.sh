#!/bin/sh
# A checked copy of the site's database, and none older than thirty days. chalkline-backup.service runs it:
#
#   deploy/back-up.sh /srv/chalkline/backups
#
# With DATABASE_URL, in the environment or in .env, it is PostgreSQL's, otherwise the SQLite file.
set -eu
umask 077
folder="$(realpath "$1")"
cd "$(dirname "$0")/.."
exec node_modules/.bin/node cli/site.ts db back-up-into "$folder"

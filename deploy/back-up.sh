#!/usr/bin/env bash
# A checked copy of the site's database, and none older than thirty days. chalkline-backup.service runs it:
#
#   deploy/back-up.sh /srv/chalkline/backups
#
# With DATABASE_URL, in the environment or in .env, it is PostgreSQL's, otherwise the SQLite file.
set -euo pipefail
umask 077

folder="$(realpath "$1")"
cd "$(dirname "$0")/.."
node=node_modules/.bin/node
kept_days=30

copy="$folder/site-$(date +%F-%H%M)"
# As the site reads it, and refused as the site refuses it: a copy of another database would be no backup.
DATABASE_URL="$("$node" --input-type=module -e '
  import { loadEnvironment, readConfig } from "./settings/settings.ts";
  const read = readConfig(loadEnvironment());
  if (!read.ok) throw new Error(read.mistakes.join("\n"));
  process.stdout.write(read.config.databaseUrl ?? "");')"
if [ -n "$DATABASE_URL" ]; then
  export DATABASE_URL PGPASSWORD
  # Not among the arguments, which whoever lists the processes sees.
  PGPASSWORD="$("$node" -p 'decodeURIComponent(new URL(process.env.DATABASE_URL).password)')"
  # Nor what the site alone knows of an address.
  address="$("$node" -p 'const url = new URL(process.env.DATABASE_URL);
    url.password = "";
    for (const name of ["pgbouncer", "uselibpqcompat", "ssl"]) url.searchParams.delete(name);
    if (url.searchParams.get("sslmode") === "no-verify") url.searchParams.set("sslmode", "require");
    url.href')"
  # It gets its name when it is whole.
  trap 'rm -f "$copy.part"' EXIT
  pg_dump --format=custom --no-owner --file="$copy.part" --dbname="$address"
  pg_restore --list "$copy.part" >/dev/null
  mv --no-clobber "$copy.part" "$copy.dump"
else
  "$node" cli/site.ts db backup "$copy.sqlite"
fi
find "$folder" -maxdepth 1 \( -name 'site-*.sqlite' -o -name 'site-*.dump' \) -mtime "+$kept_days" -delete

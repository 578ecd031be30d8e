#!/usr/bin/env bash
# Builds a release beside the one that runs, then switches to it, one copy after another. Run as root on the machine:
#
#   deploy/release.sh            the newest commit of the branch that the repository is on
#   deploy/release.sh v1.4.0     a tag, branch or commit
#   deploy/release.sh --back     the release before, without building
#
# In /srv/chalkline: `repository` (a clone), `releases/<commit>`, `current` (a link to one of them), `.env`, `data`.
set -euo pipefail
umask 022

home="${CHALKLINE_HOME:-/srv/chalkline}"
user="${CHALKLINE_USER:-chalkline}"
# Copies that run, by their ports.
ports="${CHALKLINE_PORTS:-3001 3002}"
restart="${CHALKLINE_RESTART:-systemctl restart chalkline@%}"
kept_releases=3
ready_within_s=60

# With a home of its own, since npm and git look into it.
as_user() { if [ "$(id -un)" = "$user" ]; then "$@"; else runuser -u "$user" -- env HOME="$home" "$@"; fi; }

# A new link takes the old one's name in one step, so there is always one.
switch_to() {
  as_user ln -sfn "$1" "$home/current.next"
  as_user mv -T "$home/current.next" "$home/current"
}

is_ready() {
  for _ in $(seq "$ready_within_s"); do
    if curl --silent --fail --max-time 3 --output /dev/null "http://127.0.0.1:$1/readyz"; then return 0; fi
    sleep 1
  done
  return 1
}

# The next copy is touched only when this one answers, so that one of two is always there.
restart_copies() {
  for port in $ports; do
    ${restart//%/$port}
    if ! is_ready "$port"; then
      echo "The copy on port $port was not ready within $ready_within_s seconds." >&2
      return 1
    fi
    echo "The copy on port $port is ready."
  done
}

before="$(readlink "$home/current" || true)"

if [ "${1:-}" = "--back" ]; then
  # The newest that isn't the one in use.
  for candidate in $(ls -dt "$home"/releases/*/); do
    candidate="${candidate%/}"
    if [ "$candidate" != "$before" ] && [ -e "$candidate/.finished" ]; then release="$candidate"; break; fi
  done
  : "${release:?There is no release before this one.}"
else
  as_user git -C "$home/repository" fetch --quiet --tags --prune
  commit="$(as_user git -C "$home/repository" rev-parse --verify --quiet "origin/${1:-HEAD}^{commit}" \
    || as_user git -C "$home/repository" rev-parse --verify "${1:-HEAD}^{commit}")"
  release="$home/releases/${commit:0:12}"
  if [ ! -e "$release/.finished" ]; then
    rm -rf "$release"
    as_user mkdir -p "$release"
    as_user sh -c "git -C '$home/repository' archive '$commit' | tar -x -C '$release'"
    as_user ln -s "$home/.env" "$release/.env"
    cd "$release"
    as_user nice npm ci --include=dev --no-audit --no-fund --loglevel=error
    # Also what Debian's npm leaves out of an installation: the link to the site's own runtime.
    as_user nice node scripts/prepare.mjs install build
    as_user npm prune --omit=dev --no-audit --no-fund --loglevel=error
    as_user node scripts/prepare.mjs run
    # Headers and manuals of the runtime, which nothing reads.
    as_user rm -rf node_modules/node-*/include node_modules/node-*/share
    as_user touch .finished
  fi
fi

switch_to "$release"
if ! restart_copies; then
  if [ -n "$before" ]; then
    echo "Going back to $before." >&2
    switch_to "$before"
    restart_copies || true
  fi
  exit 1
fi
echo "Runs $release."

# The one in use and those before it, for going back.
ls -dt "$home"/releases/*/ | tail -n "+$((kept_releases + 1))" | while read -r old; do
  if [ "${old%/}" != "$(readlink "$home/current")" ]; then rm -rf "$old"; fi
done

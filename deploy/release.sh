#!/usr/bin/env bash
# Builds a release beside the one that runs, then switches to it, one copy after another. Run as root on the machine:
#
#   deploy/release.sh            the newest commit of the branch that the repository is on
#   deploy/release.sh v1.4.0     a tag, branch or commit
#   deploy/release.sh --back     the release before, without building
#
# In /srv/chalkline: `repository` (a clone), `releases/<commit>`, `current` (a link to one of them), `.env`, `data`. The
# clone's own files stay as they were, so from the second release on run current/deploy/release.sh.
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
    ${restart//%/$port} || return 1
    if ! is_ready "$port"; then
      echo "The copy on port $port was not ready within $ready_within_s seconds. What it says: journalctl -u chalkline@$port -e" >&2
      return 1
    fi
    echo "The copy on port $port is ready."
  done
}

# For a while visitors have pages of the release before, from the other copy or kept by a CDN, whose scripts have other
# names. Only what its own build made, or each release would have those of all before it.
keep_assets_of() {
  if [ ! -e "$1/.assets" ]; then return; fi
  as_user sh -c 'while read -r file; do
    [ -e "$2/build/client/assets/$file" ] || cp -p "$1/build/client/assets/$file" "$2/build/client/assets/"
  done <"$1/.assets"' sh "$1" "$release"
}

# Releases stand in the order of their folders' times: the last that was begun first, one that was left by going back last.
finished_releases() {
  # shellcheck disable=SC2045 # By time, which no glob does; their names are commits.
  for folder in $(ls -dt "$home"/releases/*/); do
    if [ -e "$folder.finished" ]; then echo "${folder%/}"; fi
  done
}

before="$(readlink "$home/current" || true)"

if [ "${1:-}" = "--back" ]; then
  release="$(finished_releases | grep -Fxv "$before" | sed -n 1p || true)"
  : "${release:?There is no release before this one.}"
else
  as_user git -C "$home/repository" fetch --quiet --tags --prune
  commit="$(as_user git -C "$home/repository" rev-parse --verify --quiet "origin/${1:-HEAD}^{commit}" \
    || as_user git -C "$home/repository" rev-parse --verify --quiet "${1:-HEAD}^{commit}" || true)"
  : "${commit:?There is no ${1:-HEAD} in $home/repository.}"
  release="$home/releases/${commit:0:12}"
  if [ ! -e "$release/.finished" ]; then
    rm -rf "$release"
    as_user mkdir -p "$release"
    as_user sh -c "git -C '$home/repository' archive '$commit' | tar -x -C '$release'"
    cd "$release"
    as_user nice npm ci --include=dev --no-audit --no-fund --loglevel=error
    # Also what Debian's npm leaves out of an installation: the link to the site's own runtime.
    as_user nice node scripts/prepare.mjs install build
    as_user npm prune --omit=dev --no-audit --no-fund --loglevel=error
    as_user node scripts/prepare.mjs run
    # Headers and manuals of the runtime, which nothing reads.
    as_user rm -rf node_modules/node-*/include node_modules/node-*/share
    as_user ln -s "$home/.env" "$release/.env"
    as_user sh -c 'find build/client/assets -maxdepth 1 -type f -printf "%f\n" >.assets'
    as_user touch .finished
  fi
  as_user touch "$release"
fi

if [ -n "$before" ] && [ "$before" != "$release" ]; then keep_assets_of "$before"; fi
switch_to "$release"
if ! restart_copies; then
  # Built anew when it is tried again, and never what --back leads to.
  if [ "${1:-}" != "--back" ] && [ "$before" != "$release" ]; then rm -f "$release/.finished"; fi
  if [ -n "$before" ]; then
    echo "Going back to $before." >&2
    switch_to "$before"
    restart_copies || true
  fi
  exit 1
fi
# The desk's sessions outlive it.
${CHALKLINE_RESTART_DESK:-systemctl try-restart chalkline-desk} || true
echo "Runs $release."
if [ "${1:-}" = "--back" ]; then as_user touch --date=@0 "$before"; fi

# The one in use and those before it, for going back.
kept="$(finished_releases | sed -n "1,${kept_releases}p")"
for folder in "$home"/releases/*/; do
  if ! grep -Fxq "${folder%/}" <<<"$release"$'\n'"$kept"; then rm -rf "$folder"; fi
done

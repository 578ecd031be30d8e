#!/usr/bin/env bash
# Builds a release beside the one that runs, then switches to it, one copy after another. Run as root on the machine:
#
#   deploy/release.sh            the newest commit upstream of the branch that the repository is on
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
    ${restart//%/$port} 9>&- || return 1
    if ! is_ready "$port"; then
      echo "The copy on port $port was not ready within $ready_within_s seconds. What it says: journalctl -u chalkline@$port -e" >&2
      return 1
    fi
    echo "The copy on port $port is ready."
  done
}

# For a while visitors and the desk have pages of the release before, whose scripts have other names. Only what its own build made, or each release would have those of all before it.
keep_assets_of() {
  if [ ! -e "$1/.assets" ]; then return; fi
  as_user sh -c 'while read -r file; do
    if [ -e "$1/$file" ] && [ ! -e "$2/$file" ]; then cp -p "$1/$file" "$2/$file"; fi
  done <"$1/.assets"' sh "$1" "$release"
}

# Releases stand in the order of their folders' times: the last that was begun first, one that was left by going back last.
finished_releases() {
  # shellcheck disable=SC2045 # By time, which no glob does; their names are commits.
  for folder in $(ls -dt "$home"/releases/*/); do
    if [ -e "$folder.finished" ]; then echo "${folder%/}"; fi
  done
}

# What a name means upstream: a branch, else a tag, else a commit. Never a branch of the clone's own, which may be old.
commit_of() {
  for name in "refs/remotes/origin/$1" "refs/tags/$1"; do
    if in_repository rev-parse --verify --quiet "$name^{commit}"; then return; fi
  done
  if [[ "$1" =~ ^[0-9a-f]{7,40}$ ]]; then in_repository rev-parse --verify --quiet "$1^{commit}"; fi
}

in_repository() { as_user git -C "$home/repository" "$@"; }

# A release's commit, day and subject.
describe() { in_repository log -1 --format='%h of %cs, "%s"' "$(basename "$1")" 2>/dev/null || basename "$1"; }

# Two at once would build into each other's folders. Programs that are started don't keep the lock.
exec 9>"$home/.release.lock"
flock --nonblock 9 || { echo "Another release is under way. Waiting for it." >&2; flock 9; }

before="$(readlink "$home/current" || true)"

if [ "${1:-}" = "--back" ]; then
  release="$(finished_releases | grep -Fxv "$before" | sed -n 1p || true)"
  : "${release:?There is no release before this one.}"
else
  if ! said="$(in_repository fetch --tags --prune 2>&1)"; then
    printf '%s\n' "$said" "Nothing is released: the fetch failed, or refused what is marked above. A tag that was moved: git -C $home/repository fetch --tags --force" >&2
    exit 1
  fi
  if [ -n "${1:-}" ]; then
    commit="$(commit_of "$1" || true)"
    : "${commit:?There is no branch, tag or commit $1 upstream of $home/repository.}"
  else
    branch="$(in_repository symbolic-ref --quiet --short HEAD || true)"
    : "${branch:?$home/repository is on no branch. Name a branch, tag or commit.}"
    commit="$(in_repository rev-parse --verify --quiet '@{upstream}^{commit}' || true)"
    : "${commit:?The branch $branch is gone upstream. Lead $home/repository to another: git switch NAME}"
  fi
  release="$home/releases/${commit:0:12}"
  if [ ! -e "$release/.finished" ]; then
    rm -rf "$release"
    # With the packages that build it, before those go.
    if [ "$(df --output=avail --block-size=1M "$home/releases" | tail -1)" -lt 1200 ]; then
      echo "A release needs 1.2 GB free on the disk of $home/releases, and there is less. Nothing was changed." >&2
      exit 1
    fi
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
    as_user sh -c 'find build/client/assets build/desk/client/assets -maxdepth 1 -type f >.assets'
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
${CHALKLINE_RESTART_DESK:-systemctl try-restart chalkline-desk} 9>&- || true
if [ -n "$before" ] && [ "$before" != "$release" ]; then echo "Ran before: $(describe "$before")."; fi
echo "Runs now: $(describe "$release")."
if [ "${1:-}" = "--back" ]; then as_user touch --date=@0 "$before"; fi

# The one in use and those before it, for going back.
kept="$(finished_releases | sed -n "1,${kept_releases}p")"
for folder in "$home"/releases/*/; do
  if ! grep -Fxq "${folder%/}" <<<"$release"$'\n'"$kept"; then rm -rf "$folder"; fi
done

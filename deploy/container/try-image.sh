#!/usr/bin/env bash
# Builds the image by buildah, without a daemon, starts it and asks it for a page and for its health. Run as root; it takes
# some minutes and 10 GB for a while:
#
#   deploy/container/try-image.sh
#
# Where the base images can't be pulled, it makes them of Debian's packages (debootstrap) and of npm's package of Node.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(id -u)" != 0 ] || ! command -v buildah >/dev/null; then
  echo "NOT CHECKED: this needs root and, of Debian's packages, buildah and debootstrap."
  exit 0
fi
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
work="$(mktemp -d)"
port="${PORT:-13999}"
site=""
trap '[ -z "$site" ] || kill -- "-$site" || true; rm -rf "$work"' EXIT

b() { buildah --root "$work/images" --runroot "$work/run" "$@"; }

make_bases() {
  debootstrap --variant=minbase --include=ca-certificates,libatomic1 bookworm "$work/debian" http://deb.debian.org/debian >/dev/null
  npm install --silent --no-audit --no-fund --prefix "$work/node" "node-linux-$(node -p process.arch)@22" npm@10
  printf '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n' >"$work/npm"
  chmod 755 "$work/npm"
  local base
  base="$(b from scratch)"
  b add --quiet "$base" "$work/debian" /
  b commit --quiet "$base" localhost/run-base
  b add --quiet "$base" "$work"/node/node_modules/node-linux-*/bin/node /usr/local/bin/node
  b add --quiet "$base" "$work/node/node_modules/npm" /usr/local/lib/npm
  b add --quiet "$base" "$work/npm" /usr/local/bin/npm
  # Of a registry behind a proxy.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    b add --quiet "$base" "$NODE_EXTRA_CA_CERTS" /etc/ssl/own.pem
    b config --env NODE_EXTRA_CA_CERTS=/etc/ssl/own.pem "$base"
  fi
  b commit --quiet "$base" localhost/build-base
}

bases=()
if ! b pull --quiet docker.io/library/node:22-bookworm-slim || ! b pull --quiet gcr.io/distroless/cc-debian12:nonroot; then
  echo "The base images can't be pulled, so they are made here."
  make_bases
  bases=(--build-arg BUILD_IMAGE=localhost/build-base --build-arg RUN_IMAGE=localhost/run-base)
fi
# The form that has a health check.
b bud --format docker --network host "${bases[@]}" --file deploy/container/Dockerfile --tag chalkline .

container="$(b from chalkline)"
b config --env "PORT=$port" "$container"
# In a group of its own, to end all of it.
setsid buildah --root "$work/images" --runroot "$work/run" run "$container" -- /site/node_modules/.bin/node server/start.mjs &
site=$!
for _ in $(seq 60); do
  if curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; then break; fi
  sleep 1
done
curl --silent --fail "http://127.0.0.1:$port/" | grep --quiet '</html>'
b run "$container" -- /site/node_modules/.bin/node deploy/container/check-health.ts
b run "$container" -- /site/node_modules/.bin/node cli/site.ts db migrate
# A cluster that gives each project a user of its own, of root's group.
b run --user 1000650000:0 --env DATA_DIR=/data/other "$container" -- /site/node_modules/.bin/node cli/site.ts db migrate
kill -- "-$site"
wait "$site" || true
site=""
echo "The image was built, and serves its pages."

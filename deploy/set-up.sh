#!/usr/bin/env bash
# Makes an empty Debian 13 the site's machine: the site, its desk from anywhere, and Caddy with
# certificates. As root, from a clone in /srv/chalkline/repository, once the DNS of the three names leads here:
#
#   deploy/set-up.sh example.com "Your Name"
#
# It takes example.com, www.example.com and desk.example.com. Run again, it goes on where it stopped, and leaves .env alone.
set -euo pipefail
umask 022

domain="${1:?Say the domain, such as example.com}"
person="${2:?Say your name, in quotes, for the desk}"
home="${CHALKLINE_HOME:-/srv/chalkline}"
user="${CHALKLINE_USER:-chalkline}"
etc="${CHALKLINE_ETC:-/etc}"
deploy="$home/repository/deploy"

case "$domain" in
*[!a-z0-9.-]* | www.* | .* | *.) domain="" ;;
*.*) ;;
*) domain="" ;;
esac
: "${domain:?The domain is small letters alone, without https:// and www., such as example.com}"

# Building needs more memory than serving.
if [ "$(awk '/^(MemTotal|SwapTotal)/ { sum += $2 } END { print sum }' /proc/meminfo)" -lt 1900000 ] &&
  ! grep -qs '^/swapfile ' "$etc/fstab"; then
  # Containers may have none, and some file systems can't hold it: the build may still fit.
  if (umask 077 && { fallocate -l 1G /swapfile || dd if=/dev/zero of=/swapfile bs=1M count=1024 status=none; }) &&
    mkswap /swapfile && swapon /swapfile; then
    echo '/swapfile none swap sw 0 0' >>"$etc/fstab"
  else
    rm -f /swapfile
    echo "This machine takes no swap file. If building ends for want of memory, take a machine with 2 GB." >&2
  fi
fi
apt-get update
apt-get install -y git curl caddy libatomic1 nodejs npm

id "$user" >/dev/null 2>&1 || useradd --system --home-dir "$home" "$user"
mkdir -p "$home/releases" "$home/data"
chmod 755 "$home" && chmod 700 "$home/data"
if [ ! -e "$home/.env" ]; then
  (
    umask 077
    printf '%s\n' "# The firm, mail and the rest are set at the desk; .env.example lists what can be set here." \
      "SITE_URL=https://www.$domain" "DESK_ADDRESS=https://desk.$domain" "DATA_DIR=$home/data" \
      "TRUSTED_PROXIES=127.0.0.1" >"$home/.env"
  )
fi
chown "$user:" "$home" "$home"/{releases,data,.env}
chown -R "$user:" "$home/repository"

cp "$deploy"/systemd/*.service "$etc/systemd/system/"
systemctl daemon-reload
"$deploy/release.sh"
systemctl enable chalkline@3001 chalkline@3002
systemctl enable --now chalkline-desk
ln -sfn "$home/current/deploy/site.sh" "${CHALKLINE_BIN:-/usr/local/bin}/chalkline"

sed "s/example\.com/$domain/g; s#http://desk\.invalid#https://desk.$domain#" "$deploy/caddy/Caddyfile" >"$etc/caddy/Caddyfile"
systemctl restart caddy

echo
echo "https://www.$domain is up, as soon as its certificate is here: within a minute, if its DNS leads here."
"${CHALKLINE_BIN:-/usr/local/bin}/chalkline" desk invite "$person"

#!/bin/sh
# Installs Debian packages for tests and the cluster. Requires root. Does not start any service, now or at the next
# boot, and does not create a PostgreSQL cluster.
#
#   installPackages.sh chromium postgresql nats-server …
set -eu
export DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1
apt() { apt-get --quiet --yes -o DPkg::Lock::Timeout=120 "$@"; }

policy=/usr/sbin/policy-rc.d
postgres=/etc/postgresql-common/createcluster.conf
made=
clean() {
  for file in $made; do rm -f "$file"; done
  # Restores the configuration file that the package would have installed.
  case $made in *$postgres*) cp "/usr/share/postgresql-common/${postgres##*/}" "$postgres" 2>/dev/null || : ;; esac
}
trap clean EXIT
trap 'exit 1' HUP INT TERM

apt update
case " $* " in
*' postgresql '* | *' nats-server '* | *' nginx '* | *' caddy '* | *' prometheus '*)
  if [ ! -e $policy ]; then
    made="$made $policy"
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod 755 $policy
  fi
  if [ ! -e $postgres ]; then
    made="$made $postgres"
    mkdir -p "${postgres%/*}"
    echo 'create_main_cluster = false' >$postgres
  fi
  ;;
esac
apt install --no-install-recommends "$@"
for package in "$@"; do
  case $package in nats-server | nginx | caddy | prometheus) DPKG_MAINTSCRIPT_PACKAGE=$package deb-systemd-helper disable "$package.service" ;; esac
done

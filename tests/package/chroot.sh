#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# chroot.sh BASE CACHE SAMPLES SET...: installs each SET (a folder with .deb files) in a clean
# system, uses it, removes it. Root's, in a mount namespace of its own (unshare -m), so that
# no mount is left behind however it ends.
# BASE: tar of a minimal system; CACHE: folder for it unpacked; SAMPLES: try.sh's folder.
set -euo pipefail
base=$1 cache=$2 samples=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin

root=$(mktemp -d "$cache/chroot.XXXXXX")
log=$root.log

# a signal can come while stdout and stderr are the log's
exec 3>&1 4>&2
end() {
	local status=$?

	set +e
	exec 1>&3 2>&4
	if [ $status != 0 ] && [ -s "$log" ]; then
		cat "$log" >&2
	fi
	if mountpoint -q "$root/proc" && ! umount -R "$root/proc"; then
		echo "package: $root/proc stays mounted, and so $root" >&2
		return
	fi
	rm -rf --one-file-system "$root" "$log" "$root.before" "$root.after"
}
trap end EXIT
trap 'exit 129' HUP INT TERM

say() { echo "package: $*"; }
logged() { "$@" >"$log" 2>&1; : >"$log"; }
in_root() { chroot "$root" "$@"; }

# The archive as this machine reaches it: sources, keys, proxies, time checks.
apt_config() {
	local etc=$root/etc/apt f

	rm -rf "$etc/sources.list" "$etc/sources.list.d"
	for f in sources.list sources.list.d trusted.gpg trusted.gpg.d keyrings auth.conf \
		auth.conf.d; do
		[ ! -e "/etc/apt/$f" ] || cp -a "/etc/apt/$f" "$etc/"
	done
	cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
	apt-config dump | grep -E '^Acquire::(https?|Check-|Retries|ForceIPv)' |
		grep -v 'Proxy-Auto-Detect' >"$etc/apt.conf.d/99test" || true
	echo 'APT::Sandbox::User "root";' >>"$etc/apt.conf.d/99test"
	echo 'Acquire::Languages "none";' >>"$etc/apt.conf.d/99test"
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/test"
	cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
}

# All that is there but what apt, dpkg and the loader keep for themselves.
listing() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp \
		-o -path ./var/cache/apt -o -path ./var/lib/apt -o -path ./var/log \
		-o -path './var/lib/dpkg/*-old' -o -path ./var/cache/ldconfig/aux-cache \) -prune \
		-o -printf '%y %m %u:%g %p %l\n' | sort)
}

tar -x -I zstd -C "$root" -f "$base"
mount -t proc proc "$root/proc"
apt_config
# a source that cannot be reached from here may be one that is not needed
in_root apt-get update >"$log" 2>&1 || say "apt-get update: $(grep '^E:' "$log" | head -n 1)"
listing >"$root.before"

for set in "$@"; do
	mkdir "$root/tmp/set"
	cp -- "$set"/*.deb "$samples"/* "$here/try.sh" "$root/tmp/set/"
	rm -f "$root"/tmp/set/*-dbgsym_*
	chmod -R go=rX "$root/tmp/set"
	names=$(for f in "$root"/tmp/set/*.deb; do dpkg-deb -f "$f" Package; done)
	logged in_root sh -c 'cd /tmp/set && apt-get install -y ./*.deb'
	for f in bash-completion/completions/btflocs bash-completion/completions/pahole-locs \
		man/man1/btflocs.1.gz man/man1/pahole-locs.1.gz man/man3/libbtf_locs.3.gz \
		man/man5/btf-func-info.5.gz doc/btf-locs/copyright; do
		[ -s "$root/usr/share/$f" ] || { echo "package: no /usr/share/$f" >&2; exit 1; }
	done
	logged in_root /bin/bash /tmp/set/try.sh /tmp/set
	say "$set: installed, used"
	# with objcopy there, for a first .BTF
	if [ "$set" = "$1" ]; then
		logged in_root apt-get install -y --no-install-recommends binutils
		logged in_root /bin/bash /tmp/set/try.sh /tmp/set
		logged in_root apt-get purge -y binutils
	fi
	# shellcheck disable=SC2086
	logged in_root apt-get purge -y $names
	# what it brought along, also what another package of that suggests
	logged in_root apt-get autoremove -y --purge -o APT::AutoRemove::SuggestsImportant=0 \
		-o APT::AutoRemove::RecommendsImportant=0
	rm -rf "$root/tmp/set"
	# shellcheck disable=SC2016
	if in_root dpkg-query -W -f '${Package} ${db:Status-Status}\n' '*btf-locs*' 2>/dev/null |
		grep .; then
		echo "package: $set: dpkg still knows it" >&2
		exit 1
	fi
	listing >"$root.after"
	diff "$root.before" "$root.after" >&2 ||
		{ echo "package: $set: purging it did not leave what was (above)" >&2; exit 1; }
	say "$set: purged, nothing left"
done

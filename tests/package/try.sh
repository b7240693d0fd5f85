#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# try.sh FOLDER: as a user of a system where the package has just been installed, from PATH.
# FOLDER: sample (with DWARF and .BTF), sample.nobtf (DWARF alone), f.range
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -- "$1"/sample* "$1/f.range" "$work/"
cd "$work"
# not what stands in the build: what the package brought
[ "$(command -v btflocs) $(command -v pahole-locs)" = "/usr/bin/btflocs /usr/bin/pahole-locs" ]

fail() {
	echo "try.sh: $*" >&2
	exit 1
}

# says REGEX: stdin has a line like that
says() {
	local text

	text=$(cat)
	grep -q -- "$1" <<<"$text" || fail "not '$1', but: $text"
}

# sites FILE: the two calls in f, worked out by hand from the calling convention: n is in di,
# 100 a constant, *p memory at si. f.range: f's first byte and the one behind it, by nm.
sites() {
	local first end address rest

	read -r first end <f.range
	while read -r address rest; do
		if [ $((address)) -lt $((0x$first)) ] || [ $((address)) -ge $((0x$end)) ]; then
			continue
		fi
		btflocs find "$1" "$address" >records
		grep -qxF "$address $rest" records || fail "$1: find does not know $address"
		echo "$rest"
	done < <(btflocs list clamp_to "$1") | sort >found
	printf '%s\n' 'inline clamp_to(int v=%di, int hi=100)' \
		'inline clamp_to(int v=*(%si), int hi=%di)' | sort | diff - found ||
		fail "$1: other calls in f"
}

btflocs --version | says '^btflocs [0-9.]*$'

# encode, check, list: into a file of its own and into the object
cp sample a
btflocs encode -o a.func_info a
btflocs check a.func_info | says '^a.func_info: sound, '
sites a.func_info
btflocs encode a
btflocs check a | says '^a: sound, '
sites a

# pahole-locs: in place upon a .BTF that is there, and detached, need no objcopy
cp sample b
pahole-locs -J -j1 --btf_features=encode_force,inline_locs b
btflocs check b | says '^b: sound, '
sites b
pahole-locs -J --btf_features=encode_force,inline_locs --btf_encode_detached=c.btf sample.nobtf
btflocs check c.btf.func_info | says '^c.btf.func_info: sound, '
pahole-locs --version >version
pahole --version | cmp - version

# a first .BTF does
cp sample.nobtf d
if command -v objcopy >/dev/null; then
	LLVM_OBJCOPY=objcopy pahole-locs -J --btf_features=encode_force,inline_locs d
	btflocs check d | says '^d: sound, '
	sites d
fi

# a kernel's packager
/usr/share/btf-locs/install-func-info --gz a 6.1.0-test "$PWD/dest"
[ "$(stat -c %a dest/usr/lib/modules/6.1.0-test/btf/vmlinux.func_info.gz)" = 644 ]
mkdir dest/boot
cp a dest/boot/vmlinux-6.1.0-test
btflocs check -k 6.1.0-test --root dest | says ': sound, '

# completion as bash loads it: by the command's name
(
	# shellcheck source=/dev/null
	. /usr/share/bash-completion/completions/btflocs
	COMP_WORDS=(btflocs che) COMP_CWORD=1
	_btflocs
	[ "${COMPREPLY[*]}" = check ]
) || fail "completion of btflocs"
(
	# shellcheck source=/dev/null
	. /usr/share/bash-completion/completions/pahole-locs
	COMP_WORDS=(pahole-locs --btf_features '=' inl) COMP_CWORD=3
	_pahole_locs
	[ "${COMPREPLY[*]}" = inline_locs ]
) || fail "completion of pahole-locs"

# the loader finds the library
ldconfig -p | says '^.libbtf_locs\.so\.0 '
echo "try.sh: done"

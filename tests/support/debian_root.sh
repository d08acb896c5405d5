#!/usr/bin/env bash
# debian_root.sh <checkout> <release> <folder>: builds the checkout and runs the quick tests on a release of Debian, such as
# trixie, in a root of it that is made in the folder and stays there for the next time. Needs root's rights, debootstrap and an
# archive of Debian among the sources of this machine's apt. Where no such root can be made: status 77, and one sentence.
set -euo pipefail

checkout="$1" release="$2" folder="$3"
say() { printf 'numavp: %s\n' "$*" >&2; }
skip() {
    say "Debian's $release is not tried: $*"
    exit 77
}

((EUID == 0)) || skip "a root of it is made with root's rights alone"
command -v debootstrap >/dev/null || skip "debootstrap makes a root of it, and is not here"
# $(...) is for apt.
# shellcheck disable=SC2016
archive="$(apt-get indextargets --format '$(ORIGIN)|$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^Debian|Debian //p' | head -n 1)" || true
[[ -n "$archive" ]] || skip "no source of this machine's apt is an archive of Debian"

if [[ ! -f "$folder/.numavp-made" ]]; then
    say "making a root of Debian's $release in $folder"
    rm -rf "$folder"
    mkdir -p "$folder"
    log="$(mktemp)"
    trap 'rm -f "$log"' EXIT
    if ! nice -n 10 debootstrap --variant=minbase "$release" "$folder" "$archive" </dev/null >"$log" 2>&1; then
        rm -rf "$folder"
        skip "debootstrap made no root of it ($(tail -n 1 "$log"))"
    fi
    touch "$folder/.numavp-made"
fi

# The sources with what is not committed, as old as they are here; the build folder in the root stays.
place="$folder/numavp"
mkdir -p "$place/build"
find "$place" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
git -C "$checkout" ls-files -co --exclude-standard -z | (cd "$checkout" && tar -c --null --ignore-failed-read -T - 2>/dev/null) |
    tar -x -C "$place"
rm -rf "$place/build/web"
if [[ -d "$checkout/build/web" ]]; then cp -r "$checkout/build/web" "$place/build/web"; fi
# What it takes from the network comes as it comes here.
cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
mkdir -p "$folder/etc/apt/apt.conf.d"
{ apt-config dump 2>/dev/null | grep -i '^Acquire::.*::Proxy' || true; } >"$folder/etc/apt/apt.conf.d/90numavp-proxy"

# Mounts of a name space of their own: they end with it, and removing the folder removes nothing else.
# shellcheck disable=SC2016 # for the inner shell
nice -n 10 unshare --mount --pid --fork --kill-child bash -c '
    set -e
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TERM=dumb \
        http_proxy="${http_proxy-}" https_proxy="${https_proxy-}" bash -c "
            set -e
            command -v git >/dev/null || { apt-get -q update && apt-get -q install -y --no-install-recommends git; } >/dev/null 2>&1
            cd /numavp
            git -c init.defaultBranch=main init -q && git add -A
            exec ./numavp test --quick"' - "$folder"

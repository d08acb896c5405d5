#!/usr/bin/env bash
# installed_files.sh <prefix> <C compiler> <library folder> <documents>: pkg-config leads a C program to the library, shells
# find completions, and no document links to one that is not installed.
set -euo pipefail
prefix="$1" compiler="$2" libraries="$3" documents="$4"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

cat >"$place/main.c" <<'END'
#include <numavp/c.h>
#include <stdio.h>
int main(void) {
    if (numavp_create("numa-aware-2", "compute", "workload.scale=0.01") != NUMAVP_OK) return puts(numavp_last_error()), 1;
    return puts(numavp_version()) < 0;
}
END
flags="$(PKG_CONFIG_PATH="$libraries/pkgconfig" pkg-config --cflags --libs numavp)"
# shellcheck disable=SC2086 # flags are words
"$compiler" "$place/main.c" -o "$place/main" $flags -Wl,-rpath,"$libraries"
version="$(PKG_CONFIG_PATH="$libraries/pkgconfig" pkg-config --modversion numavp)"
[[ "$("$place/main")" == "$version" ]] || fail "the C program did not say $version"

bash -n "$prefix/share/bash-completion/completions/numavp" || fail "the completion is no script of bash"
completed="$(bash -c 'source "$1/share/bash-completion/completions/numavp"
    COMP_WORDS=("$1/bin/numavp" comp) COMP_CWORD=1
    _numavp
    echo "${COMPREPLY[*]}"' bash "$prefix")"
[[ "$completed" == *compare* && "$completed" == *completion* ]] || fail "completion of 'comp' is '$completed'"
grep -q '^#compdef numavp' "$prefix/share/zsh/site-functions/_numavp" || fail "there is no completion for zsh"

[[ -f "$documents/examples/rtl-memory/my_memory.sv" && -f "$documents/LICENSE" ]] || fail "examples or licence are missing"
while IFS=: read -r file link; do
    [[ -e "$(dirname "$file")/$link" ]] || fail "$file links to $link, which is not installed"
done < <(cd / && grep -roE '\]\([A-Za-z0-9_./-]+\.md' "$documents" --include='*.md' | sed 's/:\](/:/')

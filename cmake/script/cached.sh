#!/bin/sh
# usage: cached.sh CHECKOUT CCACHE COMPILER ARGUMENT...
# Runs a compiler behind the compiler cache; cmake/Defaults.cmake says what the cache's key has. An older precompiled header
# goes first: g++ would read it when it builds the new one, whose content would differ from that of a fresh build.
export LC_ALL=C.UTF-8 CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,locale
shift
before=
for argument; do
    case "$before $argument" in
    "-o "*.gch) rm -f -- "$argument" ;;
    esac
    before=$argument
done
exec "$@"

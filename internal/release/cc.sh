#!/bin/sh
# A C compiler for the old glibc that wheels name: CC="cc.sh TARGET", with TARGET such as x86_64-linux-gnu.2.17, and
# AWHOST_ZIG a Python that has ziglang.
#
# NVML's functions are resolved when they are called, if the machine has a driver. Zig's compiler does not pass such
# options to its linker, so that a link with them is done in two steps: the compiler prints the command, and the linker
# runs with the two options added.
set -eu
target=$1
shift
lazy=
for argument; do
  shift
  case $argument in
    -Wl,--unresolved-symbols=ignore-in-object-files) lazy=yes ;;
    *) set -- "$@" "$argument" ;;
  esac
done
if [ -z "$lazy" ]; then
  exec "$AWHOST_ZIG" -m ziglang cc -target "$target" "$@"
fi
said=$("$AWHOST_ZIG" -m ziglang cc -target "$target" -v "$@" 2>&1) || true
link=$(printf '%s\n' "$said" | sed -n 's/^ld\.lld //p')
if [ -z "$link" ]; then
  printf '%s\n' "$said" >&2
  exit 1
fi
# shellcheck disable=SC2086 # the words of a command
exec "$AWHOST_ZIG" -m ziglang ld.lld $link -s -z lazy --unresolved-symbols=ignore-in-object-files

#!/bin/sh
# Installs the program awhost with the completions of shells, after it has checked the archive's SHA-256:
#
#   curl -fsSL https://github.com/awhost/awhost/releases/latest/download/install.sh | sh
#
# PREFIX is the directory for bin and share; the default is ~/.local. AWHOST_RELEASE is where the archives are, if they
# are not on GitHub.
set -eu
version=0.0.0
release=${AWHOST_RELEASE:-https://github.com/awhost/awhost/releases/download/v$version}
prefix=${PREFIX:-${HOME:?set PREFIX, because there is no HOME}/.local}

fail() {
  printf 'install awhost: %s\n' "$*" >&2
  exit 1
}

fetch() { # URL FILE
  if command -v curl >/dev/null; then
    curl -fsSL --retry 2 -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is on the PATH"
  fi || fail "cannot download $1"
}

sha256() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1"
  elif command -v shasum >/dev/null; then
    shasum -a 256 "$1"
  else
    fail "neither sha256sum nor shasum is on the PATH"
  fi
}

# The functions are read before anything happens: half a download does nothing.
main() {
  machine="$(uname -s) $(uname -m)"
  case $machine in
    "Linux x86_64") platform=linux_amd64 ;;
    "Linux aarch64" | "Linux arm64") platform=linux_arm64 ;;
    "Darwin arm64") platform=darwin_arm64 ;;
    *) fail "the release has no program for $machine: build it with \`go install github.com/awhost/awhost/cmd/awhost@v$version\`" ;;
  esac
  name=awhost_${version}_$platform
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  fetch "$release/$name.tar.gz" "$work/$name.tar.gz"
  fetch "$release/SHA256SUMS" "$work/SHA256SUMS"
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "$release/SHA256SUMS does not list $name.tar.gz"
  found=$(sha256 "$work/$name.tar.gz") || exit 1
  found=${found%% *}
  [ "$found" = "$wanted" ] || fail "$name.tar.gz has the SHA-256 $found instead of $wanted: nothing was installed"
  tar -xzf "$work/$name.tar.gz" -C "$work"
  "$work/$name/awhost" version >/dev/null || fail "the program does not run here: on Linux it needs glibc 2.17 or newer"

  put() { # SOURCE TARGET: replaces even a program that runs
    mkdir -p "$(dirname "$prefix/$2")"
    cp "$work/$name/$1" "$prefix/$2.new"
    mv -f "$prefix/$2.new" "$prefix/$2"
  }
  put awhost bin/awhost
  put completions/awhost.bash share/bash-completion/completions/awhost
  put completions/_awhost share/zsh/site-functions/_awhost
  put completions/awhost.fish share/fish/vendor_completions.d/awhost.fish
  echo "installed $prefix/bin/awhost $version"
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "add it to the PATH: export PATH=\"\$PATH:$prefix/bin\"" ;;
  esac
}
main

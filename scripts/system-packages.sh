#!/usr/bin/env bash
# Installs what the tests need from Debian's packages, where that is possible; says what is missing where it is not.
set -euo pipefail

wanted=()
command -v chromium >/dev/null || command -v google-chrome >/dev/null || wanted+=(chromium)
command -v redis-server >/dev/null || wanted+=(redis-server)
command -v setpriv >/dev/null || wanted+=(util-linux)
command -v taskset >/dev/null || wanted+=(util-linux)
[ ${#wanted[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Please install: ${wanted[*]}" >&2
  exit 0
fi
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Please install: ${wanted[*]}" >&2; exit 0; }
  sudo=(sudo -n)
fi
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null

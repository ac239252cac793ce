#!/usr/bin/env bash
# Installs what the tests need from Debian's packages, where that is possible; says what is missing where it is not.
set -euo pipefail

wanted=()
optional=()
command -v chromium >/dev/null || command -v google-chrome >/dev/null || wanted+=(chromium)
# Journeys run in it where there is one: it takes less of the processor.
command -v chromium-headless-shell >/dev/null || optional+=(chromium-headless-shell)
command -v redis-server >/dev/null || wanted+=(redis-server)
[ -x /usr/sbin/slapd ] || wanted+=(slapd)
[ -x /usr/sbin/mariadbd ] || wanted+=(mariadb-server)
command -v ffmpeg >/dev/null || wanted+=(ffmpeg)
command -v soffice >/dev/null || wanted+=(libreoffice-{writer,calc,impress}-nogui)
command -v setpriv >/dev/null || wanted+=(util-linux)
command -v taskset >/dev/null || wanted+=(util-linux)
if [ "$(uname)" = Linux ]; then
  command -v bwrap >/dev/null || wanted+=(bubblewrap)
  [ -x /usr/bin/python3 ] || wanted+=(python3)
  # What programs of the code interpreter import. Not every release has all of them.
  for pair in numpy:numpy pandas:pandas matplotlib:matplotlib openpyxl:openpyxl docx:docx pptx:pptx reportlab:reportlab PIL:pil; do
    name="python3-${pair#*:}"
    /usr/bin/python3 -I -c "import importlib.util as u; exit(not u.find_spec('${pair%:*}'))" 2>/dev/null || optional+=("$name")
  done
fi
[ ${#wanted[@]} -eq 0 ] && [ ${#optional[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "Please install: ${wanted[*]} ${optional[*]:-}" >&2
  exit 0
fi
sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "Please install: ${wanted[*]} ${optional[*]:-}" >&2; exit 0; }
  sudo=(sudo -n)
fi
export DEBIAN_FRONTEND=noninteractive
"${sudo[@]}" apt-get update -qq
for name in ${optional[@]+"${optional[@]}"}; do
  apt-cache show "$name" >/dev/null 2>&1 && wanted+=("$name")
done
[ ${#wanted[@]} -eq 0 ] && exit 0
# Without a configuration of its own no directory is started here; the tests bring theirs.
[[ " ${wanted[*]} " == *" slapd "* ]] && echo 'slapd slapd/no_configuration boolean true' | "${sudo[@]}" debconf-set-selections
"${sudo[@]}" apt-get install -y -qq --no-install-recommends "${wanted[@]}" >/dev/null

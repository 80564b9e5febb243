#!/bin/sh
# Upgrades the product under systemd, or goes back to an earlier release (docs/deploy.md). Run as root:
#   campus-upgrade <tag or commit of source/>
#   campus-upgrade current     restarts each process in turn, for new settings and files
set -eu
# The product's user must be able to read the files that root installs.
umask 022
cd "$(dirname "$(readlink -f "$0")")/../.."
etc=$(dirname "${STORE_SETTINGS-/etc/campus-enquiry/store.env}")
assets=${ASSETS_DIR-/var/lib/campus-enquiry-assets}

fail() {
  echo "$1" >&2
  exit 1
}

[ $# = 1 ] || fail 'Usage: campus-upgrade <tag, commit or "current">'
before=$(readlink current || true)
ref=$1
[ "$ref" != current ] || ref=${before##*[/-]}
ref=$(git -C source rev-parse --short=7 --verify "$ref^{commit}")
release=releases/$ref
units=$(systemctl list-units --plain --no-legend --state=active,activating,failed 'campus-enquiry@*' | awk '{ print $1 }')

if [ ! -e "$release" ]; then
  echo "Installing $release …"
  # The release's folder gets its final name when the build is complete.
  new=releases/.${release#*/}
  rm -rf "$new"
  mkdir -p "$new"
  git -C source archive "$ref" | tar -x -C "$new"
  # The build draws the images for sharing with the operator's texts.
  for part in content site-pictures; do
    [ ! -d "$etc/$part" ] || cp -r "$etc/$part/." "$new/$part"
  done
  (cd "$new" && npm run --silent build)
  mv "$new" "$release"
fi

# The release links to the operator's files, so that an edit needs only a reload. Without an operator's file, the release
# uses the shipped file.
rm -rf "$release/content"
git -C source archive "$ref" catalogue content | tar -x -C "$release"
[ ! -e "$etc/programs.csv" ] || ln -sf "$etc/programs.csv" "$release/catalogue/"
for file in "$etc"/content/*; do
  [ ! -e "$file" ] || ln -sf "$file" "$release/content/"
done

for unit in $units; do
  [ -z "${SKIP_CHECK-}" ] || break
  name=${unit#*@}
  UNIT=${name%.service} "$release/deploy/leads" check >&2 ||
    fail "$release cannot run with the settings of $unit. No process was restarted. To upgrade anyway, for example while the distributor is unreachable, set SKIP_CHECK=1."
done

for one in $before $release; do
  "$one/node_modules/.bin/node" "$one/deploy/publish-assets.mjs" "$assets"
done

make_current() {
  # A rename replaces the link `current` in one step.
  ln -sfn "$1" .current
  mv -T .current current
}

make_current "$release"
restarted=
for unit in $units; do
  restarted="$unit $restarted"
  # `systemctl restart` returns once the process serves (Type=notify).
  if systemctl restart "$unit"; then
    echo "$unit runs $release."
    continue
  fi
  why="$unit doesn't start with $release: journalctl -u $unit -n 50"
  [ -n "$before" ] && [ "$before" != "$release" ] || fail "$why. The remaining processes were not restarted."
  make_current "$before"
  for one in $restarted; do systemctl restart "$one" || true; done
  fail "$why. $before is current again."
done
[ -n "$units" ] || echo "$release is current. Nothing runs: systemctl enable --now campus-enquiry@all"
# The previous release is kept, so that an operator can go back.
[ "$before" = "$release" ] ||
  find releases -mindepth 1 -maxdepth 1 ! -path "$release" ! -path "${before:-.}" -exec rm -rf {} +

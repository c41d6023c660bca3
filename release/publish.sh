#!/usr/bin/env bash
# Publishes the files of `release/build.sh` that `release/check.sh` has tested. Without `--upload`, each command is a dry run.
#
#   release/publish.sh [--upload] DIST [PART…]
#
# Parts:
#   crates     the packages, on crates.io
#   wheels     the wheels and the sdist, on PyPI
#   npm        the npm package
#   binaries   a release on GitHub, with the changes of the version and all files of DIST
#   site       DIST/site: the book, and the explorer in its folder `explorer`. The host of the pages uploads it
# Without a part, the script publishes all of them.
#
# Registries know the workflow that calls the script, so there is no token to keep. uv comes from PyPI, in the version below.
set -euo pipefail
is_upload=
if [ "${1:-}" = --upload ]; then
    is_upload=1
    shift
fi
dist=$(realpath "${1:?expected a folder: release/publish.sh [--upload] DIST [PART…]}")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
target=${CARGO_TARGET_DIR:-$PWD/target}
uv=uv==0.13.9
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# Cargo packages the crates again, so they are compared with the tested files.
crates() {
    local name command=(cargo publish --locked --no-verify --workspace --exclude sgfstream-measure)
    "${command[@]}" --dry-run
    while read -r name; do
        cmp "$target/package/$name-$version.crate" "$dist/$name-$version.crate"
    done <"$dist/crates.txt"
    [ -z "$is_upload" ] || "${command[@]}"
}

wheels() {
    local command=(uv publish --trusted-publishing always)
    [ -n "$is_upload" ] || command=(uv publish --dry-run --trusted-publishing never --username __token__ --password none)
    python3 -m venv "$place/uv"
    "$place/uv/bin/pip" install --quiet "$uv"
    PATH=$place/uv/bin:$PATH "${command[@]}" "$dist"/sgfstream-"$version"-*.whl "$dist/sgfstream-$version.tar.gz"
}

npm() {
    local options=(--provenance)
    [ -n "$is_upload" ] || options=(--dry-run)
    command npm publish --access public "${options[@]}" "$dist/sgfstream-$version.tgz"
}

# The section of the version without its heading. In a dry run, the changes may have no version yet.
changes() {
    local heading="## [$version]"
    [ -n "$is_upload" ] || grep -qF "$heading" CHANGELOG.md || heading="## [Unreleased]"
    awk -v heading="$heading" 'index($0, heading) == 1 { is_in = 1; next } /^## / { is_in = 0 } is_in' CHANGELOG.md
}

binaries() {
    local files
    (cd "$dist" && sha256sum --quiet --check SHA256SUMS)
    changes >"$place/changes.md"
    grep -q '[^[:space:]]' "$place/changes.md" || { echo "CHANGELOG.md has no section [$version]" >&2; return 1; }
    mapfile -t files < <(find "$dist" -maxdepth 1 -type f | LC_ALL=C sort)
    local command=(gh release create "v$version" --verify-tag --title "$version" --notes-file "$place/changes.md" "${files[@]}")
    if [ -n "$is_upload" ]; then "${command[@]}"; else printf '%q ' "${command[@]}" && echo; fi
}

site() {
    local folder=$dist/site
    rm -rf "$folder"
    mdbook build docs --dest-dir "$folder"
    python3 -m zipfile -e "$dist/sgfstream-explorer-$version.zip" "$place/explorer"
    mv "$place"/explorer/* "$folder/explorer"
    ls "$folder"/index.html "$folder"/explorer/{index,privacy}.html >/dev/null
    grep -q "default-src 'none'" "$folder/explorer/index.html"
}

[ $# -gt 0 ] || set -- crates wheels npm binaries site
for part in "$@"; do
    case $part in
    crates | wheels | npm | binaries | site)
        echo "== $part"
        "$part"
        ;;
    *)
        echo "unknown part $part; the parts are crates, wheels, npm, binaries, site" >&2
        exit 2
        ;;
    esac
done

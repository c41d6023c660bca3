#!/usr/bin/env bash
# Copies the packages that the page uses from npm into this folder, at the versions that README.md lists. Run it after a
# change of a version here, then build and test. The page has no import map because its policy forbids scripts in the page, so
# the script replaces the names of packages in imports by paths.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

preact=11.2.0 htm=3.1.1 diff=9.0.0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$scratch" "preact@$preact" "htm@$htm" "diff@$diff"
modules=$scratch/node_modules

# copy NAME FILE PACKAGE: with a line that names the package and its license, without a check of types and a source map.
copy() {
    local name=$1 file=$2 package=$3
    {
        printf '// @ts-nocheck\n// %s, see README.md and LICENSE.%s\n' "$package ${!package}" "$package"
        sed -e '/^\/\/# sourceMappingURL=/d' -e 's/"preact"/".\/preact.js"/' -e "s/'\.\/base\.js'/'.\/diff_base.js'/" "$modules/$file"
    } >"$name"
}
copy preact.js preact/dist/preact.mjs preact
copy hooks.js preact/hooks/dist/hooks.mjs preact
copy htm.js htm/dist/htm.mjs htm
copy diff.js diff/libesm/diff/array.js diff
copy diff_base.js diff/libesm/diff/base.js diff
cp "$modules/preact/LICENSE" LICENSE.preact
cp "$modules/htm/LICENSE" LICENSE.htm
cp "$modules/diff/LICENSE" LICENSE.diff

#!/usr/bin/env bash
# Builds the explorer that needs no server: a folder, FOLDER or web/dist/explorer, which any host of static files can serve.
# Needs Rust with the target wasm32-unknown-unknown, and nothing else. It copies the scripts of the page of `sgfq explore`, and replaces
# `ask.js` by a module that sends requests to the worker.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

out=${1:-../dist/explorer}
assets=${ASSETS:-../../crates/sgfq/src/commands/explore/assets}
target=${CARGO_TARGET_DIR:-$PWD/../../target}
# All current browsers have these vectors. The module contains no paths of this machine and no function names.
flags="-Ctarget-feature=+simd128 -Clink-arg=--strip-all"
flags+=" --remap-path-prefix=$(cd ../.. && pwd)= --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}="
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags cargo build --locked --release --manifest-path wasm/Cargo.toml \
    --target wasm32-unknown-unknown --target-dir "$target"

rm -rf "$out"
mkdir -p "$out"
cp "$target/wasm32-unknown-unknown/release/sgfstream_explorer.wasm" "$out/explorer.wasm"
mkdir "$out/vendor"
cp "$assets"/*.js "$out"
cp "$assets"/vendor/*.js "$assets"/vendor/LICENSE.* "$out/vendor"
cp src/*.js src/picture.svg src/privacy.html "$out"
cp "$assets"/*.css src/open.css ../../crates/draw/src/board.css "$out"
(cd sample && tar -cf - ./*.sgf) >"$out/sample.tar"
# The module of charts and its style, as crates/explore puts them together.
stats=../../crates/explore/src/stats/page
{
    printf 'export default (page) => {\n'
    cat "$stats/charts.js" "$stats/stats.js"
    printf '};\n'
} >"$out/charts.js"
cp "$stats/page.css" "$out/stats.css"

# On a static host, the page declares its own policy and has the form for opening files.
policy="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
while IFS= read -r line; do
    case $line in
        *'<meta charset'*) printf '%s\n<meta http-equiv="Content-Security-Policy" content="%s">\n' "$line" "$policy" ;;
        *'href="./page.css"'*) printf '%s\n<link rel="stylesheet" href="./open.css">\n' "$line" ;;
        '</head>')
            # The browser requests all modules of the first view at once.
            for file in "$assets"/*.js src/{entries,kept,open}.js "$assets"/vendor/{hooks,htm,preact}.js; do
                path=${file#"$assets"/}
                printf '<link rel="modulepreload" href="./%s">\n' "${path#src/}"
            done
            printf '%s\n' "$line"
            ;;
        *'<div id="app"'*)
            cat src/open.html
            printf '%s\n' "$line"
            ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$assets/index.html" >"$out/index.html"

for part in 'id="open"' 'Content-Security-Policy' './open.css'; do
    grep -q -- "$part" "$out/index.html" || { echo "index.html lacks $part" >&2; exit 1; }
done
if grep -nE '(href|src)="/' "$out/index.html" || grep -nE '["`]/(api/|[a-z]+\.)' "$out"/*.js; then
    echo "the lines above have addresses from the root; make them relative" >&2
    exit 1
fi

# The files for offline use, and their version.
(
    cd "$out"
    version=sgfstream-explorer-$(cat -- *.* vendor/* | sha256sum | cut -c 1-16)
    printf 'const VERSION = "%s";\nconst FILES = ["./"' "$version"
    for file in *.* vendor/*.js; do
        [ "$file" = offline.js ] || printf ', "./%s"' "$file"
    done
    printf '];\n'
) >"$out.files.js"
mv "$out.files.js" "$out/files.js"
echo "$out: $(cat "$out"/*.* "$out"/vendor/* | wc -c) bytes, of which explorer.wasm is $(wc -c <"$out/explorer.wasm"), $(gzip -9c "$out/explorer.wasm" | wc -c) as gzip"

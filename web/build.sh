#!/usr/bin/env bash
# Builds the modules of the npm package, `dist/core.wasm` and `dist/full.wasm`, and copies the files that it shares with the command.
# Needs Rust with the target wasm32-unknown-unknown, and nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

target=${CARGO_TARGET_DIR:-$PWD/../target}
# All current browsers, Node and Deno have these vectors. The module contains no paths of this machine and no function names.
flags="-Ctarget-feature=+simd128 -Clink-arg=--strip-all"
flags+=" --remap-path-prefix=$(cd .. && pwd)= --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}="
# The explorer has a folder of its own there.
mkdir -p dist
rm -f dist/*.wasm dist/LICENSE-*
cp ../LICENSE-* dist
# The explorer draws with the same module and style.
cp ../crates/sgfq/src/commands/explore/assets/picture.js dist
cat ../crates/draw/src/board.css src/element.css >dist/board.css
# The tarball lacks the other pages, so the guide has their titles in place of links, and it has no folder `web`.
sed -E 's/\[([^]]*)\]\([a-z]+\.md[^)]*\)/\1/g; s/`web\/examples/`examples/g' ../docs/javascript.md >dist/guide.md
for module in core full; do
    features=()
    [ "$module" = full ] && features=(--features full)
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags cargo build --locked --release --no-default-features "${features[@]}" \
        --manifest-path wasm/Cargo.toml --target wasm32-unknown-unknown --target-dir "$target"
    cp "$target/wasm32-unknown-unknown/release/sgfstream_wasm.wasm" "dist/$module.wasm"
    # It makes the module file 5 % smaller, but not its compressed transfer.
    if command -v wasm-opt >/dev/null; then
        wasm-opt -Os --all-features "dist/$module.wasm" -o "dist/$module.wasm"
    fi
    echo "dist/$module.wasm: $(wc -c <"dist/$module.wasm") bytes, $(gzip -9c "dist/$module.wasm" | wc -c) as gzip"
done

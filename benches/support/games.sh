# The games that the scripts beside this folder measure with; they include it.
# With SGF_CORPUS they are those of its archives, else the generator's shape
# `real`, which has the mix of go-pro and go-server.

# Writes the games of archives to a file, as often as it takes to have so many bytes.
#   games_of SGFQ BYTES FILE ARCHIVE…
games_of() {
    local sgfq=$1 bytes=$2 file=$3
    shift 3
    # `cat` closes games that end within their file, which would go on in the next.
    for archive in "$@"; do
        "$sgfq" cat "$SGF_CORPUS/$archive.tar.zst" 2>/dev/null
    done >"$file.once"
    while [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -lt "$bytes" ]; do
        cat "$file.once" >>"$file"
    done
    rm "$file.once"
}

# Games with moves and little else, and how they are called.
#   games_with_moves SGFQ BYTES FILE
games_with_moves() {
    if [ -n "${SGF_CORPUS:-}" ]; then
        games_of "$1" "$2" "$3" go-pro go-server
        moves_name=go-pro+go-server
    else
        local target=${CARGO_TARGET_DIR:-target}
        cargo build --quiet --release --example generate
        "$target/release/examples/generate" --shape real --bytes "$2" >"$3" 2>/dev/null
        moves_name='generated, shape real'
    fi
}

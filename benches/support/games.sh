# Makes the games of the scripts in `benches`, which include this file. With
# SGF_CORPUS, the games come from its archives, and otherwise from the
# generator's shape `real`, which has the mix of go-pro and go-server.

# Writes the games of archives to a file, and repeats them until it has BYTES bytes.
#   games_of SGFQ BYTES FILE ARCHIVE…
games_of() {
    local sgfq=$1 bytes=$2 file=$3
    shift 3
    # `cat` closes games that their file leaves open. Otherwise they would continue in the next file.
    for archive in "$@"; do
        "$sgfq" cat "$SGF_CORPUS/$archive.tar.zst" 2>/dev/null
    done >"$file.once"
    while [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -lt "$bytes" ]; do
        cat "$file.once" >>"$file"
    done
    rm "$file.once"
}

# Writes games with moves and little else, and prints their name.
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

//! `head`, `tail`, `slice`, `sample`, `cat`.

use super::{Place, games, run, sgfq};

fn players(out: &str) -> Vec<&str> {
    out.split("PB[").skip(1).filter_map(|rest| rest.split(']').next()).collect()
}

#[test]
fn games_by_place() {
    assert_eq!(players(&sgfq(&["head", "-n", "2"]).done()), ["Ada", "Ben"]);
    assert_eq!(players(&sgfq(&["tail", "-n", "3"]).done()), ["Ben", "Cyd", "Dan"]);
    assert_eq!(players(&sgfq(&["slice", "2..3"]).done()), ["Ben", "Cyd"]);
    assert_eq!(players(&sgfq(&["slice", "4"]).done()), ["Dan"]);
    assert_eq!(players(&sgfq(&["head", "-n", "1", "--where", "gm = 11"]).done()), ["Cyd"]);
    assert_eq!(sgfq(&["slice", "5.."]).nothing(), "");
    assert_eq!(sgfq(&["head", "-n", "0"]).nothing(), "");
    assert_eq!(sgfq(&["tail", "-n", "0"]).nothing(), "");
    assert!(sgfq(&["slice", "x"]).refused().contains("expected a range"));
}

#[test]
fn head_and_tail_are_all() {
    for number in 0..=5u64 {
        let head = run(&["head", "-n", &number.to_string()], super::GAMES.as_bytes()).out;
        let tail = run(&["tail", "-n", &(4u64.saturating_sub(number)).to_string()], super::GAMES.as_bytes()).out;
        let cat = sgfq(&["cat"]).done();
        assert_eq!([head, tail].concat(), cat.as_bytes(), "{number}");
    }
}

#[test]
fn a_sample_is_the_same_for_its_seed() {
    let many: String = (0..500).map(|number| format!("(;PB[{number}];B[aa])")).collect();
    let sample = |seed: &str| run(&["sample", "-n", "20", "--seed", seed], many.as_bytes()).done();
    let one = sample("1");
    assert_eq!(one, sample("1"));
    assert_ne!(one, sample("2"));
    let names: Vec<u32> = players(&one).iter().map(|name| name.parse().expect("a number")).collect();
    assert_eq!(names.len(), 20);
    assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "in the order of the input, each once: {names:?}");
    assert_eq!(players(&run(&["sample", "-n", "900"], many.as_bytes()).done()).len(), 500);
}

#[test]
fn games_joined() {
    let place = Place::new();
    let (one, other) = (place.put("1.sgf", "junk (;B[aa]\n;W[bb]) junk"), place.put("2.sgf", "(;C[a\r\nb\\\nc])"));
    assert_eq!(run(&["cat", &one, &other], b"").done(), "(;B[aa]\n;W[bb])\n(;C[a\r\nb\\\nc])\n");
    assert_eq!(run(&["cat", "--sgfs", &one, &other], b"").done(), "(;B[aa];W[bb])\n(;C[a\rb\\\rc])\n");
    let out = place.text("all.sgf");
    run(&["cat", "-o", &out, &one, &other, &one], b"").done();
    assert_eq!(games(&place.path("all.sgf")), 3);
    assert_eq!(place.names(), ["1.sgf", "2.sgf", "all.sgf"]);
    // An output that is an input is refused, as cat and cp do.
    let refused = run(&["cat", "-o", &one, &one, &other], b"").refused();
    assert!(refused.contains("expected an output that is not an input"), "{refused}");
    assert_eq!(games(&place.path("1.sgf")), 1);
}

#[test]
fn a_pipe_that_closes_is_a_polite_goodbye() {
    let place = Place::new();
    let file = place.put("many.sgf", "(;C[some text to fill a pipe])\n".repeat(50_000));
    let script = format!("{} cat {file} | head -n 1", env!("CARGO_BIN_EXE_sgfq"));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

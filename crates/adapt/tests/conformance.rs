//! The cases of `corpus/conformance` through the library: tree, problems, charsets, findings and
//! typed values.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sgfstream::{Event, EventReader, Property, RawValue, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker};
use sgfstream_adapt::{Count, GameTree, NodeId};
use sgfstream_game::value::ListKind;
use sgfstream_game::{
    Dialect, Facts,
    board::Fault,
    dialect::Version,
    facts::Info,
    property::{Definition, ParsedValue, TypedValue, ValueType},
};

use crate::common::conformance::{GROUPS, from_base64};

/// Cases that the library fails, with the reason. A test fails if one of them passes, so that it is
/// removed here.
const KNOWN_FAILURES: &[(&str, &str)] = &[];

#[test]
fn every_case_reads_as_expected() {
    let known: Vec<&str> = KNOWN_FAILURES.iter().map(|(id, _)| *id).collect();
    let (mut ids, mut faults) = (BTreeSet::new(), Vec::new());
    for (group, case) in GROUPS
        .iter()
        .flat_map(|(group, lines)| lines.lines().map(move |line| (*group, line)))
    {
        let case: Value = serde_json::from_str(case).expect("JSON");
        let id = case["id"].as_str().expect("an id").to_owned();
        let found = differences(&case);
        match (found.is_empty(), known.contains(&&*id)) {
            (false, false) => faults.push(format!("{group} {id}: {}", found.join("\n    "))),
            (true, true) => faults.push(format!(
                "{group} {id} passes: remove it from KNOWN_FAILURES"
            )),
            _ => {}
        }
        let reports = !case["problems"].as_array().expect("a list").is_empty()
            || case["findings"]
                .as_array()
                .is_some_and(|findings| !findings.is_empty());
        let is_placed = match group {
            "must-accept" => !reports,
            "must-report" => reports,
            _ => true,
        };
        assert!(is_placed, "{id} is in the wrong group");
        assert!(ids.insert(id.clone()), "two cases have the id {id}");
    }
    assert!(
        known.iter().all(|id| ids.contains(*id)),
        "KNOWN_FAILURES names a case that does not exist"
    );
    assert!(
        faults.is_empty(),
        "{} of {} cases\n{}",
        faults.len(),
        ids.len(),
        faults.join("\n")
    );
    assert!(ids.len() >= 800, "{} cases", ids.len());
}

/// Every numbered line of the dialects has cases, and the table in the docs lists them all.
#[test]
fn each_rule_of_the_dialects_has_its_row() {
    let rules = include_str!("../../../docs/spec/dialects.md").lines();
    let mut rows = String::new();
    for rule in rules.filter_map(|line| line.strip_prefix("- **")?.split("**").next()) {
        let prefix = format!("{}-", rule.to_lowercase());
        let cells = GROUPS.map(|(_, lines)| {
            let ids = lines
                .lines()
                .filter_map(|line| line.strip_prefix("{\"id\":\"")?.split('"').next());
            ids.filter(|id| id.starts_with(&prefix))
                .map(|id| format!("`{id}`"))
                .collect::<Vec<_>>()
                .join(", ")
        });
        assert!(
            cells.iter().any(|cell| !cell.is_empty()),
            "{rule} has no case"
        );
        rows += &format!("| `{rule}` | {} |\n", cells.join(" | "));
    }
    let page = include_str!("../../../docs/spec/dialect-cases.md");
    let table = page.split_once("|---|---|---|---|\n").expect("a table").1;
    assert!(
        table == rows,
        "docs/spec/dialect-cases.md: expected the rows\n{rows}"
    );
}

/// Returns the fields of `case` that the library reads differently.
fn differences(case: &Value) -> Vec<String> {
    let input = from_base64(case["input"].as_str().expect("an input"));
    let games = GameTree::parse_all(&input).expect("less memory than the limit");
    let mut problems = Vec::new();
    for event in SliceReader::new(&input).events().flatten() {
        if let Event::Problem(problem) = event {
            let span = problem.span;
            problems
                .push(json!({"code": problem.code.as_str(), "start": span.start, "end": span.end}));
        }
    }
    let mut number = 0;
    let mut found = vec![
        (
            "tree",
            games
                .iter()
                .map(|game| variation(game, game.root()))
                .collect::<Value>(),
        ),
        ("problems", problems.into()),
        (
            "charset",
            games
                .iter()
                .map(|game| json!(game.charset().name()))
                .collect(),
        ),
        (
            "values",
            games
                .iter()
                .flat_map(|game| values(game, &mut number))
                .collect(),
        ),
        ("moves", json!(moves(&input))),
    ];
    if case.get("findings").is_some() {
        found.push(("findings", findings(&input)));
    }
    let differs = |(field, found): (&str, Value)| {
        let expected = case.get(field)?;
        let holds = match (field, expected) {
            // A case lists only the values that it tests.
            ("values", Value::Array(expected)) => expected
                .iter()
                .all(|value| found.as_array().is_some_and(|found| found.contains(value))),
            // A finding may list words that its message must contain.
            ("findings", Value::Array(expected)) => {
                let found = found.as_array().expect("a list");
                expected.len() == found.len()
                    && expected.iter().zip(found).all(|(expected, found)| {
                        let says = |found: &Value, words: &str| {
                            found.as_str().is_some_and(|text| text.contains(words))
                        };
                        let has_words = expected["message"]
                            .as_str()
                            .is_none_or(|words| says(&found["message"], words));
                        has_words
                            && ["code", "start", "end"]
                                .iter()
                                .all(|field| expected[field] == found[field])
                    })
            }
            _ => *expected == found,
        };
        (!holds).then(|| {
            format!(
                "{field} of {}\n      expected {expected}\n      found    {found}",
                input.escape_ascii()
            )
        })
    };
    found.into_iter().filter_map(differs).collect()
}

fn moves(input: &[u8]) -> u64 {
    let mut count = Count::default();
    SliceReader::new(input)
        .drive(&mut count)
        .expect("no limit is set");
    count.moves()
}

/// Returns a variation in the form of `sgfq tree -f jsonl`: nodes up to the first branch, then the
/// variations.
fn variation(game: &GameTree, first: NodeId) -> Value {
    let (mut nodes, mut at) = (Vec::new(), first);
    let children: Vec<NodeId> = loop {
        let text = |value: RawValue<'_>| value.text().into_owned();
        let property = |property: Property<'_>| {
            json!([
                String::from_utf8_lossy(&property.ident().canonical()),
                property.values().map(text).collect::<Vec<_>>()
            ])
        };
        nodes.push(game.properties(at).map(property).collect::<Value>());
        match &game.children(at).collect::<Vec<_>>()[..] {
            &[next] if !game.starts_variation(next) => at = next,
            children => break children.to_vec(),
        }
    };
    json!({"nodes": nodes, "children": children.iter().map(|&child| variation(game, child)).collect::<Vec<_>>()})
}

/// Returns the errors and warnings about the meaning. The problems of the reader are in `problems`.
fn findings(input: &[u8]) -> Value {
    let reader: BTreeSet<&str> = SliceReader::new(input)
        .events()
        .flatten()
        .filter_map(|event| {
            if let Event::Problem(problem) = event {
                Some(problem.code.as_str())
            } else {
                None
            }
        })
        .collect();
    let mut found = Vec::new();
    let checker = InputChecker::new(CheckOptions::default().with_legality(true));
    let mut add = |finding: Finding| {
        if finding.severity > Severity::Note && !reader.contains(finding.code.as_str()) {
            found.push(json!({"code": finding.code.as_str(), "start": finding.span.start, "end": finding.span.end,
                "message": finding.message}));
        }
    };
    checker
        .check_all(SliceReader::new(input), &mut add)
        .expect("no limit is set");
    Value::Array(found)
}

/// Returns each value that has a meaning, with its node in input order, identifier and type.
fn values(game: &GameTree, number: &mut u64) -> Vec<Value> {
    let start = game.to_game(GameTree::FACT_NODES);
    let facts = Facts::of(start.record(), 0);
    let dialect = facts.dialect();
    let version = Version::of_record(facts.value(Info::FF).map(RawValue::as_bytes));
    let mut values = Vec::new();
    for node in game.preorder() {
        for property in game.properties(node) {
            let ident = property.ident().canonical();
            let first = property.first();
            let Some(found) =
                Definition::find_with_value(facts.game, version.number(), &ident, first.as_bytes())
            else {
                continue;
            };
            let definition = found.definition;
            let read =
                |value: RawValue<'_>| typed(&dialect, definition, definition.value_type, value);
            let value = match definition.list_kind {
                ListKind::Single => read(first),
                _ => property.values().map(read).collect(),
            };
            values.push(json!({"node": *number, "id": String::from_utf8_lossy(&ident), "type": type_name(definition), "value": value}));
        }
        *number += 1;
    }
    values
}

/// Returns the specification's name of the type, or the format of values that have one of their
/// own.
fn type_name(definition: &Definition) -> String {
    match definition.id {
        "SZ" => "size".to_owned(),
        "DT" => "dates".to_owned(),
        "RE" => "result".to_owned(),
        _ => definition.value_type.to_string(),
    }
}

/// Returns a value as JSON, or null if it has no sure meaning.
fn typed(
    dialect: &Dialect,
    definition: &Definition,
    value_type: ValueType,
    raw: RawValue<'_>,
) -> Value {
    let bytes = raw.as_bytes();
    // DT and RE are texts with formats of their own.
    let own = if definition.value_type == value_type {
        definition.read(dialect.game(), bytes)
    } else {
        None
    };
    if let Some(read) = own.or_else(|| value_type.read(bytes)) {
        return read
            .sure()
            .map_or(Value::Null, |read| number_or_text(&read.value));
    }
    let is_compressible = definition.is_compressible(dialect.game());
    match value_type {
        ValueType::SimpleText => json!(raw.simple_text()),
        ValueType::Point | ValueType::Stone if is_compressible && bytes.contains(&b':') => {
            let Ok(entry) = dialect.read_entry(bytes) else {
                return Value::Null;
            };
            entry
                .value
                .points()
                .map(|point| dialect.show_point(point.into()).to_string())
                .collect()
        }
        ValueType::Point => shown(dialect.read_point(bytes), |field| {
            dialect.show_point(*field).to_string()
        }),
        ValueType::Move | ValueType::Piece => shown(dialect.read_move(bytes), |mv| {
            dialect.show_move(mv).to_string()
        }),
        ValueType::Stone => shown(dialect.read_stone(bytes), |stone| {
            dialect.show_stone(stone).to_string()
        }),
        ValueType::TERRITORY => shown(dialect.read_territory(bytes), ToString::to_string),
        ValueType::Compose(first, second) => match raw.compose() {
            Some((before, after)) => {
                json!([
                    typed(dialect, definition, *first, before),
                    typed(dialect, definition, *second, after)
                ])
            }
            None => Value::Null,
        },
        ValueType::Either(one, other) => match typed(dialect, definition, *one, raw) {
            Value::Null if !raw.is_empty() => typed(dialect, definition, *other, raw),
            value => value,
        },
        _ => json!(raw.text()),
    }
}

fn number_or_text(value: &TypedValue) -> Value {
    match value {
        TypedValue::None(_) => Value::Null,
        TypedValue::Size(size) => json!([size.columns(), size.rows()]),
        TypedValue::Dates(dates) => dates.as_slice().iter().map(ToString::to_string).collect(),
        value => match (value.whole(), value.real()) {
            (Some(whole), _) => json!(whole),
            (_, Some(real)) => json!(real),
            _ => json!(value.to_string()),
        },
    }
}

fn shown<T>(read: Result<ParsedValue<T>, Fault>, show: impl FnOnce(&T) -> String) -> Value {
    read.map_or(Value::Null, |read| json!(show(&read.value)))
}

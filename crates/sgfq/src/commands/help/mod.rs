//! `sgfq help`: the commands grouped by job, and topics that concern several commands. Topics
//! describe the options that most commands share. These options are hidden in the help of a
//! command, and their heading is the name of the topic.

use std::io::Write;

use clap::{Arg, ArgAction, Args, CommandFactory};

use crate::io::output::Output;
use crate::report::did_you_mean;
use crate::report::exit::Exit;

/// A help page that belongs to no command. It ends with the options whose heading is its name.
struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
    /// Text after the options.
    notes: &'static str,
}

impl Topic {
    const fn new(name: &'static str, about: &'static str, text: &'static str) -> Self {
        Self {
            name,
            about,
            text,
            notes: "",
        }
    }
}

const TOPICS: [Topic; 9] = [
    Topic::new(
        "inputs",
        "Files, archives and patterns as INPUT",
        include_str!("inputs.txt"),
    ),
    Topic::new(
        "charsets",
        "Charsets and --framing",
        include_str!("charsets.txt"),
    ),
    Topic::new(
        "expressions",
        "SQL conditions as EXPR",
        include_str!("expressions.txt"),
    ),
    Topic::new(
        "patterns",
        "Patterns, positions and columns of `sgfq find`",
        include_str!("patterns.txt"),
    ),
    Topic::new(
        "edits",
        "Edits of `sgfq rewrite`",
        include_str!("edits.txt"),
    ),
    Topic::new("formats", "Output formats", include_str!("formats.txt")),
    Topic::new(
        "threads",
        "Threads, output order, progress",
        include_str!("threads.txt"),
    ),
    Topic::new("exit", "Exit status", include_str!("exit.txt")),
    Topic {
        name: "caps",
        about: "Limits on archives and on long texts",
        text: include_str!("caps.txt"),
        notes: include_str!("texts.txt"),
    },
];

/// Commands grouped by job. A test checks that each command is in exactly one group.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Look",
        &[
            "count", "stats", "get", "freq", "players", "grep", "find", "openings", "tree",
            "moves", "board", "explore",
        ],
    ),
    ("Select", &["filter", "cat", "head", "sample", "dedup"]),
    ("Check and repair", &["check", "explain", "fix", "charset"]),
    (
        "Edit and arrange",
        &["rewrite", "split", "sort", "merge", "variations"],
    ),
    ("Export", &["index", "events"]),
    ("Set up", &["completions", "man"]),
];

/// Maximum width of help lines.
const WIDEST: usize = 100;

/// Print help for a command or a topic.
#[derive(Debug, Args)]
pub(crate) struct Help {
    /// A command or a topic.
    #[arg(value_name = "COMMAND|TOPIC")]
    name: Option<String>,
}

/// Returns the command line with help in reading order: purpose, examples, options, details.
pub(crate) fn command_line<C: CommandFactory>() -> clap::Command {
    let command = C::command();
    let names: Vec<String> = command
        .get_subcommands()
        .map(|each| each.get_name().to_owned())
        .collect();
    let overview = overview(&command);
    let command = names.iter().fold(command, |all, name| {
        all.mut_subcommand(name, with_short_help)
    });
    command.override_help(overview)
}

/// Makes `-h` and `--help` print the same help.
fn with_short_help(command: clap::Command) -> clap::Command {
    const TEMPLATE: &str =
        "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";
    let after = [details(&command), more_options(&command)]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .help("Print help")
        .action(ArgAction::HelpShort);
    let version = Arg::new("version")
        .short('V')
        .long("version")
        .action(ArgAction::Version)
        .hide(true);
    // A negative number is a wrong value of its option, and no option of its own.
    let with_negative_numbers = |arg: Arg| {
        // The edits without an argument take zero values.
        let is_empty = arg
            .get_num_args()
            .is_some_and(|range| !range.takes_values());
        let has_value = !arg.is_positional() && arg.get_action().takes_values() && !is_empty;
        if has_value {
            arg.allow_negative_numbers(true)
        } else {
            arg
        }
    };
    let command = command
        .disable_help_flag(true)
        .disable_version_flag(true)
        .mut_args(with_negative_numbers)
        .args([help, version]);
    command
        .help_template(TEMPLATE)
        .after_help(after.join("\n\n"))
}

/// Returns the description of a command without its first sentence.
fn details(command: &clap::Command) -> Option<String> {
    let text = command.get_long_about()?.to_string();
    Some(text.split_once("\n\n")?.1.to_owned())
}

/// Maximum number of options of a topic that the help of a command names.
const NAMED: usize = 4;

/// Returns a summary of the command's options that topics describe.
fn more_options(command: &clap::Command) -> Option<String> {
    let of_topic = |topic: &Topic| {
        let mut names: Vec<String> = of(command, topic.name)
            .filter(|arg| arg.is_hide_set())
            .map(name_of)
            .collect();
        if names.len() > NAMED {
            names.splice(NAMED - 1.., ["…".to_owned()]);
        }
        (!names.is_empty()).then(|| format!("{} (`sgfq help {}`)", names.join(", "), topic.name))
    };
    let topics: Vec<String> = TOPICS.iter().filter_map(of_topic).collect();
    (!topics.is_empty()).then(|| format!("More options: {}", topics.join("; ")))
}

/// Returns the options of a command that belong to a topic.
fn of<'c>(command: &'c clap::Command, topic: &str) -> impl Iterator<Item = &'c Arg> {
    let is_heading = move |heading: &str| heading.eq_ignore_ascii_case(topic);
    command
        .get_arguments()
        .filter(move |arg| arg.get_help_heading().is_some_and(is_heading))
}

fn name_of(arg: &Arg) -> String {
    arg.get_long()
        .map_or_else(|| arg.get_id().to_string(), |long| format!("--{long}"))
}

fn overview(command: &clap::Command) -> String {
    let about = |name: &str| {
        let found = command
            .find_subcommand(name)
            .and_then(clap::Command::get_about);
        found.map_or_else(String::new, |about| {
            about.to_string().trim_end_matches('.').to_owned()
        })
    };
    let mut text = format!(
        "{}\n\nUsage: sgfq <COMMAND> [OPTIONS] [INPUT]...\n\n\
         Quick start with a file, a folder or an archive:\n\
         \x20 sgfq stats games.zip      summarize it\n\
         \x20 sgfq explore games.zip    browse its positions in your browser\n\
         \x20 sgfq check games.zip      list its problems\n",
        command
            .get_about()
            .map_or_else(String::new, ToString::to_string)
    );
    for (job, names) in GROUPS {
        text += &format!("\n{job}:\n");
        for name in names {
            text += &format!("  {name:11} {}\n", about(name));
        }
    }
    text += "\nTopics (`sgfq help TOPIC`):\n";
    for topic in TOPICS {
        text += &format!("  {:11} {}\n", topic.name, topic.about);
    }
    text += "\n`sgfq help COMMAND` prints help for a command, `sgfq man COMMAND` its manual page with all options.\n";
    text
}

/// Returns the page of a topic with its options.
fn page<C: CommandFactory>(topic: &Topic) -> String {
    let command = C::command();
    let mut args: Vec<Arg> = Vec::new();
    for arg in command
        .get_subcommands()
        .flat_map(|each| of(each, topic.name))
    {
        if args.iter().all(|known| known.get_long() != arg.get_long()) {
            args.push(
                arg.clone()
                    .hide(false)
                    .global(false)
                    .help_heading(None::<&str>),
            );
        }
    }
    let mut text = topic.text.to_owned();
    if !args.is_empty() {
        let options = clap::Command::new("sgfq")
            .disable_help_flag(true)
            .term_width(WIDEST);
        let options = options.help_template("{options}").args(args);
        text += &format!("\nOptions:\n{}\n", options.clone().render_help());
    }
    text + topic.notes
}

/// Returns the command of this name for its manual page, with all options.
pub(crate) fn manual<C: CommandFactory>(name: &str) -> anyhow::Result<clap::Command> {
    let command = find::<C>(name)?;
    let examples = command.get_before_help().map(ToString::to_string);
    let extra = [details(&command), examples]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n\n");
    Ok(command
        .display_name(format!("sgfq-{name}"))
        .after_help(extra)
        .mut_args(|arg| arg.hide(false).hide_possible_values(false)))
}

/// Returns the command of this name with its help.
pub(crate) fn find<C: CommandFactory>(name: &str) -> anyhow::Result<clap::Command> {
    let mut command = command_line::<C>();
    command.build();
    let names: Vec<&str> = command
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    match command.find_subcommand(name) {
        Some(found) => Ok(found.clone()),
        None => anyhow::bail!("unknown command `{name}`{}", did_you_mean(name, names)),
    }
}

impl Help {
    pub(crate) fn run<C: CommandFactory>(self, out: &mut Output) -> anyhow::Result<Exit> {
        let Some(name) = self.name else {
            write!(out, "{}", command_line::<C>().render_help())?;
            return Ok(Exit::Done);
        };
        if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
            write!(out, "{}", page::<C>(topic))?;
            return Ok(Exit::Done);
        }
        let command = C::command();
        if command.find_subcommand(&name).is_none() {
            let names = command
                .get_subcommands()
                .map(clap::Command::get_name)
                .chain(TOPICS.map(|topic| topic.name));
            let near = did_you_mean(&name, names);
            anyhow::bail!("unknown command or topic `{name}`; `sgfq help` lists all{near}");
        }
        write!(out, "{}", find::<C>(&name)?.render_help())?;
        Ok(Exit::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut listed: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        let mut known: Vec<_> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .filter(|&name| name != "help")
            .collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        // `help NAME` prints the help of a command.
        assert!(TOPICS.iter().all(|topic| !known.contains(&topic.name)));
    }

    /// Maximum lines of a command's help.
    const LINES: usize = 41;

    fn assert_width(name: &str, text: &str) {
        let long: Vec<&str> = text
            .lines()
            .filter(|line| line.chars().count() > WIDEST)
            .collect();
        assert!(
            long.is_empty(),
            "{name}: expected lines of at most {WIDEST} columns, found {long:#?}"
        );
    }

    #[test]
    fn help_is_short_and_has_examples() {
        let mut faults = Vec::new();
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            let text = find::<Cli>(name)
                .expect("a command")
                .term_width(WIDEST)
                .render_help()
                .to_string();
            assert_width(name, &text);
            let lines = text.lines().count();
            if lines > LINES {
                faults.push(format!(
                    "{name}: expected at most {LINES} lines, found {lines}"
                ));
            }
            let examples = text.split_once("Examples:\n").map_or(0, |(_, after)| {
                after
                    .lines()
                    .take_while(|line| line.starts_with("  sgfq "))
                    .count()
            });
            if !(2..=3).contains(&examples) {
                faults.push(format!(
                    "{name}: expected two or three examples, found {examples}"
                ));
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
        assert_width("sgfq", &overview(&Cli::command()));
    }

    /// Options with one meaning, which each command describes in its own words.
    const ONE_MEANING: &[(&str, &str)] = &[
        ("allow", "leave findings of this code alone"),
        ("by", "which games are equal"),
        ("columns", "the columns of the answer"),
        (
            "format",
            "the format of the answer; of `fix`, whose answer is games, that of its report",
        ),
        ("index", "the file with an index of positions"),
        ("invert", "the games that do not match"),
        ("level", "the least severity"),
        ("list", "list the names that the first argument may have"),
        ("moves", "the first N moves"),
        ("number", "the number of games"),
        ("output", "where the answer goes"),
        ("rejects", "the games that the answer leaves out"),
        ("reverse", "the descending order"),
        ("sort", "the order of the rows"),
        ("summary", "a summary in place of the answer"),
        ("swap-colors", "exchange the colors"),
        ("top", "the first N rows"),
        ("variations", "variations, too"),
        ("where", "the games that are read, edited or repaired"),
        ("directory", "a file for each input or game in a directory"),
    ];

    /// Options with two meanings, and why they have them.
    const TWO_MEANINGS: &[(&str, &str)] = &[
        ("-n", "`grep -n` and `head -n` are older than sgfq"),
        ("moves", "`index` names its tables after their rows"),
    ];

    /// Commands that read games on one thread, and why.
    const ONE_THREAD: &[(&str, &str)] = &[
        (
            "head",
            "it ends at the N-th game, also where the input goes on",
        ),
        ("merge", "all games go into one tree, one after another"),
    ];

    /// Commands that write no single file.
    const NO_OUTPUT: &[(&str, &str)] = &[
        ("explore", "it serves a page"),
        ("split", "it writes files into -d DIR"),
    ];

    fn is_listed(list: &[(&str, &str)], name: &str) -> bool {
        list.iter().any(|(listed, _)| *listed == name)
    }

    #[test]
    fn an_option_has_one_meaning() {
        let mut known: std::collections::BTreeMap<String, (String, String)> = Default::default();
        let command = Cli::command();
        let mut faults = Vec::new();
        for each in command.get_subcommands() {
            for arg in each.get_arguments().filter(|arg| !arg.is_positional()) {
                let long = name_of(arg).trim_start_matches('-').to_owned();
                // A letter means its long name; a long name its value and its help.
                let value = arg
                    .get_value_names()
                    .filter(|_| arg.get_action().takes_values());
                let help = arg
                    .get_help()
                    .map(ToString::to_string)
                    .filter(|_| !is_listed(ONE_MEANING, &long));
                let meanings = [(long.clone(), format!("{value:?} {help:?}"))];
                let letter = arg.get_short().map(|letter| (format!("-{letter}"), long));
                for (name, meaning) in meanings.into_iter().chain(letter) {
                    let (first, of) = known
                        .entry(name.clone())
                        .or_insert((meaning.clone(), each.get_name().to_owned()));
                    if *first != meaning && !is_listed(TWO_MEANINGS, &name) {
                        faults.push(format!(
                            "{name}: {of}: {first}; {}: {meaning}",
                            each.get_name()
                        ));
                    }
                }
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn commands_that_read_have_jobs_and_an_output() {
        for command in Cli::command().get_subcommands() {
            let has = |id: &str| {
                command
                    .get_arguments()
                    .any(|arg| arg.get_long() == Some(id))
            };
            let name = command.get_name();
            if command.get_arguments().any(|arg| arg.get_id() == "inputs") {
                assert_ne!(has("jobs"), is_listed(ONE_THREAD, name), "{name}: --jobs");
                assert_ne!(
                    has("output"),
                    is_listed(NO_OUTPUT, name),
                    "{name}: --output"
                );
            }
        }
    }

    #[test]
    fn formats_have_the_names_of_one_set() {
        for command in Cli::command().get_subcommands() {
            for arg in command
                .get_arguments()
                .filter(|arg| arg.get_long() == Some("format"))
            {
                assert_eq!(arg.get_short(), Some('f'));
                for value in arg.get_possible_values() {
                    let format = <crate::report::format::Format as clap::ValueEnum>::from_str(
                        value.get_name(),
                        false,
                    );
                    assert!(
                        format.is_ok(),
                        "{}: {}",
                        command.get_name(),
                        value.get_name()
                    );
                }
            }
        }
    }

    #[test]
    fn each_shared_option_is_in_a_topic() {
        for topic in TOPICS {
            assert_width(topic.name, &page::<Cli>(&topic));
        }
        let command = Cli::command();
        for arg in command
            .get_subcommands()
            .flat_map(clap::Command::get_arguments)
            .filter(|arg| arg.is_hide_set())
        {
            let Some(heading) = arg.get_help_heading() else {
                panic!("{arg}: expected a topic as heading")
            };
            let topic = TOPICS
                .iter()
                .find(|topic| heading.eq_ignore_ascii_case(topic.name));
            let page = page::<Cli>(
                topic.unwrap_or_else(|| panic!("{arg}: expected a topic, found {heading}")),
            );
            assert!(page.contains(&name_of(arg)), "{arg}: {page}");
        }
    }
}

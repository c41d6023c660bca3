//! `sgfq help`: the commands grouped by job, and topics that concern several commands. Topics describe the options that most
//! commands share. These options are hidden in the help of a command, and their heading is the name of the topic.

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
        Self { name, about, text, notes: "" }
    }
}

const TOPICS: [Topic; 9] = [
    Topic::new("inputs", "Files, archives and patterns as INPUT", include_str!("inputs.txt")),
    Topic::new("charset", "Charsets and --framing", include_str!("charset.txt")),
    Topic::new("expressions", "SQL conditions as EXPR", include_str!("expressions.txt")),
    Topic::new("patterns", "Patterns and answers of `sgfq find`", include_str!("patterns.txt")),
    Topic::new("edits", "Edits of `sgfq rewrite`", include_str!("edits.txt")),
    Topic::new("formats", "Output formats", include_str!("formats.txt")),
    Topic::new("threads", "Threads, output order, progress", include_str!("threads.txt")),
    Topic::new("exit", "Exit status", include_str!("exit.txt")),
    Topic {
        name: "caps",
        about: "Limits on archives and on long texts",
        text: include_str!("caps.txt"),
        notes: include_str!("texts.txt"),
    },
];

/// Commands grouped by job. A test checks that each command is in exactly one group.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Look",
        &["count", "stats", "get", "freq", "players", "grep", "find", "openings", "tree", "moves", "board", "explore"],
    ),
    ("Select", &["filter", "cat", "head", "sample", "dedup"]),
    ("Check and repair", &["check", "explain", "fix", "charset"]),
    ("Edit and arrange", &["rewrite", "split", "sort", "merge", "variations"]),
    ("Export", &["index", "events"]),
    ("Measure", &["bench"]),
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
    let names: Vec<String> = command.get_subcommands().map(|each| each.get_name().to_owned()).collect();
    let overview = overview(&command);
    let command = names.iter().fold(command, |all, name| all.mut_subcommand(name, with_short_help));
    command.override_help(overview)
}

/// Makes `-h` and `--help` print the same help.
fn with_short_help(command: clap::Command) -> clap::Command {
    const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";
    let after = [details(&command), more_options(&command)].into_iter().flatten().collect::<Vec<_>>();
    let help = Arg::new("help").short('h').long("help").help("Print help").action(ArgAction::HelpShort);
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version).hide(true);
    let command = command.disable_help_flag(true).disable_version_flag(true).args([help, version]);
    command.help_template(TEMPLATE).after_help(after.join("\n\n"))
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
        let mut names: Vec<String> = of(command, topic.name).filter(|arg| arg.is_hide_set()).map(name_of).collect();
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
    command.get_arguments().filter(move |arg| arg.get_help_heading().is_some_and(is_heading))
}

fn name_of(arg: &Arg) -> String {
    arg.get_long().map_or_else(|| arg.get_id().to_string(), |long| format!("--{long}"))
}

fn overview(command: &clap::Command) -> String {
    let about = |name: &str| {
        let found = command.find_subcommand(name).and_then(clap::Command::get_about);
        found.map_or_else(String::new, |about| about.to_string().trim_end_matches('.').to_owned())
    };
    let mut text = format!(
        "{}\n\nUsage: sgfq <COMMAND> [OPTIONS] [INPUT]...\n\n\
         Quick start with a file, a folder or an archive:\n\
         \x20 sgfq stats games.zip      summarize it\n\
         \x20 sgfq explore games.zip    browse its positions in your browser\n\
         \x20 sgfq check games.zip      list its problems\n",
        command.get_about().map_or_else(String::new, ToString::to_string)
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
    for arg in command.get_subcommands().flat_map(|each| of(each, topic.name)) {
        if args.iter().all(|known| known.get_long() != arg.get_long()) {
            args.push(arg.clone().hide(false).global(false).help_heading(None::<&str>));
        }
    }
    let mut text = topic.text.to_owned();
    if !args.is_empty() {
        let options = clap::Command::new("sgfq").disable_help_flag(true).term_width(WIDEST);
        let options = options.help_template("{options}").args(args);
        text += &format!("\nOptions:\n{}\n", options.clone().render_help());
    }
    text + topic.notes
}

/// Returns the command of this name for its manual page, with all options.
pub(crate) fn manual<C: CommandFactory>(name: &str) -> anyhow::Result<clap::Command> {
    let command = find::<C>(name)?;
    let examples = command.get_before_help().map(ToString::to_string);
    let extra = [details(&command), examples].into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    Ok(command.display_name(format!("sgfq-{name}")).after_help(extra).mut_args(|arg| arg.hide(false)))
}

/// Returns the command of this name with its help.
pub(crate) fn find<C: CommandFactory>(name: &str) -> anyhow::Result<clap::Command> {
    let mut command = command_line::<C>();
    command.build();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
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
            let names = command.get_subcommands().map(clap::Command::get_name).chain(TOPICS.map(|topic| topic.name));
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
        let mut listed: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known: Vec<_> =
            command.get_subcommands().map(clap::Command::get_name).filter(|&name| name != "help").collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
    }

    /// Maximum lines of a command's help.
    const LINES: usize = 40;

    fn assert_width(name: &str, text: &str) {
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > WIDEST).collect();
        assert!(long.is_empty(), "{name}: expected lines of at most {WIDEST} columns, found {long:#?}");
    }

    #[test]
    fn help_is_short_and_has_examples() {
        let mut faults = Vec::new();
        for name in GROUPS.iter().flat_map(|(_, names)| *names) {
            let text = find::<Cli>(name).expect("a command").term_width(WIDEST).render_help().to_string();
            assert_width(name, &text);
            let lines = text.lines().count();
            if lines > LINES {
                faults.push(format!("{name}: expected at most {LINES} lines, found {lines}"));
            }
            let examples = text
                .split_once("Examples:\n")
                .map_or(0, |(_, after)| after.lines().take_while(|line| line.starts_with("  sgfq ")).count());
            if !(2..=3).contains(&examples) {
                faults.push(format!("{name}: expected two or three examples, found {examples}"));
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
        assert_width("sgfq", &overview(&Cli::command()));
    }

    /// A letter means one thing.
    #[test]
    fn a_letter_is_one_option() {
        let mut known: std::collections::BTreeMap<char, String> = Default::default();
        let command = Cli::command();
        for arg in command.get_subcommands().flat_map(clap::Command::get_arguments) {
            let Some(short) = arg.get_short() else { continue };
            let name = known.entry(short).or_insert_with(|| name_of(arg));
            assert_eq!(*name, name_of(arg), "-{short}");
        }
    }

    #[test]
    fn each_shared_option_is_in_a_topic() {
        for topic in TOPICS {
            assert_width(topic.name, &page::<Cli>(&topic));
        }
        let command = Cli::command();
        for arg in command.get_subcommands().flat_map(clap::Command::get_arguments).filter(|arg| arg.is_hide_set()) {
            let Some(heading) = arg.get_help_heading() else { panic!("{arg}: expected a topic as heading") };
            let topic = TOPICS.iter().find(|topic| heading.eq_ignore_ascii_case(topic.name));
            let page = page::<Cli>(topic.unwrap_or_else(|| panic!("{arg}: expected a topic, found {heading}")));
            assert!(page.contains(&name_of(arg)), "{arg}: {page}");
        }
    }
}

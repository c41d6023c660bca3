//! `sgfq help`: the commands grouped by job, and topics that concern several
//! commands. Options that every command has are described there, once.

use std::io::Write;

use clap::{Args, CommandFactory};

use crate::io::output::Output;
use crate::report::exit::Exit;

/// A page of help that belongs to no command.
struct Topic {
    name: &'static str,
    about: &'static str,
    text: &'static str,
}

const TOPICS: [Topic; 6] = [
    Topic { name: "inputs", about: "What INPUT may be", text: include_str!("inputs.txt") },
    Topic { name: "charset", about: "Charsets, and --framing", text: include_str!("charset.txt") },
    Topic { name: "expressions", about: "What EXPR may be", text: include_str!("expressions.txt") },
    Topic { name: "formats", about: "Formats of output", text: include_str!("formats.txt") },
    Topic { name: "exit", about: "Exit status", text: include_str!("exit.txt") },
    Topic { name: "caps", about: "Limits on archives and on long texts", text: "" },
];

/// The commands by job. A test holds that each command is in one group.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Look", &["count", "stats", "get", "freq", "tree", "moves"]),
    ("Select", &["filter", "cat", "head", "tail", "slice", "sample", "dedup", "mainline"]),
    ("Check and repair", &["check", "explain", "fix", "charset", "diff"]),
    ("Edit and arrange", &["rewrite", "split"]),
    ("Export", &["index", "events"]),
    ("Measure", &["bench"]),
];

/// Print help for a command or a topic.
#[derive(Debug, Args)]
pub(crate) struct Help {
    /// A command or a topic.
    #[arg(value_name = "COMMAND|TOPIC")]
    name: Option<String>,
}

/// The command line, with help in the order in which it is read: what the
/// command does, examples, its options.
pub(crate) fn command_line<C: CommandFactory>() -> clap::Command {
    const TEMPLATE: &str = "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";
    let command = C::command();
    let names: Vec<String> = command.get_subcommands().map(|each| each.get_name().to_owned()).collect();
    let overview = overview(&command);
    let command = names.iter().fold(command, |all, name| all.mut_subcommand(name, |each| each.help_template(TEMPLATE)));
    command.override_help(overview)
}

fn overview(command: &clap::Command) -> String {
    let about = |name: &str| {
        let found = command.find_subcommand(name).and_then(clap::Command::get_about);
        found.map_or_else(String::new, |about| about.to_string().trim_end_matches('.').to_owned())
    };
    let mut text = format!(
        "{}\n\nUsage: sgfq <COMMAND> [OPTIONS] [INPUT]...\n",
        command.get_about().map_or_else(String::new, ToString::to_string)
    );
    for (job, names) in GROUPS {
        text += &format!("\n{job}:\n");
        for name in names {
            text += &format!("  {name:9} {}\n", about(name));
        }
    }
    text += "\nTopics (`sgfq help TOPIC`):\n";
    for topic in TOPICS {
        text += &format!("  {:11} {}\n", topic.name, topic.about);
    }
    text += "\n`sgfq COMMAND -h` prints short help, `sgfq help COMMAND` all of it; `sgfq --version` the version.\n";
    text
}

/// The page on caps is made from the flags themselves.
fn caps() -> String {
    #[derive(clap::Parser)]
    struct Caps {
        #[command(flatten)]
        caps: crate::args::caps::CapArgs,
    }
    let mut text = String::from(
        "Limits on what one archive may expand to. An archive that exceeds one is reported, and reading goes on with\n\
         the next input. Files that are not packed have no limit. Commands that read archives take these options:\n\n",
    );
    for arg in Caps::command().get_arguments().filter(|arg| arg.get_id().as_str().starts_with("cap_")) {
        let flag = format!(
            "--{} <{}>",
            arg.get_long().unwrap_or_default(),
            arg.get_value_names().map_or("N", |names| names[0].as_str())
        );
        let default = arg.get_default_values().first().and_then(|value| value.to_str()).unwrap_or_default();
        let help = arg.get_help().map_or_else(String::new, ToString::to_string);
        text += &format!("  {flag:22} {help} [default: {default}]\n");
    }
    text += include_str!("texts.txt");
    text
}

impl Help {
    pub(crate) fn run<C: CommandFactory>(self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut command = command_line::<C>();
        let Some(name) = self.name else {
            write!(out, "{}", command.render_long_help())?;
            return Ok(Exit::Done);
        };
        if let Some(topic) = TOPICS.iter().find(|topic| topic.name == name) {
            let text = if topic.text.is_empty() { caps() } else { topic.text.to_owned() };
            write!(out, "{text}")?;
            return Ok(Exit::Done);
        }
        command.build();
        match command.find_subcommand_mut(&name) {
            Some(found) => write!(out, "{}", found.render_long_help())?,
            None => {
                let topics = TOPICS.map(|topic| topic.name).join(", ");
                anyhow::bail!("expected a command or one of the topics {topics}, found `{name}`");
            }
        }
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

    #[test]
    fn help_is_short_and_has_an_example() {
        let mut command = command_line::<Cli>();
        command.build();
        for each in command.get_subcommands_mut().filter(|each| each.get_name() != "help") {
            let name = each.get_name().to_owned();
            let text = each.render_long_help().to_string();
            assert!(text.contains("Examples:\n  sgfq "), "{name}: expected an example, found none:\n{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 120), "{name}: a long line:\n{text}");
        }
        assert!(caps().contains("--cap-ratio <N>"));
        assert!(TOPICS.iter().all(|topic| topic.text.lines().all(|line| line.chars().count() <= 110)));
    }
}
